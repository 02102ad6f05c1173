/* SPDX-License-Identifier: MIT
 * quash-bridge with clients that do not read, or slowly: what they have not taken waits in the bridge, and stops nobody. */

import assert from 'node:assert/strict';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Bridge, check, connectTo, folderFor, greet, joined, listening, mute } from './bridge-program.mjs';
import { memoryOf, processorTicks } from '../common/process.mjs';
import { sleep, until } from '../common/runner.mjs';

const big = 'x'.repeat(300000), calls = 150;
const queued = 4 << 20; /* so much may wait behind the message that a client is taking */
const portion = 1 << 16;
const sockets = 1 << 19; /* more than a Unix socket holds by itself */

/** One that reads, and wants log messages. */
async function listener(newClient) {
	const client = await newClient();
	await client.result('logging/setLevel', { level: 'info' });
	return client;
}

const askBig = (client) => { for (let n = 0; n < calls; n++) client.ask('x/big', {}, n); };

const cancelOf = (line, { id }) => line.take(`the cancel of ${id}`, ({ method, params }) => method === 'notifications/cancelled' && params.requestId === id);

const isClosed = (bridge, number, why) => bridge.says(new RegExp(`warning: client ${number} does not read: ${why}, closed$`, 'm'));

/* --- Others */

check('a client that reads nothing stops nobody: ping, call and cancel of another pass', async (t) => {
	const { device, bridge, where, newClient } = await listening(t, { device: { handlers: { 'x/big': () => big } } });
	const silent = await mute(t, where);
	const quick = await newClient();
	const line = await device.ready();
	askBig(silent);
	await until('many answers of the device', () => line.all('x/big').length >= 5);
	quick.ask('tools/call', { name: 'work' }, 'w');
	assert.deepEqual(await quick.result('ping'), {});
	const below = await line.take('the call', ({ params }) => params?.name === 'work');
	quick.notify('notifications/cancelled', { requestId: 'w' });
	await cancelOf(line, below);
	await isClosed(bridge, 1, 'more than 4 MiB wait for it');
	assert.ok((await quick.result('tools/list')).tools);
}, { together: false }); /* nor do those behind it run beside tests that measure time: megabytes keep node busy */

/* A device that can only write or read, and notes what it has read. */
const blocking = `
	import { appendFileSync, readSync, writeSync } from 'node:fs';
	const bytes = Buffer.alloc(1 << 16), big = 'x'.repeat(300000);
	const answer = (id, result) => {
		const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', id, result }) + '\\n');
		for (let at = 0; at < text.length;) at += writeSync(1, text, at);
	};
	const results = { initialize: { protocolVersion: '2025-11-25', capabilities: { logging: {} }, serverInfo: { name: 'blocking', version: '1' } }, ping: {}, 'x/big': big };
	for (let text = '', n; (n = readSync(0, bytes)) > 0;) {
		const lines = (text + bytes.toString('utf8', 0, n)).split('\\n');
		text = lines.pop();
		for (const { id, method, params } of lines.filter(Boolean).map(JSON.parse)) {
			appendFileSync(process.argv[2], (method === 'notifications/cancelled' ? 'cancel of ' + params.requestId : id + ' ' + method) + '\\n');
			if (method in results) answer(id, results[method]);
			else if (id !== undefined && method !== 'x/work') writeSync(1, JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32601, message: 'no' } }) + '\\n');
		}
	}`;

check('a device whose write blocks still gets the cancel of another client', async (t) => {
	const folder = folderFor(t), [program, noted, where] = ['device.mjs', 'noted', 'clients'].map((name) => join(folder, name));
	writeFileSync(program, blocking);
	appendFileSync(noted, '');
	const bridge = Bridge.start(t, ['--listen-unix', where, '--', process.execPath, program, noted]);
	await bridge.says(/device: ready/);
	const silent = await mute(t, where);
	const quick = await connectTo(t, where);
	await greet(quick);
	const has = (pattern) => until(`${pattern} at the device`, () => pattern.exec(readFileSync(noted, 'utf8')));
	quick.ask('x/work', {}, 'w');
	const [, below] = await has(/^(\d+) x\/work$/m);
	askBig(silent);
	await has(/x\/big/);
	quick.notify('notifications/cancelled', { requestId: 'w' });
	await has(new RegExp(`^cancel of ${below}$`, 'm'));
	assert.deepEqual(await quick.result('ping'), {});
});

check('what a client asked that does not read is cancelled at the device', async (t) => {
	const { device, bridge, where } = await listening(t, { device: { handlers: { 'x/big': () => big } } });
	const silent = await mute(t, where);
	const line = await device.ready();
	silent.ask('tools/call', { name: 'work' }, 'w');
	const below = await line.takes('tools/call');
	askBig(silent);
	await isClosed(bridge, 1, 'more than 4 MiB wait for it');
	await cancelOf(line, below);
	await bridge.says(/info: client 1: closed, \d+ requests? cancelled$/m);
});

/* --- How much waits */

const piece = 'y'.repeat(1 << 16);
const note = (n) => ({ method: 'notifications/message', params: { level: 'info', data: `${n} ${piece}` } });

check('4 MiB wait for a client that reads later: all of it arrives', async (t) => {
	const { device, bridge, where, newClient } = await listening(t);
	const slow = await mute(t, where), quick = await listener(newClient);
	const line = await device.ready();
	const count = Math.floor(queued / piece.length);
	for (let n = 0; n < count; n++) line.send(note(n));
	await until('all of them at another client', () => quick.all('notifications/message').length === count);
	slow.socket.resume();
	await until('all of them, late', () => slow.all('notifications/message').length === count);
	assert.deepEqual(slow.all('notifications/message').map(({ params }) => params.data), Array.from({ length: count }, (_, n) => note(n).params.data));
	assert.doesNotMatch(bridge.stderr, /does not read/);
});

check('beyond 4 MiB it is closed, notifications alone being enough', async (t) => {
	const { device, bridge, where, newClient } = await listening(t);
	const silent = await mute(t, where), quick = await listener(newClient);
	const line = await device.ready();
	const count = Math.ceil((queued + sockets) / piece.length) + 2;
	for (let n = 0; n < count; n++) line.send(note(n));
	await isClosed(bridge, 1, 'more than 4 MiB wait for it');
	await until('all of them at another client', () => quick.all('notifications/message').length === count);
	silent.socket.resume();
	await silent.closes();
	assert.ok(silent.all('notifications/message').length < count);
});

check('the memory of what waited is given back, and the bridge sleeps while it waits', async (t) => {
	const { device, bridge, where, newClient } = await listening(t);
	const slow = await mute(t, where), quick = await listener(newClient);
	const line = await device.ready();
	const count = 56, rounds = 12, seen = () => slow.all('notifications/message').length;
	let before = 0;
	for (let round = 1; round <= rounds; round++) {
		slow.socket.pause();
		for (let n = 0; n < count; n++) line.send(note(n));
		await until('all of them at another client', () => quick.all('notifications/message').length === round * count);
		if (round === 1) {
			const ticks = processorTicks(bridge.pid);
			await sleep(500);
			assert.ok(processorTicks(bridge.pid) - ticks <= 10, 'it sleeps');
		}
		slow.socket.resume();
		await until('all of them, late', () => seen() === round * count);
		if (round === 4) before = memoryOf(bridge.pid);
	}
	/* What the peers' TX and arenas have touched stays, and is a matter of chance: at most 8 MiB each. */
	assert.ok(memoryOf(bridge.pid) - before < 5 * queued / 1024, `${memoryOf(bridge.pid) - before} kB more after ${rounds} rounds`);
}, { needs: ['proc'] });

/* --- Slow ones */

/* Reads `n` bytes, some at a time, with a pause between. */
async function dawdle(socket, n) {
	const read = [];
	for (let left = n; left > 0;) {
		const some = socket.read(Math.min(portion, left)) ?? socket.read();
		if (some) read.push(some);
		left -= some?.length ?? 0;
		await sleep(2);
	}
	return Buffer.concat(read);
}

check('a client that reads slowly gets everything, byte for byte, results of nearly 8 MiB too', async (t) => {
	const lengths = [8300000, 300000, 300000, 8300000, 10, 1000000, 1000000, 1000000];
	const text = (n) => String.fromCharCode(97 + n).repeat(lengths[n]);
	const { device, where, bridge } = await listening(t, { device: { handlers: { 'x/big': ({ params }) => text(params.n) } } });
	const socket = connect(where);
	t.after(() => socket.destroy());
	socket.on('readable', () => {});
	await device.ready();
	const messages = lengths.map((_, n) => `{"jsonrpc":"2.0","id":${n},"result":${JSON.stringify(text(n))}}\n`);
	const asked = (n) => `${JSON.stringify({ jsonrpc: '2.0', id: n, method: 'x/big', params: { n } })}\n`;
	for (const part of [[0, 3], [1, 2, 4], [5, 6, 7]]) {
		const whole = Buffer.from(part.map((n) => messages[n]).join(''));
		socket.write(part.map(asked).join(''));
		const got = await dawdle(socket, whole.length);
		assert.ok(got.equals(whole), `${got.length} bytes of ${whole.length}, not the same`);
	}
	assert.doesNotMatch(bridge.stderr, /does not read/);
});

/* --- On stdin and stdout */

check('the one on stdout that reads nothing is closed, and the bridge ends', async (t) => {
	const { bridge, client, line } = await joined(t, { device: { handlers: { 'x/big': () => big } } });
	client.ask('tools/call', { name: 'work' }, 'w');
	const below = await line.takes('tools/call');
	bridge.child.stdout.pause();
	askBig(client);
	await isClosed(bridge, 1, 'more than 4 MiB wait for it');
	await cancelOf(line, below);
	bridge.child.stdout.resume();
	await bridge.exits(0);
});

for (const [what, stop, code] of [['the end of its input', (bridge) => bridge.end(), 0], ['SIGTERM', (bridge) => bridge.signal('SIGTERM'), 143]])
	check(`with a queue that nobody reads the bridge ends within its grace: ${what}`, async (t) => {
		const { bridge, line } = await joined(t, { words: ['--grace', '700'] });
		bridge.child.stdout.pause();
		for (let n = 0; n < 20; n++) line.send(note(n));
		await line.answerTo(line.ask('ping', undefined, 'behind'));
		stop(bridge);
		await until('the end of the process', () => bridge.child.exitCode !== null);
		assert.equal(bridge.child.exitCode, code, bridge.stderr);
		bridge.child.stdout.resume();
	});

check('what waited when the input ended still arrives', async (t) => {
	const { bridge, client, line } = await joined(t, { words: ['--grace', '20s'] });
	bridge.child.stdout.pause();
	const count = 40;
	for (let n = 0; n < count; n++) line.send(note(n));
	await line.answerTo(line.ask('ping', undefined, 'behind'));
	bridge.end();
	await sleep(100);
	bridge.child.stdout.resume();
	await bridge.exits(0);
	assert.equal(client.all('notifications/message').length, count);
});
