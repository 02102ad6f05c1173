/* SPDX-License-Identifier: MIT
 * inspect --replay: a record is played against programs that answer as recorded, or otherwise. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Inspect, clockOf, lines, toolbox } from './inspect-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { folderFor } from '../common/start.mjs';
import { test as testOf } from '../common/runner.mjs';

/* They mostly wait. */
const test = (name, body) => testOf(name, body, { together: true });

/** Writes a record of lines `[ms, way, message or text, name]`; gives its path. */
function record(t, entries, protocol = 'mcp') {
	const path = join(folderFor(t), 'record');
	const text = entries.map(([ms, way, what, name = 'device']) =>
		`${ms} ${name} ${way} ${typeof what === 'string' ? what : JSON.stringify(what)}`.trimEnd());
	writeFileSync(path, [`# quash-bridge record 1 ${protocol}`, ...text, ''].join('\n'));
	return path;
}

/** Plays it, to its end with this code. Gives what stood on stdout, the summary apart. The program has all the time that it wants, or
 * until it has said so many bytes: then it is given up. */
async function play(t, path, command, code, ...options) {
	const said = typeof options[0] === 'number' ? options.shift() : null, clock = said === null ? undefined : clockOf(t);
	clock?.passes(said);
	const inspect = Inspect.start(t, ['--replay', path, '--listen', '100', '--timeout', clock ? '5s' : '0', ...options], command, { clock });
	await inspect.exits(code);
	const shown = lines(inspect.shown);
	return { summary: shown.at(-1), shown: shown.slice(0, -1), said: inspect.said };
}

/** A server in a few words: `answer(message, send)` for each line. */
const server = (answer, before = '') => [process.execPath, '-e', `${before};
	const send = (message) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...message }) + '\\n');
	const answer = ${answer};
	require('readline').createInterface({ input: process.stdin }).on('line', (line) => answer(line && JSON.parse(line), send));`];

const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const result = (id, value) => ({ jsonrpc: '2.0', id, result: value });
const note = (method, params) => ({ jsonrpc: '2.0', method, params });

const echoes = server('({ id, method }, send) => send({ id, result: method })');

test('replay: what answers as recorded', async (t) => {
	const path = record(t, [[3, '!', 'waiting for motor'], [60000, '!', 'connected motor'],
		[60010, '>', request(5, 'a')], [60020, '<', result(5, 'a')], [60020, '>', request(6, 'b')], [60021, '<', result(6, 'b')]]);
	const { shown, said, summary } = await play(t, path, echoes, 0);
	assert.deepEqual(shown, []);
	assert.equal(said, '');
	assert.equal(summary, '2 lines sent, 2 of 2 received as recorded; differences: 0; progress: 0 times, recorded 0 times');
});

test('replay: an answer that differs', async (t) => {
	const path = record(t, [[0, '>', request(5, 'a')], [1, '<', result(5, 'other')], [2, '>', request(6, 'b')], [3, '<', result(6, 'b')]]);
	const { shown, summary } = await play(t, path, echoes, 1);
	assert.deepEqual(shown, [`expected: ${JSON.stringify(result(5, 'other'))}`, `received: ${JSON.stringify(result(5, 'a'))}`]);
	assert.match(summary, /^2 lines sent, 1 of 2 received as recorded; differences: 1;/);
});

/** The lines of a server's messages, in bytes. */
const bytesOf = (...messages) => messages.map((message) => JSON.stringify(message).length + 1).reduce((sum, n) => sum + n);

test('replay: answers that do not come', async (t) => {
	const path = record(t, [[0, '>', request(5, 'a')], [1, '<', result(5, 'a')], [1, '>', request(6, 'b')], [2, '<', result(6, 'b')],
		[3, '>', request(7, 'c')], [4, '<', result(7, 'c')]]);
	const deaf = server("({ id, method }, send) => method === 'a' && send({ id, result: method })");
	const { shown, summary } = await play(t, path, deaf, 1, bytesOf(result(5, 'a')));
	assert.deepEqual(shown, ['b', 'c'].flatMap((method, i) => [`expected: ${JSON.stringify(result(6 + i, method))}`, 'received: nothing']));
	assert.match(summary, /^3 lines sent, 1 of 3 received as recorded; differences: 2;/);
});

test('replay: a message that was not recorded', async (t) => {
	const path = record(t, [[0, '>', request(5, 'a')], [1, '<', result(5, 'a')]]);
	const chatty = server("({ id, method }, send) => { send({ id, result: method }); send({ method: 'more' }); }");
	const more = { jsonrpc: '2.0', method: 'more' };
	const { shown } = await play(t, path, chatty, 1, bytesOf(result(5, 'a'), more));
	assert.deepEqual(shown, ['expected: nothing', `received: ${JSON.stringify(more)}`]);
});

test('replay: a notification that differs stands beside the one that was recorded', async (t) => {
	const path = record(t, [[0, '>', request(5, 'a')], [1, '<', note('more', { n: 1 })], [2, '<', result(5, 'a')]]);
	const other = server("({ id, method }, send) => { send({ method: 'more', params: { n: 2 } }); send({ id, result: method }); }");
	const { shown } = await play(t, path, other, 1);
	assert.deepEqual(shown, [`expected: ${JSON.stringify(note('more', { n: 1 }))}`, `received: ${JSON.stringify(note('more', { n: 2 }))}`]);
});

test('replay: another order is a difference, and one only', async (t) => {
	const path = record(t, [[0, '>', request(1, 'a')], [0, '>', request(2, 'b')],
		[9, '<', result(1, 'a')], [9, '<', result(2, 'b')], [9, '>', request(3, 'c')], [9, '<', result(3, 'c')]]);
	const swaps = server(`(() => { const late = []; return ({ id, method }, send) => {
		if (method === 'a') late.push(id); else send({ id, result: method });
		if (method === 'b') send({ id: late[0], result: 'a' }); }; })()`);
	const { shown, summary } = await play(t, path, swaps, 1);
	assert.deepEqual(shown, [`expected: ${JSON.stringify(result(1, 'a'))}`, `received: ${JSON.stringify(result(2, 'b'))}`]);
	assert.match(summary, /^3 lines sent, 2 of 3 received as recorded; differences: 1;/);
});

test('replay: nothing is sent sooner than recorded, nor before what was received before it', async (t) => {
	const path = record(t, [[0, '>', request(1, 'a')], [10, '<', result(1, 'x')], [210, '>', request(2, 'b')], [220, '<', result(2, 'x')]]);
	const clock = server(`(() => { let answered = 0; return ({ id, method }, send) => {
		const early = method === 'b' && (answered === 0 || Date.now() - answered < 190);
		setTimeout(() => { answered = Date.now(); send({ id, result: early ? 'early' : 'x' }); }, 150); }; })()`);
	assert.deepEqual((await play(t, path, clock, 0)).shown, []);
});

test('replay: progress is counted, and its number is no difference', async (t) => {
	const progress = (n) => note('notifications/progress', { progressToken: 1, progress: n });
	const path = record(t, [[0, '>', request(1, 'a')], [5, '<', progress(1)], [6, '<', progress(2)], [7, '<', result(1, 'a')]]);
	const other = server("({ id, method }, send) => { send({ method: 'notifications/progress' }); send({ id, result: method }); }");
	const { summary } = await play(t, path, other, 0);
	assert.match(summary, /1 of 1 received as recorded; differences: 0; progress: 1 times, recorded 2 times$/);
});

test('replay: the toolbox, its motor and a cancel', async (t) => {
	const call = request(8, 'tools/call', { name: 'stepper', arguments: { steps: 5000 }, _meta: { progressToken: 'p' } });
	const server = { capabilities: { tools: {}, experimental: { 'quash/lifeSign': { ms: 2000 } } } };
	const path = record(t, [
		[0, '>', request(7, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } })],
		[1, '<', result(7, { protocolVersion: '2025-11-25', ...server, other: true })], [2, '>', note('notifications/initialized')],
		[3, '>', call], [400, '>', ''], [500, '>', note('notifications/cancelled', { requestId: 8 })],
		[500, '>', request(9, 'ping')], [501, '<', result(9, {})],
	]);
	const { shown, summary } = await play(t, path, [toolbox], 1);
	assert.equal(shown.length, 2, 'the answer to initialize alone differs, and there is none to the call');
	assert.match(shown[0], /^expected: .*"other":true/);
	assert.match(shown[1], /^received: .*"serverInfo"/);
	assert.match(summary, /^6 lines sent, 1 of 2 .*; progress: \d+ times, recorded 0 times$/);
});

test('replay: the ids of the device\'s requests may differ, and answers have those of now', async (t) => {
	const path = record(t, [[0, '>', request(1, 'a')], [1, '<', request('old-1', 'roots/list', {})],
		[2, '>', result('old-1', { roots: [] })], [3, '<', result(1, 'yes')]]);
	const asks = server(`(() => { let asked; return ({ id, method, result }, send) => {
		if (method) { asked = id; send({ id: 'now-77', method: 'roots/list', params: {} }); }
		else send({ id: asked, result: id === 'now-77' && result.roots ? 'yes' : 'no' }); }; })()`);
	assert.deepEqual((await play(t, path, asks, 0)).shown, []);
});

test('replay: a line that was lost is opened again', async (t) => {
	const path = record(t, [[0, '!', 'connected a'], [0, '>', request(1, 'a')], [1, '<', result(1, 1)], [5, '!', 'lost'],
		[20, '!', 'connected a'], [25, '>', request(2, 'a')], [26, '<', result(2, 1)]]);
	const counts = server('(() => { let n = 0; return ({ id }, send) => send({ id, result: ++n }); })()');
	assert.deepEqual((await play(t, path, counts, 0)).shown, [], 'it counts from 1 again');
	const fragile = server('({ id }, send) => { send({ id, result: 1 }); setTimeout(process.exit, 1); }');
	assert.deepEqual((await play(t, path, fragile, 0)).shown, [], 'it may lose itself');
});

test('replay: a line that is lost though the record goes on', async (t) => {
	const path = record(t, [[0, '>', request(1, 'a')], [1, '<', result(1, 'a')], [60000, '>', request(2, 'b')], [60001, '<', result(2, 'b')]]);
	const fragile = server('({ id, method }, send) => { send({ id, result: method }); setTimeout(process.exit, 20, 4); }');
	const { said, summary } = await play(t, path, fragile, 3);
	assert.match(said, /^link lost: exited with 4$/m);
	assert.match(summary, /^1 lines sent, 1 of 2 received/);
});

test('replay: lsp', async (t) => {
	const path = record(t, [[0, '>', request(1, 'initialize', { processId: null, rootUri: null, capabilities: {} })],
		[1, '<', result(1, 'some other')], [2, '>', request(2, 'shutdown')], [3, '<', { jsonrpc: '2.0', id: 2, result: null }],
		[4, '>', note('exit')], [6, '!', 'lost']], 'lsp');
	const { shown, summary } = await play(t, path, [hostProgram('langserver')], 1);
	assert.match(shown[1], /^received: \{"jsonrpc":"2.0","id":1,"result":\{"capabilities"/);
	assert.match(summary, /^3 lines sent, 1 of 2 received as recorded; differences: 1;/);
});

test('replay: a message in several lines is one line of a record', async (t) => {
	const path = record(t, [[0, '>', request(1, 'a')], [1, '<', '{  "jsonrpc": "2.0",   "id": 1,   "result": 2 }']], 'lsp');
	const pretty = [process.execPath, '-e', `process.stdin.once('data', () => {
		const body = '{\\r\\n"jsonrpc": "2.0",\\n  "id": 1,\\n  "result": 2\\n}';
		process.stdout.write('Content-Length: ' + body.length + '\\r\\n\\r\\n' + body); }).on('end', () => process.exit())`];
	assert.deepEqual((await play(t, path, pretty, 0)).shown, []);
});

test('replay: noise is noted and no difference', async (t) => {
	const path = record(t, [[0, '>', request(1, 'a')], [0, '!', 'noise "boot"'], [1, '<', result(1, 'a')]]);
	const noisy = server("({ id, method }, send) => { process.stdout.write('boot\\n[7] '); send({ id, result: method }); }");
	const { shown, said } = await play(t, path, noisy, 0);
	assert.deepEqual(shown, []);
	assert.equal(said, 'noise: boot\nnoise: [7] \n');
});

test('replay: one device of several', async (t) => {
	const path = record(t, [[0, '>', request(1, 'a'), 'left'], [0, '>', request(1, 'z'), 'right'],
		[1, '<', result(1, 'a'), 'left'], [1, '<', result(1, 'wrong'), 'right']]);
	await play(t, path, echoes, 0, '--name', 'left');
	await play(t, path, echoes, 1, '--name', 'right');
	const { said } = await play(t, path, echoes, 2);
	assert.match(said, /has lines of several devices: choose one with --name$/m);
	assert.match((await play(t, path, echoes, 2, '--name', 'middle')).said, /has no line of such a device$/m);
});

test('replay: what is no record', async (t) => {
	const path = record(t, [[0, '>', request(1, 'a')]], 'klingon');
	assert.match((await play(t, path, echoes, 2)).said, /^quash-inspect: .* is a record of a protocol that is not known\n$/);
	for (const [text, why] of [['', 'is no record of quash-bridge'], ['# quash-bridge record 2 mcp\n', 'is no record of quash-bridge'],
		['# quash-bridge record 1 mcp\n0 device ? {}\n', 'has a line that is none of a record'],
		['# quash-bridge record 1 mcp\nx device > {}\n', 'has a line that is none of a record']]) {
		writeFileSync(path, text);
		assert.equal((await play(t, path, echoes, 2)).said, `quash-inspect: ${path} ${why}\n`);
	}
	assert.match((await play(t, '/no/such/record', echoes, 2)).said, /No such file or directory\n$/);
});

test('replay: a last line that was not finished is left out', async (t) => {
	const path = record(t, [[0, '>', request(1, 'a')], [1, '<', result(1, 'a')]]);
	writeFileSync(path, '# a comment\n\n2 device > {"jsonr', { flag: 'a' });
	assert.match((await play(t, path, echoes, 0)).summary, /^1 lines sent/);
});

test('replay: Ctrl-C ends it', async (t) => {
	const path = record(t, [[0, '>', request(1, 'a')], [1, '<', result(1, 'a')], [60000, '>', request(2, 'b')]]);
	const inspect = Inspect.start(t, ['--trace', '--replay', path], echoes);
	await inspect.says(/^<- /m);
	await inspect.interrupted();
});
