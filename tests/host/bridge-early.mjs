/* SPDX-License-Identifier: MIT
 * quash-bridge: what a client of the legacy era gets before and after the answer to its `initialize`, which is the first that it gets. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Bridge, Device, check, clientInfo, connectTo, folderFor } from './bridge-program.mjs';
import { HttpClient } from '../common/http-client.mjs';
import { until } from '../common/runner.mjs';

const greeting = { id: 'greeting', method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: { roots: {} }, clientInfo } };
const isAnswer = ({ id }) => id === 'greeting';
const changed = 'notifications/tools/list_changed';

const announced = { protocolVersion: '2025-11-25', capabilities: { tools: { listChanged: true }, logging: {} }, serverInfo: { name: 'eager', version: '1' } };
const log = { method: 'notifications/message', params: { level: 'info', data: 'homed' } };
const chatter = [log, { method: 'x/boot', params: { n: 1 } }, { method: changed }, { id: 'q', method: 'roots/list' }, { id: 'p', method: 'ping' }];

/** A device that says all of this before or behind its answer to `initialize`. */
const eager = (when) => ({ handlers: { initialize: ({ id }, line) => {
	const answer = { id, result: announced };
	line.send(...(when === 'before' ? [...chatter, answer] : [answer, ...chatter]));
} } });

const devicesOf = (devices) => Object.entries(devices).flatMap(([name, { path }]) => ['--device', `${name}=unix:${path}`]);

/** The device `b` is there and answers `initialize` when it `wakes`. */
async function withLate(t, words = []) {
	let waiting;
	const devices = { a: await Device.open(t), b: await Device.open(t, { handlers: { initialize: (message) => { waiting = message; } } }) };
	const bridge = Bridge.start(t, [...words, ...devicesOf(devices)]);
	return { devices, bridge, wakes: async () => {
		await until('b to be greeted', () => waiting);
		devices.b.line.answer(waiting, announced);
	} };
}

for (const start of [1, 2, 3, 4])
	check(`early: several devices: the first message is the answer, start ${start}`, async (t) => {
		const devices = { a: await Device.open(t), b: await Device.open(t), c: await Device.open(t, eager('after')) };
		const { client } = Bridge.start(t, devicesOf(devices));
		client.send(greeting);
		await client.answerTo('greeting');
		client.notify('notifications/initialized');
		await client.result('tools/list');
		assert.ok(isAnswer(client.messages[0]), JSON.stringify(client.messages[0]));
	});

check('early: a device that gets ready late is told of behind the answer', async (t) => {
	const { bridge: { client }, wakes } = await withLate(t);
	client.send(greeting);
	await wakes();
	await client.answerTo('greeting');
	await until('the tools of both', async () => (await client.result('tools/list')).tools.length === 3);
	assert.ok(isAnswer(client.messages[0]), JSON.stringify(client.messages[0]));
});

check('early: a device that gets ready after the answer is told of', async (t) => {
	const { bridge: { client }, wakes } = await withLate(t);
	client.send(greeting);
	await client.answerTo('greeting');
	client.forget();
	await wakes();
	await client.takes(changed);
});

check('early: what is asked together with initialize is answered behind it', async (t) => {
	const { bridge: { client }, devices } = await withLate(t);
	client.send(greeting, { id: 'call', method: 'tools/call', params: { name: 'a_work', _meta: { progressToken: 't' } } }, { id: 'list', method: 'prompts/list' });
	const line = await devices.a.lineNumber(1);
	const below = await line.takes('tools/call');
	line.notify('notifications/progress', { progressToken: below.params._meta.progressToken, progress: 1 });
	line.answer(below, { content: [] });
	for (const id of ['greeting', 'call', 'list']) await client.answerTo(id);
	assert.ok(isAnswer(client.messages[0]), JSON.stringify(client.messages[0]));
});

for (const when of ['before', 'after'])
	check(`early: one device that talks ${when} its answer: logs and notifications follow it, questions follow initialized`, async (t) => {
		const device = await Device.open(t, eager(when));
		const { client } = Bridge.start(t, ['--unix', device.path]);
		client.send(greeting);
		await client.answerTo('greeting');
		assert.deepEqual((await client.takes('notifications/message')).params, log.params);
		assert.deepEqual((await client.takes('x/boot')).params, { n: 1 });
		assert.ok(isAnswer(client.messages[0]), JSON.stringify(client.messages[0]));
		const line = await device.lineNumber(1);
		assert.deepEqual((await line.answerTo('p')).result, {}, 'a ping is the bridge\'s affair');
		assert.deepEqual(client.all('roots/list'), []);
		client.notify('notifications/initialized');
		client.answer(await client.takes('roots/list'), { roots: [] });
		assert.deepEqual((await line.answerTo('q')).result, { roots: [] });
	});

check('early: a client that never says initialized is asked once it asks itself', async (t) => {
	const device = await Device.open(t, eager('after'));
	const { client } = Bridge.start(t, ['--unix', device.path]);
	client.send(greeting);
	await client.answerTo('greeting');
	await client.result('tools/list');
	client.answer(await client.takes('roots/list'), { roots: [] });
	assert.deepEqual((await (await device.lineNumber(1)).answerTo('q')).result, { roots: [] });
});

check('early: who pings first gets the answer to that alone', async (t) => {
	const device = await Device.open(t, eager('after'));
	const { client } = Bridge.start(t, ['--unix', device.path]);
	assert.deepEqual(await client.result('ping', {}, 'ping'), {});
	client.send(greeting);
	await client.answerTo('greeting');
	assert.deepEqual(client.messages.slice(0, 2).map(({ id }) => id), ['ping', 'greeting']);
});

check('early: much that is said early does not hold up the answer', async (t) => {
	const many = Array.from({ length: 1000 }, () => log);
	const device = await Device.open(t, { handlers: { initialize: ({ id }, line) => { line.send(...many, { id, result: announced }); } } });
	const { client } = Bridge.start(t, ['--unix', device.path]);
	client.send(greeting);
	assert.equal((await client.answerTo('greeting')).result.serverInfo.name, 'eager');
	assert.ok(isAnswer(client.messages[0]));
	assert.deepEqual(await client.result('ping'), {});
});

for (const [what, words] of Object.entries({ 'one device': [], 'several devices': null }))
	check(`early: a client on a socket gets nothing before it has begun: ${what}`, async (t) => {
		const device = await Device.open(t);
		const where = join(folderFor(t), 'clients');
		const bridge = Bridge.start(t, ['--listen-unix', where, ...(words ? ['--unix', device.path] : ['--device', `a=unix:${device.path}`])]);
		await bridge.says(/: ready/);
		const client = await connectTo(t, where), other = await connectTo(t, where);
		other.send(greeting);
		await other.answerTo('greeting');
		device.line.notify(changed);
		device.line.notify('notifications/message', log.params);
		await other.takes(changed);
		client.send(greeting);
		await client.answerTo('greeting');
		assert.ok(isAnswer(client.messages[0]), JSON.stringify(client.messages[0]));
	});

check('early: over HTTP the response of initialize has the answer alone, and the stream what comes later', async (t) => {
	const { bridge, wakes, devices } = await withLate(t, ['--listen-http', '127.0.0.1:0']);
	const [, number] = await bridge.says(/listening on http:\/\/\S+:(\d+)\/mcp$/m);
	const client = new HttpClient(t, Number(number));
	const asking = client.post({ ...greeting, id: 1 });
	await wakes();
	const { fields, json } = await asking.answer();
	assert.equal(json.id, 1);
	assert.equal(fields['content-type'], 'application/json');
	client.session = fields['mcp-session-id'];
	assert.equal((await client.post({ method: 'notifications/initialized' }).whole()).status, 202);
	const listening = await client.get().streams();
	devices.a.line.notify('notifications/message', log.params);
	await listening.take('the log', ({ method }) => method === 'notifications/message');
	assert.deepEqual(listening.messages.map(({ method }) => method), ['notifications/message']);
});
