/* SPDX-License-Identifier: MIT
 * quash-bridge between one client and one device: whose session it is, and what passes. */

import assert from 'node:assert/strict';
import { Bridge, Device, check, clientInfo, connectTo, greet, joined, listening } from './bridge-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { sleep } from '../common/runner.mjs';

/* --- Whose session it is */

for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
	check(`answers initialize in ${version}, whatever the device speaks`, async (t) => {
		const { bridge, line } = await joined(t, { version });
		assert.equal(bridge.greeting.protocolVersion, version);
		assert.equal(line.all('initialize').length, 1, 'the device was greeted once');
	});

check('answers an unknown version with 2025-11-25', async (t) => {
	const { bridge } = await joined(t, { version: '1999-01-01' });
	assert.equal(bridge.greeting.protocolVersion, '2025-11-25');
});

const announced = {
	tools: { listChanged: true }, logging: {}, completions: {},
	experimental: { 'quash/lifeSign': { ms: 900 }, other: { a: 1 } },
};
const serverInfo = { name: 'motor "7"', title: 'Motor', version: '1.2' };

check('gives the client what the device has announced, but for the life sign', async (t) => {
	const { bridge } = await joined(t, { device: { handlers: { initialize: () => ({
		protocolVersion: '2025-06-18', capabilities: announced, serverInfo, instructions: 'Mind the motor.' }) } } });
	assert.deepEqual(bridge.greeting, { protocolVersion: '2025-11-25', serverInfo, instructions: 'Mind the motor.',
		capabilities: { ...announced, experimental: { other: { a: 1 } } } });
	await bridge.says(/^quash-bridge: info: device: ready: motor "7" 1\.2$/m);
});

check('announces the capabilities of its one client to the device', async (t) => {
	const { line } = await joined(t, { capabilities: { roots: { listChanged: true }, elicitation: {} } });
	const { params } = line.all('initialize')[0];
	assert.deepEqual(params.capabilities, { roots: { listChanged: true }, elicitation: {} });
	assert.equal(params.protocolVersion, '2025-11-25');
});

check('a second initialize begins a session anew: what was live is stopped in silence, and the device keeps its session', async (t) => {
	const { client, line } = await joined(t);
	const work = client.ask('tools/call', { name: 'work' });
	const below = await line.takes('tools/call');
	const { protocolVersion } = await client.result('initialize', { protocolVersion: '2024-11-05', capabilities: {}, clientInfo });
	assert.equal(protocolVersion, '2024-11-05');
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	line.answer(below, {});
	assert.deepEqual((await client.result('tools/list')).tools.map(({ name }) => name), ['work']);
	assert.deepEqual(client.answersTo(work), []);
	assert.equal(line.all('initialize').length, 1);
});

check('requests in the same write as initialize come behind the session of the device', async (t) => {
	const device = await Device.open(t);
	const { client } = Bridge.start(t, ['--unix', device.path]);
	client.send({ id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo } },
		{ method: 'notifications/initialized' }, { id: 2, method: 'tools/call', params: { name: 'work' } });
	assert.equal((await client.answerTo(1)).result.serverInfo.name, 'played');
	const line = await device.lineNumber(1);
	line.answer(await line.takes('tools/call'), { content: [] });
	assert.deepEqual((await client.answerTo(2)).result, { content: [] });
	const methods = line.messages.map(({ method }) => method);
	assert.ok(methods.indexOf('notifications/initialized') < methods.indexOf('tools/call'), methods.join());
	assert.equal(methods[0], 'initialize');
});

check('answers ping itself, or has it answered', async (t) => {
	const { client } = await joined(t);
	assert.deepEqual(await client.result('ping'), {});
});

/* --- Ids */

check('ids of the line begin at random and are its own', async (t) => {
	const [one, two] = await Promise.all([joined(t), joined(t)]);
	const first = ({ line }) => line.messages.find(({ id }) => id !== undefined).id;
	assert.notEqual(first(one), first(two));
	assert.ok(Number.isSafeInteger(first(one)) && first(one) > 99, `a number that no one guesses: ${first(one)}`);
	for (const id of [1, 'one', '1', 2 ** 53 - 1, -7]) {
		one.client.ask('tools/call', { name: 'work' }, id);
		const below = await one.line.takes('tools/call');
		assert.notEqual(below.id, id);
		one.line.answer(below, { content: [], id });
		assert.deepEqual((await one.client.answerTo(id)).result, { content: [], id });
	}
	const ids = one.line.messages.map(({ id }) => id).filter((id) => id !== undefined);
	assert.equal(new Set(ids).size, ids.length, 'none twice');
});

check('the cancel of the client has the id of the line', async (t) => {
	const { client, line } = await joined(t);
	client.ask('tools/call', { name: 'work' }, 'mine');
	const below = await line.takes('tools/call');
	client.notify('notifications/cancelled', { requestId: 'mine', reason: 'enough' });
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	line.answer(below, { content: [] });
	assert.deepEqual(await client.result('ping'), {});
	assert.deepEqual(client.answersTo('mine'), [], 'a cancelled request has no answer');
});

check('a progress token is exchanged, and progress comes with that of the client', async (t) => {
	const { client, line } = await joined(t);
	for (const token of ['theirs', 7]) {
		const id = client.ask('tools/call', { name: 'work', _meta: { progressToken: token, more: 1 } });
		const below = await line.takes('tools/call');
		assert.notEqual(below.params._meta.progressToken, token);
		assert.ok(JSON.stringify(below.params._meta.progressToken).length <= 8, 'small devices have little room for it');
		assert.equal(below.params._meta.more, 1);
		line.notify('notifications/progress', { progressToken: below.params._meta.progressToken, progress: 1, total: 2, message: 'half' });
		line.answer(below, { content: [] });
		assert.deepEqual((await client.takes('notifications/progress')).params, { progressToken: token, progress: 1, total: 2, message: 'half' });
		await client.answerTo(id);
	}
	line.notify('notifications/progress', { progressToken: 'unknown', progress: 1 });
	await client.getsNo('notifications/progress');
});

/* --- What it does not know is handed on */

check('methods and notifications that it does not know pass as they are', async (t) => {
	const { client, line } = await joined(t);
	const params = { a: [1, 1.50, 'ä\u0001'], b: { c: null } };
	client.ask('x/unknown', params, 'x');
	const below = await line.takes('x/unknown');
	assert.deepEqual(below.params, params);
	line.send({ id: below.id, error: { code: 17, message: 'never', data: [1] } });
	assert.deepEqual((await client.answerTo('x')).error, { code: 17, message: 'never', data: [1] });
	client.notify('x/note', { n: 1 });
	assert.deepEqual((await line.takes('x/note')).params, { n: 1 });
	client.notify('x/bare');
	assert.deepEqual((await line.takes('x/bare')).params ?? {}, {}, 'no params, or none in them');
	line.notify('x/event', [1, 2]);
	assert.deepEqual((await client.takes('x/event')).params, [1, 2]);
});

for (const protocol of ['mcp', 'lsp'])
	check(`${protocol}: a request that waits for a place keeps its kind, whatever comes behind it under the same name`, async (t) => {
		const { client, line } = await joined(t, { protocol: protocol === 'mcp' ? undefined : protocol });
		const places = 200;
		const fill = Array.from({ length: places }, (_, n) => ({ id: `fill ${n}`, method: 'x/fill' }));
		client.send(...fill, { id: 'kept', method: 'x/both', params: { n: 1 } }, { method: 'x/both', params: { n: 2 } });
		const taken = [];
		while (taken.length < (protocol === 'mcp' ? 8 : places - 4)) taken.push(await line.takes('x/fill')); /* nothing is answered before others wait */
		for (const below of taken) line.answer(below, null);
		for (let n = taken.length; n < places; n++) line.answer(await line.takes('x/fill'), null);
		const both = [await line.takes('x/both'), await line.takes('x/both')].sort((one, other) => one.params.n - other.params.n);
		assert.deepEqual(both.map(({ id, params }) => [id !== undefined, params.n]), [[true, 1], [false, 2]]);
		line.answer(both[0], 'kept');
		assert.equal((await client.answerTo('kept')).result, 'kept');
	});

check('a name may be that of a request and of a notification, one after the other', async (t) => {
	const { client, line } = await joined(t);
	for (let n = 0; n < 3; n++) {
		client.ask('x/both', { n }, n);
		const below = await line.takes('x/both');
		assert.deepEqual(below.params, { n });
		line.answer(below, n);
		assert.equal((await client.answerTo(n)).result, n);
		client.notify('x/both', { n });
		const note = await line.takes('x/both');
		assert.deepEqual([note.id, note.params], [undefined, { n }]);
	}
});

check('an answer may be long', async (t) => {
	const { client, line } = await joined(t);
	const text = 'x'.repeat(1 << 20);
	client.ask('x/big', { text }, 'big');
	const below = await line.takes('x/big');
	assert.equal(below.params.text, text);
	line.answer(below, { text });
	assert.equal((await client.answerTo('big')).result.text, text);
});

check('what the device asks reaches the client and is answered, with ids of each hop', async (t) => {
	const { client, line } = await joined(t, { capabilities: { roots: {} } });
	line.ask('roots/list', undefined, 'of the device');
	const asked = await client.takes('roots/list');
	assert.notEqual(asked.id, 'of the device');
	client.answer(asked, { roots: [] });
	assert.deepEqual((await line.answerTo('of the device')).result, { roots: [] });
	line.ask('x/ask', { deep: { er: 1 } }, 5);
	const unknown = await client.takes('x/ask');
	assert.deepEqual(unknown.params, { deep: { er: 1 } });
	client.refuse(unknown, -32601, 'Method not found');
	assert.equal((await line.answerTo(5)).error.code, -32601);
});

check('what the device takes back is taken back above', async (t) => {
	const { client, line } = await joined(t, { capabilities: { elicitation: {} } });
	line.ask('elicitation/create', { message: 'Sure?' }, 'e');
	const asked = await client.takes('elicitation/create');
	line.notify('notifications/cancelled', { requestId: 'e' });
	assert.equal((await client.takes('notifications/cancelled')).params.requestId, asked.id);
});

check('the device may ping', async (t) => {
	const { line } = await joined(t);
	line.ask('ping', undefined, 'p');
	assert.deepEqual((await line.answerTo('p')).result, {});
});

for (const [more, shown] of [[{}, {}], [{ other: { a: 1 } }, { experimental: { other: { a: 1 } } }]])
	check(`server/discover: what is announced to the bridge stays there, beside ${JSON.stringify(more)}`, async (t) => {
		const { client, line } = await joined(t, { device: { handlers: { 'server/discover': undefined } } });
		const announced = { 'quash/lifeSign': { ms: 900 }, ...more, 'quash/longest': { move: 5000 } };
		client.ask('server/discover', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }, 'd');
		line.answer(await line.takes('server/discover'), { capabilities: { tools: {}, experimental: announced }, serverInfo });
		assert.deepEqual((await client.answerTo('d')).result, { capabilities: { tools: {}, ...shown }, serverInfo });
	});

check('modern requests pass as they are', async (t) => {
	const device = await Device.open(t, { handlers: { 'server/discover': undefined } });
	const { client } = Bridge.start(t, ['--unix', device.path]);
	const _meta = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28', 'io.modelcontextprotocol/clientInfo': clientInfo,
		'io.modelcontextprotocol/clientCapabilities': {} };
	client.ask('server/discover', { _meta }, 'd');
	const line = await device.lineNumber(1);
	const below = await line.takes('server/discover');
	assert.deepEqual(below.params, { _meta });
	line.answer(below, { supportedVersions: ['2026-07-28'], capabilities: {}, serverInfo });
	assert.deepEqual((await client.answerTo('d')).result, { supportedVersions: ['2026-07-28'], capabilities: {}, serverInfo });
	client.ask('tools/call', { name: 'work', arguments: { n: 1 }, _meta: { ..._meta, progressToken: 3 } }, 'c');
	const call = await line.takes('tools/call');
	const { progressToken, ...others } = call.params._meta;
	assert.deepEqual(others, _meta);
	assert.notEqual(progressToken, 3);
	line.answer(call, { content: [] });
	await client.answerTo('c');
});

check('subscriptions/listen goes through with its id exchanged', async (t) => {
	const { client, line } = await joined(t);
	client.ask('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'listening');
	const below = await line.takes('subscriptions/listen');
	const named = (id) => ({ _meta: { 'io.modelcontextprotocol/subscriptionId': id } });
	line.notify('notifications/subscriptions/acknowledged', { notifications: { toolsListChanged: true }, ...named(below.id) });
	line.notify('notifications/tools/list_changed', named(below.id));
	assert.deepEqual((await client.takes('notifications/subscriptions/acknowledged')).params._meta, named('listening')._meta);
	assert.deepEqual((await client.takes('notifications/tools/list_changed')).params, named('listening'));
	line.answer(below, { resultType: 'complete', ...named(below.id) });
	assert.deepEqual((await client.answerTo('listening')).result, { resultType: 'complete', ...named('listening') });
});

check('subscriptions/listen is cancelled as any request', async (t) => {
	const { client, line } = await joined(t);
	client.ask('subscriptions/listen', { notifications: { toolsListChanged: true } }, 'listening');
	const below = await line.takes('subscriptions/listen');
	client.notify('notifications/cancelled', { requestId: 'listening' });
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
});

/* --- Protocols without a session of the bridge's own */

const cancelOf = { jsonrpc: ['$/cancel_request', 'requestId'], acp: ['$/cancel_request', 'requestId'], lsp: ['$/cancelRequest', 'id'] };

for (const protocol of ['jsonrpc', 'lsp'])
	check(`the testee's methods pass, and are cancelled, in ${protocol}`, async (t) => {
		const bridge = Bridge.start(t, ['--protocol', protocol, '--', hostProgram('testee'), '--dialect', protocol], { protocol });
		const { client } = bridge;
		assert.deepEqual(await client.result('echo', { n: 1.50, s: 'ä' }, 'e'), { n: 1.5, s: 'ä' });
		assert.equal((await client.error('fail', { code: 5, message: 'five' })).code, 5);
		assert.equal((await client.error('no/such')).code, -32601);
		assert.equal(await client.result('big', { bytes: 200000 }), 'x'.repeat(200000));
		assert.deepEqual(await client.result('notify', { count: 3 }), { count: 3 });
		assert.deepEqual(client.all('tick').map(({ params }) => params.n), [1, 2, 3]);
		client.ask('call', { method: 'x/y', params: [9] }, 'c');
		const asked = await client.takes('x/y');
		assert.deepEqual(asked.params, [9]);
		client.answer(asked, 'yes');
		assert.deepEqual((await client.answerTo('c')).result, { result: 'yes' });
		client.ask('wait', {}, 'w');
		await sleep(50);
		client.notify(cancelOf[protocol][0], { [cancelOf[protocol][1]]: 'w' });
		assert.equal((await client.answerTo('w')).error.code, -32800);
		const stats = await client.result('stats');
		assert.equal(Object.values(stats).includes(1), true, 'one of its counters has counted the cancel');
		await bridge.endsByInput();
	});

check('a batch of JSON-RPC 2.0 is answered by a batch', async (t) => {
	const { client } = Bridge.start(t, ['--protocol', 'jsonrpc', '--', hostProgram('testee'), '--dialect', 'jsonrpc']);
	const echo = (id) => ({ jsonrpc: '2.0', id, method: 'echo', params: [id] });
	client.sendBytes(`${JSON.stringify([echo(1), { jsonrpc: '2.0', method: 'x/note' }, echo('two')])}\n`);
	const answers = await client.take('the batch', Array.isArray);
	assert.deepEqual(answers.map(({ id, result }) => [id, result]), [[1, [1]], ['two', ['two']]]);
});

check('methods that ACP does not know pass, and are cancelled', async (t) => {
	const { client, line } = await joined(t, { protocol: 'acp' });
	await client.result('initialize', { protocolVersion: 1 });
	client.ask('x/long', { n: 1 }, 'l');
	const below = await line.takes('x/long');
	client.notify('$/cancel_request', { requestId: 'l' });
	assert.equal((await line.takes('$/cancel_request')).params.requestId, below.id);
	line.refuse(below, -32800, 'Request cancelled');
	assert.equal((await client.answerTo('l')).error.code, -32800);
	assert.equal(client.answersTo('l').length, 1);
});

for (const protocol of ['mcp', 'acp'])
	check(`a stop that is heard with an id and without passes both ways while it is live, in ${protocol}`, async (t) => {
		const { client, line } = await joined(t, { protocol });
		if (protocol === 'acp') await client.result('initialize', { protocolVersion: 1 });
		for (const [from, to] of [[client, line], [line, client]]) {
			const id = from.ask('x/stop', { n: 1 });
			const below = await to.takes('x/stop');
			from.notify('x/stop', { n: 2 });
			assert.deepEqual((await to.take('the second stop', ({ method, params }) => method === 'x/stop' && params.n === 2)).id, undefined);
			to.answer(below, { n: 1 });
			assert.deepEqual((await from.answerTo(id)).result, { n: 1 });
		}
	});

check('LSP is handed on as it is', async (t) => {
	const bridge = Bridge.start(t, ['--protocol', 'lsp', '--', hostProgram('langserver')], { protocol: 'lsp' });
	const { client } = bridge;
	assert.equal((await client.error('test/echo', { a: 1 })).code, -32002);
	assert.equal((await client.result('initialize', { processId: null, rootUri: null, capabilities: {} })).serverInfo.name, 'quash-langserver');
	client.notify('initialized', {});
	assert.deepEqual(await client.result('test/echo', { a: 1 }), { a: 1 });
	client.ask('test/slow', { ms: 5000 }, 's');
	await sleep(50);
	client.notify('$/cancelRequest', { id: 's' });
	assert.equal((await client.answerTo('s')).error.code, -32800);
	assert.equal(await client.result('shutdown'), null);
});

check('an ACP prompt that is cancelled ends with stopReason', async (t) => {
	const bridge = Bridge.start(t, ['--protocol', 'acp', '--', hostProgram('agent')]);
	const { client } = bridge;
	assert.equal((await client.result('initialize', { protocolVersion: 1, clientCapabilities: {} })).agentInfo.name, 'quash-agent');
	const { sessionId } = await client.result('session/new', { cwd: '/', mcpServers: [] });
	for (const stop of [() => client.notify('session/cancel', { sessionId }), (id) => client.notify('$/cancel_request', { requestId: id })]) {
		const id = client.ask('session/prompt', { sessionId, prompt: [{ type: 'text', text: 'slow' }] });
		await client.takes('session/update');
		stop(id);
		assert.deepEqual((await client.answerTo(id)).result, { stopReason: 'cancelled' });
	}
	await bridge.endsByInput();
});

/* --- Noise */

check('noise of the device is logged and never handed on', async (t) => {
	const { bridge, client, line } = await joined(t);
	line.sendBytes('ets Jun  8 2016 00:22:57\r\n\r\nrst:0x1 (POWERON_RESET)\r\n\x1b[0;32mI (31) boot\x1b[0m\n{"half":\n[1,2\n42\n{"no":"rpc"}\n');
	assert.deepEqual(await client.result('tools/list').then(({ tools }) => tools.length), 1);
	await bridge.says(/^quash-bridge: \w+: device: noise: "ets Jun  8 2016 00:22:57"$/m);
	assert.doesNotMatch(bridge.stderr, /[\x00-\x09\x0b-\x1f\x7f]/, 'nothing of it can steer a terminal');
	assert.deepEqual(client.messages.filter(({ id, method }) => !id && !method), []);
	assert.equal(client.lines.length, client.messages.length, 'messages only');
});

check('a message behind a banner on the same line is found', async (t) => {
	const { client, line } = await joined(t);
	client.ask('tools/call', { name: 'work' }, 'w');
	const { id } = await line.takes('tools/call');
	line.sendBytes(`ESP-ROM:esp32c3 {boot} ${JSON.stringify({ jsonrpc: '2.0', id, result: { content: [] } })}\n`);
	assert.deepEqual((await client.answerTo('w')).result, { content: [] });
});

check('much noise makes few lines, and short ones', async (t) => {
	const { bridge, client, line } = await joined(t);
	client.ask('x/ask', {}, 'behind');
	const below = await line.takes('x/ask');
	line.sendBytes(`${'y'.repeat(100000)}\n${'boot loop\n'.repeat(20000)}`);
	line.answer(below, null);
	await client.answerTo('behind');
	const noise = bridge.stderr.split('\n').filter((text) => text.includes('noise'));
	assert.ok(noise.length >= 1 && noise.length < 100, `${noise.length} lines`);
	assert.ok(Math.max(...noise.map(({ length }) => length)) < 500);
});

check('noise while the session is opened does no harm', async (t) => {
	const device = await Device.open(t, { handlers: { initialize: (message, line) => {
		line.sendBytes('rst:0x1\n\u0000\u0001\n');
		line.sendBytes(`I (3) ${JSON.stringify({ jsonrpc: '2.0', id: message.id, result: {
			protocolVersion: '2025-11-25', capabilities: {}, serverInfo } })}\n`);
	} } });
	const { client } = Bridge.start(t, ['--unix', device.path]);
	assert.deepEqual((await greet(client)).serverInfo, serverInfo);
});

check('a message behind noise is found however it begins, also the first one', async (t) => {
	const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo };
	const text = JSON.stringify(result);
	for (const say of [(id) => `x{"id":${id},"jsonrpc":"2.0","result":${text}}`, (id) => `{boot} {{ "jsonrpc" : "2.0", "id":${id},"result":${text}}`,
		(id) => `{"jsonrpc":"2.0","id":7,"res{"result":${text},"id":${id},"jsonrpc":"2.0"}`]) {
		const device = await Device.open(t, { name: `device-${say(0).length}`, handlers: { initialize: ({ id }, line) => line.sendBytes(`${say(id)}\n`) } });
		const { client } = Bridge.start(t, ['--unix', device.path]);
		assert.deepEqual((await greet(client)).serverInfo, serverInfo);
	}
});

/* A client and a device that both begin with it; the client greets itself. */
async function marked(client, device) {
	const mark = Buffer.from([0xef, 0xbb, 0xbf]);
	(await device.lineNumber(1)).sendBytes(mark);
	client.sendBytes(Buffer.concat([mark, client.framed({ id: 1, method: 'initialize',
		params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } })]));
	assert.equal((await client.answerTo(1)).result.serverInfo.name, 'played');
}

for (const protocol of ['mcp', 'lsp'])
	check(`a byte order mark in front of the first message is passed over, in ${protocol}`, async (t) => {
		const device = await Device.open(t, { protocol });
		const bridge = Bridge.start(t, ['--protocol', protocol, '--unix', device.path], { protocol });
		await marked(bridge.client, device);
	});

check('a byte order mark in front of the first message on a socket is passed over', async (t) => {
	const { device, where } = await listening(t);
	await marked(await connectTo(t, where), device);
});

check('what is no JSON from the client is answered, and the next request is served', async (t) => {
	const { client } = await joined(t);
	client.sendBytes('nonsense\n{"jsonrpc":"2.0","id":3\n');
	await client.take('an error without an id', ({ error }) => error?.code === -32700);
	assert.deepEqual(await client.result('ping'), {});
});
