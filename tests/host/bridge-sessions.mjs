/* SPDX-License-Identifier: MIT
 * quash-bridge with several ACP clients: a session is its client's alone, and what names nobody reaches nobody. */

import assert from 'node:assert/strict';
import { check, listening } from './bridge-program.mjs';

const version = { protocolVersion: 1, clientCapabilities: {} };
const fresh = { cwd: '/', mcpServers: [] };

/** Clients of one agent, all of them greeted, and the agent's line. */
async function editors(t, count, words) {
	const { device, bridge, newClient } = await listening(t, { protocol: 'acp', words });
	const greeted = async () => {
		const client = await newClient();
		await client.result('initialize', version);
		return client;
	};
	const clients = [];
	while (clients.length < count) clients.push(await greeted());
	return { bridge, clients, line: await device.lineNumber(1), greeted };
}

/** The client asks, the agent answers with this. Gives the client's answer. */
async function answered(line, client, method, params, result) {
	const id = client.ask(method, params);
	line.answer(await line.takes(method), result);
	return client.answerTo(id);
}

const begin = (line, client, sessionId) => answered(line, client, 'session/new', fresh, { sessionId });

/** All that the clients have asked and the agent has said has been looked at. */
async function settled(line, ...clients) {
	for (const client of clients) assert.deepEqual((await answered(line, client, '_x/settled', {}, 1)).result, 1);
}

const notYours = { code: -32602, message: 'Session of another client' };

/* --- Whose it is */

for (const method of ['session/prompt', 'session/load', 'session/resume', 'session/fork', 'session/set_mode', 'session/close', 'session/delete',
	'session/set_config_option', '_x/any'])
	check(`ACP: ${method} that names the session of another client is refused in words`, async (t) => {
		const { clients: [a, b], line } = await editors(t, 2);
		await begin(line, a, 's1');
		assert.deepEqual(await b.error(method, { sessionId: 's1', ...fresh, prompt: [] }), notYours);
		assert.deepEqual(line.all(method), [], 'it has not reached the agent');
		line.notify('session/update', { sessionId: 's1', update: { n: 1 } });
		assert.equal((await a.takes('session/update')).params.update.n, 1);
		assert.equal((await answered(line, a, method, { sessionId: 's1', ...fresh, prompt: [] }, { stopReason: 'end_turn' })).result.stopReason, 'end_turn');
		assert.deepEqual(b.all('session/update'), []);
	});

check('ACP: a second sessionId beside its own does not help', async (t) => {
	const { clients: [a, b], line } = await editors(t, 2);
	await begin(line, a, 's1');
	await begin(line, b, 's2');
	for (const names of ['"sessionId":"s1","sessionId":"s2"', '"sessionId":"s2","sessionId":"s1"', '"sessionId":"s\\u0031\\u0000"']) {
		b.sendBytes(`{"jsonrpc":"2.0","id":${JSON.stringify(names)},"method":"session/set_mode","params":{${names},"modeId":"m"}}\n`);
		assert.deepEqual((await b.answerTo(names)).error, notYours);
	}
	assert.deepEqual(line.all('session/set_mode'), []);
});

check('ACP: session/cancel and other notifications about another\'s session are dropped and logged', async (t) => {
	const { bridge, clients: [a, b], line } = await editors(t, 2);
	await begin(line, a, 's1');
	const id = a.ask('session/prompt', { sessionId: 's1', prompt: [] });
	const prompt = await line.takes('session/prompt');
	b.notify('session/cancel', { sessionId: 's1' });
	b.notify('_x/note', { sessionId: 's1' });
	await bridge.says(/^quash-bridge: warning: client 2: session\/cancel names a session of another client: dropped$/m);
	await bridge.says(/^quash-bridge: warning: client 2: _x\/note names a session of another client: dropped$/m);
	await settled(line, b);
	assert.deepEqual(line.all('session/cancel'), []);
	assert.deepEqual(line.all('_x/note'), []);
	assert.deepEqual(line.all('$/cancel_request'), []);
	a.notify('session/cancel', { sessionId: 's1' });
	await line.takes('session/cancel');
	line.answer(prompt, { stopReason: 'cancelled' });
	assert.deepEqual((await a.answerTo(id)).result, { stopReason: 'cancelled' });
});

check('ACP: $/cancel_request names own ids only', async (t) => {
	const { clients: [a, b], line } = await editors(t, 2);
	await begin(line, a, 's1');
	a.ask('session/prompt', { sessionId: 's1', prompt: [] }, 'mine');
	const prompt = await line.takes('session/prompt');
	for (const requestId of ['mine', prompt.id, null, [1]]) b.notify('$/cancel_request', { requestId });
	await settled(line, b);
	assert.deepEqual(line.all('$/cancel_request'), []);
	line.answer(prompt, { stopReason: 'end_turn' });
	assert.deepEqual((await a.answerTo('mine')).result, { stopReason: 'end_turn' });
});

check('ACP: what names no session, or one of nobody, reaches nobody', async (t) => {
	const { bridge, clients, line } = await editors(t, 2);
	await begin(line, clients[0], 's1');
	line.notify('_x/event', { secret: 1 });
	line.notify('session/update', { sessionId: 's7', update: {} });
	line.ask('session/request_permission', { sessionId: 's7' }, 'p');
	assert.equal((await line.answerTo('p')).error.code, -32601);
	await bridge.says(/^quash-bridge: warning: device: _x\/event names no client: dropped$/m);
	await settled(line, ...clients);
	for (const client of clients) assert.deepEqual(client.messages.filter(({ method }) => method), []);
});

/* --- How it changes hands */

check('ACP: a load that the agent refuses changes nothing, one that it answers takes the session', async (t) => {
	const { clients: [a, b, c], line } = await editors(t, 3);
	const load = async (client) => {
		const id = client.ask('session/load', { sessionId: 'old', ...fresh });
		return { id, below: await line.takes('session/load') };
	};
	const first = await load(a);
	line.refuse(first.below, -32602, 'no such session');
	assert.equal((await a.answerTo(first.id)).error.message, 'no such session');
	line.notify('session/update', { sessionId: 'old', update: { n: 0 } });
	await settled(line, a);
	const second = await load(b);
	line.notify('session/update', { sessionId: 'old', update: { n: 1 } });
	assert.equal((await b.takes('session/update')).params.update.n, 1, 'its history comes before the answer');
	assert.deepEqual(await c.error('session/load', { sessionId: 'old', ...fresh }), notYours, 'while another loads it');
	line.answer(second.below, {});
	assert.deepEqual((await b.answerTo(second.id)).result, {});
	assert.deepEqual(await a.error('session/load', { sessionId: 'old', ...fresh }), notYours);
	line.notify('session/update', { sessionId: 'old', update: { n: 2 } });
	assert.equal((await b.takes('session/update')).params.update.n, 2);
	await settled(line, a, c);
	assert.deepEqual([a, c].map((client) => client.all('session/update').length), [0, 0]);
});

check('ACP: what an agent says of a new session right behind its answer reaches its client', async (t) => {
	const { clients: [a, b], line } = await editors(t, 2);
	const id = a.ask('session/new', fresh);
	const below = await line.takes('session/new');
	line.send({ id: below.id, result: { sessionId: 's9' } }, { method: 'session/update', params: { sessionId: 's9', update: { n: 1 } } });
	assert.equal((await a.answerTo(id)).result.sessionId, 's9');
	assert.equal((await a.takes('session/update')).params.update.n, 1);
	await settled(line, b);
	assert.deepEqual(b.all('session/update'), []);
});

/* --- Who is leaving is gone */

check('ACP: a load that waits for another\'s leaving can be cancelled', async (t) => {
	const { clients: [a], line, greeted } = await editors(t, 1, ['--grace', '30000']);
	await begin(line, a, 's1');
	a.ask('session/prompt', { sessionId: 's1', prompt: [] });
	const prompt = await line.takes('session/prompt');
	a.vanish();
	await line.takes('$/cancel_request');
	const again = await greeted();
	again.ask('session/load', { sessionId: 's1', ...fresh }, 'l');
	await settled(line, again);
	again.notify('$/cancel_request', { requestId: 'l' });
	assert.equal((await again.answerTo('l')).error.code, -32800);
	line.answer(prompt, { stopReason: 'cancelled' });
	await settled(line, again);
	assert.deepEqual(line.all('session/load'), []);
});
