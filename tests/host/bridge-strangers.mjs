/* SPDX-License-Identifier: MIT
 * quash-bridge on TCP with a token: connections that have not shown it yet keep nobody out, and those that are silent are asked
 * whether they are there. */

import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge, Device, check, connectTo, folderFor, greet } from './bridge-program.mjs';
import { memoryOf } from '../common/process.mjs';
import { sleep, until } from '../common/runner.mjs';

const secret = 'secret 123';
const strangersMs = 5000, places = 8;

async function guarded(t, { words = [], protocol } = {}) {
	const file = join(folderFor(t), 'token');
	writeFileSync(file, `${secret}\n`, { mode: 0o600 });
	const device = await Device.open(t, { protocol });
	const bridge = Bridge.start(t, [...(protocol ? ['--protocol', protocol] : []), '--listen-tcp', '0', '--token-file', file, ...words, '--unix', device.path]);
	const number = Number((await bridge.says(/listening on \S+:(\d+)$/m))[1]);
	const connects = (first) => connectTo(t, number, { protocol, first });
	return { device, bridge, number, connects, comes: () => connects(`${secret}\n`) };
}

const isServed = async (client) => assert.equal((await greet(client)).serverInfo.name, 'played');

const closing = /^quash-bridge: warning: a connection is closed: .*$/gm;
const closed = (clients) => clients.filter((client) => client.closed).length;

check('16 mute connections: the owner comes with the token and is served', async (t) => {
	const { connects, comes } = await guarded(t, { words: ['--clients', '2'] });
	const mute = [];
	for (let n = 0; n < 16; n++) mute.push(await connects());
	await isServed(await comes());
	await until('places for eight', () => closed(mute) >= mute.length - places);
	await isServed(await comes());
});

check('1 MiB without the end of a line is closed at once, and nothing of it is kept', async (t) => {
	const { connects, comes, bridge } = await guarded(t);
	await isServed(await comes());
	const before = memoryOf(bridge.pid), count = 20;
	for (let n = 0; n < count; n++) await (await connects('x'.repeat(1 << 20))).closes();
	assert.ok(memoryOf(bridge.pid) - before < 1024, `${memoryOf(bridge.pid) - before} kB more`);
	const reasons = bridge.stderr.match(closing);
	assert.ok(reasons.length > 0 && reasons.every((reason) => reason.endsWith('its first line is longer than the token')), bridge.stderr);
}, { needs: ['proc', 'bounded-memory'] });

for (const [what, first] of [['a byte more than the token', `${secret}x`], ['a byte more, and the end of the line', `${secret}x\n`],
	['a carriage return in the middle', `${secret}\rx`], ['a wrong one of the same length', `${secret.replace('3', '4')}\n`], ['no byte', '\n'], ['less of it', 'secret\n']])
	check(`no token: ${what} is closed at once`, async (t) => {
		const { bridge, connects, comes } = await guarded(t);
		const stranger = await connects(first);
		await stranger.closes();
		await bridge.says(/closed: its (token is wrong|first line is longer than the token)$/m);
		assert.deepEqual(stranger.lines, []);
		await isServed(await comes());
	});

check('the token may come byte by byte, and messages right behind it', async (t) => {
	const { connects, device } = await guarded(t);
	const slow = await connects();
	for (const byte of `${secret}\r\n`) {
		slow.sendBytes(byte);
		await sleep(5);
	}
	await isServed(slow);
	const quick = await connects(`${secret}\n{"jsonrpc":"2.0","id":7,"method":"x/y"}\n`);
	const line = await device.lineNumber(1);
	line.answer(await line.takes('x/y'), 'behind');
	assert.equal((await quick.answerTo(7)).result, 'behind');
});

check('whoever has shown the token waits for a place among --clients, longer than 5 s', async (t) => {
	const { comes } = await guarded(t, { words: ['--clients', '2'] });
	const first = await comes(), second = await comes();
	await isServed(first);
	await isServed(second);
	const third = await comes();
	await sleep(strangersMs + 1000);
	assert.equal(third.closed, false);
	second.vanish();
	await isServed(third);
});

check('LSP: the token is a line, and then come headers', async (t) => {
	const { comes, connects } = await guarded(t, { protocol: 'lsp' });
	const mute = await Promise.all(Array.from({ length: places + 1 }, () => connects()));
	const editor = await comes();
	assert.equal((await editor.result('initialize', { capabilities: {} })).serverInfo.name, 'played');
	assert.ok(closed(mute) > 0);
});

check('those that come without end are logged 20 times in a second, and then counted', async (t) => {
	const { connects, comes, bridge } = await guarded(t);
	const start = performance.now(), count = 300;
	const refused = async () => (await connects('no\n')).closes();
	for (let n = 0; n < count; n += 30) await Promise.all(Array.from({ length: 30 }, refused));
	await until('a second without them', async () => {
		await refused();
		return /warning: and \d+ connections more were closed$/m.test(bridge.stderr);
	});
	const seconds = Math.ceil((performance.now() - start) / 1000);
	const lines = bridge.stderr.match(closing).length;
	assert.ok(lines <= 20 * (seconds + 1), `${lines} lines in ${seconds} s`);
	await isServed(await comes());
});

check('only who has shown the token has a number in the log', async (t) => {
	const { connects, comes, bridge } = await guarded(t);
	const stranger = await connects('no\n');
	await stranger.closes();
	await comes();
	await bridge.says(/^quash-bridge: info: client 1: connected$/m);
	assert.match(bridge.stderr, /^quash-bridge: warning: a connection is closed: its token is wrong$/m);
});

/* Linux shows the timer of a connection, 02 being that of keepalive, and what is left of it in hundredths of a second. */
function keepaliveLeft(number) {
	const port = number.toString(16).toUpperCase().padStart(4, '0');
	const [, left] = new RegExp(`0100007F:${port} \\S+ 01 \\S+ 02:([0-9A-F]+)`).exec(readFileSync('/proc/net/tcp', 'utf8')) ?? [];
	return left && parseInt(left, 16) / 100;
}

check('a client on TCP is asked whether it is there, a few seconds after its last word', async (t) => {
	const { number, comes } = await guarded(t);
	await isServed(await comes());
	const left = await until('a timer', () => keepaliveLeft(number));
	assert.ok(left <= 8, `in ${left} s`); /* then three times within 6 s: bridge-vanish.mjs */
}, { needs: ['linux'] });
