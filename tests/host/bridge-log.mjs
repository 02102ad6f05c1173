/* SPDX-License-Identifier: MIT
 * The log of quash-bridge: a line for each call, a word on each cancel that ends nothing, and noise that does not fill it. */

import assert from 'node:assert/strict';
import { check, clientInfo, joined, listening } from './bridge-program.mjs';
import { call, done, greeted } from './http-served.mjs';

/* The lines of a level that have a word. */
const lines = (bridge, word) => bridge.stderr.split('\n').filter((text) => text.includes(word)).map((text) => text.replace(/ \d+ ms$/, ' N ms'));

/* A device that lets the test answer what a client calls. */
const open = { handlers: { 'tools/call': () => undefined } };

check('log: each call has a line: whose, which tool, how it ended', async (t) => {
	const { bridge, client, line } = await joined(t, { device: open });
	const calls = [
		['well', (asked) => line.answer(asked, { content: [] }), 'result'],
		['unwell', (asked) => line.answer(asked, { content: [], isError: true }), 'result with isError'],
		['refused', (asked) => line.send({ id: asked.id, error: { code: -32602, message: 'Unknown tool' } }), 'error -32602'],
		['two\nlines', (asked) => line.answer(asked, { content: [] }), 'result'],
	];
	for (const [name, answer] of calls) {
		client.ask('tools/call', { name }, name);
		answer(await line.takes('tools/call'));
		await client.answerTo(name);
	}
	client.ask('tools/call', { name: 'stopped' }, 7);
	await line.takes('tools/call');
	client.send({ method: 'notifications/cancelled', params: { requestId: 7 } });
	await line.takes('notifications/cancelled');
	client.ask('tools/call', { name: 'lost' }, 8);
	await line.takes('tools/call');
	line.output.destroy();
	await client.answerTo(8);
	await bridge.says(/tools\/call lost/);
	const ends = calls.map(([name, , end]) => `tools/call ${name.replace('\n', '\\n')}: ${end}`);
	assert.deepEqual(lines(bridge, 'tools/call'), [...ends, 'tools/call stopped: cancelled by its client', 'tools/call lost: error -32012']
		.map((end) => `quash-bridge: info: client 1 (${clientInfo.name}): ${end} after N ms`));
	assert.deepEqual(lines(bridge, 'tools/list'), [], 'what is no call has none');
	assert.deepEqual(lines(bridge, 'a cancel'), []);
});

check('log: a call that is refused before it begins has a line too', async (t) => {
	const { bridge, client, line } = await joined(t, { device: open });
	client.ask('tools/call', { name: 'begun', arguments: { name: 'inner' } }, 10);
	assert.equal((await line.takes('tools/call')).params.name, 'begun');
	client.ask('tools/call', { arguments: { name: 'inner' }, name: 'same' }, 10);
	client.ask('tools/call', { name: 'fraction' }, 1.5);
	client.ask('tools/list', { name: 'none' }, 10);
	await bridge.says(/tools\/call fraction/);
	assert.deepEqual(lines(bridge, 'tools/call'), [['same', -32600], ['fraction', -32600]]
		.map(([name, code]) => `quash-bridge: info: client 1 (${clientInfo.name}): tools/call ${name}: error ${code} after N ms`));
});

check('log: a call that its bridge cancels tells why', async (t) => {
	const again = await joined(t, { device: open });
	again.client.ask('tools/call', { name: 'old' }, 7);
	await again.line.takes('tools/call');
	again.client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 8);
	await again.bridge.says(/tools\/call old: cancelled: its client has begun a new session after \d+ ms$/m);
	const ending = await joined(t, { device: open });
	ending.client.ask('tools/call', { name: 'last' }, 7);
	await ending.line.takes('tools/call');
	ending.bridge.signal('SIGTERM');
	await ending.bridge.says(/tools\/call last: cancelled: the bridge ends after \d+ ms$/m);
});

check('log: how long a call took, and that its client has left', async (t) => {
	const { bridge, newClient, device } = await listening(t, { device: open });
	const client = await newClient();
	client.ask('tools/call', { name: 'left' }, 1);
	await (await device.ready()).takes('tools/call');
	client.output.destroy();
	await bridge.says(/^quash-bridge: info: client 1 \(test\): tools\/call left: cancelled: its client has left after \d+ ms$/m);
});

check('log: calls over HTTP', async (t) => {
	const { bridge, client, more } = await greeted(t, { device: { handlers: { 'tools/call': () => done } } });
	await client.post(call(1, 'legacy')).answer();
	await more().ask('tools/call', { name: 'modern' }).answer();
	await bridge.says(/^quash-bridge: info: client \d+ \(\w+\): tools\/call legacy: result after \d+ ms$/m);
	await bridge.says(/^quash-bridge: info: client \d+(?: \(\w+\))?: tools\/call modern: result after \d+ ms$/m);
});

check('log: the other protocols', async (t) => {
	for (const [protocol, method, shown] of [['acp', 'session/prompt', true], ['jsonrpc', 'turn', true], ['lsp', 'test/echo', false]]) {
		const { bridge, client, line } = await joined(t, { protocol, words: ['--log', shown ? 'info' : 'debug'], device: { handlers: { [method]: () => ({}) } } });
		await client.result(method, {});
		await bridge.says(new RegExp(`^quash-bridge: ${shown ? 'info' : 'debug'}: client 1: ${method}: result after \\d+ ms$`, 'm'));
		line.output.destroy();
	}
});

/* --- Cancels that end nothing */

const cancelled = (params) => ({ method: 'notifications/cancelled', params });
const another = (id, its) => `its requestId ${id} is of another type than the id ${its} of the request`;
const spelled = (id, its) => `its requestId ${id} is spelled otherwise than the id ${its} of the request`;

check('log: a cancel whose id is of another type or spelling, or has none, ends nothing, and the log says so', async (t) => {
	const { bridge, client, line } = await joined(t, { device: open });
	for (const id of [3, 'Abc', '4']) client.ask('tools/call', { name: 'work' }, id);
	for (let i = 0; i < 3; i++) await line.takes('tools/call');
	const cases = [
		[cancelled({ requestId: '3' }), another('"3"', '3')], [cancelled({ requestId: 4 }), another('4', '"4"')], [cancelled({ requestId: ' 3 ' }), another('" 3 "', '3')],
		['{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":3.0}}', spelled('3.0', '3')],
		[cancelled({ requestId: 'abc' }), spelled('"abc"', '"Abc"')], [cancelled({ requestId: '04' }), spelled('"04"', '"4"')],
		[cancelled({ requestId: null }), 'its requestId is neither a number nor a string'], [cancelled({ requestId: [3] }), 'its requestId is neither a number nor a string'],
		[cancelled({ request_id: 3 }), 'it has no requestId'], [cancelled({ id: 3 }), 'it has no requestId'], [cancelled(undefined), 'it has no requestId'],
	];
	for (const [message] of cases) client.send(message);
	for (const method of ['notifications/canceled', 'notification/cancelled', '$/cancelRequest', '$/cancel_request', 'cancel']) client.send({ method, params: { requestId: 3 } });
	await client.result('ping');
	client.send(cancelled({ requestId: 99 }));
	for (const requestId of [3, 'Abc', '4']) client.send(cancelled({ requestId }));
	for (let i = 0; i < 3; i++) await line.takes('notifications/cancelled');
	const said = lines(bridge, 'ends nothing');
	assert.deepEqual(said, [...cases.map(([, why]) => `quash-bridge: warning: client 1: a cancel ends nothing: ${why}`),
		...['notifications/canceled', 'notification/cancelled', '$/cancelRequest', '$/cancel_request', 'cancel']
			.map((method) => `quash-bridge: warning: client 1: ${method} ends nothing: a cancel of mcp is notifications/cancelled`)]);
});

/* --- Noise */

check('log: noise is shown ten times, then counted', async (t) => {
	const { bridge, client, line } = await joined(t);
	const noise = () => lines(bridge, 'noise');
	line.sendBytes(Array.from({ length: 1234 }, (_, i) => `tick ${i}\n`).join(''));
	await client.result('tools/list');
	await bridge.says(/1000 lines of noise so far/);
	assert.deepEqual(noise(), [...Array.from({ length: 10 }, (_, i) => `quash-bridge: info: device: noise: "tick ${i}"`),
		...[100, 1000].map((n) => `quash-bridge: info: device: ${n} lines of noise so far`)]);
	line.output.destroy();
	await bridge.says(/1234 lines of noise so far/);
	assert.equal(noise().length, 13);
});
