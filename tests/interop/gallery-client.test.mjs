/* SPDX-License-Identifier: MIT
 * @modelcontextprotocol/client with a server that offers something of everything: the 2026-07-28 revision. */

import assert from 'node:assert/strict';
import { until } from '../common/runner.mjs';
import { modernFlavour, modernMeta } from './flavours.mjs';
import { scenariosOf } from './gallery.mjs';
import { load } from './modules.mjs';
import { Session, settled } from './session.mjs';

const { Client } = load('@modelcontextprotocol/client');

/** A client, with handlers for what it is told. */
function connect(t, tap, { handlers = {}, options = {} } = {}) {
	const newClient = () => {
		const client = new Client({ name: 'quash-interop', version: '1.0.0' },
			{ versionNegotiation: { mode: { pin: '2026-07-28' } }, ...options });
		for (const [method, handler] of Object.entries(handlers)) client.setNotificationHandler(method, handler);
		return client;
	};
	return Session.open(t, { ...modernFlavour, newClient }, tap);
}

const scenario = scenariosOf('client 2.4.0 modern', connect);

const codeOf = async (promise) => (await settled(promise)).error?.code;

scenario('resources', async (open) => {
	const session = await open();
	const { client } = session;
	const first = await client.listResources();
	assert.ok(first.resources.length > 0);
	assert.equal((await client.listResourceTemplates()).resourceTemplates[0].name, 'temperature');
	assert.equal((await client.readResource({ uri: 'gallery://text' })).contents[0].text, 'a "text"\n');
	const { blob } = (await client.readResource({ uri: 'gallery://bytes' })).contents[0];
	assert.deepEqual([...Buffer.from(blob, 'base64')], Array.from({ length: 256 }, (_, i) => i));
	const { error } = await settled(client.readResource({ uri: 'gallery://nix' }));
	assert.equal(error.code, -32602);
	const { heard } = await session.close();
	const read = heard.find(({ result }) => result?.contents);
	assert.deepEqual([read.result.ttlMs, read.result.cacheScope], [500, 'public']);
	assert.deepEqual(heard.find((message) => message.error).error.data, { uri: 'gallery://nix' });
});

scenario('prompts and completion', async (open) => {
	const session = await open();
	const { client } = session;
	assert.deepEqual((await client.listPrompts()).prompts.slice(0, 3).map(({ name }) => name), ['greet', 'hello', 'wait']);
	assert.equal((await client.getPrompt({ name: 'greet', arguments: { name: 'Ada' } })).messages[0].content.text, 'Ada');
	assert.equal(await codeOf(client.getPrompt({ name: 'greet', arguments: {} })), -32602);
	const { completion } = await client.complete(
		{ ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'mood', value: 'gl' } });
	assert.deepEqual(completion, { values: ['glad', 'gloomy'], total: 2, hasMore: false });
});

scenario('log messages only for requests that ask for them', async (open) => {
	const session = await open();
	const ask = (id, meta) => session.askRaw(id, 'tools/call', { name: 'log', _meta: { ...modernMeta(), ...meta } });
	await ask('quiet', {});
	await ask('loud', { 'io.modelcontextprotocol/logLevel': 'warning' });
	const wrong = await ask('wrong', { 'io.modelcontextprotocol/logLevel': 'x' });
	assert.equal(wrong.error.code, -32602);
	const logged = session.wire.heard.filter(({ method }) => method === 'notifications/message');
	assert.deepEqual(logged.map(({ params }) => params.level), ['warning', 'error']);
});

scenario('a client is not asked', async (open) => {
	const session = await open({ options: { capabilities: { sampling: {}, elicitation: {}, roots: {} } } });
	for (const tool of ['sample', 'elicit', 'roots']) assert.equal((await session.call(tool)).isError, true);
});

/* --- subscriptions/listen */

scenario('listen, be told, and close', async (open) => {
	const told = [];
	const session = await open({ handlers: {
		'notifications/resources/updated': ({ params }) => told.push(params.uri),
		'notifications/tools/list_changed': () => told.push('tools'),
		'notifications/prompts/list_changed': () => told.push('prompts'),
	} });
	const uri = 'gallery://text';
	const subscription = await session.client.listen({ toolsListChanged: true, resourceSubscriptions: [uri, 'nix'] });
	assert.deepEqual(subscription.honoredFilter, { toolsListChanged: true, resourceSubscriptions: [uri] });
	await session.call('touch', { uri });
	await session.call('change');
	await until('both notifications', () => told.length === 2);
	assert.deepEqual(told, [uri, 'tools']);
	await subscription.close();
	await session.call('touch', { uri });
	assert.deepEqual(told, [uri, 'tools']);
	const { sent, heard } = await session.close();
	const { id } = sent.find(({ method }) => method === 'subscriptions/listen');
	const tagged = heard.filter(({ params }) => params?._meta?.['io.modelcontextprotocol/subscriptionId'] === id);
	assert.equal(tagged[0].method, 'notifications/subscriptions/acknowledged');
	assert.equal(tagged.length, 3);
	assert.deepEqual(heard.filter((message) => message.id === id), [], 'a cancelled listen is not answered');
});

scenario('the server ends what is listened to', async (open) => {
	const session = await open();
	const subscription = await session.client.listen({ toolsListChanged: true });
	await session.call('hang_up');
	assert.equal(await subscription.closed, 'graceful');
	await until('the cancel', () => session.wire.heard.some(({ method }) => method === 'notifications/cancelled')); /* behind the answer */
	const { sent, heard } = await session.close();
	const { id } = sent.find(({ method }) => method === 'subscriptions/listen');
	const answer = heard.findIndex((message) => message.id === id);
	assert.equal(heard[answer].result._meta['io.modelcontextprotocol/subscriptionId'], id);
	const ends = heard.map(({ method }, i) => (method === 'notifications/cancelled' ? i : -1)).filter((i) => i >= 0);
	assert.equal(ends.length, 1);
	assert.ok(ends[0] > answer, 'behind the answer');
	assert.deepEqual(heard[ends[0]].params, { requestId: id });
});

scenario('what is listened to ends with the server', async (open) => {
	const session = await open();
	await session.client.listen({ promptsListChanged: true });
	const { sent, heard } = await session.close();
	const { id } = sent.find(({ method }) => method === 'subscriptions/listen');
	assert.ok(heard.find((message) => message.id === id)?.result, 'it is answered at the end');
}, { bridged: false }); /* a bridge cancels what is open, and a cancelled request is not answered */

scenario('a client that wants to know of changed lists listens by itself', async (open) => {
	const changed = [];
	const onChanged = (error, items) => changed.push([error, items?.length]);
	const session = await open({ options: { listChanged: { tools: { onChanged, debounceMs: 0 } } } });
	await until('its subscription', () => session.client.autoOpenedSubscription);
	await session.call('change');
	await until('the list', () => changed.length > 0);
	assert.equal(changed[0][0], null);
});
