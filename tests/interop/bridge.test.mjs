/* SPDX-License-Identifier: MIT
 * Two hops: a real client, the bridge, a device. The client must not notice the bridge. */

import assert from 'node:assert/strict';
import { hostProgram, patientBridge } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { testAcpScenarios } from './acp-scenarios.mjs';
import { behindBridge, sdkFlavour } from './flavours.mjs';
import { testLspScenarios } from './lsp-scenarios.mjs';
import { testLspTestee } from './lsp-testee.mjs';
import { testCommonScenarios } from './scenarios.mjs';
import { Session } from './session.mjs';

testCommonScenarios(behindBridge(sdkFlavour));

const bridgeTo = (protocol, ...command) => ({ command: [...patientBridge, '--log', 'warning', '--protocol', protocol, '--', ...command] });

testAcpScenarios(' over a bridge', bridgeTo('acp', hostProgram('agent')));
testLspScenarios(' over a bridge', bridgeTo('lsp', hostProgram('langserver')));
testLspTestee(' over a bridge', { ...bridgeTo('lsp', hostProgram('testee'), '--dialect', 'lsp'), uart: true, bridged: true });

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
	const ids = behind.sent.map(({ id }) => id).filter((id) => id !== undefined);
	assert.ok(ids.length >= 3);
	assert.deepEqual(ids, ids.map((_, i) => ids[0] + i), 'n, n + 1, n + 2 ...');
	assert.ok(ids[0] > 99, `and n is no number that others begin with: ${ids[0]}`);
	const below = behind.sent.find(({ params }) => params?.name === 'led');
	assert.notEqual(below.params._meta.progressToken, 'theirs');
	await session.close();
});

test('bridge: whoever waits is answered when the server dies, and another server is started', async (t) => {
	const session = await Session.open(t, behindBridge(sdkFlavour));
	const run = await session.start('stepper', { steps: 100000 });
	await until('the motor to run', () => motor(session.wire.progressOf(run.id)));
	process.kill(session.tap.wiresBehind()[0].records[0].server, 'SIGKILL');
	const { error } = await run.outcome;
	assert.equal(error?.code, -32012);
	await until('another server', () => session.tap.wiresBehind().length === 2);
	const { stepper_position: position } = await until('its counters', () => session.stats().catch(() => null));
	assert.equal(position, 0, 'a new one');
	assert.equal(session.tap.wiresBehind()[1].sent[0].method, 'initialize');
	await session.close();
});
