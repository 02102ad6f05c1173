/* SPDX-License-Identifier: MIT
 * Three legacy clients on one UART, one after the other, without a reset in between. */

import assert from 'node:assert/strict';
import { sleep, test, until } from '../common/runner.mjs';
import { Line } from './line.mjs';
import { settled } from './session.mjs';

async function connect(flavour, line) {
	const transport = line.transport();
	const client = flavour.newClient();
	const complaints = [];
	client.onerror = ({ message }) => { if (!/unknown token/.test(message)) complaints.push(message); }; /* strangers() looks at these */
	await client.connect(transport);
	const call = (name, args = {}, options = {}) => flavour.callTool(client, { name, arguments: args }, options);
	const stats = async () => JSON.parse((await call('stats')).content[0].text);
	return { client, transport, complaints, call, stats };
}

/** What came behind the answer to `initialize` although this client has not asked for it: it wants no reports. */
function strangers({ heard }) {
	const answered = heard.findIndex(({ id }) => id === 0);
	return heard.slice(answered + 1).filter(({ method }) => method !== undefined);
}

export function testClientsInTurn(flavour, command) {
	test(`${flavour.name}: three clients in turn on one line, without a reset`, async (t) => {
		const line = new Line(t, command);
		const first = await connect(flavour, line);
		let reports = 0;
		const turn = settled(first.call('stepper', { steps: 100000 }, { onprogress() { reports++; } }));
		await until('the motor to run', () => reports > 0);

		const second = await connect(flavour, line);
		await first.client.close();
		assert.ok((await turn).error, 'the first has gone');
		const { stepper_stops: stops, stepper_position: position, cancelled_by_session: cancelled } = await second.stats();
		assert.deepEqual({ stops, cancelled }, { stops: 1, cancelled: 1 }, 'its motor was stopped once');
		assert.ok(position > 0, 'which had been running');
		assert.equal((await second.call('slow', { ms: 120 })).content[0].text, 'slept 120');
		await sleep(300);
		assert.equal((await second.stats()).stepper_position, position, 'it stands still');
		assert.deepEqual(strangers(second.transport), [], 'nothing of the first session');

		const third = await connect(flavour, line);
		await second.client.close();
		assert.deepEqual((await third.call('echo', { text: 'third' })).structuredContent, { text: 'third' });
		const { sessions, stepper_stops: later } = await third.stats();
		assert.deepEqual({ sessions, later }, { sessions: 2, later: 1 });
		assert.deepEqual(strangers(third.transport), []);
		await third.client.close();
		for (const { complaints } of [first, second, third]) assert.deepEqual(complaints, []);
	});
}
