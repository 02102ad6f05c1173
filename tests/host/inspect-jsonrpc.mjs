/* SPDX-License-Identifier: MIT
 * inspect --protocol jsonrpc: JSON-RPC without a protocol over it. */

import assert from 'node:assert/strict';
import { cable } from '../common/cable.mjs';
import { hostProgram } from '../common/program.mjs';
import { test as testOf } from '../common/runner.mjs';
import { Inspect, run } from './inspect-program.mjs';

const test = (name, body) => testOf(`inspect: jsonrpc: ${name}`, body, { together: true });
const testee = [hostProgram('testee'), '--dialect', 'jsonrpc'];
const plain = (method, params, ...more) => ['--protocol', 'jsonrpc', '--method', method, ...params ? ['--params', JSON.stringify(params)] : [], ...more];

test('a result, with params by name, by position and without', async (t) => {
	for (const params of [{ a: [1, 2.5, 'x'] }, [1, { b: null }], undefined]) {
		const { shown, said } = await run(t, [...plain('echo', params), '--trace'], testee, 0);
		assert.equal(shown, `${JSON.stringify(params ?? null)}\n`);
		const sent = said.split('\n').filter((line) => line.startsWith('-> ')).map((line) => JSON.parse(line.slice(3)));
		assert.deepEqual(sent.map(({ method }) => method), ['echo'], 'nothing else is sent');
	}
});

test('an error, and what nobody knows', async (t) => {
	const failed = await run(t, plain('fail', { code: 7, message: 'so it is' }), testee, 1);
	assert.match(failed.said, /^error 7: so it is$/m);
	assert.match((await run(t, plain('nobody'), testee, 1)).said, /^error -32601: Method not found$/m);
	assert.deepEqual(JSON.parse((await run(t, plain('fail', { code: 7, message: 'so' }, '--json'), testee, 1)).shown), { code: 7, message: 'so' });
});

test('notifications are noted as they come', async (t) => {
	const { shown, said } = await run(t, plain('notify', { count: 2 }), testee, 0);
	assert.equal(shown, '{"count":2}\n');
	assert.deepEqual(said.split('\n').filter(Boolean), ['notification tick {"n":1}', 'notification tick {"n":2}']);
});

test('Ctrl-C cancels, and what is answered then is noted', async (t) => {
	const inspect = Inspect.start(t, [...plain('wait', { steps: 0 }), '--trace'], testee);
	await inspect.says(/^-> .*"wait"/m);
	await inspect.interrupted();
	assert.match(inspect.said, /^-> \{"jsonrpc":"2\.0","method":"\$\/cancel_request","params":\{"requestId":\d+\}\}$/m);
	assert.match(inspect.said, /^cancelled: answered -32800 after \d+ ms \(Request cancelled\)$/m);
});

test('--cancel-after', async (t) => {
	const { said } = await run(t, [...plain('partial', { steps: 1000000000 }), '--cancel-after', '1'], testee, 130);
	assert.match(said, /^cancelled: answered with a result/m);
});

test('on a serial line, past noise', async (t) => {
	const { link } = await cable(t, { command: ['sh', '-c', `echo boot; exec ${testee.join(' ')}`] });
	const inspect = new Inspect(t, [...plain('echo', { a: 1 }), '--tty', link]);
	await inspect.exits(0);
	assert.equal(inspect.shown, '{"a":1}\n');
});

test('the doctor, and advice', async (t) => {
	const { shown } = await run(t, ['--protocol', 'jsonrpc', '--doctor'], testee, 0);
	assert.equal(shown, 'well: it answers; its counters were read\n');
	const silent = await run(t, ['--protocol', 'jsonrpc', '--doctor', '--timeout', '50'], ['sh', '-c', 'cat >/dev/null'], 3);
	assert.match(silent.shown, /^silent: nothing came; no answer to rpc\.discover in 50 ms$/m);
	await run(t, ['--protocol', 'jsonrpc', '--advise'], testee, 0);
});

test('what it does not go with', async (t) => {
	for (const [words, why] of [[[], '--protocol jsonrpc needs --method'], [['--tool', 'x'], '--tool and --modern are for mcp'], [['--prompt', 'x'], '--prompt and --cancel-by are for acp']])
		assert.match((await run(t, ['--protocol', 'jsonrpc', ...words], testee, 2)).said, new RegExp(why));
});
