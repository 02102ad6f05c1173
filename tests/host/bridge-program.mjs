/* SPDX-License-Identifier: MIT
 * quash-bridge between clients and devices that the test plays. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { connectTo, greet } from '../common/client.mjs';
import { Device } from '../common/device.mjs';
import { Program, patientBridge } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { folderFor } from '../common/start.mjs';

export { cable } from '../common/cable.mjs';
export { End, clientInfo, connectTo, greet, mute } from '../common/client.mjs';
export { Device, toolsNamed } from '../common/device.mjs';
export { folderFor } from '../common/start.mjs';

/* What may be missing: serial devices of tests/host/ptys.c; what Linux shows of processes; a bridge that uses what is Linux's own; and
 * what boards/wasm/README.md names, which the shell of Node does not do. */
const needed = ['tty', 'proc', 'linux', 'ignored-signals', 'bounded-memory'];
const without = (process.env.WITHOUT ?? (process.platform === 'linux' ? '' : 'tty proc linux')).split(' ').filter(Boolean);
assert.deepEqual(without.filter((word) => !needed.includes(word)), [], 'WITHOUT has words that no test needs');

/** These tests mostly wait. One that needs what is not there is left out. */
export function check(name, body, { needs = [], ...more } = {}) {
	const missing = needs.filter((word) => without.includes(word));
	if (missing.length) console.log(`without ${missing.join(' and ')}: no test that ${name}`);
	else test(`quash-bridge: ${name}`, body, { together: true, ...more });
}

/** The bridge, and its client on stdin and stdout, which is the same. */
export class Bridge extends Program {
	/** Ends with the test. `protocol` is that of stdin and stdout. `program` stands before the words. */
	static start(t, words, { protocol, program: [path, ...first] = patientBridge, env = process.env } = {}) {
		return super.start(t, path, [...first, ...words], { dialect: protocol, env });
	}

	get client() {
		return this;
	}
}

/** A device, a bridge to it, and its client on stdin and stdout. MCP: the session is open. */
export async function joined(t, { words = [], device: how, ...more } = {}) {
	const device = await Device.open(t, { protocol: more.protocol, ...how });
	const bridge = Bridge.start(t, [...(more.protocol ? ['--protocol', more.protocol] : []), ...words, '--unix', device.path], more);
	const { client } = bridge;
	if ((more.protocol ?? 'mcp') === 'mcp') {
		bridge.greeting = await greet(client, more);
		await device.ready();
	}
	return { device, bridge, client, line: await device.lineNumber(1) };
}

/** The same with clients that connect to `where`. */
export async function listening(t, { words = [], device: how, protocol } = {}) {
	const device = await Device.open(t, { protocol, ...how });
	const where = join(folderFor(t), 'clients');
	const bridge = Bridge.start(t, [...(protocol ? ['--protocol', protocol] : []), '--listen-unix', where, ...words, '--unix', device.path]);
	await bridge.says(/listening on /);
	const newClient = async (options) => {
		const client = await connectTo(t, where, { protocol });
		if ((protocol ?? 'mcp') === 'mcp') await greet(client, options);
		return client;
	};
	return { device, bridge, where, newClient };
}

/** What `listening` gives, so many clients, and the line of the device. */
export async function talking(t, count, how) {
	const all = await listening(t, how);
	const clients = [];
	while (clients.length < count) clients.push(await all.newClient());
	return { ...all, clients, line: await all.device.ready() };
}
