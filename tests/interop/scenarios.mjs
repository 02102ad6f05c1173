/* SPDX-License-Identifier: MIT
 * What every MCP client must find, whichever client and whichever era of the protocol. */

import assert from 'node:assert/strict';
import { sleep, test, until } from '../common/runner.mjs';
import { Session } from './session.mjs';
import { paramsFor } from './flavours.mjs';

const endless = { steps: 100000 };
const text = (result) => result.content.map((part) => part.text).join('');

/** What a call gave that was started. A call that failed fails the test with its error. */
async function resultOf({ outcome }) {
	const { value, error } = await outcome;
	assert.ifError(error);
	return value;
}

async function allTools(session) {
	const tools = [];
	let cursor;
	do {
		const page = await session.client.listTools(cursor === undefined ? undefined : { cursor });
		tools.push(...page.tools);
		cursor = page.nextCursor;
	} while (cursor !== undefined);
	return tools;
}

/** The client gives up with `code`, or any error when it has none of its own for the case. */
async function assertFails(promise, code) {
	await assert.rejects(promise, (error) => code === undefined || error.code === code);
}

/** The motor runs: at least `lines` of its progress have come. */
function running(session, id, lines = 2) {
	return until('the motor to run', () => session.wire.progressOf(id).length >= lines);
}

async function assertStopped(session, before) {
	const after = await session.stats();
	assert.equal(after.stepper_stops, before.stepper_stops + 1, 'the motor was stopped once');
	assert.ok(after.stepper_position > before.stepper_position, 'it had been running');
	await sleep(200);
	const later = await session.stats();
	assert.equal(later.stepper_position, after.stepper_position, 'it stands still');
	assert.equal(later.stepper_stops, after.stepper_stops);
}

/** Strictly rising, none at the end, none behind the answer. */
function assertProgressRises(wire, id, total) {
	const about = wire.heardAbout(id);
	const values = wire.progressOf(id).map(({ progress }) => progress);
	assert.ok(values.length >= 1, `there is progress: ${values}`);
	assert.ok(values.every((value, i) => i === 0 || value > values[i - 1]), `strictly rising: ${values}`);
	assert.ok(values.at(-1) < total, `none at the end: ${values}`);
	assert.equal(about.at(-1).id, id, 'the answer comes last');
	assert.equal(wire.answersTo(id).length, 1);
}

const badArguments = [
	['slow', { ms: -1 }, 'ms', '0'],
	['slow', { ms: 600001 }, 'ms', '600000'],
	['slow', { ms: 1.5 }, 'ms'],
	['slow', { ms: '100' }, 'ms'],
	['slow', { ms: null }, 'ms'],
	['slow', {}, 'ms'],
	['stepper', { steps: 0 }, 'steps', '1'],
	['stepper', { steps: 100001 }, 'steps', '100000'],
	['stepper', { steps: 1e300 }, 'steps', '100000'],
	['led', { on: 'yes' }, 'on'],
	['led', { on: 1 }, 'on'],
	['led', {}, 'on'],
	['echo', { text: 5 }, 'text'],
	['echo', { text: ['a'] }, 'text'],
	['echo', {}, 'text'],
];

export function testCommonScenarios(flavour, only) {
	const scenario = (name, body, { open } = {}) => (only && !only.includes(name) ? undefined : test(`${flavour.name}: ${name}`, async (t) => {
		const session = await Session.open(t, flavour, { ...flavour.tap, ...open });
		await body(session, t);
		await session.close();
	}, { together: !flavour.uart }));

	scenario('lists the tools with their schemas', async (session) => {
		const tools = Object.fromEntries((await allTools(session)).map((tool) => [tool.name, tool]));
		assert.deepEqual(Object.keys(tools).sort(), ['echo', 'led', 'slow', 'stats', 'stepper']);
		const { ms } = tools.slow.inputSchema.properties;
		assert.deepEqual([ms.type, ms.minimum, ms.maximum], ['integer', 0, 600000]);
		const { steps } = tools.stepper.inputSchema.properties;
		assert.deepEqual([steps.type, steps.minimum, steps.maximum], ['integer', 1, 100000]);
		assert.equal(tools.led.inputSchema.properties.on.type, 'boolean');
		assert.deepEqual(tools.led.inputSchema.required, ['on']);
		assert.equal(tools.echo.outputSchema.properties.text.type, 'string');
		for (const tool of Object.values(tools)) assert.equal(tool.inputSchema.type, 'object');
	});

	scenario('echo gives structured content that fits its output schema', async (session) => {
		await allTools(session); /* from now on the client checks each answer against the schema */
		for (const value of ['', 'hello', 'Grüße, 世界 🚀', 'a "quoted" \\ line\nand\u2028another', '\u0000\u001f']) {
			const result = await session.call('echo', { text: value });
			assert.deepEqual(result.structuredContent, { text: value });
			assert.deepEqual(JSON.parse(text(result)), { text: value }, 'the same as text');
			assert.ok(!result.isError);
		}
	});

	scenario('led and slow do what they say', async (session) => {
		assert.equal(text(await session.call('led', { on: true })), 'on');
		assert.equal(text(await session.call('led', { on: false })), 'off');
		assert.equal(text(await session.call('slow', { ms: 0 })), 'slept 0');
		const start = Date.now();
		assert.equal(text(await session.call('slow', { ms: 120 })), 'slept 120');
		assert.ok(Date.now() - start >= 115, 'it takes its time');
	});

	scenario('arguments that break the schema: an error result that says which and why', async (session) => {
		for (const [tool, args, argument, bound] of badArguments) {
			const result = await session.call(tool, args);
			const said = `${tool} ${JSON.stringify(args)}: ${JSON.stringify(result)}`;
			assert.equal(result.isError, true, said);
			assert.match(text(result), new RegExp(`\\b${argument}\\b`), said);
			if (bound) assert.match(text(result), new RegExp(`\\b${bound}\\b`), said);
		}
		assert.equal((await session.stats()).stepper_position, 0, 'the motor never moved');
	});

	scenario('an unknown tool is -32602', async (session) => {
		await assertFails(session.call('no such tool', {}), -32602);
	});

	scenario('what it does not offer is -32601', async (session) => {
		for (const method of ['resources/list', 'prompts/list', 'completion/complete', 'no/such/method']) {
			const answer = await session.askRaw(method, method, paramsFor(flavour));
			assert.equal(answer.error?.code, -32601, method);
		}
	});

	scenario('progress rises, and none comes at the end or after it', async (session) => {
		const slow = await session.start('slow', { ms: 1000 });
		assert.equal(text(await resultOf(slow)), 'slept 1000');
		const stepper = await session.start('stepper', { steps: 1450 });
		assert.ok(!(await resultOf(stepper)).isError);
		await sleep(150);
		const wire = await session.close();
		assertProgressRises(wire, slow.id, 1000);
		assertProgressRises(wire, stepper.id, 1450);
	});

	scenario('no progress unless it was asked for', async (session) => {
		await session.call('slow', { ms: 200 });
		const wire = await session.close();
		assert.equal(wire.heard.filter(({ method }) => method).length, 0);
	});

	scenario('a cancel in flight stops the tool, and nothing more is said', async (session) => {
		const before = await session.stats();
		const stepper = await session.start('stepper', endless);
		await running(session, stepper.id);
		stepper.cancel();
		assert.ok((await stepper.outcome).error, 'the client gave up');
		await assertStopped(session, before);
		await session.assertSilent(stepper.id);
		const wire = await session.close();
		assert.equal(wire.cancelsOf(stepper.id).length, 1);
	});

	scenario('a cancel right behind its request, in one write', async (session) => {
		const stepper = await session.start('stepper', endless);
		assert.deepEqual(session.wire.heardAbout(stepper.id), [], 'the server has not seen it yet');
		stepper.cancel();
		assert.ok((await stepper.outcome).error);
		await session.assertSilent(stepper.id);
		if (!flavour.uart) { /* which takes its time between the two */
			assert.deepEqual(session.wire.heardAbout(stepper.id), [], 'not one line, ever');
			assert.equal((await session.stats()).stepper_position, 0, 'the motor never moved');
		}
	}, { open: { glue: '"stepper"' } });

	scenario('a cancel just after its request, unsynchronised, again and again', async (session) => {
		const before = await session.stats();
		for (let i = 0; i < 20; i++) {
			const abort = new AbortController();
			const call = session.call('slow', { ms: 60000 }, { signal: abort.signal });
			setTimeout(() => abort.abort('changed my mind'), i % 4);
			await assertFails(call);
		}
		const after = await session.stats();
		assert.equal(after.busy, before.busy, 'each has given its place free');
		assert.ok(after.cancelled_by_other_side <= before.cancelled_by_other_side + 20); /* a bridge does not write what is cancelled already */
		const wire = await session.close();
		const calls = wire.sent.filter(({ params }) => params?.name === 'slow');
		assert.equal(calls.length, 20);
		for (const { id } of calls) assert.deepEqual(wire.heardAbout(id), [], `silence about request ${id}`);
	});

	scenario('the client gives up after its own time limit', async (session) => {
		const before = await session.stats();
		let stepper;
		for (let timeout = 1500, moved = false; !moved; timeout *= 2) { /* a slow machine begins late */
			stepper = await session.start('stepper', endless, { timeout });
			assert.match((await stepper.outcome).error.message, /timed out/i);
			moved = (await session.stats()).stepper_position > before.stepper_position;
			assert.equal(session.wire.cancelsOf(stepper.id).length, 1, 'the client said so');
		}
		await assertStopped(session, before);
		await session.assertSilent(stepper.id);
	});


	scenario('two calls in one write, one is cancelled, the other is served', async (session) => {
		const before = await session.stats();
		const stepper = await session.start('stepper', endless);
		const slow = await session.start('slow', { ms: 1000 });
		await running(session, stepper.id);
		stepper.cancel();
		assert.ok((await stepper.outcome).error);
		assert.equal(text(await resultOf(slow)), 'slept 1000');
		await assertStopped(session, before);
		await session.assertSilent(stepper.id);
		const wire = await session.close();
		assertProgressRises(wire, slow.id, 1000);
	}, { open: { glue: '"stepper"' } });

	scenario('a cancel of a finished request is ignored', async (session) => {
		const led = await session.start('led', { on: true });
		assert.equal(text(await resultOf(led)), 'on');
		led.cancel();
		await session.sendRaw({ method: 'notifications/cancelled', params: { requestId: led.id, reason: 'late' } });
		const stats = await session.stats();
		assert.equal(stats.stepper_stops, 0);
		assert.equal(session.wire.heardAbout(led.id).length, 1, 'answered once');
		assert.equal(text(await session.call('led', { on: false })), 'off', 'the next call is served');
	});

	/* A board does not hear that its input has ended: it goes on as long as it has something to say. */
	if (!flavour.uart) scenario('end of input while a tool runs: the motor stops and it exits', async (session) => {
		const stepper = await session.start('stepper', endless);
		await running(session, stepper.id, 1);
		await session.close();
		assert.ok((await stepper.outcome).error);
	});

	scenario('answers hold what the protocol names and nothing else', async (session) => {
		await allTools(session);
		await session.call('echo', { text: 'x' });
		await assertFails(session.call('no such tool', {}));
		const { heard } = await session.close();
		for (const message of heard) {
			const body = 'result' in message ? 'result' : 'error';
			assert.deepEqual(Object.keys(message), ['jsonrpc', 'id', body]);
			assert.equal(typeof message[body], 'object');
		}
	});
}
