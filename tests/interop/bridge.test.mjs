/* SPDX-License-Identifier: MIT
 * Two hops: a real client, the bridge, the toolbox. The client must not notice the bridge. */

import assert from 'node:assert/strict';
import { test, until } from '../host/runner.mjs';
import { legacyFlavour, modernFlavour, sdkFlavour } from './flavours.mjs';
import { testCommonScenarios } from './scenarios.mjs';
import { Session } from './session.mjs';

const behindBridge = (flavour) => ({ ...flavour, name: `${flavour.name} over a bridge`, tap: { bridged: true } });

[sdkFlavour, legacyFlavour, modernFlavour].map(behindBridge).forEach(testCommonScenarios);

const motor = (progress) => progress.length >= 2;

test('bridge: a cancel at the top stops the motor at the bottom, and nobody answers', async (t) => {
	const session = await Session.open(t, behindBridge(sdkFlavour));
	const behind = () => session.tap.wiresBehind()[0];
	const run = await session.start('stepper', { steps: 100000 });
	await until('the motor to run', () => motor(session.wire.progressOf(run.id)));
	const below = behind().sent.find(({ params }) => params?.name === 'stepper');
	run.cancel();
	await until('the cancel below', () => behind().cancelsOf(below.id).length);
	assert.equal((await session.stats()).stepper_stops, 1);
	await session.assertSilent(run.id);
	assert.equal(behind().cancelsOf(below.id).length, 1, 'once');
	assert.deepEqual(behind().answersTo(below.id), []);
	await session.close();
});

test('bridge: ids, tokens and cancels are those of each hop', async (t) => {
	const session = await Session.open(t, behindBridge(sdkFlavour));
	await session.stats();
	const answer = await session.askRaw('a string', 'tools/call', { name: 'led', arguments: { on: true },
		_meta: { progressToken: 'theirs' } });
	assert.equal(answer.result.content[0].text, 'on');
	const [behind] = session.tap.wiresBehind();
	assert.deepEqual(behind.sent.filter(({ id }) => id !== undefined).map(({ id }) => id),
		behind.sent.filter(({ id }) => id !== undefined).map((_, i) => i + 1), 'ids 1, 2, 3 ...');
	const below = behind.sent.find(({ params }) => params?.name === 'led');
	assert.notEqual(below.params._meta.progressToken, 'theirs');
	await session.close();
});

test('bridge: the end of the server is told to whoever waits', async (t) => {
	const session = await Session.open(t, behindBridge(sdkFlavour));
	const run = await session.start('stepper', { steps: 100000 });
	await until('the motor to run', () => motor(session.wire.progressOf(run.id)));
	process.kill(session.tap.wiresBehind()[0].records[0].server, 'SIGKILL');
	const { error } = await run.outcome;
	assert.equal(error?.code, -32012);
});
