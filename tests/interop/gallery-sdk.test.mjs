/* SPDX-License-Identifier: MIT
 * @modelcontextprotocol/sdk with a server that offers something of everything: the `initialize` era. */

import assert from 'node:assert/strict';
import { until } from '../common/runner.mjs';
import { sdkFlavour } from './flavours.mjs';
import { scenariosOf } from './gallery.mjs';
import { load } from './modules.mjs';
import { Session, settled } from './session.mjs';

const types = load('@modelcontextprotocol/sdk/types.js');
const { Client } = load('@modelcontextprotocol/sdk/client/index.js');

/** A client with capabilities, and with handlers for what the server asks and tells. */
function connect(t, tap, { capabilities = {}, handlers = [], options = {} } = {}) {
	const newClient = () => {
		const client = new Client({ name: 'quash-interop', version: '1.0.0' }, { capabilities, ...options });
		for (const [kind, schema, handler] of handlers) client[kind](types[schema], handler);
		return client;
	};
	return Session.open(t, { ...sdkFlavour, newClient }, tap);
}

const scenario = scenariosOf('sdk 1.32.2', connect);

const collect = (schema, list) => ['setNotificationHandler', schema, ({ params }) => { list.push(params); }];

async function codeOf(promise) {
	return (await settled(promise)).error?.code;
}

scenario('what is announced', async (open) => {
	const session = await open();
	assert.deepEqual(session.client.getServerCapabilities(), {
		tools: { listChanged: true },
		resources: { listChanged: true, subscribe: true },
		prompts: { listChanged: true },
		logging: {},
		completions: {},
	});
});

scenario('resources are listed page by page', async (open) => {
	const session = await open();
	const first = await session.client.listResources();
	const second = await session.client.listResources({ cursor: first.nextCursor });
	assert.deepEqual([...first.resources, ...second.resources].map(({ name }) => name), ['text', 'bytes', 'counts', 'wait', 'late']);
	assert.equal(second.nextCursor, undefined);
	const { resourceTemplates } = await session.client.listResourceTemplates();
	assert.equal(resourceTemplates[0].uriTemplate, 'gallery://rooms/{name}/temperature');
});

scenario('resources are read, text and bytes', async (open) => {
	const session = await open();
	const read = async (uri) => (await session.client.readResource({ uri })).contents[0];
	assert.equal((await read('gallery://text')).text, 'a "text"\n');
	const bytes = Buffer.from((await read('gallery://bytes')).blob, 'base64');
	assert.deepEqual([...bytes], Array.from({ length: 256 }, (_, i) => i));
	assert.equal((await read(`gallery://rooms/${encodeURIComponent('käfig')}/temperature`)).text, 'käfig: 21');
	const { error } = await settled(read('gallery://nix'));
	assert.equal(error.code, -32002);
	assert.deepEqual(error.data, { uri: 'gallery://nix' });
});

scenario('a reading is cancelled', async (open) => {
	const session = await open();
	const counts = async () => JSON.parse((await session.client.readResource({ uri: 'gallery://counts' })).contents[0].text);
	const abort = new AbortController();
	const outcome = settled(session.client.readResource({ uri: 'gallery://wait' }, { signal: abort.signal }));
	await until('its begin', async () => (await counts()).begun === 1);
	const { id } = session.wire.sent.find(({ params }) => params?.uri === 'gallery://wait');
	abort.abort('enough');
	assert.ok((await outcome).error);
	await until('its end', async () => (await counts()).ended === 1);
	assert.deepEqual(session.wire.heardAbout(id), []);
});

scenario('subscriptions', async (open) => {
	const updates = [];
	const session = await open({ handlers: [collect('ResourceUpdatedNotificationSchema', updates)] });
	const uri = 'gallery://text';
	await session.call('touch', { uri });
	await session.client.subscribeResource({ uri });
	await session.call('touch', { uri });
	await session.client.unsubscribeResource({ uri });
	await session.call('touch', { uri });
	await session.client.ping();
	assert.deepEqual(updates, [{ uri }]);
	assert.equal(await codeOf(session.client.subscribeResource({ uri: 'nix' })), -32002);
});

scenario('prompts', async (open) => {
	const session = await open();
	const { prompts } = await session.client.listPrompts();
	assert.deepEqual(prompts.map(({ name }) => name), ['greet', 'hello', 'wait']);
	assert.deepEqual(prompts[0].arguments, [
		{ name: 'name', description: 'who is greeted', required: true }, { name: 'mood', required: false }]);
	const prompt = await session.client.getPrompt({ name: 'greet', arguments: { name: 'Ada', mood: 'glad' } });
	assert.deepEqual(prompt.messages.map(({ role, content }) => [role, content.text]), [['user', 'Ada'], ['assistant', 'glad']]);
	assert.equal(await codeOf(session.client.getPrompt({ name: 'greet' })), -32602);
	assert.equal(await codeOf(session.client.getPrompt({ name: 'nix' })), -32602);
});

scenario('completion', async (open) => {
	const session = await open();
	const complete = async (ref, name, value) =>
		(await session.client.complete({ ref, argument: { name, value } })).completion;
	assert.deepEqual(await complete({ type: 'ref/prompt', name: 'greet' }, 'name', 'Ad'),
		{ values: ['Ada', 'Adele'], total: 2, hasMore: false });
	const rooms = await complete({ type: 'ref/resource', uri: 'gallery://rooms/{name}/temperature' }, 'name', 'r');
	assert.deepEqual([rooms.values.length, rooms.total, rooms.hasMore], [100, 150, true]);
	assert.equal(await codeOf(complete({ type: 'ref/prompt', name: 'nix' }, 'name', '')), -32602);
});

scenario('log messages by level', async (open) => {
	const messages = [];
	const session = await open({ handlers: [collect('LoggingMessageNotificationSchema', messages)] });
	await session.call('log');
	await session.client.setLoggingLevel('debug');
	await session.call('log');
	await session.client.ping();
	assert.deepEqual(messages.map(({ level }) => level), ['error', 'debug', 'warning', 'error']);
	assert.equal(messages[1].data, 'details');
	assert.equal((await session.askRaw('level', 'logging/setLevel', { level: 'loud' })).error.code, -32602);
});

scenario('lists that change', async (open) => {
	const changed = [];
	const told = (name) => ({ autoRefresh: true, debounceMs: 0, onChanged: (error, items) => changed.push([name, error, items?.length]) });
	const listChanged = { tools: told('tools'), prompts: told('prompts'), resources: told('resources') };
	const session = await open({ options: { listChanged } });
	await session.call('change');
	await until('three lists', () => changed.length === 3);
	assert.deepEqual(changed.map(([name, error]) => [name, error]).sort(), [['prompts', null], ['resources', null], ['tools', null]]);
});

/* --- What the server asks */

scenario('a tool samples', async (open) => {
	const asked = [];
	const answer = ({ params }) => {
		asked.push(params);
		return { role: 'assistant', content: { type: 'text', text: 'a cat' }, model: 'none' };
	};
	const session = await open({
		capabilities: { sampling: {} }, handlers: [['setRequestHandler', 'CreateMessageRequestSchema', answer]] });
	assert.equal((await session.call('sample')).content[0].text, 'a cat');
	assert.equal(asked[0].systemPrompt, 'Be brief.');
	assert.equal(asked[0].messages[0].content.text, 'What do you see?');
});

scenario('a tool asks with a form', async (open) => {
	const session = await open({
		capabilities: { elicitation: {} },
		handlers: [['setRequestHandler', 'ElicitRequestSchema', ({ params }) => {
			assert.deepEqual(params.requestedSchema.required, ['name']);
			return { action: 'accept', content: { name: 'Ada', age: 36 } };
		}]],
	});
	assert.equal((await session.call('elicit')).content[0].text, 'Ada');
});

scenario('a form is declined', async (open) => {
	const session = await open({
		capabilities: { elicitation: {} },
		handlers: [['setRequestHandler', 'ElicitRequestSchema', () => ({ action: 'decline' })]] });
	const { isError, content } = await session.call('elicit');
	assert.deepEqual([isError, content[0].text], [true, 'no answer']);
});

scenario('a tool lists the roots', async (open) => {
	const list = [{ uri: 'file:///somewhere', name: 'somewhere' }];
	const session = await open({
		capabilities: { roots: {} }, handlers: [['setRequestHandler', 'ListRootsRequestSchema', () => ({ roots: list })]] });
	assert.deepEqual(JSON.parse((await session.call('roots')).content[0].text), list);
});

scenario('a client without capabilities is not asked', async (open) => {
	const session = await open();
	for (const tool of ['sample', 'elicit', 'roots']) assert.equal((await session.call(tool)).isError, true);
	const { heard } = await session.close();
	assert.deepEqual(heard.filter(({ method }) => method), []);
});

scenario('the cancel of a tool cancels what it has asked', async (open) => {
	const asked = [];
	const session = await open({
		capabilities: { sampling: {} },
		handlers: [['setRequestHandler', 'CreateMessageRequestSchema', (request, { signal }) => new Promise((resolve, reject) => {
			asked.push(signal);
			signal.addEventListener('abort', () => reject(new Error('aborted')));
		})]],
	});
	const call = await session.start('sample');
	await until('the question', () => asked.length === 1);
	assert.equal(asked[0].aborted, false);
	call.cancel();
	assert.ok((await call.outcome).error);
	await until('the cancel of the question', () => asked[0].aborted);
	await session.client.ping();
	assert.deepEqual(session.wire.answersTo(call.id).filter(({ method }) => !method), []);
	const { heard } = await session.close();
	const { id } = heard.find(({ method }) => method === 'sampling/createMessage');
	assert.deepEqual(heard.filter(({ method }) => method === 'notifications/cancelled').map(({ params }) => params.requestId), [id]);
});
