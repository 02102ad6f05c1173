/* SPDX-License-Identifier: MIT
 * `make run` as the server command of MCP clients: every board under one client, and one board under every client and all
 * that is asked of a toolbox. CLIENTS=one: every board under one client, no more; CLIENTS=others: all but that. */

import assert from 'node:assert/strict';
import { root } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { boards } from './boards.mjs';
import { autoFlavour, legacyFlavour, modernFlavour, sdkFlavour } from './flavours.mjs';
import { call, inspected } from './inspector.mjs';
import { testCommonScenarios } from './scenarios.mjs';
import { Session } from './session.mjs';

const one = process.env.CLIENTS !== 'others' ? [sdkFlavour] : [];
const others = process.env.CLIENTS !== 'one' ? [legacyFlavour, autoFlavour, modernFlavour] : [];

const command = (board) => ['make', '-s', '-C', root, 'run', `BOARD=${board}`, 'APP=toolbox'];

async function useAll(t, flavour, board) {
	const session = await Session.open(t, flavour, { program: command(board) });
	assert.equal((await session.client.listTools()).tools.length > 0, true);
	assert.deepEqual((await session.call('echo', { text: 'ä€😀' })).structuredContent, { text: 'ä€😀' });
	const stepper = await session.start('stepper', { steps: 100000 });
	await until('the motor to run', () => session.wire.progressOf(stepper.id).length > 0);
	stepper.cancel();
	assert.ok((await stepper.outcome).error);
	await session.assertSilent(stepper.id);
	assert.equal((await session.stats()).stepper_stops, 1);
	await session.close();
}

const asked = 'microbit';

for (const board of boards)
	for (const flavour of one)
		test(`${flavour.name}: make run BOARD=${board}`, (t) => useAll(t, flavour, board));

for (const flavour of others)
	test(`${flavour.name}: make run BOARD=${asked}`, (t) => useAll(t, flavour, asked));

if (others.length > 0) test(`inspector 0.15.0: make run BOARD=${asked}`, async (t) => {
	const server = { program: command(asked) };
	const { tools } = await inspected(t, server, '--method', 'tools/list');
	assert.deepEqual(tools.map(({ name }) => name).sort(), ['echo', 'led', 'slow', 'stats', 'stepper']);
	assert.equal((await inspected(t, server, ...call('slow', 'ms=150'))).content[0].text, 'slept 150');
});

/* Once it has chosen, auto says what modern does. */
for (const flavour of others.filter((other) => other !== autoFlavour))
	testCommonScenarios({
		...flavour, name: `${flavour.name} under make run`, uart: true, tap: { program: command(asked) } });
