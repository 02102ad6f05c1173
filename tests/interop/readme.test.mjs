/* SPDX-License-Identifier: MIT
 * The server of the README with official clients: what it offers, a call, and a call that is cancelled while the motor is
 * on. The motor is seen on stderr. */

import assert from 'node:assert/strict';
import { test, until } from '../common/runner.mjs';
import { patientBridge } from '../common/program.mjs';
import { compiled } from '../readme/server.mjs';
import { legacyFlavour, modernFlavour, sdkFlavour } from './flavours.mjs';

async function callTurn(t, flavour, words) {
	const client = flavour.newClient();
	const [command, ...args] = words;
	const transport = flavour.newTransport({ command, args, stderr: 'pipe' });
	let motor = '';
	transport.stderr.on('data', (text) => { motor += text; });
	t.after(() => client.close());
	await client.connect(transport);
	const { tools } = await client.listTools();
	assert.deepEqual(tools.map(({ name }) => name), ['turn']);
	const call = (ms, options) => flavour.callTool(client, { name: 'turn', arguments: { ms } }, options);
	assert.deepEqual((await call(10)).content, [{ type: 'text', text: 'turned' }]);
	await until('the motor to be off', () => motor === 'motor on\nmotor off\n');
	const stop = new AbortController();
	const ended = assert.rejects(call(60000, { signal: stop.signal }));
	await until('the motor to be on', () => motor.endsWith('motor on\n'));
	stop.abort();
	await ended;
	await until('the motor to be off again', () => motor === 'motor on\nmotor off\n'.repeat(2));
	assert.equal((await call(0)).isError, true, 'it serves on, and refuses what the table forbids');
}

/* The client closes the pipe while the motor is on, and sends SIGTERM when the server has not ended 2 s later. */
async function closeWhileItTurns(t, flavour) {
	const client = flavour.newClient();
	const transport = flavour.newTransport({ command: compiled(), stderr: 'pipe' });
	let motor = '';
	transport.stderr.on('data', (text) => { motor += text; });
	t.after(() => client.close());
	await client.connect(transport);
	const ended = assert.rejects(flavour.callTool(client, { name: 'turn', arguments: { ms: 60000 } }));
	await until('the motor to be on', () => motor === 'motor on\n');
	await client.close();
	await ended;
	await until('the motor to be off', () => motor === 'motor on\nmotor off\n');
}

for (const flavour of [sdkFlavour, legacyFlavour, modernFlavour])
	test(`the server of the README: its client closes while the motor is on: ${flavour.name}`, (t) => closeWhileItTurns(t, flavour));

for (const flavour of [sdkFlavour, legacyFlavour, modernFlavour]) {
	test(`the server of the README: ${flavour.name}`, (t) => callTurn(t, flavour, [compiled()]));
	test(`the server of the README behind quash-bridge: ${flavour.name}`,
		(t) => callTurn(t, flavour, [...patientBridge, '--log', 'error', '--', compiled()]));
}
