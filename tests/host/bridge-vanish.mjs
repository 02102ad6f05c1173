/* SPDX-License-Identifier: MIT
 * node bridge-vanish.mjs
 *
 * quash-bridge and a client on TCP that vanishes without a word, as a laptop that goes to sleep. The tests run in a network of
 * their own, where they may take the loopback device down. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { Bridge, Device, connectTo, greet } from './bridge-program.mjs';
import { test } from './runner.mjs';

const withinMs = 15000, slowerMs = 45000;
const loopback = (state) => execFileSync('ip', ['link', 'set', 'lo', state]);

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
	const { params } = await line.takes('notifications/cancelled', slowerMs);
	const ms = performance.now() - since;
	assert.equal(params.requestId, below.id);
	assert.ok(ms > withinMs / 3 && ms < withinMs + 2500, `${ms} ms`);
	await bridge.says(/client 1: gone/);
}

if (process.argv[2] === 'inside') {
	test('quash-bridge: a client that vanished is noticed within 15 s', async (t) => isNoticed(await vanished(t)), { seconds: 60 });
	test('quash-bridge: the same while something waits to be sent to it', async (t) => {
		const all = await vanished(t);
		for (let n = 0; n < 3; n++) all.line.notify('notifications/message', { level: 'info', data: n });
		await isNoticed(all);
	}, { seconds: 60 });
} else {
	const self = fileURLToPath(import.meta.url);
	const { status } = spawnSync('unshare', ['--map-root-user', '--net', 'sh', '-c', 'ip link set lo up && exec "$0" "$@"', process.execPath, self, 'inside'],
		{ stdio: 'inherit' });
	process.exit(status ?? 1);
}
