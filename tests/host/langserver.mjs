/* SPDX-License-Identifier: MIT
 * The host's langserver as a real process: its life cycle and exit codes, long answers, progress, cancels. */

import assert from 'node:assert/strict';
import { sleep, test, until } from '../common/runner.mjs';
import { Program, framed, hostProgram } from '../common/program.mjs';

const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const note = (method, params) => ({ jsonrpc: '2.0', method, params });
const result = (id, value) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(value)}}`;
const failure = (id, [code, message]) =>
	`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":${code},"message":"${message}"}}`;
const initialize = (id = 'open') => request(id, 'initialize', { processId: null, rootUri: null, capabilities: {} });
const cancel = (id) => note('$/cancelRequest', { id });

const unready = [-32002, 'Server not initialized'];
const invalid = [-32600, 'Invalid Request'];
const wrongParams = [-32602, 'Invalid params'];
const cancelled = [-32800, 'Request cancelled'];
const failed = [-32803, 'Request failed'];

const start = (t, args = [], options = {}) =>
	Program.start(t, hostProgram('langserver'), args, { dialect: 'lsp', ...options });

async function open(t, options) {
	const program = start(t, [], options);
	program.send(initialize());
	const answer = await program.next();
	assert.equal(answer.id, 'open');
	assert.deepEqual(answer.result.capabilities, {});
	assert.equal(answer.result.serverInfo.name, 'quash-langserver');
	program.send(note('initialized', {}));
	return program;
}

async function assertExit(program, code, rest = []) {
	const exit = await program.exit();
	assert.deepEqual([exit.code, exit.signal, exit.rest], [code, null, rest]);
	assert.equal(program.stderr, '', 'nothing on stderr');
	return exit;
}

/* What is said next is the answer to this: whatever was to be said before has been said. */
async function assertNothingElseIsSaid(program) {
	program.send(request('barrier', 'test/echo', [1]));
	assert.equal(await program.nextText(), result('barrier', [1]));
}

/* ---------------------------------------------------------------------------------------------- life cycle */

test('langserver: takes no options', async (t) => {
	const program = start(t, ['--dialect']);
	assert.equal((await program.exit()).code, 2);
	assert.match(program.stderr, /^[^\n]+\n$/, 'one line on stderr');
});

test('langserver: shutdown and exit, code 0, while its input is open', async (t) => {
	const program = await open(t);
	program.send(request(1, 'shutdown'));
	assert.equal(await program.nextText(), result(1, null));
	program.send(note('exit'));
	await assertExit(program, 0);
});

test('langserver: shutdown and exit in one write', async (t) => {
	const program = await open(t);
	program.send(request(1, 'shutdown'), note('exit'));
	await assertExit(program, 0, [result(1, null)]);
});

test('langserver: exit without shutdown, code 1', async (t) => {
	const program = await open(t);
	program.send(note('exit'));
	await assertExit(program, 1);
});

test('langserver: exit before initialize, code 1', async (t) => {
	const program = start(t);
	program.send(note('exit'));
	await assertExit(program, 1);
});

test('langserver: shutdown before initialize does not count', async (t) => {
	const program = start(t);
	program.send(request(1, 'shutdown'), note('exit'));
	await assertExit(program, 1, [failure(1, unready)]);
});

test('langserver: the end of input without shutdown, code 1', async (t) => {
	const program = await open(t);
	program.end();
	await assertExit(program, 1);
});

test('langserver: the end of input behind shutdown, code 0', async (t) => {
	const program = await open(t);
	program.send(request(1, 'shutdown'));
	program.end();
	await assertExit(program, 0, [result(1, null)]);
});

test('langserver: the end of input inside of a message, code 1', async (t) => {
	const program = await open(t);
	program.sendBytes(framed('lsp', request(1, 'test/echo', [1])).subarray(0, 50));
	program.end();
	await assertExit(program, 1);
});

test('langserver: exit does not wait for what is running, and leaves nothing open', async (t) => {
	const program = await open(t);
	program.send(request(1, 'test/slow', { ms: 60000 }), request(2, 'shutdown'));
	assert.equal(await program.nextText(), result(2, null));
	program.send(note('exit'));
	await assertExit(program, 0, [failure(1, failed)]);
});

/* 7 requests fill the pipe in about 1.2 s; nothing else is heard of a program whose output is full. */
test('langserver: exit does not wait for a reader that does not read', async (t) => {
	const program = start(t, [], { silentReader: true });
	const partialResultToken = 'x'.repeat(64);
	program.send(initialize(), ...[1, 2, 3, 4, 5, 6, 7].map((id) => request(id, 'test/slow', { ms: 60000, partialResultToken })));
	await sleep(2000);
	program.send(note('exit'));
	await until('its end', () => program.child.exitCode !== null);
	assert.equal(program.child.exitCode, 1);
});

test('langserver: what was asked before the end of input is still answered', async (t) => {
	const program = await open(t);
	program.send(request(1, 'test/slow', { ms: 200 }));
	program.end();
	await assertExit(program, 1, [result(1, { slept: 200 })]);
});

test('langserver: before initialize requests are refused, notifications dropped', async (t) => {
	const program = start(t);
	program.send(request(1, 'test/echo', [1]), request('2', 'test/slow', { ms: 1 }), request(3, 'shutdown'),
		note('initialized', {}), note('textDocument/didOpen', {}), cancel(99), initialize());
	for (const id of [1, '2', 3]) assert.equal(await program.nextText(), failure(id, unready));
	assert.equal((await program.next()).id, 'open');
	await assertNothingElseIsSaid(program);
});

test('langserver: a second initialize is refused', async (t) => {
	const program = await open(t);
	program.send(initialize('again'));
	assert.equal(await program.nextText(), failure('again', invalid));
	await assertNothingElseIsSaid(program);
});

test('langserver: after shutdown requests are refused', async (t) => {
	const program = await open(t);
	program.send(request(0, 'shutdown'), request(1, 'test/echo', [1]), request(2, 'shutdown'), initialize(3));
	assert.equal(await program.nextText(), result(0, null));
	for (const id of [1, 2, 3]) assert.equal(await program.nextText(), failure(id, invalid));
	program.send(note('exit'));
	await assertExit(program, 0);
});

test('langserver: the life cycle cannot be cancelled', async (t) => {
	const program = start(t);
	program.send(initialize(1), cancel(1), request(2, 'shutdown'), cancel(2));
	assert.equal((await program.next()).result.serverInfo.name, 'quash-langserver');
	assert.equal(await program.nextText(), result(2, null));
});

test('langserver: the state rules hold for unknown methods too', async (t) => {
	const program = start(t);
	program.send(request(1, 'textDocument/hover', {}));
	assert.equal(await program.nextText(), failure(1, [-32002, 'Server not initialized']));
	program.send(initialize(2), request(3, 'textDocument/hover', {}), request(4, 'shutdown'), request(5, 'textDocument/hover', {}));
	await program.nextText();
	assert.equal(await program.nextText(), failure(3, [-32601, 'Method not found']));
	assert.equal(await program.nextText(), result(4, null));
	assert.equal(await program.nextText(), failure(5, invalid));
});

test('langserver: a request beginning with $/ is unknown, a notification ignored', async (t) => {
	const program = await open(t);
	program.send(request(1, '$/setTrace', { value: 'off' }), note('$/setTrace', { value: 'off' }));
	assert.equal(await program.nextText(), failure(1, [-32601, 'Method not found']));
	program.send(request(2, '$/cancelRequest', { id: 1 }));
	assert.equal(await program.nextText(), failure(2, [-32601, 'Method not found']));
	await assertNothingElseIsSaid(program);
});

/* ------------------------------------------------------------------------------------------------ methods */

for (const params of [[], {}, ['ä€😀', 1.50, -0, null, true, { deep: [[[]]] }], { text: 'x'.repeat(50000) }]) {
	test(`langserver: echo of ${JSON.stringify(params).slice(0, 40)}`, async (t) => {
		const program = await open(t);
		program.send(request(1, 'test/echo', params));
		assert.equal(await program.nextText(), result(1, JSON.parse(JSON.stringify(params))));
	});
}

test('langserver: echo of nothing', async (t) => {
	const program = await open(t);
	program.send(request(1, 'test/echo'));
	assert.equal(await program.nextText(), result(1, null));
});

test('langserver: several long answers at once', async (t) => {
	const program = await open(t);
	const text = (id) => `${id}`.repeat(8000);
	program.send(...[1, 2, 3].map((id) => request(id, 'test/echo', [text(id)])));
	const answers = [await program.nextText(), await program.nextText(), await program.nextText()];
	assert.deepEqual(answers.sort(), [1, 2, 3].map((id) => result(id, [text(id)])));
});

for (const params of [undefined, {}, [], { ms: '5' }, { ms: -1 }, { ms: 1.5 }, { ms: null }, { ms: 1e10 }, { ms: [5] }]) {
	test(`langserver: slow with ${JSON.stringify(params)}`, async (t) => {
		const program = await open(t);
		program.send(request(1, 'test/slow', params));
		assert.equal(await program.nextText(), failure(1, wrongParams));
	});
}

for (const token of ['t', '', 7, -1]) {
	test(`langserver: slow tells token ${JSON.stringify(token)} how far it is, before its answer`, async (t) => {
		const program = await open(t);
		const before = Date.now();
		program.send(request(1, 'test/slow', { ms: 500, partialResultToken: token }));
		const heard = [];
		for (let m = await program.next(); m.id === undefined; m = await program.next()) heard.push(m);
		assert.ok(Date.now() - before >= 499);
		assert.ok(heard.length >= 1 && heard.length <= 24, `${heard.length} parts`);
		assert.ok(heard.every((m) => m.method === '$/progress' && m.params.token === token));
		const slept = heard.map((m) => m.params.value.slept);
		assert.ok(slept.every((ms, i) => ms % 20 === 0 && ms > (slept[i - 1] ?? 0)), `rising: ${slept}`);
		await assertNothingElseIsSaid(program);
	});
}

test('langserver: slow shows work done progress', async (t) => {
	const program = await open(t);
	program.send(request(1, 'test/slow', { ms: 500, workDoneToken: 'work' }));
	const values = [];
	for (let m = await program.next(); m.id === undefined; m = await program.next()) values.push(m.params.value);
	assert.deepEqual([values[0].kind, values.at(-1).kind], ['begin', 'end']);
	const reports = values.slice(1, -1);
	assert.ok(reports.length > 0 && reports.every(({ kind }) => kind === 'report'));
	assert.ok(reports.every(({ percentage }, i) => percentage > (reports[i - 1]?.percentage ?? 0) && percentage < 100));
	await assertNothingElseIsSaid(program);
});

for (const token of [undefined, null, true, 1.5, {}, 'x'.repeat(65)]) {
	test(`langserver: no progress for the token ${JSON.stringify(token)?.slice(0, 20)}`, async (t) => {
		const program = await open(t);
		program.send(request(1, 'test/slow', { ms: 50, partialResultToken: token, workDoneToken: token }));
		assert.equal(await program.nextText(), result(1, { slept: 50 }));
	});
}

/* ------------------------------------------------------------------------------------------------ cancels */

test('langserver: a cancel right behind its request, and one in flight', async (t) => {
	const program = await open(t);
	program.send(request(1, 'test/slow', { ms: 60000 }), cancel(1));
	assert.equal(await program.nextText(), failure(1, cancelled));
	program.send(request('1', 'test/slow', { ms: 60000, partialResultToken: 1 }));
	assert.equal((await program.next()).method, '$/progress');
	program.send(cancel(1), cancel('1'));
	let answer = await program.next();
	while (answer.method) answer = await program.next();
	assert.deepEqual(answer.error, { code: -32800, message: 'Request cancelled' });
	assert.equal(answer.id, '1');
	await assertNothingElseIsSaid(program);
});

test('langserver: the cancel of shown work ends its request', async (t) => {
	const program = await open(t);
	program.send(request(1, 'test/slow', { ms: 60000, workDoneToken: 'mine' }));
	assert.equal((await program.next()).params.value.kind, 'begin');
	program.send(note('window/workDoneProgress/cancel', { token: 'other' }), note('window/workDoneProgress/cancel', { token: 'mine' }));
	let answer = await program.next();
	while (answer.method) answer = await program.next();
	assert.deepEqual([answer.id, answer.error.code], [1, -32803]);
	await assertNothingElseIsSaid(program);
});

test('langserver: cancels that name nothing', async (t) => {
	const program = await open(t);
	program.send(request(1, 'test/slow', { ms: 100 }), note('$/cancelRequest'), note('$/cancelRequest', {}), cancel(null), cancel({ id: 1 }),
		cancel([1]), cancel(1.5), cancel(99), cancel('1'), note('$/cancelRequest', [1]));
	assert.equal(await program.nextText(), result(1, { slept: 100 }));
	await assertNothingElseIsSaid(program);
});
