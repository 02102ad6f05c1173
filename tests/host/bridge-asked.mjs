/* SPDX-License-Identifier: MIT
 * quash-bridge announces to its device all that a client can be asked. Each client is asked what it has announced itself. */

import assert from 'node:assert/strict';
import { check, listening } from './bridge-program.mjs';

/* A client with a request at the device, and the `_meta` that names it there. */
async function working(t, capabilities, more = {}) {
	const { device, newClient } = await listening(t);
	const client = await newClient({ capabilities });
	const line = await device.ready();
	client.ask('tools/call', { name: 'work', ...more });
	const { id } = await line.takes('tools/call');
	return { client, line, _meta: { 'quash/request': id } };
}

const form = {}, url = { mode: 'url' }, named = { mode: 'form' }, other = { mode: 'other' }, elicit = 'elicitation/create';
const plain = {}, tools = { tools: [] }, choice = { toolChoice: { mode: 'auto' } }, sample = 'sampling/createMessage';

/* What a client announces, what it can be asked then, and what it cannot. */
for (const [capabilities, can, cannot] of [
	[{ elicitation: {} }, [[elicit, form], [elicit, named]], [[elicit, url], [elicit, other], [sample, plain]]],
	[{ elicitation: { form: {} } }, [[elicit, form], [elicit, named]], [[elicit, url]]],
	[{ elicitation: { url: {} } }, [[elicit, url]], [[elicit, form], [elicit, named]]],
	[{ elicitation: { form: {}, url: {} } }, [[elicit, form], [elicit, url]], [[elicit, other]]],
	[{ sampling: {} }, [[sample, plain]], [[sample, tools], [sample, choice]]],
	[{ sampling: { tools: {} } }, [[sample, plain], [sample, tools], [sample, choice]], [[elicit, form]]],
]) check(`a client that announces ${JSON.stringify(capabilities)} is asked nothing else`, async (t) => {
	const { client, line, _meta } = await working(t, capabilities);
	for (const [method, params] of can) {
		const id = line.ask(method, { _meta, ...params });
		const asked = await client.takes(method);
		assert.deepEqual(asked.params, params);
		client.answer(asked, {});
		assert.deepEqual((await line.answerTo(id)).result, {});
	}
	for (const [method, params] of cannot) assert.equal((await line.error(method, { _meta, ...params })).code, -32601);
	await client.result('tools/list');
	assert.equal([elicit, sample].flatMap((method) => client.all(method)).length, can.length);
});

check('a request of 2026-07-28 brings no questions, whatever it or its session announces', async (t) => {
	const all = { elicitation: { form: {}, url: {} }, sampling: { tools: {} }, roots: {} };
	const { line, _meta } = await working(t, all, { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28',
		'io.modelcontextprotocol/clientCapabilities': all } });
	for (const [method, params] of [[elicit, form], [elicit, url], [sample, plain], ['roots/list', {}], ['acme/ask', {}]])
		assert.equal((await line.error(method, { _meta, ...params })).code, -32601);
});
