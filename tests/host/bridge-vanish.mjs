/* SPDX-License-Identifier: MIT
 * node bridge-vanish.mjs
 *
 * quash-bridge and a client on TCP that vanishes without a word, as a laptop that goes to sleep. The tests run in a network of
 * their own, where they may take the loopback device down. */

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { Bridge, Device, connectTo, greet } from './bridge-program.mjs';
import { skip, test } from '../common/runner.mjs';
import { printed, told } from '../common/start.mjs';

const withinMs = 15000;
const names = ['a client that vanished is noticed', 'the same while something waits to be sent to it'].map((name) => `quash-bridge: ${name}`);
const loopback = (state) => printed('ip', ['link', 'set', 'lo', state]);

/* In a network of its own whose loopback device is up. */
const alone = (script, ...words) => told('unshare', ['--map-root-user', '--net', 'sh', '-c', `ip link set lo up && ${script}`, ...words], { stdio: 'inherit' });

/* A client with a call at the device; then there is no network any more. */
async function vanished(t) {
	const device = await Device.open(t);
	const bridge = Bridge.start(t, ['--listen-tcp', '0', '--unix', device.path]);
	const client = await connectTo(t, Number((await bridge.says(/listening on \S+:(\d+)$/m))[1]));
	await greet(client);
	await client.result('logging/setLevel', { level: 'info' });
	const line = await device.ready();
	client.ask('tools/call', { name: 'work' });
	const below = await line.takes('tools/call');
	t.after(() => loopback('up'));
	loopback('down');
	return { bridge, line, below, since: performance.now() };
}

async function isNoticed({ bridge, line, below, since }) {
	const { params } = await line.takes('notifications/cancelled');
	const ms = performance.now() - since;
	assert.equal(params.requestId, below.id);
	assert.ok(ms > withinMs / 3, `${ms} ms`);
	await bridge.says(/client 1: gone/);
}

if (process.argv[2] === 'inside') {
	test(names[0], async (t) => isNoticed(await vanished(t)));
	test(names[1], async (t) => {
		const all = await vanished(t);
		for (let n = 0; n < 3; n++) all.line.notify('notifications/message', { level: 'info', data: n });
		await isNoticed(all);
	});
} else if (alone('true').status === 0) {
	process.exit(alone('exec "$0" "$@"', process.execPath, fileURLToPath(import.meta.url), 'inside').status ?? 1);
} else {
	for (const name of names) skip(name, 'there is no network of its own: unshare --map-root-user --net, or ip, does not work here');
}
