/* SPDX-License-Identifier: MIT
 * quash-bridge and one that is never silent or never satisfied: all others go on. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Bridge, Device, check, connectTo, folderFor, greet, listening, mute, talking } from './bridge-program.mjs';
import { sleep, until } from '../common/runner.mjs';
import { started } from '../common/start.mjs';

/* --- Endless input */

/** Processes that write the same line to the socket for ever; several, so that it is never empty. */
function babble(t, socket, line) {
	for (let n = 0; n < 4; n++) started(t, ['yes', line], { stdio: ['ignore', socket, 'ignore'] });
}

check('a client that sends empty lines for ever stops nobody', async (t) => {
	const { bridge, where, clients: [client], line } = await talking(t, 1);
	const socket = connect(where);
	t.after(() => socket.destroy());
	await bridge.says(/client 2: connected/);
	babble(t, socket, '');
	client.ask('tools/call', { name: 'work' }, 'w');
	const below = await line.takes('tools/call');
	client.notify('notifications/cancelled', { requestId: 'w' });
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	assert.deepEqual(await client.result('ping'), {});
	bridge.signal('SIGTERM');
	await bridge.exits(143);
});

for (const [what, words] of [['a program', ['--', 'sh', '-c', 'yes & yes & yes & yes']], ['one of two programs', ['--device', 'one=exec:yes', '--device', 'two=exec:cat']]])
	check(`${what} that sends noise for ever cannot keep it`, async (t) => {
		const bridge = Bridge.start(t, words);
		await bridge.says(/noise: "y"/);
		bridge.signal('SIGTERM');
		await bridge.exits(143);
	});

check('a socket that sends noise for ever cannot keep it', async (t) => {
	const device = await Device.open(t);
	const bridge = Bridge.start(t, ['--unix', device.path]);
	await device.lineNumber(1);
	babble(t, device.socket, 'y');
	await bridge.says(/noise: "y"/);
	bridge.signal('SIGTERM');
	await bridge.exits(143);
});

/* --- Requests without end */

check('a client that always has ten requests waiting leaves the line to others', async (t) => {
	const { device, newClient } = await listening(t, { device: { handlers: { 'x/busy': () => ({}), 'x/other': () => 'heard' } } });
	const busy = await newClient();
	await device.ready();
	const other = await newClient();
	const params = { text: 'x'.repeat(300) };
	busy.onmessage = () => busy.ask('x/busy', params);
	t.after(() => { busy.onmessage = null; });
	for (let n = 0; n < 10; n++) busy.ask('x/busy', params);
	const line = device.line;
	await until('a busy line', () => line.all('x/busy').length > 20);
	const before = line.all('x/busy').length, rounds = 8;
	for (let n = 0; n < rounds; n++) assert.equal(await other.result('x/other'), 'heard');
	const passed = line.all('x/busy').length - before;
	assert.ok(passed <= 100 * rounds, `${passed} of the other's have passed ${rounds}`);
});

/* --- Notifications without end */

check('a client that goes with notifications unread is noticed under a steady flow of the device', async (t) => {
	const { device, bridge, clients: [client], line } = await talking(t, 1);
	client.ask('tools/call', { name: 'work' });
	await line.takes('tools/call');
	babble(t, device.socket, '{"jsonrpc":"2.0","method":"x/tick"}'); /* it is not read any more */
	await bridge.says(/x\/tick names no client: dropped/);
	for (let n = 0; n < 2000; n++) client.notify('x/note', { text: 'x'.repeat(3000) });
	await until('more than the bridge takes', async () => {
		const waits = client.output.writableLength;
		await sleep(300);
		return waits > 0 && client.output.writableLength === waits;
	});
	client.vanish();
	await bridge.says(/client 1: gone, 1 request cancelled/);
});

/* --- Questions of an agent */

const most = 16;

check('ACP: a client that never answers is asked 16 things at once, and others are asked', async (t) => {
	const { device, newClient } = await listening(t, { protocol: 'acp' });
	const clients = [await newClient(), await newClient()];
	const line = await device.lineNumber(1);
	for (const [n, client] of clients.entries()) {
		await client.result('initialize', { protocolVersion: 1, clientCapabilities: {} });
		const id = client.ask('session/new', { cwd: '/', mcpServers: [] });
		line.answer(await line.takes('session/new'), { sessionId: `s${n}` });
		await client.answerTo(id);
	}
	const ask = (n, id) => line.ask('fs/read_text_file', { sessionId: `s${n}`, path: '/a' }, id);
	for (let n = 0; n < most; n++) ask(0, `a${n}`);
	const asked = [];
	while (asked.length < most) asked.push(await clients[0].takes('fs/read_text_file'));
	ask(0, 'too many');
	assert.equal((await line.answerTo('too many')).error.code, -32010);
	ask(1, 'b');
	clients[1].answer(await clients[1].takes('fs/read_text_file'), { content: 'b' });
	assert.deepEqual((await line.answerTo('b')).result, { content: 'b' });
	clients[0].answer(asked[0], { content: 'a' });
	await line.answerTo('a0');
	ask(0, 'room again');
	clients[0].answer(await clients[0].takes('fs/read_text_file'), { content: 'a' });
	assert.deepEqual((await line.answerTo('room again')).result, { content: 'a' });
});

/* --- At the end */

const ramp = `
	import { createInterface } from 'node:readline';
	const say = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
	const result = { protocolVersion: '2025-11-25', capabilities: { logging: {} }, serverInfo: { name: 'ramp', version: '1' } };
	const data = 'x'.repeat(65536);
	createInterface({ input: process.stdin }).on('line', (line) => {
		if (!line) return;
		const { id, method } = JSON.parse(line);
		if (method === 'x/shout') for (let n = 0; n < 40; n++) say({ method: 'notifications/message', params: { level: 'info', data } });
		if (id !== undefined) say({ id, result: method === 'initialize' ? result : {} });
	}).on('close', () => setTimeout(() => { process.stderr.write('motor off\\n'); process.exit(0); }, 500));`;

check('a program has time for its ramp though a client does not read at the end', async (t) => {
	const folder = folderFor(t), program = join(folder, 'ramp.mjs'), where = join(folder, 'clients');
	writeFileSync(program, ramp);
	const bridge = Bridge.start(t, ['--grace', '30s', '--listen-unix', where, '--', process.execPath, program]);
	await bridge.says(/device: ready/);
	await mute(t, where);
	const quick = await connectTo(t, where);
	await greet(quick);
	await quick.result('x/shout', {});
	bridge.signal('SIGTERM');
	await bridge.exits(143);
	assert.match(bridge.stderr, /^motor off$/m);
	assert.doesNotMatch(bridge.stderr, /lost/);
});
