/* SPDX-License-Identifier: MIT
 * A host that forgets: it starts the motor of a toolbox, cancels nothing, sends no ping and keeps its pipe open. The motor
 * rests after its longest time all the same, and the answer says so in words. */

import assert from 'node:assert/strict';
import { called, greet, modernMeta, statsOf } from '../common/client.mjs';
import { Program, patientBridge } from '../common/program.mjs';
import { sleep } from '../common/runner.mjs';

/** What the requests of each era say beside. */
export const eras = { legacy: {}, modern: modernMeta() };

/** The ways to a device that a command starts. */
export const ways = {
	'without a bridge': (words) => words,
	'through quash-bridge': (words) => [...patientBridge, '--', ...words],
};

/** A host of that era, and the device behind these words: how it calls a tool, and what the device has counted. */
async function started(t, [path, ...args], era = 'legacy') {
	const host = Program.start(t, path, args, { dialect: 'mcp' });
	if (era === 'legacy') await greet(host);
	return { call: (name, tool, meta) => called(host, name, tool, { ...eras[era], ...meta }), stats: () => statsOf(host, eras[era]) };
}

async function assertRests({ stats }) {
	const { stepper_position: position } = await stats();
	await sleep(100);
	assert.equal((await stats()).stepper_position, position, 'the motor stands still');
}

/** Does what it forgets. */
export async function forgets(t, words, longest, era) {
	const host = await started(t, words, era);
	const result = await host.call('stepper', { steps: 100000 }, { progressToken: 'forgotten' });
	assert.deepEqual(result, { ...result, isError: true,
		content: [{ type: 'text', text: `stepper: stopped, its longest time of ${longest} ms is up` }] });
	const { stepper_stops: stops, cancelled_by_deadline: ended, stepper_position: position } = await host.stats();
	assert.deepEqual({ stops, ended }, { stops: 1, ended: 1 });
	assert.ok(position > 0 && position <= longest + 1, `after ${longest} ms it has made ${position} steps`);
	await assertRests(host);
	assert.equal((await host.call('stepper', { steps: 5 })).content[0].text, 'stepped 5', 'it moves again');
}

/* Each with one argument that its tool does not name. */
const unknown = { echo: { text: 'x', Text: 'y' }, slow: { ms: 0, Ms: 1 }, led: { on: true, On: false }, stepper: { steps: 50, Steps: 5 } };

/** An argument that a tool does not name is refused in words, with the nearest name, and nothing moves. */
export async function misspells(t, words, era) {
	const host = await started(t, words, era);
	for (const [name, args] of Object.entries(unknown)) {
		const result = await host.call(name, args);
		const [known, wrong] = Object.keys(args);
		assert.deepEqual(result, { ...result, isError: true, content: [{ type: 'text', text: `${wrong}: is unknown, try ${known}` }] });
	}
	const { stepper_position: position, stepper_stops: stops } = await host.stats();
	assert.deepEqual({ position, stops }, { position: 0, stops: 0 });
	await assertRests(host);
}
