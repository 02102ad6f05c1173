/* SPDX-License-Identifier: MIT
 * `make run` and the runner behind it: nothing but the board's bytes on stdout, an end that waits for the board, and no
 * process left behind. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { childrenOf, commandOf, lives } from '../common/process.mjs';
import { framed, hostProgram } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';
import { started } from '../common/start.mjs';
import { boards, command, has } from '../interop/boards.mjs';

const emulate = hostProgram('emulate');
const busy = -32010;
const whole = { options: [] };
const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const lines = (...messages) => messages.map((message) => `${JSON.stringify(message)}\n`).join('');
const ping = lines(request(1, 'ping'));
const pong = '{"jsonrpc":"2.0","id":1,"result":{}}\n';

const start = (t, words) => started(t, words, { stdio: ['pipe', 'pipe', 'pipe'] });

/* What a command says to an input that is piped at once; its exit code; how long it took. */
async function piped(t, words, input, { behind = 0 } = {}) {
	const from = Date.now(), chunks = [];
	const child = start(t, words);
	child.stdout.on('data', (chunk) => { chunks.push(chunk); }).pause();
	child.stdin.end(input);
	await sleep(behind);
	child.stdout.resume();
	const code = await child.ended;
	return { code, chunks, text: child.said, ms: Date.now() - from, errors: child.errors };
}

const make = (board, ...words) => ['make', 'run', `BOARD=${board}`, ...words];

/* --- What is said */

for (const board of boards) {
	test(`make run BOARD=${board}: the board's bytes, nothing else; exit code 0`, async (t) => {
		const { code, text, errors } = await piped(t, make(board, 'APP=toolbox'), ping);
		assert.deepEqual([code, text], [0, pong], errors);
	});

	test(`make run BOARD=${board}: an input that ends at once`, async (t) => {
		const { code, text } = await piped(t, make(board), '');
		assert.deepEqual([code, text], [0, '']);
	});

	test(`${board}: much input at once, the answers read at the end`, async (t) => {
		const count = 600;
		const input = lines(...Array.from({ length: count }, (_, id) => request(id, 'ping')));
		const { code, text } = await piped(t, command(board, 'toolbox', whole), input, { behind: 1500 });
		assert.equal(code, 0);
		const answers = text.trimEnd().split('\n').map((line) => JSON.parse(line));
		assert.ok(answers.every(({ result }) => result));
		assert.deepEqual(answers.map(({ id }) => id).sort((a, b) => a - b), Array.from({ length: count }, (_, id) => id));
	});

	test(`${board}: much input that is not answered is heard to its end`, async (t) => {
		const note = lines({ jsonrpc: '2.0', method: 'nobody/listens', params: { text: 'x'.repeat(200) } });
		const { code, text } = await piped(t, command(board, 'toolbox', whole), note.repeat(100) + ping);
		assert.deepEqual([code, text], [0, pong]);
	});
}

/* --- The same as on the host */

const notifier = 6;

const dialects = {
	acp: ['$/cancel_request', 'requestId'],
	jsonrpc: ['$/cancel_request', 'requestId'],
	lsp: ['$/cancelRequest', 'id'],
	mcp: ['notifications/cancelled', 'requestId'],
};

function transcript(dialect) {
	const [method, member] = dialects[dialect];
	const cancel = (id) => ({ jsonrpc: '2.0', method, params: { [member]: id } });
	const messages = [
		request(1, 'echo', { text: 'ä€😀 "\\\n', list: [1.50, -2, true, null, {}] }), request('1', 'wait'), request(2, 'wait'),
		cancel('1'), cancel(2), cancel(3), request(3, 'big', { bytes: 2000 }), request(4, 'fail', { code: 7, message: 'no' }),
		request(5, 'nothing'), request(notifier, 'notify', { count: 9 }), request(7, 'abort'), request(8, 'wait', { steps: 'x' }),
		request(9, 'busy', { turns: 0 }), cancel(9), request([1], 'echo'), '[]', '{"jsonrpc":"2.0","id":', request(10, 'echo'),
	];
	return Buffer.concat(messages.map((message) => framed(dialect, message)));
}

/* Their order depends on how the bytes came. */
const messagesOf = (text) => text.split(/\n|Content-Length: \d+\r\n\r\n/).filter((line) => line).sort();

/* What every target answers alike, but for what a smaller one has no room for at that moment. */
function assertAlike(there, host) {
	const isBusy = (text) => JSON.parse(text).error?.code === busy;
	const refused = there.filter(isBusy).map((text) => JSON.parse(text).id);
	const isRefused = (text) => refused.includes(JSON.parse(text).id ?? (text.includes('"tick"') ? notifier : null));
	assert.deepEqual(there.filter((text) => !isRefused(text)), host.filter((text) => !isRefused(text)));
	assert.ok(refused.length <= 7, `refused: ${refused}`);
}

for (const board of boards.filter((name) => has(name, 'testee'))) for (const dialect of Object.keys(dialects))
	test(`${board}: a testee that speaks ${dialect} answers a whole transcript as the host's does`, async (t) => {
		const input = transcript(dialect);
		const host = await piped(t, [hostProgram('testee'), '--dialect', dialect], input);
		const there = await piped(t, command(board, `tests/testee-${dialect}`, whole), input);
		assert.equal(there.code, 0);
		assertAlike(messagesOf(there.text), messagesOf(host.text));
		assert.ok(messagesOf(host.text).length > 10);
	});

/* --- The runner by itself */

const shell = (script) => ['sh', '-c', script];

test('a wire takes its time, and a byte comes by itself', async (t) => {
	const input = 'x'.repeat(100);
	const { code, text, chunks, ms } = await piped(t, [emulate, '--baud', '1200', 'cat'], input);
	assert.deepEqual([code, text], [0, input]);
	assert.ok(ms >= 100 * 10 / 1.2 - 5, `${ms} ms`);
	assert.ok(chunks.length > 2, `${chunks.length} pieces`); /* as many as bytes, where the reader is never late */
});

test('a reader who is behind misses nothing', async (t) => {
	const much = shell('head -c 300000 /dev/zero; exec sleep 60');
	const { code, text } = await piped(t, [emulate, ...much], '', { behind: 1500 });
	assert.deepEqual([code, text.length], [0, 300000]);
});

test('it goes on as long as the command says something, and 300 ms more', async (t) => {
	const chatty = shell('for i in 1 2 3 4 5; do echo $i; sleep 0.1; done; exec sleep 60');
	const { code, text } = await piped(t, [emulate, ...chatty], '');
	assert.deepEqual([code, text], [0, '1\n2\n3\n4\n5\n']);
});

test('options that are none, and commands that are none', async (t) => {
	for (const words of [[], ['--baud'], ['--baud', 'fast', 'cat'], ['--baud', '0', 'cat'], ['--loud', 'cat'], ['--bound']]) {
		const { code, errors } = await piped(t, [emulate, ...words], '');
		assert.deepEqual([code, errors.split('\n').length], [2, 2], words.join(' '));
	}
	const { code, errors } = await piped(t, [emulate, '/no/such/program'], '');
	assert.equal(code, 1);
	assert.match(errors, /no such/i);
});

/* --- No process is left behind */

const theOnlyChild = (pid, name) => until(`a ${name}`,
	() => childrenOf(pid).find((child) => lives(child) && commandOf(child).includes(name)));

for (const [signal, whom] of [
	['SIGTERM', 'make'], ['SIGKILL', 'make'], ['SIGTERM', 'emulate'], ['SIGINT', 'emulate'], ['SIGHUP', 'emulate'], ['SIGKILL', 'emulate'],
])
	test(`${signal} to ${whom} ends the emulator, although the input goes on`, async (t) => {
		const child = start(t, ['make', '-s', 'run', `BOARD=${boards[0]}`]);
		const runner = await theOnlyChild(child.pid, 'emulate');
		const emulator = await theOnlyChild(runner, '');
		t.after(() => [runner, emulator].filter(lives).forEach((pid) => process.kill(pid, 'SIGKILL')));
		child.stdin.write(ping);
		await once(child.stdout, 'data');
		process.kill(whom === 'make' ? child.pid : runner, signal);
		await until('all of them to be gone', () => ![child.pid, runner, emulator].some(lives));
	});
