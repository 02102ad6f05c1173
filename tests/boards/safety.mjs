/* SPDX-License-Identifier: MIT
 * What a device with a motor owes to clients that come and go: a new client is a new session, and whoever has begun to
 * send signs of life is taken at its word. */

import assert from 'node:assert/strict';
import { sleep, until } from '../common/runner.mjs';
import { begin } from './speakers.mjs';

const lease = 2000; /* ms; the motor makes a step a millisecond */

const ask = async (link, [method, params]) => link.asks(method, params);
const stats = async (link, device) => device.statsOf(await ask(link, device.stats));

function startMotor(link, device) {
	const request = link.request(...device.running);
	link.send(request);
	return request;
}

/** Asks until the motor has made some steps in this session. */
async function turning(link, device, { stepper_position: from }) {
	return until('the motor to turn', async () => (await stats(link, device)).stepper_position > from);
}

async function assertRests(link, device) {
	const { stepper_position: position } = await stats(link, device);
	await sleep(300);
	assert.equal((await stats(link, device)).stepper_position, position, 'the motor stands still');
}

const ofSession = (message, { id, params }) =>
	message.id === id || message.params?.progressToken === params?._meta?.progressToken && 'method' in message;

/** Three clients on one line, one after the other. The first leaves its motor running. */
async function servesClientAfterClient(link, device) {
	await begin(link);
	const before = await stats(link, device);
	const old = startMotor(link, device);
	await turning(link, device, before);
	link.giveUp(old.id);

	await begin(link);
	link.forget();
	const after = await stats(link, device);
	assert.equal(after.stepper_stops, before.stepper_stops + 1, 'the motor of the first was stopped once');
	assert.equal(after.cancelled_by_session, before.cancelled_by_session + 1);
	await assertRests(link, device);
	device.assertTimed(await ask(link, device.timed(200)), 200);

	await begin(link);
	assert.equal(device.echoed(await ask(link, device.echo('the third'))), 'the third');
	await link.listen(300);
	assert.deepEqual(link.messages.filter((message) => ofSession(message, old)), [], 'nothing of the first session');
	const last = await stats(link, device);
	assert.equal(last.sessions, before.sessions + 2);
	assert.equal(last.stepper_stops, after.stepper_stops);
}

/** Asks again and again, each time a sign of life, until the motor has reached a position or its end is told. Gives what was told
 * last while it turned, and the longest time in which no sign can have come. */
async function keepAlive(link, device, request, before, position) {
	const hasEnded = () => link.answersTo(request.id).length > 0;
	let alive = before, longest = 0, since = performance.now();
	while (alive.stepper_position < position) {
		const sent = performance.now();
		link.sendBytes('\n');
		const told = await stats(link, device);
		longest = Math.max(longest, performance.now() - since);
		if (hasEnded()) break;
		[alive, since] = [told, sent];
		await sleep(200);
	}
	return { alive, longest };
}

/** Signs of life keep a motor running for longer than its lease, unless the emulator or this process were held up for long; when they
 * end, it stops in time. Its steps are the clock. */
async function stopsWithoutSignsOfLife(link, device) {
	await begin(link);
	const before = await stats(link, device);
	const request = startMotor(link, device);
	const { alive, longest } = await keepAlive(link, device, request, before, before.stepper_position + lease + 500);
	assert.equal((await link.answerTo(request.id)).error?.code, -32800);
	const after = await stats(link, device);
	const kept = alive.stepper_position - before.stepper_position, turned = after.stepper_position - alive.stepper_position;
	assert.ok(kept >= lease + 500 || longest >= lease / 2, `with a sign of life each ${Math.round(longest)} ms it made ${kept} steps`);
	assert.ok(turned <= lease, `after the last sign of life it made ${turned} steps`);
	assert.ok(after.life_signs > before.life_signs);
	assert.equal(after.stepper_stops, before.stepper_stops + 1, 'the motor was stopped once');
	assert.equal(after.cancelled_by_lease, before.cancelled_by_lease + 1);
	await assertRests(link, device);
}

/** Who never sends a sign of life has promised nothing. */
async function servesWhoSendsNone(link, device) {
	await begin(link);
	const before = await stats(link, device);
	const answer = await ask(link, device.turning(lease + 500));
	device.assertTurned(answer, lease + 500);
	const after = await stats(link, device);
	assert.equal(after.stepper_position - before.stepper_position, lease + 500);
	assert.equal(after.cancelled_by_lease, before.cancelled_by_lease);
	assert.equal(after.stepper_stops, before.stepper_stops);
}

/** A misspelled argument is refused in words, in place of a motion by what was meant. */
async function refusesUnknownArguments(link, device) {
	await begin(link);
	const before = await stats(link, device);
	const { result } = await ask(link, device.misspelled);
	assert.deepEqual([result.isError, result.content[0].text], [true, 'Steps: is unknown, try steps']);
	const after = await stats(link, device);
	assert.deepEqual([after.stepper_position, after.stepper_stops], [before.stepper_position, before.stepper_stops]);
	await assertRests(link, device);
}

export const safetyBehaviours = [
	['serves three clients one after the other, and stops the motor of the first', servesClientAfterClient],
	['stops the motor when the signs of life end', stopsWithoutSignsOfLife],
	['refuses an argument that a tool does not name, and moves nothing', refusesUnknownArguments],
	['serves a client that never sends a sign of life', servesWhoSendsNone],
];
