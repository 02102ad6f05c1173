/* SPDX-License-Identifier: MIT
 * The host's testee as a real process over pipes: the end of its input, cancels that really race, sleep, slow readers. What the
 * answers say byte by byte in every other case is the matter of the transcripts. */

import assert from 'node:assert/strict';
import { processorTicks } from '../common/process.mjs';
import { sleep, test } from '../common/runner.mjs';
import { Program, hostProgram } from '../common/program.mjs';

/* One that has lines, and one that has headers. */
const dialects = {
	acp: { cancel: (id) => notification('$/cancel_request', { requestId: id }), ownCause: [-32800, 'Request cancelled'] },
	lsp: { cancel: (id) => notification('$/cancelRequest', { id }), ownCause: [-32803, 'Request failed'] },
};

const notification = (method, params) => ({ jsonrpc: '2.0', method, params });
const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const result = (id, value) => `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":${JSON.stringify(value)}}`;
const failure = (id, [code, message]) =>
	`{"jsonrpc":"2.0","id":${JSON.stringify(id)},"error":{"code":${code},"message":"${message}"}}`;

const cancelled = [-32800, 'Request cancelled'];
const unknownMethod = [-32601, 'Method not found'];
const busy = [-32010, 'Busy'];

function testee(t, dialect, args = [], options = {}) {
	return Program.start(t, hostProgram('testee'), ['--dialect', dialect, ...args], { dialect, ...options });
}

function testEachDialect(name, body) {
	for (const dialect of Object.keys(dialects)) test(`${dialect}: ${name}`, (t) => body(t, dialect, dialects[dialect]));
}

async function assertEndsWell(program, rest = []) {
	program.end();
	const exit = await program.exit();
	assert.deepEqual([exit.code, exit.signal, exit.rest, program.stderr], [0, null, rest, '']);
}

/* The next answer is that to an `echo`: whatever was to be said before it has been said. */
async function assertNothingElseIsSaid(program, id = 'barrier') {
	program.send(request(id, 'echo', [id]));
	assert.equal(await program.nextText(), result(id, [id]));
}

test('without options it speaks ACP', async (t) => {
	const program = Program.start(t, hostProgram('testee'));
	program.send(request(1, 'wait', {}), dialects.acp.cancel(1));
	assert.equal(await program.nextText(), failure(1, cancelled));
	await assertEndsWell(program);
});

test('all sizes can be given', async (t) => {
	const program = testee(t, 'acp', ['--slots', '3', '--arena', '2048', '--tx', '64']);
	program.send(request('a', 'echo', { text: 'x'.repeat(1000) }));
	assert.equal(await program.nextText(), result('a', { text: 'x'.repeat(1000) }));
	await assertEndsWell(program);
});

/* ----------------------------------------------------------------------------------------- end of input */

testEachDialect('ends with its input when nothing is to be done', (t, dialect) => assertEndsWell(testee(t, dialect)));

test('the end of input ends an open last line', async (t) => {
	const program = testee(t, 'acp');
	program.sendBytes(JSON.stringify(request(7, 'echo', ['last'])));
	await assertEndsWell(program, [result(7, ['last'])]);
});

testEachDialect('after the end of input what finishes in time is answered, and what does not is cancelled', async (t, dialect, { ownCause }) => {
	for (const [asked, answer] of [[['wait', { steps: 200 }], result(1, { steps: 200 })], [['wait', {}], failure(1, ownCause)], [['busy', {}], failure(1, ownCause)]]) {
		const program = testee(t, dialect);
		program.send(request(1, ...asked));
		await assertEndsWell(program, [answer]);
	}
});

test('the answers that are due are written also to a reader that comes late', async (t) => {
	const program = testee(t, 'acp', [], { silentReader: true });
	program.send(request(1, 'big', { bytes: 300000 }));
	program.end();
	await sleep(300);
	await program.readSlowly(1, { portion: 32768 });
	assert.deepEqual(program.untaken, [result(1, 'x'.repeat(300000))]);
	assert.equal((await program.exit()).code, 0);
});

/* ---------------------------------------------------------------------------------------------- cancels */

/* What is refused after a while is refused by a program whose handler has not returned yet. */
async function makeBusy(program, id) {
	program.send(request(id, 'busy', {}));
	await sleep(50);
	program.send(request('meanwhile', 'no such method'));
	assert.equal(await program.nextText(), failure('meanwhile', unknownMethod), 'heard while the handler is busy');
}

testEachDialect('a handler that is busy is cancelled through the pipe', async (t, dialect, { cancel }) => {
	const program = testee(t, dialect);
	await makeBusy(program, 1);
	program.send(request(3, 'echo', ['waits']));
	await sleep(100);
	assert.deepEqual(program.untaken, [], 'the handler is busy still');
	program.send(cancel(1));
	assert.equal(await program.nextText(), failure(1, cancelled));
	assert.equal(await program.nextText(), result(3, ['waits']));
	await assertNothingElseIsSaid(program);
	await assertEndsWell(program);
});

test('a busy handler is cancelled while the slots are full and refusals are owed', async (t) => {
	const program = testee(t, 'acp', ['--slots', '2']);
	const refused = [3, 4, 5, 6, 7, 8, 9];
	await makeBusy(program, 1);
	program.send(...[2, ...refused].map((id) => request(id, 'wait', { steps: 1 })), dialects.acp.cancel(1));
	const answers = [];
	for (let i = 0; i < 9; i++) answers.push(await program.nextText());
	assert.deepEqual(answers.sort(), [failure(1, cancelled), result(2, { steps: 1 }), ...refused.map((id) => failure(id, busy))]);
	await assertNothingElseIsSaid(program);
	await assertEndsWell(program);
});

testEachDialect('a deadline passes while no byte arrives', async (t, dialect, { ownCause }) => {
	const program = testee(t, dialect);
	const start = Date.now();
	program.send(request(1, 'late', { ms: 150 }));
	assert.equal(await program.nextText(), failure(1, ownCause));
	assert.ok(Date.now() - start >= 145, 'not before its time');
	await assertEndsWell(program);
});

/* ------------------------------------------------------------------------------------------------ sleep */

async function assertSleeps(program) {
	const before = processorTicks(program.pid);
	await sleep(1000);
	assert.ok(processorTicks(program.pid) - before <= 2, 'no processor time while idle');
}

testEachDialect('sleeps while nothing is to be done, also with half a message in hand', async (t, dialect) => {
	const program = testee(t, dialect);
	await assertNothingElseIsSaid(program, 'before');
	await assertSleeps(program);
	const bytes = program.framed(request(1, 'echo', ['whole']));
	program.sendBytes(bytes.subarray(0, 30));
	await assertSleeps(program);
	program.sendBytes(bytes.subarray(30));
	assert.equal(await program.nextText(), result(1, ['whole']));
});

test('takes one step after another by itself while a request is pending: no byte comes any more', async (t) => {
	const program = testee(t, 'acp');
	program.send(request(1, 'wait', { steps: 1000 }));
	assert.equal(await program.nextText(), result(1, { steps: 1000 }));
	await assertNothingElseIsSaid(program);
});

/* --------------------------------------------------------------------------------------------- pressure */

const payload = (id) => ({ n: id, text: `${id} `.repeat(250) });

/* Each request has one answer, whole: its result, or a refusal. Gives the number of results. */
function assertAnsweredOnce(texts, ids) {
	const answers = new Map(texts.map((text) => [JSON.parse(text).id, text]));
	assert.equal(texts.length, ids.length, 'as many answers as requests');
	for (const id of ids) {
		const allowed = [result(id, payload(id)), failure(id, busy)];
		assert.ok(allowed.includes(answers.get(id)), `request ${id}: ${answers.get(id)?.slice(0, 120)}`);
	}
	return [...answers.values()].filter((text) => text.includes('"result"')).length;
}

testEachDialect('200 pipelined requests and a reader that reads slowly: nothing is lost', async (t, dialect) => {
	const program = testee(t, dialect, ['--slots', '16', '--arena', '65536'], { silentReader: true });
	const ids = Array.from({ length: 200 }, (_, i) => i + 1);
	program.send(request('stall', 'big', { bytes: 200000 }), ...ids.map((id) => request(id, 'echo', payload(id))));
	await sleep(200);
	await program.readSlowly(201);
	program.end();
	const { code, rest: texts } = await program.exit();
	assert.equal(code, 0);
	const long = texts.indexOf(result('stall', 'x'.repeat(200000)));
	assert.ok(long >= 0, 'the long answer is whole');
	texts.splice(long, 1);
	assert.ok(assertAnsweredOnce(texts, ids) > 0, 'some are served, not only refused');
});

test('notifications and their answer through a TX buffer of 64 bytes', async (t) => {
	const program = testee(t, 'acp', ['--tx', '64']);
	assert.deepEqual(await program.result('notify', { count: 50 }), { count: 50 });
	const numbers = program.all('tick').map(({ params }) => params.n);
	assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b), 'rising, none twice');
	assert.ok(numbers.every((n) => n >= 1 && n <= 50));
	assert.equal(program.messages.length, numbers.length + 1);
	await program.end();
});

testEachDialect('a flood of short requests is served completely', async (t, dialect) => {
	const program = testee(t, dialect, ['--slots', '1']);
	const ids = Array.from({ length: 5000 }, (_, i) => i + 1);
	program.send(...ids.map((id) => request(id, 'echo', [id])));
	for (const id of ids) assert.equal(await program.nextText(), result(id, [id]));
	await assertEndsWell(program);
});
