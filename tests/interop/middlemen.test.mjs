/* SPDX-License-Identifier: MIT
 * What a motor gets from clients and from programs in between when a call is aborted, and when the client closes. docs/hosts.md
 * has it too. */

import assert from 'node:assert/strict';
import { test } from '../common/runner.mjs';
import { Motor, inspectorTurns, overHttp, throughRemote, vercelOverHttp, vercelOverStdio } from './middlemen.mjs';

const all = ['echo', 'led', 'slow', 'stats', 'stepper'];

/* Two calls of one client: the first is aborted, during the second the client closes. */
function testStops(name, open, { aborted, closed }) {
	test(`${name}: a call is aborted: ${aborted}; the client closes: ${closed}`, async (t) => {
		const motor = await Motor.open(t);
		const client = await open(t, motor);
		assert.deepEqual((await client.tools()).sort(), all);
		const abort = new AbortController();
		const first = client.turn(abort.signal).then(() => 'answered', () => 'refused');
		await motor.moves(0);
		abort.abort();
		assert.equal(await first, 'refused');
		assert.equal(await motor.cause(0), aborted);
		client.turn().catch(() => {});
		await motor.moves(1);
		await client.close();
		assert.equal(await motor.cause(1), closed);
	});
}

testStops('supergateway 4.0.0', overHttp, { aborted: 'cancel', closed: 'longest time' });
testStops('mcp-remote 0.15.1', throughRemote, { aborted: 'cancel', closed: 'longest time' });
testStops('@ai-sdk/mcp 2.0.99 over stdio', vercelOverStdio, { aborted: 'longest time', closed: 'SIGTERM' });
testStops('@ai-sdk/mcp 2.0.99 over HTTP, supergateway 4.0.0', vercelOverHttp, { aborted: 'SIGTERM', closed: 'SIGTERM' });

test('inspector 0.15.0: Ctrl-C on a terminal: SIGINT', async (t) => {
	const motor = await Motor.open(t);
	const terminal = await inspectorTurns(t, motor);
	await motor.moves(0);
	terminal.type('\x03');
	assert.equal(await motor.cause(0), 'SIGINT', 'the terminal sends it to both');
});
