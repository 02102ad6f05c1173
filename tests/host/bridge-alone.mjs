/* SPDX-License-Identifier: MIT
 * quash-bridge with one device of MCP that does not answer: its clients are served all the same, and are told in words what is wrong. */

import assert from 'node:assert/strict';
import { chmodSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge, Device, cable, check, clientInfo, connectTo, folderFor, greet } from './bridge-program.mjs';
import { modernMeta } from '../common/client.mjs';
import { HttpClient } from '../common/http-client.mjs';
import { sick } from './sick.mjs';
import { until } from '../common/runner.mjs';

/* The limit of users is 1,500 ms, which no test needs. */
const soon = ['--initialize-timeout', '50ms', '--wait', '200ms'];
const lists = { tools: 'tools/list', prompts: 'prompts/list', resources: 'resources/list', resourceTemplates: 'resources/templates/list' };
const own = { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { listChanged: true }, logging: {} };
const namesOf = ({ tools }) => tools.map(({ name }) => name);
const textOf = ({ content: [{ text }], isError }) => (assert.equal(isError, true), text);

/** A device that answers `initialize` when it `wakes`, and a bridge to it. */
async function asleep(t, { words = soon, handlers = {} } = {}) {
	const device = await Device.open(t, { handlers: { ...handlers, initialize: () => undefined } });
	const bridge = Bridge.start(t, [...words, '--unix', device.path]);
	const wakes = async (more = {}) => {
		const line = await device.lineNumber(1);
		await line.takes('initialize');
		device.handlers.initialize = () => announced; /* it may be asked again meanwhile */
		const announced = { protocolVersion: '2025-11-25', capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'late', version: '2' }, ...more };
		line.answer(line.all('initialize').at(-1), announced);
		return line;
	};
	return { device, bridge, client: bridge.client, wakes };
}

check('alone: initialize is answered in place of a silent device, which is named', async (t) => {
	const { client } = await asleep(t);
	for (const [version, spoken] of [['2025-06-18', '2025-06-18']]) {
		const greeting = await greet(client, { version });
		assert.equal(greeting.protocolVersion, spoken);
		assert.deepEqual(greeting.capabilities, own);
		assert.equal(greeting.serverInfo.name, 'quash-bridge');
		assert.match(greeting.instructions, /^The device has not answered yet, .* silent: nothing came; remedy: let it read its input/);
	}
	assert.deepEqual(await client.result('ping'), {});
	assert.deepEqual(await client.result('logging/setLevel', { level: 'warning' }), {});
});

check('alone: an unknown revision is answered with 2025-11-25', async (t) => {
	const { client } = await asleep(t);
	assert.equal((await greet(client, { version: '2030-01-01' })).protocolVersion, '2025-11-25');
});

check('alone: a device that answers in time is what its client sees', async (t) => {
	const { client, wakes } = await asleep(t, { words: ['--initialize-timeout', '60m'] });
	const capabilities = { tools: { listChanged: true }, logging: {}, completions: {} };
	const asking = client.asks('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
	await wakes({ capabilities, instructions: 'Mind the motor.' });
	assert.deepEqual((await asking).result,
		{ protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'late', version: '2' }, instructions: 'Mind the motor.' });
	assert.deepEqual(client.messages.filter(({ method }) => method), []);
});

check('alone: the device is told of with its words and its lists once it has answered', async (t) => {
	const { client, wakes } = await asleep(t, { words: ['--initialize-timeout', '50ms'],
		handlers: { 'tools/call': ({ params }) => ({ content: [], of: params.name }) } });
	await greet(client, { capabilities: { roots: {} } });
	client.ask('tools/call', { name: 'work' }, 'call');
	const line = await wakes({ instructions: 'Mind the motor.' });
	assert.deepEqual((await client.answerTo('call')).result.of, 'work', 'it has waited');
	assert.deepEqual((await client.takes('notifications/message')).params, { level: 'info', logger: 'quash-bridge',
		data: { device: 'ready', name: 'late', version: '2', instructions: 'Mind the motor.' } });
	await client.takes('notifications/tools/list_changed');
	assert.deepEqual(namesOf(await client.result('tools/list')), ['work'], 'without a prefix');
	assert.deepEqual(line.all('initialize')[0].params.capabilities, { roots: {} });
	for (const [member, method] of Object.entries(lists).slice(1))
		assert.deepEqual(await client.result(method), { [member]: [] }, 'the device has none, the bridge has announced them');
	assert.equal(line.all('prompts/list').length, 0);
});

check('alone: a level that was set meanwhile is given to the device', async (t) => {
	const { client, wakes } = await asleep(t);
	await greet(client);
	await client.result('logging/setLevel', { level: 'error' });
	const line = await wakes();
	assert.equal((await line.takes('logging/setLevel')).params.level, 'error');
	assert.deepEqual(client.all('notifications/message'), [], 'it wants errors alone');
});

check('alone: whatever else is asked of a silent device is refused in words', async (t) => {
	const { client } = await asleep(t);
	await greet(client);
	assert.match(textOf(await client.result('tools/call', { name: 'work', arguments: {} })), /^Nothing was done: .* silent: nothing came; remedy: /);
	for (const [method, params] of [['prompts/get', { name: 'plan' }], ['resources/read', { uri: 'a:b' }], ['resources/subscribe', { uri: 'a:b' }],
		['completion/complete', { ref: { type: 'ref/prompt', name: 'plan' }, argument: { name: 'a', value: '' } }], ['x/unknown', {}]]) {
		const { code, message } = await client.error(method, params);
		assert.equal(code, -32603, method);
		assert.match(message, / silent: nothing came; remedy: /, method);
	}
});

check('alone: a call that its client takes back meanwhile is not made', async (t) => {
	const { client, wakes } = await asleep(t, { words: ['--initialize-timeout', '50ms'] });
	await greet(client);
	client.ask('tools/call', { name: 'work' }, 'taken back');
	client.notify('notifications/cancelled', { requestId: 'taken back' });
	assert.deepEqual(await client.result('ping'), {});
	const line = await wakes();
	await client.takes('notifications/tools/list_changed');
	await client.result('tools/list');
	assert.deepEqual(line.all('tools/call'), []);
	assert.deepEqual(client.answersTo('taken back'), []);
});

check('alone: 2026-07-28: discovery, lists and calls are answered, and the request waits for its device', async (t) => {
	const { client, wakes, device } = await asleep(t, { handlers: { 'tools/call': () => ({ content: [] }) } });
	const _meta = modernMeta();
	const found = await client.result('server/discover', { _meta });
	const { logging, ...capabilities } = own;
	assert.deepEqual([found.resultType, found.supportedVersions, found.capabilities], ['complete', ['2026-07-28'], capabilities]);
	assert.match(found.instructions, /silent: nothing came/);
	assert.equal(found._meta['io.modelcontextprotocol/serverInfo'].name, 'quash-bridge');
	const listed = await client.result('tools/list', { _meta });
	assert.deepEqual([namesOf(listed), listed.resultType], [['devices'], 'complete']);
	const failed = await client.result('tools/call', { name: 'work', _meta });
	assert.match(textOf(failed), /silent/);
	assert.equal(failed.resultType, 'complete');
	assert.equal((await client.error('resources/read', { uri: 'a:b', _meta })).code, -32603);
	await wakes();
	await device.ready();
	assert.deepEqual(await client.result('tools/call', { name: 'work', _meta }), { content: [] });
	assert.deepEqual(client.messages.filter(({ method }) => method), []);
});

check('alone: each client of a socket and of HTTP is answered, whoever is there', async (t) => {
	const where = join(folderFor(t), 'clients');
	const { bridge, wakes, device } = await asleep(t, { words: ['--listen-unix', where, '--listen-http', '127.0.0.1:0', ...soon] });
	const [, number] = await bridge.says(/listening on http:\/\/\S+:(\d+)\/mcp$/m);
	const client = await connectTo(t, where), web = new HttpClient(t, Number(number));
	assert.deepEqual((await greet(client)).capabilities, own);
	assert.deepEqual((await web.greet()).capabilities, own);
	assert.match(textOf((await web.post({ id: 1, method: 'tools/call', params: { name: 'work' } }).answer()).json.result), /silent/);
	const listening = await web.get().streams();
	await wakes();
	await client.takes('notifications/tools/list_changed');
	await listening.take('the list', ({ method }) => method === 'notifications/tools/list_changed');
	await device.ready();
	const later = await connectTo(t, where);
	assert.equal((await greet(later)).serverInfo.name, 'late');
	assert.deepEqual(later.messages.filter(({ method }) => method), []);
});

/* --- In words */

const told = {
	'a line without a device': ['/no/such/device', /: waiting: No such file or directory/],
	'a socket without a server': [null, /: waiting: No such file or directory/],
};

for (const [what, [path, words]] of Object.entries(told))
	check(`alone: in words: ${what}`, async (t) => {
		const { client } = Bridge.start(t, [...soon, ...(path ? ['--tty', path] : ['--unix', join(folderFor(t), 'none')])]);
		assert.match((await greet(client)).instructions, words);
		assert.match(textOf(await client.result('tools/call', { name: 'work' })), words);
	});

for (const [ailment, words] of Object.entries({ echo: /echo: what is sent to it comes back; remedy: connect TX/, fast: /garbage: \d+ of \d+ bytes are no text; remedy: give the rate/,
	prompt: /another program: text that is no message: "raspberrypi login: "; remedy: /, unended: /no end of line: a message came, and no line feed behind it; remedy: /,
	headed: /another protocol: it writes headers, as LSP does; remedy: / }))
	check(`alone: in words: ${ailment}`, async (t) => {
		const { link } = await cable(t, { command: sick(ailment) });
		const { client } = Bridge.start(t, [...soon, '--tty', link]);
		await greet(client);
		await until('the words', async () => words.test(textOf(await client.result('tools/call', { name: 'work' }))));
	}, { needs: ['tty'] });

check('alone: in words: a program that is silent', async (t) => {
	const { client } = Bridge.start(t, [...soon, '--', ...sick('silent')]);
	assert.deepEqual((await greet(client)).capabilities, own);
	assert.match(textOf(await client.result('tools/call', { name: 'work' })), /silent: nothing came; remedy: let it read its input/);
});

check('alone: in words: a program that cannot start, or ends, answers initialize with why, and ends the bridge', async (t) => {
	const folder = folderFor(t), refused = join(folder, 'refused'), failing = join(folder, 'failing');
	writeFileSync(refused, '');
	writeFileSync(failing, '#!/bin/sh\nexit 3\n');
	chmodSync(failing, 0o755);
	for (const [program, words] of [[join(folder, 'none'), /No such file/], [refused, /Permission denied/], [failing, / never became ready: exited with 3$/]]) {
		const bridge = Bridge.start(t, ['--initialize-timeout', '60m', '--', program]);
		const { code, message } = await bridge.client.error('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
		assert.equal(code, -32603);
		assert.match(message, words);
		await bridge.exits(1);
	}
});

check('alone: in words: a line that another program has', async (t) => {
	const { link } = await cable(t);
	const holder = Bridge.start(t, ['--tty', link]);
	await greet(holder.client);
	const bridge = Bridge.start(t, ['--initialize-timeout', '50ms', '--wait', '5s', '--tty', link]);
	assert.match((await greet(bridge.client)).instructions, /: waiting: it is in use by quash-bridge \(\d+\)/);
	bridge.client.ask('tools/call', { name: 'led', arguments: { on: true } }, 'call');
	assert.match(textOf((await bridge.client.answerTo('call')).result), /in use by quash-bridge \(\d+\)/);
	await bridge.exits(3);
}, { needs: ['tty', 'linux'] });

check('alone: a device that refuses initialize late is no device that is ready', async (t) => {
	const { device, client } = await asleep(t);
	await greet(client);
	const line = await device.lineNumber(1);
	await line.takes('initialize');
	device.handlers.initialize = (message) => { line.refuse(message, -32603, 'config: no motor'); };
	line.refuse(line.all('initialize').at(-1), -32603, 'config: no motor');
	const { params } = await client.takes('notifications/message');
	assert.equal(params.level, 'error');
	assert.deepEqual(params.data, { device: 'refusing', name: '', version: '', error: { code: -32603, message: 'config: no motor' } });
});

check('alone: several devices: a call of one that is connected and silent is answered in words', async (t) => {
	const devices = { a: await Device.open(t), b: await Device.open(t, { handlers: { initialize: () => undefined } }) };
	const { client } = Bridge.start(t, [...soon, ...Object.entries(devices).flatMap(([name, { path }]) => ['--device', `${name}=unix:${path}`])]);
	await greet(client);
	assert.match(textOf(await client.result('tools/call', { name: 'b_work' })), /silent: nothing came; remedy: /);
	const { structuredContent } = await client.result('tools/call', { name: 'devices', arguments: {} });
	assert.match(structuredContent.devices.find(({ name }) => name === 'b').trouble, /silent: nothing came/);
	assert.equal(structuredContent.devices.find(({ name }) => name === 'a').trouble, undefined);
});

check('alone: a board that was there, and is silent after a restart, is told of in words', async (t) => {
	let well = true;
	const device = await Device.open(t, { handlers: { initialize: ({ params }) => (well ?
		{ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo: { name: 'p', version: '1' } } : undefined) } });
	const { client } = Bridge.start(t, ['--initialize-timeout', '60m', '--wait', '200ms', '--unix', device.path]);
	await greet(client);
	well = false;
	await device.unplug();
	await device.plug();
	await (await device.lineNumber(2)).takes('initialize');
	assert.match(textOf(await client.result('tools/call', { name: 'work' })), /silent: nothing came; remedy: /);
});

for (const protocol of ['acp', 'lsp'])
	check(`alone: ${protocol}: initialize waits for its device`, async (t) => {
		const device = await Device.open(t, { protocol, handlers: { initialize: () => undefined } });
		const { client } = Bridge.start(t, ['--protocol', protocol, ...soon, '--unix', device.path], { protocol });
		client.ask('initialize', { protocolVersion: 1, capabilities: {} }, 'i');
		const line = await device.lineNumber(1);
		const asked = await line.takes('initialize');
		await client.getsNo('initialize', 500);
		assert.deepEqual(client.messages, []);
		line.answer(asked, { protocolVersion: 1, capabilities: {} });
		await client.answerTo('i');
	});
