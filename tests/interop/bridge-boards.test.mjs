/* SPDX-License-Identifier: MIT
 * Boards at the pace of their wire, on pseudo terminals, behind quash-bridge: real clients, alone, several at once, and
 * one with two boards. BOARDS names the boards. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Bridge } from '../host/bridge-program.mjs';
import { cableOf } from '../common/cable.mjs';
import { folderFor } from '../common/start.mjs';
import { patientBridge } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';
import { AcpClient } from './acp-client.mjs';
import { testAcpScenarios } from './acp-scenarios.mjs';
import { boards, command, has } from './boards.mjs';
import { legacyFlavour, modernFlavour, sdkFlavour } from './flavours.mjs';
import { testLspScenarios } from './lsp-scenarios.mjs';
import { testLspTestee } from './lsp-testee.mjs';
import { testCommonScenarios } from './scenarios.mjs';
import { Session } from './session.mjs';

const wire = { options: ['--baud', '115200'] };
const endless = { steps: 100000 };

const plugIn = (t, board, program) => cableOf(t, { command: command(board, program, wire) }).link;

/** The words that start a bridge to a board of its own. */
const bridgeTo = (board, program, ...words) => (t) => [...patientBridge, '--log', 'warning', ...words, '--tty', plugIn(t, board, program)];

/** A bridge to a board to which clients connect; the words that start a client's way to it. */
async function shared(t, board, program, ...words) {
	const socket = join(folderFor(t), 'socket');
	const lower = Bridge.start(t, [...words, '--listen-unix', socket, '--tty', plugIn(t, board, program)]);
	await lower.says(/listening on /);
	return [...patientBridge, '--log', 'warning', ...words, '--unix', socket];
}

/* --- Several clients at once */

async function motorRuns(session, name = 'stepper') {
	const run = await session.start(name, endless);
	await until('the motor to run', () => session.wire.progressOf(run.id).length > 0);
	return run;
}

async function standsStill(session, stops) {
	const { stepper_position: position } = await until('its stop', async () => {
		const stats = await session.stats();
		return stats.stepper_stops === stops && stats;
	});
	await sleep(300);
	assert.equal((await session.stats()).stepper_position, position, 'it stands still');
}

async function twoAtOnce(t, board, flavours) {
	const program = await shared(t, board, 'toolbox');
	const [a, b] = await Promise.all(flavours.map((flavour) => Session.open(t, { ...flavour, uart: true }, { program })));
	const run = await motorRuns(a);
	const slow = await b.start('slow', { ms: 800 });
	run.cancel();
	assert.ok((await run.outcome).error);
	assert.equal((await slow.outcome).value.content[0].text, 'slept 800', 'the call of the other goes on');
	await standsStill(b, 1);

	await motorRuns(b);
	process.kill(b.wire.records[0].server, 'SIGKILL');
	await standsStill(a, 2);
	assert.deepEqual((await a.call('echo', { text: 'still here' })).structuredContent, { text: 'still here' });
	await a.close();
	assert.deepEqual(b.complaints, []);
}

async function twoAgentsAtOnce(t, board) {
	const words = await shared(t, board, 'agent', '--protocol', 'acp');
	const a = await AcpClient.open(t, { command: words });
	const b = await AcpClient.open(t, { command: words });
	assert.notEqual(a.session, b.session);
	const abort = new AbortController();
	const [slow, other] = [a.prompt('slow', { cancellationSignal: abort.signal }), b.prompt('slow')];
	await until('chunks', () => a.updates.length && b.updates.length);
	abort.abort();
	assert.deepEqual(await slow, { stopReason: 'cancelled' });
	assert.deepEqual(await other, { stopReason: 'end_turn' });
	for (const client of [a, b]) assert.ok(client.updates.every(({ sessionId }) => sessionId === client.session), 'only its own');
	await b.close();
	assert.deepEqual(await a.prompt('permission'), { stopReason: 'end_turn' });
	assert.deepEqual([a, b].map(({ permissions }) => permissions.length), [1, 0]);
	await a.close();
}

/* --- Two boards */

const execOf = (board) => `exec:${command(board, 'toolbox', wire).join(' ')}`;

async function twoBoards(t, board, flavour) {
	const program = [...patientBridge, '--log', 'warning', '--device', `left=${execOf(board)}`, '--device', `right=${execOf(board)}`];
	const session = await Session.open(t, { ...flavour, uart: true }, { program });
	const devices = async () => (await session.call('devices')).structuredContent.devices;
	await until('both boards', async () => (await devices()).every(({ state }) => state === 'ready'));
	const names = (await session.client.listTools()).tools.map(({ name }) => name);
	for (const name of ['left_stepper', 'right_stepper', 'left_stats', 'right_stats', 'devices']) assert.ok(names.includes(name), `${names}`);
	const stats = async (name) => JSON.parse((await session.call(`${name}_stats`)).content[0].text);
	const stopsOf = async () => [(await stats('left')).stepper_stops, (await stats('right')).stepper_stops];

	const left = await motorRuns(session, 'left_stepper');
	const right = await motorRuns(session, 'right_stepper');
	right.cancel();
	assert.ok((await right.outcome).error);
	await until('the stop of the right one', async () => `${await stopsOf()}` === '0,1');
	const { stepper_position: position } = await stats('left');
	await until('the left one to run on', async () => (await stats('left')).stepper_position > position);
	left.cancel();
	assert.ok((await left.outcome).error);
	await until('the stop of the left one', async () => `${await stopsOf()}` === '1,1');
	await session.close();
}

for (const board of boards) {
	const name = ` on ${board} over a bridge`;
	const flavour = { ...sdkFlavour, name: sdkFlavour.name + name, uart: true };
	testCommonScenarios({ ...flavour, tap: { program: bridgeTo(board, 'toolbox') } });
	if (has(board, 'agent')) testAcpScenarios(name, { command: bridgeTo(board, 'agent', '--protocol', 'acp') });
	if (has(board, 'langserver')) testLspScenarios(name, { command: bridgeTo(board, 'langserver', '--protocol', 'lsp'), uart: true });
	if (has(board, 'testee')) testLspTestee(name, { command: bridgeTo(board, 'tests/testee-lsp', '--protocol', 'lsp'), uart: true, bridged: true });
	for (const flavours of [[sdkFlavour, legacyFlavour], [sdkFlavour, modernFlavour]])
		test(`${flavours.map((one) => one.name).join(' and ')} at once${name}`, (t) => twoAtOnce(t, board, flavours));
	if (has(board, 'agent')) test(`two acp clients at once${name}`, (t) => twoAgentsAtOnce(t, board));
	for (const one of [sdkFlavour, modernFlavour])
		test(`${one.name}: two ${board} behind one bridge`, (t) => twoBoards(t, board, one));
}
