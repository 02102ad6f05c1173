/* SPDX-License-Identifier: MIT
 * The host's toolbox as a real process: what its tools do beyond what the official clients look at, the motor
 * that is there once, its answers through the smallest TX buffer, and its calls in the memory of the smallest board. */

import assert from 'node:assert/strict';
import { openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { eras, forgets, misspells, ways } from './forgetful.mjs';
import { sleep, test, until } from '../common/runner.mjs';
import { Program, hostProgram } from '../common/program.mjs';
import { root, told } from '../common/start.mjs';

const smallToolbox = `${root}build/small/host/toolbox`;
const unoToolbox = `${root}build/uno-memory/host/toolbox`;

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

const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const call = (id, name, args = {}, _meta = {}) => request(id, 'tools/call', { name, arguments: args, _meta });
const cancel = (requestId) => ({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId } });

const textOf = ({ result }) => result.content[0].text;

/** A toolbox whose messages are kept apart: answers by id, and the progress of each token. */
class Toolbox {
	static async start(t, path = hostProgram('toolbox')) {
		const toolbox = new Toolbox(Program.start(t, path, [], { dialect: 'mcp' }));
		toolbox.send(request('hello', 'initialize', { protocolVersion: '2025-11-25' }));
		await toolbox.answer('hello');
		return toolbox;
	}

	progress = [];
	#answers = new Map();
	#count = 0;

	constructor(program) {
		this.program = program;
	}

	send(...messages) {
		this.program.send(...messages);
	}

	async #hearOne() {
		const message = await this.program.next();
		if (message.method) {
			assert.equal(message.method, 'notifications/progress');
			this.progress.push(message.params);
		} else {
			assert.ok(!this.#answers.has(message.id), `one answer to ${message.id}`);
			this.#answers.set(message.id, message);
		}
	}

	async answer(id) {
		while (!this.#answers.has(id)) await this.#hearOne();
		return this.#answers.get(id);
	}

	async stats() {
		const id = `stats ${++this.#count}`;
		this.send(call(id, 'stats'));
		return JSON.parse(textOf(await this.answer(id)));
	}

	/** The motor has made at least so many steps. */
	turned(steps) {
		return until('the motor to turn', async () => (await this.stats()).stepper_position >= steps);
	}

	async close() {
		this.program.end();
		const { code, signal, rest } = await this.program.exit();
		assert.deepEqual([code, signal, rest], [0, null, []]);
	}
}

test('toolbox: stats has every counter by its name, in this order', async (t) => {
	const toolbox = await Toolbox.start(t);
	toolbox.send(request('x', 'no/such/method'), cancel('nobody'));
	const stats = await toolbox.stats();
	assert.deepEqual(Object.keys(stats), [...statsMembers, 'stepper_stops', 'stepper_position', ...sizesMembers, 'slot_bytes', 'token_size']);
	const { requests, results, errors, unknown_methods: unknown, late_cancels: late } = stats;
	assert.deepEqual([requests, results, errors, unknown, late], [2, 1, 1, 1, 1]);
	await toolbox.close();
});

test('testee: stats has the same', async (t) => {
	const program = Program.start(t, hostProgram('testee'));
	program.send(request(1, 'stats'));
	assert.deepEqual(Object.keys((await program.next()).result), [...statsMembers, 'dispensed', ...sizesMembers]);
});

/* ---------------------------------------------------------------------------------------------- the motor */

test('toolbox: the motor counts its steps, and its stops only when it is stopped', async (t) => {
	const toolbox = await Toolbox.start(t);
	toolbox.send(call(1, 'stepper', { steps: 30 }));
	assert.equal(textOf(await toolbox.answer(1)), 'stepped 30');
	toolbox.send(call(2, 'stepper', { steps: 1 }));
	assert.equal(textOf(await toolbox.answer(2)), 'stepped 1');
	const { stepper_position: position, stepper_stops: stops } = await toolbox.stats();
	assert.deepEqual({ position, stops }, { position: 31, stops: 0 });
	await toolbox.close();
});

test('toolbox: of two motors at once the second is refused, and the first does not notice', async (t) => {
	const toolbox = await Toolbox.start(t);
	toolbox.send(call(1, 'stepper', { steps: 150 }), call(2, 'stepper', { steps: 100000 }));
	const refused = await toolbox.answer(2);
	assert.deepEqual([refused.result.isError, textOf(refused)], [true, 'motor is busy']);
	assert.equal(textOf(await toolbox.answer(1)), 'stepped 150');
	toolbox.send(call(3, 'stepper', { steps: 5 }));
	assert.equal(textOf(await toolbox.answer(3)), 'stepped 5');
	const { stepper_position: position, stepper_stops: stops } = await toolbox.stats();
	assert.deepEqual({ position, stops }, { position: 155, stops: 0 });
	await toolbox.close();
});

test('toolbox: a cancel frees the motor for a call in the same write', async (t) => {
	const toolbox = await Toolbox.start(t);
	toolbox.send(call(1, 'stepper', { steps: 100000 }));
	await toolbox.turned(20);
	toolbox.send(cancel(1), call(2, 'stepper', { steps: 10 }));
	assert.equal(textOf(await toolbox.answer(2)), 'stepped 10');
	const { stepper_position: position, stepper_stops: stops } = await toolbox.stats();
	assert.equal(stops, 1);
	assert.ok(position >= 30 && position < 100000, `at ${position}`);
	await sleep(50);
	assert.equal((await toolbox.stats()).stepper_position, position, 'it stands still');
	await toolbox.close();
});

test('toolbox: a motor that is cancelled before its start neither turns nor stops', async (t) => {
	const toolbox = await Toolbox.start(t);
	toolbox.send(call(1, 'stepper', { steps: 100000 }), cancel(1));
	const { stepper_position: position, stepper_stops: stops, silenced } = await toolbox.stats();
	assert.deepEqual({ position, stops, silenced }, { position: 0, stops: 0, silenced: 1 });
	await toolbox.close();
});

test('toolbox: a second initialize is a new client: the motor stops, and the old request is never answered', async (t) => {
	const toolbox = await Toolbox.start(t);
	toolbox.send(call(1, 'stepper', { steps: 100000 }));
	await toolbox.turned(20);
	toolbox.send(request('again', 'initialize', { protocolVersion: '2025-11-25' }), call(1, 'stepper', { steps: 10 }));
	assert.equal((await toolbox.answer('again')).result.protocolVersion, '2025-11-25');
	assert.equal(textOf(await toolbox.answer(1)), 'stepped 10');
	const { stepper_stops: stops, sessions, cancelled_by_session: cancelled, silenced } = await toolbox.stats();
	assert.deepEqual({ stops, sessions, cancelled, silenced }, { stops: 1, sessions: 1, cancelled: 1, silenced: 1 });
	await toolbox.close();
});

test('toolbox: a client that has begun to send signs of life and stops has its motor stopped', async (t) => {
	const toolbox = await Toolbox.start(t);
	const sent = Date.now();
	toolbox.program.sendBytes('\n');
	toolbox.send(call(1, 'stepper', { steps: 100000 }));
	assert.equal((await toolbox.answer(1)).error.code, -32800);
	assert.ok(Date.now() - sent >= 1990, `after ${Date.now() - sent} ms`);
	const { stepper_stops: stops, cancelled_by_lease: cancelled } = await toolbox.stats();
	assert.deepEqual({ stops, cancelled }, { stops: 1, cancelled: 1 });
	await toolbox.close();
});

test('toolbox: at the end of input the motor is stopped at once, what does not move is answered', async (t) => {
	const toolbox = await Toolbox.start(t);
	toolbox.send(call(1, 'stepper', { steps: 100000 }), call(2, 'slow', { ms: 100 }));
	await toolbox.turned(1);
	toolbox.program.end();
	assert.equal((await toolbox.answer(1)).error.code, -32800);
	assert.equal(textOf(await toolbox.answer(2)), 'slept 100');
	const { code, rest } = await toolbox.program.exit();
	assert.deepEqual([code, rest], [0, []]);
});

test('toolbox: a one-shot pipe gets all its answers, but for motion', () => {
	const said = [request(0, 'initialize', { protocolVersion: '2025-11-25' }), call(1, 'echo', { text: 'x' }), call(2, 'stepper', { steps: 50 }),
		call(3, 'slow', { ms: 30 }), call(4, 'stepper', { steps: 0 }), call(5, 'stats'), request(6, 'ping')];
	const once = join(root, 'build/host/once');
	writeFileSync(once, said.map((message) => `${JSON.stringify(message)}\n`).join(''));
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

test('toolbox: what n8n adds to arguments is ignored', async (t) => {
	const toolbox = await Toolbox.start(t);
	const added = { toolCallId: 'call_1', sessionId: 's', action: 'sendMessage', chatInput: 'turn it' };
	toolbox.send(call(1, 'stepper', { ...added, steps: 5 }), call(2, 'stepper', { steps: 5, ...added, chatinput: 1 }));
	assert.equal(textOf(await toolbox.answer(1)), 'stepped 5');
	const { result } = await toolbox.answer(2);
	assert.deepEqual([result.isError, result.content[0].text], [true, 'chatinput: is unknown']);
	await toolbox.close();
});

/* ----------------------------------------------------------------------------------------------- options */

test('toolbox: its sizes can be chosen', async (t) => {
	const toolbox = new Toolbox(Program.start(t, hostProgram('toolbox'), ['--slots', '1', '--arena', '512', '--tx', '64'], { dialect: 'mcp' }));
	toolbox.send(request('hello', 'initialize', { protocolVersion: '2025-11-25' }));
	await toolbox.answer('hello');
	toolbox.send(call(1, 'slow', { ms: 50 }), call(2, 'led', { on: true }));
	assert.equal((await toolbox.answer(2)).error.code, -32010, 'one slot');
	assert.equal(textOf(await toolbox.answer(1)), 'slept 50');
	toolbox.send(call(3, 'echo', { text: 'x'.repeat(600) }));
	assert.equal((await toolbox.answer(3)).error.code, -32011, 'an arena of 512 bytes');
	await toolbox.close();
});

for (const args of [['--fast'], ['--slots'], ['--slots', '0'], ['--tx', '63'], ['--dialect', 'acp']])
	test(`toolbox: bad options are refused: ${args.join(' ')}`, async (t) => {
		const program = Program.start(t, hostProgram('toolbox'), args);
		assert.equal((await program.exit()).code, 2);
		assert.match(program.stderr, /^toolbox: [^\n]+\n$/, 'one line on stderr');
	});

/* ----------------------------------------------------------------------------------------------- progress */

/* A slow machine may leave one out, but never says another. */
function assertProgress(toolbox, progressToken, step, total) {
	const said = toolbox.progress.filter((params) => params.progressToken === progressToken);
	const values = said.map(({ progress }) => progress);
	assert.ok(values.length > 0, 'there is progress');
	for (const params of said) assert.deepEqual(params, { progressToken, progress: params.progress, total });
	assert.ok(values.every((value) => value % step === 0 && value > 0 && value < total), `${values}`);
	assert.deepEqual(values, [...new Set(values)].sort((a, b) => a - b), 'rising');
}

test('toolbox: slow tells every 50 ms, stepper every 100 steps how far they are', async (t) => {
	const toolbox = await Toolbox.start(t);
	const tokens = ['slow', 2], comes = (progressToken) => toolbox.progress.some((params) => params.progressToken === progressToken);
	toolbox.send(call(1, 'slow', { ms: 600000 }, { progressToken: 'slow' }));
	toolbox.send(call(2, 'stepper', { steps: 100000 }, { progressToken: 2 }));
	await until('progress of both', async () => { await toolbox.stats(); return tokens.every(comes); });
	toolbox.send(cancel(1), cancel(2));
	await toolbox.close();
	assertProgress(toolbox, 'slow', 50, 600000);
	assertProgress(toolbox, 2, 100, 100000);
});

test('toolbox: what takes no time tells no progress', async (t) => {
	const toolbox = await Toolbox.start(t);
	toolbox.send(call(1, 'slow', { ms: 0 }, { progressToken: 1 }));
	toolbox.send(call(2, 'stepper', { steps: 1 }, { progressToken: 2 }));
	assert.equal(textOf(await toolbox.answer(1)), 'slept 0');
	assert.equal(textOf(await toolbox.answer(2)), 'stepped 1');
	assert.deepEqual(toolbox.progress, []);
	await toolbox.close();
});

/* -------------------------------------------------------------------------------- a TX buffer of 64 bytes */

test('small toolbox: stats stand still while they leave, whatever is counted meanwhile', async (t) => {
	const toolbox = await Toolbox.start(t, smallToolbox);
	const ids = [1, 2, 3, 4, 5, 6];
	const unknown = ids.map((id) => request(`x${id}`, 'no/such/method'));
	toolbox.send(...ids.flatMap((id, i) => [call(id, 'stats'), unknown[i], cancel('nobody')]));
	for (const id of ids) {
		const stats = JSON.parse(textOf(await toolbox.answer(id)));
		assert.deepEqual(Object.keys(stats), [...statsMembers, 'stepper_stops', 'stepper_position', ...sizesMembers, 'slot_bytes', 'token_size']);
	}
	for (const { id } of unknown) assert.equal((await toolbox.answer(id)).error.code, -32601);
	const { changed, misuses, unknown_methods: count, late_cancels: late } = await toolbox.stats();
	assert.deepEqual({ changed, misuses, count, late }, { changed: 0, misuses: 0, count: 6, late: 6 });
	await toolbox.close();
});

test('small toolbox: a stats that is cancelled while it waits leaves the next one its turn', async (t) => {
	const toolbox = await Toolbox.start(t, smallToolbox);
	toolbox.send(call(1, 'echo', { text: 'x'.repeat(3000) }), call(2, 'stats'), call(3, 'stats'));
	toolbox.send(cancel(2));
	assert.equal((await toolbox.answer(1)).result.structuredContent.text.length, 3000);
	await toolbox.answer(3);
	assert.equal((await toolbox.stats()).changed, 0);
	await toolbox.close();
});

test('small toolbox: progress that never fits is dropped and counted, the answer comes', async (t) => {
	const toolbox = await Toolbox.start(t, smallToolbox);
	toolbox.send(call(1, 'slow', { ms: 600000 }, { progressToken: 'token' }), call(2, 'slow', { ms: 120 }, { progressToken: 'token' }));
	assert.equal(textOf(await toolbox.answer(2)), 'slept 120');
	await until('progress to be dropped', async () => (await toolbox.stats()).dropped > 0);
	toolbox.send(cancel(1));
	assert.deepEqual(toolbox.progress, []);
	await toolbox.close();
});

/* --------------------------------------------------------------------------------------- the Uno's memory */

test('toolbox with the memory of the Uno: two calls with progress in one write', async (t) => {
	const toolbox = await Toolbox.start(t, unoToolbox);
	toolbox.send(
		call(998, 'stepper', { steps: 100000 }, { progressToken: 998 }), call(999, 'slow', { ms: 500 }, { progressToken: 999 }));
	const answer = await toolbox.answer(999);
	assert.equal(answer.error, undefined);
	assert.equal(textOf(answer), 'slept 500');
	toolbox.send(cancel(998));
	const { stepper_stops: stops, busy } = await toolbox.stats();
	assert.deepEqual({ stops, busy }, { stops: 1, busy: 0 });
	await toolbox.close();
});
