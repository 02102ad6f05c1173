/* SPDX-License-Identifier: MIT
 * The host's toolbox as a real process: the names of its counters, its options, its end, and hosts that forget its motor. */

import assert from 'node:assert/strict';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { greet, statsOf } from '../common/client.mjs';
import { Program, hostProgram } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { root, told } from '../common/start.mjs';
import { eras, forgets, misspells, ways } from './forgetful.mjs';

const causes = ['other_side', 'parent', 'deadline', 'handler', 'local_code', 'shutdown', 'lease', 'session', 'link'];
const statsMembers = [
	'requests', 'notifications', 'ignored', 'results', 'errors', 'silenced', 'parse_errors', 'invalid',
	'duplicate_ids', 'unknown_methods', 'too_large', 'busy', 'kept', 'held', 'stray_responses', 'calls', 'call_cancels', 'late_responses',
	'bad_headers', 'lost',
	...causes.map((cause) => `cancelled_by_${cause}`), 'late_cancels', 'bad_cancels', 'dropped',
	'changed', 'misuses', 'discarded', 'sessions', 'life_signs', 'last_cancel_ms', 'slowest_cancel_ms',
];
const sizes = ['slot_count', 'id_size', 'arena_size', 'tx_size', 'tag_size', 'reason_size'];
const sizesMembers = ['most_live', 'most_arena', 'longest_notification', ...sizes];

async function start(t, words = []) {
	const toolbox = Program.start(t, hostProgram('toolbox'), words, { dialect: 'mcp' });
	await greet(toolbox);
	return toolbox;
}

const calls = (toolbox, name, args, id) => toolbox.asks('tools/call', { name, arguments: args }, id);
const textOf = ({ result }) => result.content[0].text;

test('toolbox: stats has every counter by its name, in this order', async (t) => {
	const toolbox = await start(t);
	toolbox.ask('no/such/method');
	toolbox.notify('notifications/cancelled', { requestId: 'nobody' });
	const stats = await statsOf(toolbox);
	assert.deepEqual(Object.keys(stats), [...statsMembers, 'stepper_stops', 'stepper_position', ...sizesMembers, 'slot_bytes', 'token_size']);
	const { requests, results, errors, unknown_methods: unknown, late_cancels: late } = stats;
	assert.deepEqual([requests, results, errors, unknown, late], [2, 1, 1, 1, 1]);
});

test('testee: stats has the same', async (t) => {
	const testee = Program.start(t, hostProgram('testee'));
	assert.deepEqual(Object.keys(await testee.result('stats')), [...statsMembers, 'dispensed', ...sizesMembers]);
});

test('toolbox: a motor that is cancelled stands, one that is cancelled before its start has never turned', async (t) => {
	const toolbox = await start(t);
	const stands = async () => {
		const { stepper_position: position, stepper_stops: stops } = await statsOf(toolbox);
		return { position, stops };
	};
	const turn = (id) => ({ id, method: 'tools/call', params: { name: 'stepper', arguments: { steps: 100000 } } });
	const cancel = (requestId) => ({ method: 'notifications/cancelled', params: { requestId } });
	toolbox.send(turn('x'), cancel('x'));
	assert.deepEqual(await stands(), { position: 0, stops: 0 });
	toolbox.send(turn('y'));
	await until('the motor to turn', async () => (await stands()).position >= 20);
	toolbox.send(cancel('y'));
	const { position, stops } = await stands();
	assert.equal(stops, 1);
	assert.equal(textOf(await calls(toolbox, 'slow', { ms: 50 })), 'slept 50');
	assert.deepEqual(await stands(), { position, stops });
});

test('toolbox: a one-shot pipe gets all its answers, but for motion', () => {
	const call = (id, name, args) => ({ id, method: 'tools/call', params: { name, arguments: args } });
	const said = [{ id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25' } }, call(1, 'echo', { text: 'x' }), call(2, 'stepper', { steps: 50 }),
		call(3, 'slow', { ms: 30 }), call(4, 'stepper', { steps: 0 }), call(5, 'stats'), { id: 6, method: 'ping' }];
	const once = join(root, 'build/host/once');
	writeFileSync(once, said.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join(''));
	const { status, stdout } = told(hostProgram('toolbox'), [], { stdio: [openSync(once), 'pipe', 'inherit'] });
	const answers = new Map(stdout.trimEnd().split('\n').map((text) => JSON.parse(text)).map((answer) => [answer.id, answer]));
	assert.deepEqual([status, [...answers.keys()].sort()], [0, [0, 1, 2, 3, 4, 5, 6]]);
	assert.equal(answers.get(2).error.code, -32800);
	assert.equal(answers.get(4).result.isError, true);
	assert.equal(textOf(answers.get(3)), 'slept 30');
	const { stepper_stops: stops, stepper_position: position, cancelled_by_lease: cancelled } = JSON.parse(textOf(answers.get(5)));
	assert.deepEqual({ stops, position, cancelled }, { stops: 0, position: 0, cancelled: 1 }, 'the motor has never moved');
});

for (const [way, through] of Object.entries(ways))
	for (const era of Object.keys(eras)) {
		test(`toolbox: a host that never cancels, ${era}, ${way}: at rest after the longest time`,
			(t) => forgets(t, through([hostProgram('toolbox'), '--longest', '300']), 300, era), { together: true });
		test(`toolbox: unknown arguments, ${era}, ${way}: nothing moves`,
			(t) => misspells(t, through([hostProgram('toolbox')]), era), { together: true });
	}

test('toolbox: its sizes can be chosen', async (t) => {
	const toolbox = await start(t, ['--slots', '1', '--arena', '512', '--tx', '64']);
	toolbox.ask('tools/call', { name: 'slow', arguments: { ms: 50 } }, 'slow');
	assert.equal((await calls(toolbox, 'led', { on: true })).error.code, -32010, 'one slot');
	assert.equal(textOf(await toolbox.answerTo('slow')), 'slept 50');
	assert.equal((await calls(toolbox, 'echo', { text: 'x'.repeat(600) })).error.code, -32011, 'an arena of 512 bytes');
});
