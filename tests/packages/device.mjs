/* SPDX-License-Identifier: MIT
 * The programs on the pages of packages: what each of them must do. Each is an MCP server with a motor: `turn` turns
 * it, `look` returns where it stands. */

import assert from 'node:assert/strict';
import { sleep, until } from '../common/runner.mjs';
import { Session, textOf } from './client.mjs';

const look = async (session) => JSON.parse(textOf(await session.call('look')));

/** The official client starts the program, turns its motor, and stops it in the middle. */
export async function turnsAndStops(t, flavour, program) {
	const session = await Session.open(t, flavour, { program: [program] });
	const { tools } = await session.client.listTools();
	assert.deepEqual(tools.map(({ name }) => name), ['turn', 'look']);
	assert.equal(textOf(await session.call('turn', { steps: 3 })), 'turned');
	assert.deepEqual(await look(session), { position: 3, powered: false });

	const turning = await session.start('turn', { steps: 100000 });
	await until('the motor to turn', () => session.wire.progressOf(turning.id).length >= 1);
	assert.equal((await look(session)).powered, true);
	turning.cancel();
	assert.ok((await turning.outcome).error, 'the client has given up');
	const stopped = await look(session);
	assert.equal(stopped.powered, false);
	assert.ok(stopped.position >= 103 && stopped.position < 100003, `it was under way: ${stopped.position}`);
	await sleep(100);
	assert.deepEqual(await look(session), stopped, 'it stands still');
	assert.deepEqual(session.wire.answersTo(turning.id), [], 'no answer, as MCP demands');
	await session.close();
}
