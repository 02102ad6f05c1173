/* SPDX-License-Identifier: MIT
 * The host's testee as a real process over pipes: options, end of input, cancels that really race, sleep, slow
 * readers. What the answers say byte by byte in every other case is the matter of the transcripts. */

import assert from 'node:assert/strict';
import { processorTicks } from '../common/process.mjs';
import { sleep, test } from '../common/runner.mjs';
import { Program, hostProgram } from '../common/program.mjs';

const dialects = {
	acp: { cancel: (id) => notification('$/cancel_request', { requestId: id }), ownCause: [-32800, 'Request cancelled'] },
	lsp: { cancel: (id) => notification('$/cancelRequest', { id }), ownCause: [-32803, 'Request failed'] },
	mcp: { cancel: (id) => notification('notifications/cancelled', { requestId: id }), ownCause: [-32800, 'Request cancelled'] },
	jsonrpc: { cancel: (id) => notification('$/cancel_request', { requestId: id }), ownCause: [-32800, 'Request cancelled'] },
};
const lineDialects = ['acp', 'mcp', 'jsonrpc'];

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
	for (const dialect of Object.keys(dialects)) test(`${dialect}: ${name}`, (t) => body(t, dialect));
}

async function assertEndsWell(program) {
	program.end();
	const exit = await program.exit();
	assert.deepEqual([exit.code, exit.signal], [0, null], 'exit code 0');
	assert.deepEqual(exit.rest, [], 'nothing more is said');
	assert.equal(program.stderr, '', 'nothing on stderr');
}

/* The next answer is that to an `echo`: whatever was to be said before it has been said. */
async function assertNothingElseIsSaid(program, id = 'barrier') {
	program.send(request(id, 'echo', [id]));
	assert.equal(await program.nextText(), result(id, [id]));
}

/* ------------------------------------------------------------------------------------------------ options */

const badOptions = [
	['--nonsense'],
	['stray'],
	['--dialect', 'klingon'],
	['--dialect'],
	['--slots'],
	['--slots', 'many'],
	['--slots', '-1'],
	['--slots', '0'],
	['--arena', '12x'],
	['--tx', ''],
	['--tx', '63'],
];

for (const args of badOptions) {
	test(`bad options are refused: ${JSON.stringify(args.join(' '))}`, async (t) => {
		const program = Program.start(t, hostProgram('testee'), args);
		const exit = await program.exit();
		assert.deepEqual([exit.code, exit.signal], [2, null]);
		assert.deepEqual(exit.rest, [], 'nothing on stdout');
		assert.match(program.stderr, /^[^\n]+\n$/, 'one line on stderr');
	});
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

testEachDialect('ends with its input when nothing is to be done', async (t, dialect) => {
	await assertEndsWell(testee(t, dialect));
});

for (const dialect of lineDialects) {
	test(`${dialect}: the end of input ends an open last line`, async (t) => {
		const program = testee(t, dialect);
		program.sendBytes(JSON.stringify(request(7, 'echo', ['last'])));
		program.end();
		const exit = await program.exit();
		assert.deepEqual([exit.code, exit.rest], [0, [result(7, ['last'])]]);
	});
}

testEachDialect('a request that finishes in time is answered after the end of input', async (t, dialect) => {
	const program = testee(t, dialect);
	program.send(request(1, 'wait', { steps: 200 }));
	program.end();
	const exit = await program.exit();
	assert.deepEqual([exit.code, exit.rest], [0, [result(1, { steps: 200 })]]);
});

testEachDialect('an endless request is cancelled 1000 steps after the end of input', async (t, dialect) => {
	const program = testee(t, dialect);
	program.send(request(1, 'wait', {}), request('two', 'wait', { steps: 0 }));
	program.end();
	const exit = await program.exit();
	const { ownCause } = dialects[dialect];
	assert.equal(exit.code, 0);
	assert.deepEqual(exit.rest, [failure(1, ownCause), failure('two', ownCause)]);
});

testEachDialect('an endless busy handler gives up after the end of input', async (t, dialect) => {
	const program = testee(t, dialect);
	program.send(request(1, 'busy', {}));
	program.end();
	const exit = await program.exit();
	assert.deepEqual([exit.code, exit.rest], [0, [failure(1, dialects[dialect].ownCause)]]);
});

test('the answers that are due are written also to a reader that comes late', async (t) => {
	const program = testee(t, 'acp', [], { silentReader: true });
	program.send(request(1, 'big', { bytes: 300000 }));
	program.end();
	await sleep(300);
	await program.readSlowly(1, { portion: 32768 });
	assert.equal(program.messages[0], result(1, 'x'.repeat(300000)));
	assert.equal((await program.exit()).code, 0);
});

/* ---------------------------------------------------------------------------------------------- cancels */

function assertCancelAnswer(program, dialect, id) {
	if (dialect === 'mcp') return Promise.resolve(); /* silence: the barrier that follows shows it */
	return program.nextText().then((text) => assert.equal(text, failure(id, cancelled)));
}

for (const method of ['wait', 'busy', 'stubborn']) {
	testEachDialect(`a cancel right behind its request, in one write: ${method}`, async (t, dialect) => {
		const program = testee(t, dialect);
		program.send(request(1, method, { steps: 100000, turns: 0 }), dialects[dialect].cancel(1));
		await assertCancelAnswer(program, dialect, 1);
		await assertNothingElseIsSaid(program);
		await assertEndsWell(program);
	});
}

testEachDialect('a cancel right behind a request that gives partial results', async (t, dialect) => {
	const program = testee(t, dialect);
	program.send(request(1, 'partial', { steps: 100000 }), dialects[dialect].cancel(1));
	if (dialect !== 'mcp') assert.equal(await program.nextText(), result(1, { partial: true }));
	await assertNothingElseIsSaid(program);
	await assertEndsWell(program);
});

testEachDialect('request, cancel and further requests in one write', async (t, dialect) => {
	const program = testee(t, dialect);
	program.send(request('1', 'wait', {}), dialects[dialect].cancel(1), dialects[dialect].cancel('1'), request(1, 'wait', { steps: 20 }));
	await assertCancelAnswer(program, dialect, '1');
	assert.equal(await program.nextText(), result(1, { steps: 20 }), 'the number 1 is not the string "1"');
	await assertEndsWell(program);
});

/* What is refused after a while is refused by a program whose handler has not returned yet. */
async function makeBusy(program, id) {
	program.send(request(id, 'busy', {}));
	await sleep(50);
	program.send(request('meanwhile', 'no such method'));
	assert.equal(await program.nextText(), failure('meanwhile', unknownMethod), 'heard while the handler is busy');
}

testEachDialect('a handler that is busy is cancelled through the pipe', async (t, dialect) => {
	const program = testee(t, dialect);
	await makeBusy(program, 1);
	program.send(request(3, 'echo', ['waits']));
	await sleep(100);
	assert.deepEqual(program.messages, [], 'the handler is busy still');
	program.send(dialects[dialect].cancel(1));
	await assertCancelAnswer(program, dialect, 1);
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

testEachDialect('a deadline passes while no byte arrives', async (t, dialect) => {
	const program = testee(t, dialect);
	const start = Date.now();
	program.send(request(1, 'late', { ms: 150 }));
	assert.equal(await program.nextText(), failure(1, dialects[dialect].ownCause));
	assert.ok(Date.now() - start >= 145, 'not before its time');
	await assertEndsWell(program);
});

/* ------------------------------------------------------------------------------------------------ sleep */

async function assertSleeps(program) {
	const before = processorTicks(program.pid);
	await sleep(1000);
	assert.ok(processorTicks(program.pid) - before <= 2, 'no processor time while idle');
}

testEachDialect('sleeps while nothing is to be done', async (t, dialect) => {
	const program = testee(t, dialect);
	await assertNothingElseIsSaid(program, 'before');
	await assertSleeps(program);
	program.send(request(1, 'wait', {}), dialects[dialect].cancel(1));
	await assertCancelAnswer(program, dialect, 1);
	await assertSleeps(program);
	await assertNothingElseIsSaid(program);
});

test('sleeps with half a message in hand', async (t) => {
	const program = testee(t, 'acp');
	const bytes = JSON.stringify(request(1, 'echo', ['whole'])) + '\n';
	await assertNothingElseIsSaid(program, 'before');
	program.sendBytes(bytes.slice(0, 20));
	await assertSleeps(program);
	program.sendBytes(bytes.slice(20));
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
	const texts = program.messages.splice(0);
	const long = texts.indexOf(result('stall', 'x'.repeat(200000)));
	assert.ok(long >= 0, 'the long answer is whole');
	texts.splice(long, 1);
	assert.ok(assertAnsweredOnce(texts, ids) > 0, 'some are served, not only refused');
	await assertEndsWell(program);
});

testEachDialect('200 requests one after another, none refused', async (t, dialect) => {
	const program = testee(t, dialect);
	for (let id = 1; id <= 200; id++) {
		program.send(request(id, 'echo', payload(id)));
		assert.equal(await program.nextText(), result(id, payload(id)));
	}
	await assertEndsWell(program);
});

testEachDialect('a string of 5000 through a TX buffer of 64 bytes', async (t, dialect) => {
	const program = testee(t, dialect, ['--tx', '64']);
	const ids = ['first', 'second', 'third'];
	program.send(...ids.map((id) => request(id, 'big', { bytes: 5000 })));
	const texts = [await program.nextText(), await program.nextText(), await program.nextText()];
	assert.deepEqual(texts.sort(), ids.map((id) => result(id, 'x'.repeat(5000))));
	await assertNothingElseIsSaid(program);
	await assertEndsWell(program);
});

test('notifications and their answer through a TX buffer of 64 bytes', async (t) => {
	const program = testee(t, 'acp', ['--tx', '64']);
	program.send(request(1, 'notify', { count: 50 }));
	const heard = [];
	for (let message = await program.next(); message.id !== 1; message = await program.next()) heard.push(message);
	const numbers = heard.map(({ method, params }) => (method === 'tick' ? params.n : NaN));
	assert.deepEqual(numbers, [...new Set(numbers)].sort((a, b) => a - b), 'rising, none twice');
	assert.ok(numbers.every((n) => n >= 1 && n <= 50));
	await assertNothingElseIsSaid(program);
	await assertEndsWell(program);
});

/* ------------------------------------------------------------------------------------- acting once, floods */

testEachDialect('what has acted does not act again, however slowly its answer leaves', async (t, dialect) => {
	const program = testee(t, dialect, ['--tx', '64']);
	program.send(request(1, 'big', { bytes: 1000 }), request(2, 'dispense', { n: 2 }), request(3, 'dispense', { n: 100 }));
	assert.equal(await program.nextText(), result(1, 'x'.repeat(1000)));
	assert.equal(await program.nextText(), result(2, { dispensed: 2 }));
	assert.equal(await program.nextText(), result(3, { dispensed: 100 }));
	program.send(request(4, 'stats'));
	assert.equal((await program.next()).result.dispensed, 102);
	await assertEndsWell(program);
});

for (const n of [0, 101, -1, 1.5, '1', undefined])
	test(`dispense refuses ${n}`, async (t) => {
		const program = testee(t, 'acp');
		program.send(request(1, 'dispense', { n }), request(2, 'stats'));
		assert.equal(await program.nextText(), failure(1, [-32602, 'Invalid params']));
		assert.equal((await program.next()).result.dispensed, 0);
		await assertEndsWell(program);
	});

testEachDialect('a flood of short requests is served completely', async (t, dialect) => {
	const program = testee(t, dialect, ['--slots', '1']);
	const ids = Array.from({ length: 5000 }, (_, i) => i + 1);
	program.send(...ids.map((id) => request(id, 'echo', [id])));
	for (const id of ids) assert.equal(await program.nextText(), result(id, [id]));
	await assertEndsWell(program);
});
