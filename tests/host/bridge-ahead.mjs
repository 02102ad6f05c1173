/* SPDX-License-Identifier: MIT
 * quash-bridge and more requests than it hands on at once: they wait in their order, a cancel overtakes them, and none is refused. */

import assert from 'node:assert/strict';
import { check, joined } from './bridge-program.mjs';
import { call, done, greeted } from './http-served.mjs';
import { sleep, until } from '../common/runner.mjs';

/** So many messages of a kibibyte that more waits than is read ahead: the rest stays in the pipe. */
const many = 2500;
const ask = (n) => ({ id: n, method: 'tools/call', params: { name: 'work', arguments: { n, text: 'x'.repeat(950) } } });
const asked = Array.from({ length: many }, (_, n) => ask(n));

/** Requests that have reached the device and are not answered, as many as it is given: then no more come. */
async function flooded(t, requests) {
	const { bridge, client, line } = await joined(t);
	client.send(...requests);
	const first = await line.takes('tools/call');
	return { bridge, client, line, first };
}

check('more requests in one pipe than are read ahead: each is answered, in their order at the device', async (t) => {
	const { client, line, first } = await flooded(t, asked);
	line.answer(first, done);
	for (let n = 1; n < many; n++) {
		const below = await line.takes('tools/call');
		assert.equal(below.params.arguments.n, n);
		line.answer(below, done);
	}
	for (let n = 0; n < many; n++) assert.deepEqual((await client.answerTo(n)).result, done);
});

check('a cancel of what is under way overtakes all that waits', async (t) => {
	const { client, line, first } = await flooded(t, asked.slice(0, 800));
	client.notify('notifications/cancelled', { requestId: 0 });
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, first.id);
});

check('what is cancelled while it waits never reaches the device, and all others do', async (t) => {
	const count = 400, cancelled = [count - 1, 300];
	const { client, line, first } = await flooded(t, asked.slice(0, count));
	for (const requestId of cancelled) client.notify('notifications/cancelled', { requestId });
	client.send({ id: 'last', method: 'tools/call', params: { name: 'work', arguments: { n: 'last' } } });
	line.answer(first, done);
	const came = [0];
	while (came.at(-1) !== 'last') {
		const below = await line.takes('tools/call');
		came.push(below.params.arguments.n);
		line.answer(below, done);
	}
	await client.answerTo('last');
	assert.deepEqual(came, [...Array.from({ length: count }, (_, n) => n).filter((n) => !cancelled.includes(n)), 'last']);
	await line.getsNo('notifications/cancelled');
});

check('ACP: session/cancel takes what waits of its session along, and nothing of another one', async (t) => {
	const { client, line } = await joined(t, { protocol: 'acp' });
	const prompts = Array.from({ length: 400 }, (_, n) => ({ id: n, method: 'session/prompt',
		params: { sessionId: n < 398 ? 'one' : 'two', prompt: [{ type: 'text', text: 'x'.repeat(950) }] } }));
	client.send(...prompts);
	const first = await line.takes('session/prompt');
	client.notify('session/cancel', { sessionId: 'one' });
	assert.deepEqual((await line.takes('session/cancel')).params, { sessionId: 'one' });
	const begun = line.all('session/prompt').length;
	line.answer(first, { stopReason: 'cancelled' });
	for (let n = 1; n < begun; n++) line.answer(await line.takes('session/prompt'), { stopReason: 'cancelled' });
	for (let n = 398; n < 400; n++) {
		const below = await line.takes('session/prompt');
		assert.equal(below.params.sessionId, 'two');
		line.answer(below, { stopReason: 'end_turn' });
		assert.equal((await client.answerTo(n)).result.stopReason, 'end_turn');
	}
	for (let n = 0; n < 398; n++) assert.equal((await client.answerTo(n)).result.stopReason, 'cancelled');
});

check('the answer to what the device asks overtakes what waits for it', async (t) => {
	const { client, line } = await joined(t, { capabilities: { roots: {} } });
	client.send(...asked.slice(0, 800));
	const first = await line.takes('tools/call');
	line.ask('roots/list', undefined, 'r');
	client.answer(await client.takes('roots/list'), { roots: [] });
	assert.deepEqual((await line.answerTo('r')).result, { roots: [] });
	line.answer(first, done);
});

check('a client that goes while much waits has all of it counted as cancelled', async (t) => {
	const { bridge, client } = await flooded(t, asked.slice(0, 600));
	client.notify('notifications/cancelled', {});
	await bridge.says(/a cancel ends nothing/); /* so all was read */
	bridge.end();
	await bridge.says(/client 1: gone, 600 requests cancelled/);
});

check('HTTP: what is more than is read ahead waits at its connections; none is refused, and a cancel passes', async (t) => {
	const { client, line } = await greeted(t);
	const count = 300, text = 'x'.repeat(5000); /* together more than 1 MiB */
	const posts = Array.from({ length: count }, (_, n) => client.post(call(n, `work${n}`, { arguments: { text } })));
	const first = await line.takes('tools/call');
	await sleep(50);
	const cancelled = Number(first.params.name.slice(4));
	assert.equal((await client.post({ method: 'notifications/cancelled', params: { requestId: cancelled } }).whole()).status, 202);
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, first.id);
	for (let n = 1; n < count; n++) line.answer(await line.takes('tools/call'), done);
	for (const [n, post] of posts.entries()) {
		const { json } = await post.answer();
		assert.deepEqual([n, json?.id, json?.result], n === cancelled ? [n, undefined, undefined] : [n, n, done]);
	}
});

check('long requests wait for memory, too, and none is refused', async (t) => {
	const { client, line } = await joined(t);
	const count = 20, text = 'x'.repeat(1 << 20);
	for (let n = 0; n < count; n++) client.ask('tools/call', { name: 'work', arguments: { n, text } }, n);
	for (let n = 0; n < count; n++) {
		const below = await line.takes('tools/call');
		assert.equal(below.params.arguments.n, n);
		if (n === 0) await sleep(300); /* meanwhile the bridge reads as much as it can */
		line.answer(below, done);
	}
	for (let n = 0; n < count; n++) assert.deepEqual((await client.answerTo(n)).result, done);
});

check('a request that no memory is large enough for hides no cancel behind it', async (t) => {
	const { client, line } = await joined(t);
	client.ask('tools/call', { name: 'moves' }, 'moves');
	const below = await line.takes('tools/call');
	client.ask('tools/call', { name: 'long', arguments: { text: 'x'.repeat(9 << 20) } }, 'long');
	client.notify('notifications/cancelled', { requestId: 'moves' });
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	assert.equal((await client.answerTo('long')).error.code, -32011);
});

check('a cancel of what is live goes before one whose request finds no memory', async (t) => {
	const { client, line } = await joined(t);
	const text = 'x'.repeat(900000);
	for (let n = 0; n < 10; n++) client.ask('tools/call', { name: 'work', arguments: { text } }, n);
	const below = await line.takes('tools/call');
	await sleep(300); /* meanwhile the bridge reads as much as it can */
	client.notify('notifications/cancelled', { requestId: 9 });
	client.notify('notifications/cancelled', { requestId: 0 });
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
});

check('JSON-RPC: a cancel in a batch reaches what waits', async (t) => {
	const { client, line } = await joined(t, { protocol: 'jsonrpc' });
	for (let n = 0; n < 300; n++) client.ask('x/work', { text: 'x'.repeat(900) }, n);
	client.ask('x/never', {}, 'never');
	client.sendBytes(`${JSON.stringify([{ jsonrpc: '2.0', method: '$/cancel_request', params: { requestId: 'never' } }])}\n`);
	assert.equal((await client.answerTo('never')).error.code, -32800);
	for (let n = 0; n < 300; n++) line.answer(await line.takes('x/work'), n);
	await client.answerTo(299);
	assert.deepEqual(line.all('x/never'), []);
});

check('JSON-RPC: a batch waits until it has places', async (t) => {
	const { client, line } = await joined(t, { protocol: 'jsonrpc' });
	const batch = (first, count) => client.sendBytes(`${JSON.stringify(Array.from({ length: count }, (_, n) => ({ jsonrpc: '2.0', id: first + n, method: 'x/work' })))}\n`);
	for (let n = 0; n < 150; n++) client.ask('x/work', {}, n);
	batch(1000, 100);
	for (let n = 0; n < 250; n++) line.answer(await line.takes('x/work'), n);
	await until('its answers', () => client.messages.some((message) => Array.isArray(message)));
	const answers = client.messages.find((message) => Array.isArray(message));
	assert.deepEqual(answers.filter(({ error }) => error), []);
	assert.equal(answers.length, 100);
});
