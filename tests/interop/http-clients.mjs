/* SPDX-License-Identifier: MIT
 * What each client over HTTP must find, whichever way it has to the bridge. */

import assert from 'node:assert/strict';
import { hostProgram } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { clients, inspect, straight } from './http-ways.mjs';
import { Motor } from './middlemen.mjs';

process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0'; /* the certificate is the test's own */
process.removeAllListeners('warning');

const all = ['echo', 'led', 'slow', 'stats', 'stepper'];

/** Each client: what it is offered, a call that it stops, what its user is asked. `open` is a way of http-ways.mjs. */
export function testClients(way, open) {
	for (const client of clients)
		test(`${client.name} over HTTP, ${way}: lists, moves, stops`, async (t) => {
			const motor = await Motor.open(t);
			const place = await open(t, [motor.command, ...motor.args]);
			const session = await client.open(t, place);
			assert.deepEqual((await session.tools()).sort(), all);
			const abort = new AbortController(), progress = [];
			const first = session.turn(abort.signal, (report) => progress.push(report)).then(() => 'answered', () => 'refused');
			await motor.moves(0);
			if (client.progress) await until('progress', () => progress.length > 0);
			abort.abort();
			assert.equal(await first, 'refused');
			assert.equal(await motor.cause(0), 'cancel');
			await session.close();
		});

	test(`the Inspector 0.15.0 over HTTP, ${way}: lists and calls`, async (t) => {
		const place = await open(t, [hostProgram('toolbox')], open === straight ? [] : { token: false });
		const { tools } = await inspect(t, place, '--method', 'tools/list');
		assert.deepEqual(tools.map(({ name }) => name).sort(), all);
		const { content } = await inspect(t, place, '--method', 'tools/call', '--tool-name', 'echo', '--tool-arg', 'text=hi');
		assert.equal(JSON.parse(content[0].text).text, 'hi');
	});

	for (const client of clients.filter(({ asks }) => asks))
		test(`${client.name} over HTTP, ${way}: its user is asked`, async (t) => {
			const place = await open(t, [hostProgram('conformance')]);
			const session = await client.open(t, place, { capabilities: { elicitation: {} } });
			const asked = [];
			const answer = async ({ params }) => {
				asked.push(params.message);
				return { action: 'accept', content: { name: 'Ada' } };
			};
			if (client.name.startsWith('sdk')) {
				const { load } = await import('./modules.mjs');
				session.client.setRequestHandler(load('@modelcontextprotocol/sdk/types.js').ElicitRequestSchema, answer);
			} else session.client.setRequestHandler('elicitation/create', answer);
			const { content } = await session.call({ name: 'test_input_required_result_elicitation', arguments: {} });
			assert.deepEqual([content[0].text, asked], ['Hello, Ada!', ['What is your name?']]);
		});
}
