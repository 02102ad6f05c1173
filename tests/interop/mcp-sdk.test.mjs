/* SPDX-License-Identifier: MIT
 * @modelcontextprotocol/sdk: the official client of the `initialize` era. */

import assert from 'node:assert/strict';
import { hostProgram } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';
import { sdkFlavour } from './flavours.mjs';
import { testCommonScenarios } from './scenarios.mjs';
import { Session, Tap } from './session.mjs';

testCommonScenarios(sdkFlavour);

const initialize = (protocolVersion) => ({
	protocolVersion,
	capabilities: { roots: {}, extensions: { anything: {} } },
	clientInfo: { name: 'raw', version: '0' },
});

/** The client's transport without the client: for what the client would not do. */
async function openTransport(t, tapOptions) {
	const tap = Tap.open(t, tapOptions);
	const transport = sdkFlavour.newTransport({ command: tap.command, args: tap.args });
	t.after(() => transport.close());
	await transport.start();
	const send = (message) => transport.send({ jsonrpc: '2.0', ...message });
	const answer = (id) => until(`the answer to ${id}`, () => tap.wires()[0]?.answersTo(id)[0]);
	const ask = async (id, method, params) => {
		await send({ id, method, params });
		return answer(id);
	};
	return { ask, answer, send, transport, wire: () => tap.wires()[0] };
}

test('sdk 1.32.2: initialize tells who is there', async (t) => {
	const session = await Session.open(t, sdkFlavour);
	assert.ok(session.client.getServerVersion().name.length > 0);
	assert.ok(session.client.getServerVersion().version.length > 0);
	assert.ok(session.client.getServerCapabilities().tools, 'it offers tools');
	assert.equal(session.wire.heard[0].result.protocolVersion, '2025-11-25');
	await session.close();
});

test('sdk 1.32.2: ping', async (t) => {
	const session = await Session.open(t, sdkFlavour);
	assert.deepEqual(await session.client.ping(), {});
	await session.close();
});

for (const bridged of [false, true])
	test(`sdk 1.32.2${bridged ? ' over a bridge' : ''}: its motor is stopped when its longest time is up`, async (t) => {
		const session = await Session.open(t, { ...sdkFlavour, tap: { bridged, program: [hostProgram('toolbox'), '--longest', '300'] } });
		const { isError, content } = await session.client.callTool({ name: 'stepper', arguments: { steps: 100000 } });
		assert.deepEqual([isError, content], [true, [{ type: 'text', text: 'stepper: stopped, its longest time of 300 ms is up' }]]);
		assert.equal((await session.stats()).stepper_stops, 1);
		await session.close();
	});

for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25']) {
	test(`sdk transport: initialize with ${version} is taken at its word`, async (t) => {
		const { ask } = await openTransport(t);
		assert.equal((await ask(1, 'initialize', initialize(version))).result?.protocolVersion, version);
	});
}

test('sdk transport: initialize with an unknown version is offered the latest of its era', async (t) => {
	const { ask } = await openTransport(t);
	assert.equal((await ask(1, 'initialize', initialize('1999-01-01'))).result?.protocolVersion, '2025-11-25');
});

test('sdk transport: a second initialize begins a new session', async (t) => {
	const { ask } = await openTransport(t);
	assert.ok((await ask(1, 'initialize', initialize('2025-11-25'))).result);
	assert.equal((await ask(2, 'initialize', initialize('2025-06-18'))).result?.protocolVersion, '2025-06-18');
	assert.ok((await ask(3, 'tools/list')).result?.tools.length > 0);
});

test('sdk transport: ping before initialize, and tools between initialize and initialized', async (t) => {
	const { ask } = await openTransport(t);
	assert.deepEqual((await ask('p', 'ping')).result, {});
	assert.ok((await ask(1, 'initialize', initialize('2025-06-18'))).result);
	assert.ok((await ask(2, 'tools/list')).result?.tools.length > 0);
});

test('sdk transport: initialize cannot be cancelled', async (t) => {
	const { send, answer, ask, wire } = await openTransport(t, { glue: '"initialize"' });
	await send({ id: 0, method: 'initialize', params: initialize('2025-11-25') });
	await send({ method: 'notifications/cancelled', params: { requestId: 0 } });
	assert.equal((await answer(0)).result?.protocolVersion, '2025-11-25');
	assert.deepEqual((await ask(1, 'ping')).result, {});
	assert.equal(wire().heard.length, 2, 'nothing else');
});

for (const id of [0, '', '1', 'a-long-id-of-thirty-six-characters-xx']) {
	test(`sdk transport: a request with the id ${JSON.stringify(id)} can be cancelled`, async (t) => {
		const { ask, send, wire } = await openTransport(t);
		await ask('hello', 'initialize', initialize('2025-11-25'));
		const params = { name: 'slow', arguments: { ms: 600000 }, _meta: { progressToken: 'token' } };
		await send({ id, method: 'tools/call', params });
		await until('progress', () => wire().heard.some(({ method }) => method === 'notifications/progress'));
		await send({ method: 'notifications/cancelled', params: { requestId: id } });
		assert.deepEqual((await ask('barrier', 'ping')).result, {});
		const lines = wire().heard.length;
		await sleep(150);
		assert.equal(wire().heard.length, lines, 'no further line');
		const led = await ask(id, 'tools/call', { name: 'led', arguments: { on: true } });
		assert.equal(led.result?.content[0].text, 'on', 'the same id is free again');
		assert.equal(wire().answersTo(id).length, 1);
	});
}

test('sdk transport: progress carries the token of the caller with its type', async (t) => {
	const { ask, wire } = await openTransport(t);
	await ask('hello', 'initialize', initialize('2025-11-25'));
	for (const progressToken of ['7', 7, 0, '', 'työ "x"']) {
		const from = wire().heard.length;
		await ask(`call ${typeof progressToken} ${progressToken}`, 'tools/call',
			{ name: 'slow', arguments: { ms: 1000 }, _meta: { progressToken } });
		const tokens = wire().heard.slice(from).filter(({ method }) => method).map(({ params }) => params.progressToken);
		assert.ok(tokens.length > 0);
		assert.deepEqual([...new Set(tokens)], [progressToken]);
	}
});
