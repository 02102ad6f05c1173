/* SPDX-License-Identifier: MIT
 * The host's langserver as a real process: its exit codes, with and without the end of its input. */

import assert from 'node:assert/strict';
import { sleep, test, until } from '../common/runner.mjs';
import { Program, framed, hostProgram } from '../common/program.mjs';

const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const note = (method, params) => ({ jsonrpc: '2.0', method, params });
const result = (id, value) => ({ jsonrpc: '2.0', id, result: value });
const failure = (id, code, message) => ({ jsonrpc: '2.0', id, error: { code, message } });
const initialize = request('open', 'initialize', { processId: null, rootUri: null, capabilities: {} });
const begun = [initialize, note('initialized', {})];
const shutdown = request(1, 'shutdown'), exit = note('exit');
const slow = (id, ms, more) => request(id, 'test/slow', { ms, ...more });

const start = (t, options) => Program.start(t, hostProgram('langserver'), [], { dialect: 'lsp', ...options });

for (const [what, said, code, rest, { end, half } = {}] of [
	['shutdown and exit, code 0, while its input is open', [...begun, shutdown, exit], 0, [result(1, null)]],
	['shutdown and exit with null params, as editors send them, code 0',
		[initialize, note('initialized', null), request(1, 'shutdown', null), note('exit', null)], 0, [result(1, null)]],
	['exit without shutdown, code 1', [...begun, exit], 1, []],
	['exit before initialize, code 1', [exit], 1, []],
	['shutdown before initialize does not count', [shutdown, exit], 1, [failure(1, -32002, 'Server not initialized')]],
	['the end of input without shutdown, code 1', begun, 1, [], { end: true }],
	['the end of input behind shutdown, code 0', [...begun, shutdown], 0, [result(1, null)], { end: true }],
	['the end of input inside of a message, code 1', begun, 1, [], { end: true, half: framed('lsp', shutdown).subarray(0, 40) }],
	['what was asked before the end of input is still answered', [...begun, slow(1, 200)], 1, [result(1, { slept: 200 })], { end: true }],
	['exit does not wait for what is running, and leaves nothing open', [...begun, slow(2, 60000), shutdown, exit], 0,
		[result(1, null), failure(2, -32803, 'Request failed')]],
])
	test(`langserver: ${what}`, async (t) => {
		const program = start(t);
		program.send(...said);
		if (half) program.sendBytes(half);
		if (end) program.end();
		const ended = await program.exit();
		const answers = ended.rest.map((text) => JSON.parse(text)).filter(({ id }) => id !== initialize.id);
		assert.deepEqual([ended.code, ended.signal, answers, program.stderr], [code, null, rest, '']);
	});

/* 7 requests fill the pipe in about 1.2 s; nothing else is heard of a program whose output is full. */
test('langserver: exit does not wait for a reader that does not read', async (t) => {
	const program = start(t, { silentReader: true });
	program.send(initialize, ...[1, 2, 3, 4, 5, 6, 7].map((id) => slow(id, 60000, { partialResultToken: 'x'.repeat(64) })));
	await sleep(2000);
	program.send(exit);
	await until('its end', () => program.child.exitCode !== null);
	assert.equal(program.child.exitCode, 1);
});
