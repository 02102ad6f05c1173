/* SPDX-License-Identifier: MIT
 * quash-bridge with several clients, on a socket: each has what is its own. */

import assert from 'node:assert/strict';
import { statSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { Bridge, Device, End, check, clientInfo, connectTo, folderFor, greet, listening, talking } from './bridge-program.mjs';
import { sleep, until } from '../common/runner.mjs';

/** Each client calls a tool; what the device receives of it. */
async function calledBy(clients, line, params) {
	const belows = [];
	for (const client of clients) {
		client.ask('tools/call', { name: 'work', ...params }, 'c');
		belows.push(await line.takes('tools/call'));
	}
	return belows;
}

/* --- Sockets */

check('--listen-unix: the path is for its user alone, and gone at the end', async (t) => {
	const { bridge, where } = await listening(t);
	assert.equal(statSync(where).mode & 0o777, 0o600);
	assert.ok(bridge.stderr.includes(`listening on ${where}\n`), bridge.stderr);
	bridge.signal('SIGTERM');
	await bridge.exits(143);
	assert.throws(() => statSync(where));
});

async function onTcp(t, words) {
	const device = await Device.open(t);
	const bridge = Bridge.start(t, [...words, '--unix', device.path]);
	const [, address, number] = await bridge.says(/^quash-bridge: info: listening on (\S+):(\d+)$/m);
	return { device, bridge, address, number: Number(number) };
}

for (const where of ['127.0.0.1:0', '0'])
	check(`--listen-tcp ${where}: on loopback, its number is logged`, async (t) => {
		const { address, number } = await onTcp(t, ['--listen-tcp', where]);
		assert.equal(address, '127.0.0.1');
		assert.equal((await greet(await connectTo(t, number))).serverInfo.name, 'played');
	});

check('--listen-tcp [::1]:0', async (t) => {
	const { number } = await onTcp(t, ['--listen-tcp', '[::1]:0']);
	const socket = connect({ port: number, host: '::1' });
	t.after(() => socket.destroy());
	assert.equal((await greet(new End(socket, socket))).serverInfo.name, 'played');
});

check('--listen-tcp on an address that is not loopback wants a token', async (t) => {
	const bridge = Bridge.start(t, ['--listen-tcp', '0.0.0.0:0', '--unix', '/no/such']);
	await bridge.exits(2);
	assert.match(bridge.stderr, /token/);
});

function tokenFile(t, text) {
	const file = join(folderFor(t), 'token');
	writeFileSync(file, text, { mode: 0o600 });
	return file;
}

check('--token-file: the first line must be the token; a byte order mark is none of it', async (t) => {
	const file = tokenFile(t, '\ufeffsecret 123\nmore\n');
	const { device, number } = await onTcp(t, ['--listen-tcp', '127.0.0.1:0', '--token-file', file]);
	const line = await device.ready();
	const known = line.messages.length;
	for (const first of ['secret\n', 'secret 1234\n', '\n', '{"jsonrpc":"2.0","id":1,"method":"ping"}\n', 'x'.repeat(100000)]) {
		const stranger = await connectTo(t, number, { first });
		stranger.send({ id: 1, method: 'tools/list' });
		await stranger.closes();
		assert.deepEqual(stranger.lines, [], JSON.stringify(first.slice(0, 20)));
	}
	assert.equal(line.messages.length, known, 'nothing of them reached the device');
	for (const first of ['secret 123\n', 'secret 123\r\n'])
		assert.equal((await greet(await connectTo(t, number, { first }))).serverInfo.name, 'played');
});

check('--token-file with --tcp: a bridge is the client of a bridge', async (t) => {
	const file = tokenFile(t, 'secret\n');
	const { device, number } = await onTcp(t, ['--listen-tcp', '127.0.0.1:0', '--token-file', file]);
	const upper = Bridge.start(t, ['--tcp', `127.0.0.1:${number}`, '--token-file', file]);
	assert.equal((await greet(upper.client)).serverInfo.name, 'played');
	const line = await device.ready();
	upper.client.ask('tools/call', { name: 'work', _meta: { progressToken: 'p' } }, 'c');
	const below = await line.takes('tools/call');
	line.notify('notifications/progress', { progressToken: below.params._meta.progressToken, progress: 1 });
	assert.equal((await upper.client.takes('notifications/progress')).params.progressToken, 'p');
	upper.end();
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	await upper.exits(0);
});

for (const first of ['POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 46\r\n\r\n{"jsonrpc":"2.0","id":1,"method":"tools/list"}\n',
	'GET / HTTP/1.1\r\n\r\n', 'hello\n', '[1]\n', '{"id":1}\n'])
	check(`a first line that is no JSON-RPC closes the connection: ${JSON.stringify(first.slice(0, 15))}`, async (t) => {
		const { device, number } = await onTcp(t, ['--listen-tcp', '0']);
		const line = await device.ready();
		const known = line.messages.length;
		const page = await connectTo(t, number, { first });
		await page.closes();
		await sleep(50);
		assert.equal(line.messages.length, known);
		assert.deepEqual(page.messages.filter(({ result }) => result), []);
		assert.equal((await greet(await connectTo(t, number))).serverInfo.name, 'played', 'others are served');
	});

check('--clients: no more than so many at once', async (t) => {
	const { bridge, where, newClient } = await listening(t, { words: ['--clients', '2'] });
	const [first, second] = [await newClient(), await newClient()];
	const third = await connectTo(t, where);
	third.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 'i');
	await sleep(300);
	assert.deepEqual(third.answersTo('i').filter(({ result }) => result), []);
	assert.deepEqual([await first.result('ping'), await second.result('ping')], [{}, {}]);
	third.vanish();
	second.vanish();
	await bridge.says(/client 2: gone/);
	assert.equal((await greet(await connectTo(t, where))).serverInfo.name, 'played');
});

check('clients that come and go are logged by number', async (t) => {
	const { bridge, newClient } = await listening(t);
	const client = await newClient();
	await bridge.says(/^quash-bridge: info: client 1: connected$/m);
	client.hangUp();
	await bridge.says(/^quash-bridge: info: client 1: gone$/m);
});

check('a request of 2026-07-28 changes nothing of its client\'s legacy session', async (t) => {
	const { clients: [client], line } = await talking(t, 1);
	await client.result('resources/subscribe', { uri: 'x:1' });
	await client.result('logging/setLevel', { level: 'info' });
	for (const [method, params] of [['resources/unsubscribe', { uri: 'x:1' }], ['logging/setLevel', { level: 'error' }], ['resources/subscribe', { uri: 'x:2' }]])
		assert.equal((await client.error(method, { ...params, _meta: modernMeta })).code, -32601, method);
	await settled([client]);
	assert.deepEqual(line.messages.filter(({ method }) => /subscribe|setLevel/.test(method)).map(({ method, params }) => [method, params.uri ?? params.level]),
		[['resources/subscribe', 'x:1'], ['logging/setLevel', 'info']]);
});

check('a device that serves subscriptions without announcing them keeps them until the client does not want them', async (t) => {
	const initialize = ({ params }) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {}, resources: {} }, serverInfo: { name: 'played', version: '1' } });
	const { clients: [client], line } = await talking(t, 1, { device: { handlers: { initialize } } });
	assert.equal((await client.error('resources/unsubscribe', { uri: 'x:1' })).code, -32601);
	await client.result('resources/subscribe', { uri: 'x:1' });
	await client.result('resources/unsubscribe', { uri: 'x:1' });
	assert.equal((await line.takes('resources/unsubscribe')).params.uri, 'x:1');
});

/* --- Sessions */

check('each client has its session, the device one; with sockets all are announced', async (t) => {
	const { device, newClient } = await listening(t);
	const line = await device.ready();
	assert.deepEqual((await line.takes('initialize')).params.capabilities,
		{ sampling: { tools: {} }, elicitation: { form: {}, url: {} }, roots: {}, experimental: { 'quash/related': {} } });
	await newClient({ capabilities: { roots: {} } });
	const second = await newClient({ version: '2024-11-05' });
	assert.equal((await second.result('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo })).protocolVersion, '2025-11-25');
	assert.equal(line.all('initialize').length, 1);
});

check('with sockets a request of the device that names none of a client is answered -32601, and ping {}', async (t) => {
	const { device, newClient } = await listening(t);
	const client = await newClient({ capabilities: { roots: {} } });
	const line = await device.ready();
	line.ask('roots/list', {}, 'r');
	assert.equal((await line.answerTo('r')).error.code, -32601);
	for (const [i, named] of [7, 'r', -1, null, {}].entries()) {
		line.ask('roots/list', { _meta: { 'quash/request': named } }, `n${i}`);
		assert.equal((await line.answerTo(`n${i}`)).error.code, -32601);
	}
	line.ask('ping', undefined, 'p');
	assert.deepEqual((await line.answerTo('p')).result, {});
	assert.deepEqual(client.all('roots/list'), []);
});

/* --- What concerns all, or some */

const everybodys = 'notifications/prompts/list_changed';

check('levels: the device has the lowest that any client wants, each client its own', async (t) => {
	const { clients: [a, b], line } = await talking(t, 2);
	const levelOfDevice = (level) => until(`level ${level}`, () => line.all('logging/setLevel').at(-1)?.params.level === level);
	await a.result('logging/setLevel', { level: 'error' });
	await levelOfDevice('error');
	await b.result('logging/setLevel', { level: 'debug' });
	await levelOfDevice('debug');
	for (const level of ['debug', 'info', 'error', 'emergency']) line.notify('notifications/message', { level, data: level });
	line.notify(everybodys);
	await a.takes(everybodys);
	await b.takes(everybodys);
	const seenBy = (client) => client.all('notifications/message').map(({ params }) => params.level);
	assert.deepEqual(seenBy(a), ['error', 'emergency']);
	assert.deepEqual(seenBy(b), ['debug', 'info', 'error', 'emergency']);
	b.vanish();
	await levelOfDevice('error');
	await a.result('logging/setLevel', { level: 'warning' });
	await levelOfDevice('warning');
});

/* --- What belongs to a request: the device names it */

const modernMeta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientCapabilities': {} };
const wantsLogs = { ...modernMeta, 'io.modelcontextprotocol/logLevel': 'info' };
const of = ({ id }) => ({ 'quash/request': id });
const data = (client) => client.all('notifications/message').map(({ params }) => params);

/** What was sent before has come, or will never come. */
async function settled(clients) {
	for (const client of clients) await client.result('tools/list', { _meta: modernMeta });
}

check('what a request has caused reaches its client alone, and names no request', async (t) => {
	const { clients: [a, b], line } = await talking(t, 2);
	const belows = await calledBy([a, b], line);
	const [ofA, ofB] = belows.map(of);
	line.notify('notifications/message', { _meta: ofA, level: 'info', data: 1 });
	line.notify('notifications/message', { level: 'info', data: 2, _meta: { ...ofB, 'x.org/y': 3 } });
	line.notify('notifications/message', { _meta: { 'quash/request': 1 }, level: 'info', data: 4 });
	line.notify('notifications/message', { level: 'info', data: 5 });
	line.notify('x/part', { _meta: ofB, n: 6 });
	await settled([a, b]);
	assert.deepEqual(data(a), [{ level: 'info', data: 1 }, { level: 'info', data: 5 }]);
	assert.deepEqual(data(b), [{ level: 'info', data: 2, _meta: { 'x.org/y': 3 } }, { level: 'info', data: 5 }]);
	assert.deepEqual([a, b].map((client) => client.all('x/part').map(({ params }) => params)), [[], [{ n: 6 }]]);
});

check('progress that names its request as well has its own token alone', async (t) => {
	const { clients: [client], line } = await talking(t, 1);
	client.ask('tools/call', { name: 'work', _meta: { progressToken: 'p' } }, 'c');
	const below = await line.takes('tools/call');
	const { progressToken } = below.params._meta;
	line.notify('notifications/progress', { progressToken, progress: 1, _meta: of(below) });
	line.notify('notifications/progress', { progressToken, progress: 2, _meta: { ...of(below), 'x.org/y': 3 } });
	await settled([client]);
	assert.deepEqual(client.all('notifications/progress').map(({ params }) => params),
		[{ progressToken: 'p', progress: 1 }, { progressToken: 'p', progress: 2, _meta: { 'x.org/y': 3 } }]);
});

check('2026-07-28: nobody gets the log of another', async (t) => {
	const { device, where } = await listening(t);
	const [a, b] = [await connectTo(t, where), await connectTo(t, where)];
	const line = await device.ready();
	a.ask('tools/call', { name: 'work', _meta: wantsLogs }, 'c');
	const first = await line.takes('tools/call');
	assert.deepEqual(first.params._meta, { ...wantsLogs, 'quash/related': true });
	line.notify('notifications/message', { level: 'info', data: 'of whom else' });
	line.notify('notifications/message', { level: 'debug', data: 'not wanted' });
	await settled([a, b]);
	b.ask('tools/call', { name: 'work', _meta: { ...modernMeta, 'quash/related': false } }, 'c');
	const second = await line.takes('tools/call');
	assert.equal(second.params._meta['quash/related'], true);
	line.notify('notifications/message', { level: 'info', data: 'of whom' });
	line.notify('notifications/message', { _meta: of(first), level: 'info', data: 'of a' });
	line.notify('notifications/message', { _meta: of(second), level: 'info', data: 'of b' });
	await settled([a, b]);
	assert.deepEqual(data(a).map(({ data }) => data), ['of whom else', 'of a']);
	assert.deepEqual(data(b), [{ level: 'info', data: 'of b' }]);
});

check('a client of a session that makes a request of 2026-07-28 gets its log at the level of either', async (t) => {
	const { device, newClient } = await listening(t, { device: { handlers: { initialize: () => ({ protocolVersion: '2025-11-25',
		capabilities: { tools: {}, logging: {} }, serverInfo: { name: 'logs', version: '1' } }), 'logging/setLevel': () => ({}) } } });
	const client = await newClient();
	const line = await device.ready();
	await client.result('logging/setLevel', { level: 'error' });
	client.ask('tools/call', { name: 'work', _meta: wantsLogs }, 'c');
	const below = await line.takes('tools/call');
	line.notify('notifications/message', { _meta: of(below), level: 'info', data: 'its own' });
	line.notify('notifications/message', { _meta: of(below), level: 'debug', data: 'not wanted' });
	line.notify('notifications/message', { level: 'info', data: 'of the session, not wanted' });
	line.notify('notifications/message', { level: 'error', data: 'of the session' });
	await settled([client]);
	assert.deepEqual(data(client).map(({ data }) => data), ['its own', 'of the session']);
});

check('a client is asked for its own request, if it has announced that it can be', async (t) => {
	const { device, newClient } = await listening(t);
	const [a, b] = [await newClient({ capabilities: { elicitation: {}, sampling: {} } }), await newClient({ capabilities: { roots: {} } })];
	const line = await device.ready();
	const belows = await calledBy([a, b], line);
	const [ofA, ofB] = belows.map(of);
	line.ask('elicitation/create', { _meta: ofA, message: 'who?' }, 1);
	const asked = await a.takes('elicitation/create');
	assert.deepEqual(asked.params, { message: 'who?' });
	a.answer(asked, { action: 'decline' });
	assert.deepEqual((await line.answerTo(1)).result, { action: 'decline' });
	line.ask('roots/list', { _meta: { ...ofB, progressToken: 5 } }, 2);
	const roots = await b.takes('roots/list');
	assert.deepEqual(Object.keys(roots.params._meta), ['progressToken']);
	b.answer(roots, { roots: [] });
	assert.deepEqual((await line.answerTo(2)).result, { roots: [] });
	for (const [id, method, _meta] of [[3, 'elicitation/create', ofB], [4, 'roots/list', ofA], [5, 'sampling/createMessage', ofB]]) {
		line.ask(method, { _meta }, id);
		assert.equal((await line.answerTo(id)).error.code, -32601);
	}
	line.ask('sampling/createMessage', { _meta: ofA }, 6);
	assert.deepEqual((await a.takes('sampling/createMessage')).params, {});
	line.answer(belows[0], { content: [] });
	await a.answerTo('c');
	line.ask('elicitation/create', { _meta: ofA }, 7);
	assert.equal((await line.answerTo(7)).error.code, -32601, 'its request has ended');
});

check('a notification that names nobody reaches nobody, and is logged once for each name', async (t) => {
	const { bridge, device, clients: [a, b], line } = await talking(t, 2);
	for (const method of ['x/event', 'x/event', 'x/other', 'x/list_changed', 'x/event']) line.notify(method, { secret: 1 });
	line.notify(everybodys);
	for (const client of [a, b]) {
		await client.takes(everybodys);
		assert.deepEqual(client.messages.filter(({ method }) => method?.startsWith('x/')), []);
	}
	for (const name of ['x/event', 'x/other', 'x/list_changed'])
		assert.equal(bridge.stderr.split(`warning: device: ${name} names no client: dropped\n`).length, 2, bridge.stderr);
});

check('a notification with a progress token reaches whoever has asked with it, under its own token', async (t) => {
	const { clients: [a, b], line } = await talking(t, 2);
	const belows = await calledBy([a, b], line, { _meta: { progressToken: 'p' } });
	line.notify('x/part', { progressToken: belows[1].params._meta.progressToken, n: 1 });
	line.notify('x/part', { progressToken: 'p', n: 2 });
	line.notify(everybodys);
	for (const client of [a, b]) await client.takes(everybodys);
	assert.deepEqual([a, b].map((client) => client.all('x/part').map(({ params }) => params)), [[], [{ progressToken: 'p', n: 1 }]]);
});

check('jsonrpc: with several clients none gets the notifications of the device', async (t) => {
	const { bridge, device, newClient } = await listening(t, { protocol: 'jsonrpc' });
	const clients = [await newClient(), await newClient()];
	const line = await device.lineNumber(1);
	line.notify('tick', { n: 1 });
	await bridge.says(/warning: device: tick names no client: dropped/);
	for (const client of clients) {
		const id = client.ask('echo');
		line.answer(await line.takes('echo'), 1);
		assert.equal((await client.answerTo(id)).result, 1);
		assert.deepEqual(client.all('tick'), []);
	}
});

check('a lost line: every request of every client is answered once', async (t) => {
	const { device, bridge, clients, line } = await talking(t, 2);
	for (const client of clients) for (const id of [1, 2]) {
		client.ask('tools/call', { name: 'work' }, id);
		await line.takes('tools/call');
	}
	await device.unplug();
	for (const client of clients) for (const id of [1, 2]) assert.equal((await client.answerTo(id)).error.code, -32012);
	await bridge.says(/device: lost, 4 requests answered with Link lost/);
	await sleep(100);
	for (const client of clients) for (const id of [1, 2]) assert.equal(client.answersTo(id).length, 1);
});

check('a client that does not read does not hinder another', async (t) => {
	const { device, where, newClient } = await listening(t);
	const socket = connect(where);
	t.after(() => socket.destroy());
	const slow = new End(socket, socket);
	await greet(slow);
	const quick = await newClient();
	const line = await device.ready();
	socket.pause();
	for (let n = 0; n < 20; n++) slow.ask('x/big', {}, n);
	for (let n = 0; n < 20; n++) line.answer(await line.takes('x/big'), 'x'.repeat(1 << 17));
	const id = quick.ask('tools/list');
	assert.ok((await quick.answerTo(id)).result.tools);
	socket.resume();
	for (let n = 0; n < 20; n++) assert.equal((await slow.answerTo(n)).result.length, 1 << 17);
});

/* --- ACP and LSP */

check('ACP: sessions belong to the client that opened them', async (t) => {
	const { device, newClient } = await listening(t, { protocol: 'acp' });
	const [a, b] = [await newClient(), await newClient()];
	const version = { protocolVersion: 1, clientCapabilities: {} };
	assert.equal((await a.result('initialize', version)).agentInfo.name, 'played');
	assert.equal((await b.result('initialize', version)).agentInfo.name, 'played');
	const line = await device.lineNumber(1);
	assert.equal(line.all('initialize').length, 1, 'the first one is kept');
	for (const [client, sessionId] of [[a, 's1'], [b, 's2']]) {
		const id = client.ask('session/new', { cwd: '/', mcpServers: [] });
		line.answer(await line.takes('session/new'), { sessionId });
		assert.equal((await client.answerTo(id)).result.sessionId, sessionId);
	}
	const update = (sessionId) => line.notify('session/update', { sessionId, update: { of: sessionId } });
	update('s2');
	update('s1');
	assert.equal((await a.takes('session/update')).params.sessionId, 's1');
	assert.equal((await b.takes('session/update')).params.sessionId, 's2');
	for (const method of ['session/request_permission', 'fs/read_text_file', 'terminal/create']) {
		line.ask(method, { sessionId: 's2' }, method);
		b.answer(await b.takes(method), { by: 'b' });
		assert.equal((await line.answerTo(method)).result.by, 'b');
		line.ask(method, { sessionId: 's1' }, `${method} 1`);
		a.answer(await a.takes(method), { by: 'a' });
		assert.equal((await line.answerTo(`${method} 1`)).result.by, 'a');
	}
	assert.deepEqual([a, b].map((client) => client.all('session/update').length), [1, 1]);
	a.ask('session/prompt', { sessionId: 's1', prompt: [] }, 'p');
	const below = await line.takes('session/prompt');
	a.vanish();
	assert.equal((await line.takes('$/cancel_request')).params.requestId, below.id);
	line.ask('session/request_permission', { sessionId: 's1' }, 'late');
	assert.ok((await line.answerTo('late')).error, 'nobody is there to ask');
	assert.deepEqual(b.all('session/request_permission').length, 1);
});

check('LSP: an HTTP request is no client, though it has a Content-Length', async (t) => {
	const device = await Device.open(t, { protocol: 'lsp' });
	const bridge = Bridge.start(t, ['--protocol', 'lsp', '--listen-tcp', '0', '--unix', device.path]);
	const number = Number((await bridge.says(/listening on \S+:(\d+)$/m))[1]);
	const body = '{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}';
	for (const head of ['POST / HTTP/1.1\r\nHost: localhost\r\n', 'POST / HTTP/1.1\r\n']) {
		const page = await connectTo(t, number, { protocol: 'lsp', first: `${head}Content-Length: ${body.length}\r\n\r\n${body}` });
		await page.closes();
		assert.deepEqual(page.lines, []);
	}
	const editor = await connectTo(t, number, { protocol: 'lsp' });
	assert.equal((await editor.result('initialize', { capabilities: {} })).serverInfo.name, 'played');
	assert.equal((await device.lineNumber(1)).all('initialize').length, 1);
});

check('LSP: one client at a time', async (t) => {
	const { device, newClient, where } = await listening(t, { protocol: 'lsp' });
	const first = await newClient();
	await first.result('initialize', { processId: null, rootUri: null, capabilities: {} });
	const second = await connectTo(t, where, { protocol: 'lsp' });
	second.ask('initialize', { processId: null, rootUri: null, capabilities: {} });
	await sleep(300);
	assert.deepEqual(second.messages.filter(({ result }) => result), []);
	assert.equal((await device.lineNumber(1)).all('initialize').length, 1);
});
