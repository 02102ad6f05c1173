/* SPDX-License-Identifier: MIT
 * Confirmed motion behind quash-bridge: the example `hoist`, of which the bridge is the only client. A question reaches the client whose
 * call it is for, in both eras, and a press of the button the one call that waits. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge, check, connectTo, folderFor, greet } from './bridge-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { sleep, until } from '../common/runner.mjs';

const asked = 'elicitation/create', question = 'Confirm lift: mm is 700. Is everybody away from the load?', can = { elicitation: {} };
const high = { name: 'lift', arguments: { mm: 700 } }, low = { name: 'lift', arguments: { mm: 20 } };
const modern = { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': can } };

/* Clients of a bridge to a hoist. */
async function hoisting(t) {
	const folder = folderFor(t), where = join(folder, 'clients'), number = join(folder, 'pid');
	const bridge = Bridge.start(t, ['--listen-unix', where, '--', 'sh', '-c', 'echo $$ >"$0"; exec "$1"', number, hostProgram('hoist')]);
	await bridge.says(/listening on /);
	const press = () => process.kill(Number(readFileSync(number, 'utf8')), 'SIGUSR1');
	const newClient = async (capabilities = {}) => {
		const client = await connectTo(t, where);
		await greet(client, { capabilities });
		return Object.assign(client, {
			state: async () => (await client.result('tools/call', { name: 'state' })).structuredContent,
			reads: async (id) => {
				const { result } = await client.answerTo(id);
				assert.ok(result, 'a result');
				return { text: result.content[0].text, failed: result.isError === true };
			},
		});
	};
	return { press, newClient };
}

const nothing = (why) => ({ text: `Nothing was done: ${why}`, failed: true });
const there = { text: 'there', failed: false };
const atRest = { mm: 0, driven: false, waits: false };

check('a low lift needs no confirmation; of a high one the user of its client is asked, and no other', async (t) => {
	const { newClient } = await hoisting(t);
	const [a, b] = [await newClient(can), await newClient(can)];
	assert.deepEqual(await a.reads(a.ask('tools/call', low)), there);
	const id = a.ask('tools/call', high);
	const asking = await a.takes(asked);
	assert.equal(asking.params.message, question);
	assert.equal((await b.state()).mm, 20, 'nothing moves while a person is asked');
	assert.deepEqual(await b.reads(b.ask('tools/call', low)), { text: 'the hoist is moving, or waits for a person', failed: true });
	a.answer(asking, { action: 'accept', content: {} });
	assert.deepEqual(await a.reads(id), there);
	assert.deepEqual(await b.state(), { mm: 700, driven: false, waits: false });
	b.ask('tools/call', { name: 'lift', arguments: { mm: 701 } });
	assert.match((await b.takes(asked)).params.message, /mm is 701/, 'what one has confirmed is not good for another');
	assert.equal(b.all(asked).length + a.all(asked).length, 2);
});

for (const [action, why] of [['decline', 'the person has declined it'], ['cancel', 'the person has closed the question without an answer']])
	check(`nothing moves after ${action}`, async (t) => {
		const client = await (await hoisting(t)).newClient(can);
		const id = client.ask('tools/call', high);
		client.answer(await client.takes(asked), { action });
		assert.deepEqual(await client.reads(id), nothing(why));
		assert.deepEqual(await client.state(), atRest);
	});

check('a client that goes away while its user is asked has moved nothing, and another one can lift', async (t) => {
	const { newClient } = await hoisting(t);
	const [a, b] = [await newClient(can), await newClient(can)];
	a.ask('tools/call', high);
	await a.takes(asked);
	a.vanish();
	await until('the hoist to be free', async () => !(await b.state()).waits);
	assert.deepEqual(await b.state(), atRest);
	assert.deepEqual(await b.reads(b.ask('tools/call', low)), there);
});

check('of a client that cannot ask the button is waited for; a press before does not count', async (t) => {
	const { press, newClient } = await hoisting(t);
	const client = await newClient();
	press();
	const id = client.ask('tools/call', { ...high, _meta: { progressToken: 'p' } });
	const { params } = await client.takes('notifications/progress');
	assert.equal(params.message, 'waits for the button on the device');
	await sleep(400);
	assert.deepEqual(await client.state(), { mm: 0, driven: false, waits: true });
	press();
	assert.deepEqual(await client.reads(id), there);
	assert.equal((await client.state()).mm, 700);
});

check('a press takes the question back', async (t) => {
	const { press, newClient } = await hoisting(t);
	const client = await newClient(can);
	const id = client.ask('tools/call', high);
	const asking = await client.takes(asked);
	await sleep(400);
	press();
	assert.equal((await client.takes('notifications/cancelled')).params.requestId, asking.id);
	assert.deepEqual(await client.reads(id), there);
});

check('2026-07-28: the confirmation comes with the request again, is of its arguments, and moves once', async (t) => {
	const client = await (await hoisting(t)).newClient(can);
	const { resultType, inputRequests, requestState } = await client.result('tools/call', { ...high, ...modern });
	assert.equal(resultType, 'input_required');
	assert.deepEqual([inputRequests.confirm00.method, inputRequests.confirm00.params.message], [asked, question]);
	const again = { ...modern, requestState, inputResponses: { confirm00: { action: 'accept', content: {} } } };
	assert.equal((await client.error('tools/call', { ...again, name: 'lift', arguments: { mm: 900 } })).code, -32602);
	assert.deepEqual(await client.state(), atRest);
	assert.deepEqual(await client.reads(client.ask('tools/call', { ...high, ...again })), there);
	assert.deepEqual(await client.reads(client.ask('tools/call', low)), there);
	assert.deepEqual(await client.reads(client.ask('tools/call', { ...high, ...again })),
		nothing('this confirmation was used before, or is older than one that was'));
	assert.equal((await client.state()).mm, 20);
});
