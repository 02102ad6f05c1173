/* SPDX-License-Identifier: MIT
 * `make run` and the runner behind it: nothing but the board's bytes on stdout, an end that waits for the board, and no
 * process left behind. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { childrenOf, commandOf, lives } from '../common/process.mjs';
import { hostProgram } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';
import { started } from '../common/start.mjs';
import { boards, command } from '../interop/boards.mjs';

const emulate = hostProgram('emulate');
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
