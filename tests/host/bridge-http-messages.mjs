/* SPDX-License-Identifier: MIT
 * quash-bridge --listen-http: each POST with a request has one answer, whatever the request is; ids, doubled members, one id twice. */

import assert from 'node:assert/strict';
import { check } from './bridge-program.mjs';
import { call, done, greeted, served } from './http-served.mjs';
import { modernMeta, modernVersion } from '../common/client.mjs';

const long = 'x'.repeat(256);
const modernParams = JSON.stringify({ _meta: modernMeta() });

/* What is no request that could be handed on: [its members behind `jsonrpc`, the id of the answer if that has one]. `P` are params. */
const wrong = [
	['"id":1,"id":2,"method":"tools/list","params":P'], ['"id":1,"id":1,"method":"tools/list","params":P'], ['"id":1,"method":"tools/list","method":"tools/call","params":P'],
	['"id":1,"method":"tools/list","params":P,"params":{}'], ['"id":1,"\\u0069d":2,"method":"tools/list","params":P'], ['"id":1,"method":"tools/list","jsonrpc":"2.0","params":P'],
	['"method":"tools/list","id":1,"m\\u0065thod":"x","params":P'], ['"id":1,"result":{},"result":{}'], ['"id":1,"method":"tools/list","error":{},"error":{},"params":P'],
	...['null', 'true', 'false', '{}', '[]', '[1]', '1.5', '1.0', '1e2', '9007199254740993', '-9007199254740993', '12345678901234567890', '"\\ud800"', `"${long}"`]
		.map((id) => [`"id":${id},"method":"tools/list","params":P`]),
	['"id":1'], ['"id":1,"method":5,"params":P', 1], ['"id":1,"method":null', 1], ['"id":1,"method":{}', 1], ['"id":"a","method":"tools/list","result":{},"params":P', 'a'],
	['"id":"a","method":"tools/list","error":{}', 'a'], ['"id":1,"method":"tools/list","params":7', 1], ['"id":1,"method":"tools/list","params":"x"', 1],
];

const textOf = (members, params) => `{"jsonrpc":"2.0",${members.replaceAll('P', params)}}`;

check('HTTP: what is no request has one answer, without an id that is not its own', async (t) => {
	const { client, more } = await greeted(t);
	const wrongAnswer = async (asked, id, what) => {
		const { status, json } = await asked.answer();
		assert.deepEqual([status, json.error.code, 'id' in json, json.id], [400, -32600, id !== undefined, id], what);
	};
	for (const [members, id] of wrong) {
		const legacy = textOf(members, '{}'), modern = textOf(members, modernParams);
		await wrongAnswer(client.postText(legacy), members === '"id":1' ? 1 : id, legacy);
		await wrongAnswer(more().postText(modern, { 'MCP-Protocol-Version': modernVersion, 'Mcp-Method': 'tools/list' }), members === '"id":1' ? 1 : id, modern);
	}
	for (const text of ['{"id":3,"method":"tools/list"}', '{"jsonrpc":"1.0","id":3,"method":"tools/list"}', '{"jsonrpc":2.0,"id":3,"method":"tools/list"}'])
		await wrongAnswer(client.postText(text), 3, text);
	for (const text of ['[]', '7', '"x"', 'null', '{}', '{"jsonrpc":"2.0"}', '{"jsonrpc":"2.0","method":"x","method":"y"}', '{"jsonrpc":"2.0","method":"x","params":1}'])
		await wrongAnswer(client.postText(text), undefined, text);
});

check('HTTP: names are compared to their end, and ids as well', async (t) => {
	const { client, line } = await greeted(t);
	assert.equal((await client.postText('{"jsonrpc":"2.0","id\\u0000":1,"method":"x/note"}').whole()).status, 202, 'it has no id');
	assert.equal((await client.postText('{"jsonrpc":"2.0","id":1,"method":"ping\\u0000x"}').answer()).json.id, 1);
	client.post(call('a\u0000b'));
	await line.takes('tools/call');
	assert.equal((await client.post({ method: 'notifications/cancelled', params: { requestId: 'a\u0000c' } }).whole()).status, 202);
	await line.getsNo('notifications/cancelled');
});

check('HTTP: ids that may be come back', async (t) => {
	const { client } = await greeted(t);
	for (const [id, back = id] of [['0'], ['-0', '0'], ['-1'], ['9007199254740992'], ['-9007199254740992'], ['""'], ['"\\u00e9"', '"\u00e9"'], [`"${'x'.repeat(255)}"`]])
		assert.equal(JSON.stringify((await client.postText(`{"jsonrpc":"2.0","method":"tools/list","id":${id}}`).answer()).json.id), back);
});

check('HTTP: nothing of a batch with a wrong message is begun', async (t) => {
	const { client, line } = await greeted(t, { greet: { version: '2025-03-26' } });
	for (const [members] of wrong) {
		const { status, json } = await client.postText(`[${JSON.stringify({ jsonrpc: '2.0', ...call(7) })},${textOf(members, '{}')}]`).answer();
		assert.deepEqual([status, json.error.code, 'id' in json], [400, -32600, false], members);
	}
	await line.getsNo('tools/call');
});

check('HTTP: a refusal has an id only where it answers a request', async (t) => {
	const { client, more } = await greeted(t);
	const refusal = async (asked, code, id) => {
		const { status, json } = await asked.answer();
		assert.deepEqual([status >= 400, json.error.code, 'id' in json, json.id], [true, code, id !== undefined, id]);
	};
	const response = { id: 1, result: {} };
	await refusal(more().post(response), -32600);
	await refusal(more().post(response, { 'Mcp-Session-Id': 'x' }), -32600);
	await refusal(more().post(response, { 'MCP-Protocol-Version': modernVersion }), -32600);
	await refusal(more().post({ id: 1, method: 'tools/list' }), -32600, 1);
	await refusal(more().postText('{"jsonrpc":'), -32700);
	await refusal(client.send('GET', { Accept: 'x' }), -32600);
	await refusal(client.postText('{}', { Accept: 'x' }), -32600);
	await refusal(client.postText('{}', { 'Content-Type': 'x' }), -32600);
	assert.equal((await client.post(response).whole()).status, 202, 'a response that belongs to nothing');
	assert.equal((await client.post({ id: null, error: { code: 1, message: 'x' } }).whole()).status, 202);
});

check('HTTP: a legacy method with the marks of both eras is one of no era', async (t) => {
	const { client, more } = await greeted(t);
	const _meta = modernMeta();
	for (const method of ['ping', 'logging/setLevel', 'resources/subscribe', 'resources/unsubscribe'])
		for (const asked of [client.post({ id: 1, method, params: { protocolVersion: '2025-11-25', _meta } }), more().post({ id: 1, method, params: { protocolVersion: '2025-11-25', _meta } }), more().ask(method)]) {
			const { status, json } = await asked.answer();
			assert.deepEqual([status, json.error.code, json.id], [404, -32601, 1], method);
		}
});

check('HTTP: initialize with the marks of both eras opens a session, as at a device', async (t) => {
	const { client } = await served(t);
	const asks = (params) => client().post({ id: 1, method: 'initialize', params }).answer();
	const both = await asks({ protocolVersion: '2025-06-18', capabilities: {}, _meta: modernMeta() });
	assert.deepEqual([both.json.result.protocolVersion, both.fields['mcp-session-id'].length], ['2025-06-18', 32]);
	for (const [params, code] of [[{ _meta: modernMeta() }, -32601], [{ protocolVersion: 7, _meta: modernMeta() }, -32601], [{}, -32602]]) {
		const { json } = await asks(params);
		assert.deepEqual([json.error.code, json.id], [code, 1], JSON.stringify(params));
	}
});

check('HTTP: a legacy request that its client cannot have answered otherwise is answered, and its stream ends', async (t) => {
	const { client } = await greeted(t);
	const deep = '['.repeat(40) + ']'.repeat(40);
	const asked = client.postText(`{"jsonrpc":"2.0","method":"tools/call","params":{"name":"work","arguments":${deep}},"id":5}`);
	const { json } = await asked.answer();
	assert.deepEqual([json.error.code, json.id], [-32011, 5]);
});

check('HTTP: initialize in a session begins it anew: what was live is stopped, and its stream ends with the reason', async (t) => {
	const { client, line } = await greeted(t);
	const asked = [client.post(call(1)), client.post(call(2))], below = [await line.takes('tools/call'), await line.takes('tools/call')];
	const again = client.post({ id: 2, method: 'initialize', params: { protocolVersion: '2025-03-26', capabilities: {}, clientInfo: { name: 'again', version: '1' } } });
	assert.equal((await again.answer()).json.result.protocolVersion, '2025-03-26');
	assert.deepEqual([(await line.takes('notifications/cancelled')).params.requestId, (await line.takes('notifications/cancelled')).params.requestId].sort(), below.map(({ id }) => id).sort());
	for (const [n, one] of asked.entries())
		assert.deepEqual((await one.answer()).json, { jsonrpc: '2.0', id: n + 1, error: { code: -32800, message: 'Request cancelled', data: { reason: 'its session has begun anew' } } });
	const batch = client.postText(`[${JSON.stringify({ jsonrpc: '2.0', id: 3, method: 'tools/list' })}]`);
	await batch.whole();
	assert.equal(batch.status, 200, 'of the revision that it speaks now');
});

/* --- One id twice */

check('HTTP: a cancel ends all requests of its id, and of no other', async (t) => {
	const { client, line } = await greeted(t);
	const same = [client.post(call(7)), client.post(call(7))], others = [client.post(call('7')), client.post(call(8))], below = [];
	for (let n = 0; n < 4; n++) below.push(await line.takes('tools/call'));
	assert.equal((await client.post({ method: 'notifications/cancelled', params: { requestId: 7, reason: 'Stop' } }).whole()).status, 202);
	const cancelled = [await line.takes('notifications/cancelled'), await line.takes('notifications/cancelled')];
	assert.deepEqual(cancelled.map(({ params }) => params.requestId).sort(), [below[0].id, below[1].id].sort());
	for (const asked of same) {
		await asked.whole();
		assert.deepEqual(asked.messages, []);
	}
	for (const request of below.slice(2)) line.answer(request, done);
	for (const [n, asked] of others.entries()) assert.equal((await asked.answer()).json.id, ['7', 8][n]);
	await line.getsNo('notifications/cancelled');
});

check('HTTP: after its answer an id is free, and a cancel ends what has it now', async (t) => {
	const { client, line } = await greeted(t);
	const first = client.post(call(1)), kept = client.post(call(1));
	line.answer(await line.takes('tools/call'), done);
	const below = await line.takes('tools/call');
	await Promise.race([first.whole(), kept.whole()]);
	client.post(call(1));
	const again = await line.takes('tools/call');
	await client.postText('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":99,"requestId":1}}').whole();
	assert.deepEqual([(await line.takes('notifications/cancelled')).params.requestId, (await line.takes('notifications/cancelled')).params.requestId].sort(), [below.id, again.id].sort());
});
