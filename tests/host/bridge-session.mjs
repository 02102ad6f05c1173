/* SPDX-License-Identifier: MIT
 * quash-bridge between one client and one device: whose session it is, and what passes. */

import assert from 'node:assert/strict';
import { Bridge, Device, check, clientInfo, joined } from './bridge-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { sleep } from '../common/runner.mjs';

/* --- Whose session it is */

for (const version of ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])
	check(`answers initialize in ${version}, whatever the device speaks`, async (t) => {
		const { bridge, line } = await joined(t, { version });
		assert.equal(bridge.greeting.protocolVersion, version);
		assert.equal(line.all('initialize').length, 1, 'the device was greeted once');
	});

const announced = {
	tools: { listChanged: true }, logging: {}, completions: {},
	experimental: { 'quash/lifeSign': { ms: 900 }, other: { a: 1 } },
};
const serverInfo = { name: 'motor "7"', title: 'Motor', version: '1.2' };

check('announces the capabilities of its one client to the device', async (t) => {
	const { line } = await joined(t, { capabilities: { roots: { listChanged: true }, elicitation: {} } });
	const { params } = line.all('initialize')[0];
	assert.deepEqual(params.capabilities, { roots: { listChanged: true }, elicitation: {} });
	assert.equal(params.protocolVersion, '2025-11-25');
});

check('answers ping itself, or has it answered', async (t) => {
	const { client } = await joined(t);
	assert.deepEqual(await client.result('ping'), {});
});

/* --- What it does not know is handed on */

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

for (const [more, shown] of [[{}, {}], [{ other: { a: 1 } }, { experimental: { other: { a: 1 } } }]])
	check(`server/discover: what is announced to the bridge stays there, beside ${JSON.stringify(more)}`, async (t) => {
		const { client, line } = await joined(t, { device: { handlers: { 'server/discover': undefined } } });
		const announced = { 'quash/lifeSign': { ms: 900 }, ...more, 'quash/longest': { move: 5000 } };
		client.ask('server/discover', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' } }, 'd');
		line.answer(await line.takes('server/discover'), { capabilities: { tools: {}, experimental: announced }, serverInfo });
		assert.deepEqual((await client.answerTo('d')).result, { capabilities: { tools: {}, ...shown }, serverInfo });
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
