/* SPDX-License-Identifier: MIT
 * quash-bridge and a line that comes and goes: it waits, answers what is lost, and makes the session anew. */

import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { Bridge, Device, cable, check, clientInfo, folderFor, greet, joined, toolsNamed } from './bridge-program.mjs';
import { scripted } from './inspect-program.mjs';
import { sleep, until } from '../common/runner.mjs';

const linkLost = { code: -32012, message: 'Link lost' };

/* --- At the start */

check('waits for the device at the start, and so do requests', async (t) => {
	const device = await Device.open(t, { plugged: false });
	const bridge = Bridge.start(t, ['--unix', device.path]);
	const { client } = bridge;
	await bridge.says(new RegExp(`^quash-bridge: info: device: waiting for ${device.path}\\b`, 'm'));
	client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 'i');
	client.ask('tools/list', {}, 'l');
	await sleep(300);
	assert.deepEqual(client.messages, []);
	await device.plug();
	assert.equal((await client.answerTo('i')).result.serverInfo.name, 'played');
	assert.equal((await client.answerTo('l')).result.tools[0].name, 'work');
	assert.ok(bridge.stderr.includes(`quash-bridge: info: device: connected (${device.path})\n`), bridge.stderr);
	assert.ok(bridge.stderr.includes('quash-bridge: info: device: ready: played 3.1\n'), bridge.stderr);
	assert.equal(bridge.stderr.match(/waiting for/g).length, 1, 'logged once');
});

check('a request is cancelled while it waits for the device: the device never sees it', async (t) => {
	const device = await Device.open(t, { plugged: false });
	const { client } = Bridge.start(t, ['--unix', device.path]);
	client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 'i');
	client.ask('tools/call', { name: 'never' }, 'c');
	client.notify('notifications/cancelled', { requestId: 'c' });
	await sleep(100);
	await device.plug();
	await client.answerTo('i');
	await client.result('tools/list');
	assert.deepEqual((await device.lineNumber(1)).all('tools/call'), []);
	assert.deepEqual(client.answersTo('c'), []);
});

check('a serial device that is plugged in later is found', async (t) => {
	const { link, plug } = await cable(t, { plugged: false });
	const bridge = Bridge.start(t, ['--tty', link]);
	await bridge.says(/device: waiting for /);
	await plug();
	assert.equal((await greet(bridge.client)).serverInfo.name, 'quash-toolbox');
	await bridge.says(/device: ready: quash-toolbox \d/);
}, { needs: ['tty'] });

/* --- Loss */

check('a lost line: each open request is answered once, later ones at once', async (t) => {
	const { device, bridge, client, line } = await joined(t);
	for (const id of ['a', 'b', 3]) client.ask('tools/call', { name: 'work' }, id);
	for (let i = 0; i < 3; i++) await line.takes('tools/call');
	await device.unplug();
	for (const id of ['a', 'b', 3]) assert.deepEqual((await client.answerTo(id)).error, linkLost);
	await bridge.says(/^quash-bridge: \w+: device: lost, 3 requests answered with Link lost$/m);
	assert.deepEqual(await client.error('tools/list'), linkLost);
	await device.plug();
	await device.ready(2);
	assert.equal((await until('an answer again', async () => {
		const { result } = await client.answerTo(client.ask('tools/list'));
		return result;
	})).tools[0].name, 'work');
	for (const id of ['a', 'b', 3]) assert.equal(client.answersTo(id).length, 1, 'exactly once');
});

check('a line that is lost while nothing is open is logged', async (t) => {
	const { device, bridge } = await joined(t);
	await device.unplug();
	await bridge.says(/^quash-bridge: \w+: device: lost/m);
	await sleep(100);
	assert.equal(bridge.ended, null);
});

check('the session is made anew: initialize, level, subscriptions', async (t) => {
	const { device, client, line } = await joined(t, { capabilities: { roots: {} } });
	await client.result('logging/setLevel', { level: 'warning' });
	for (const uri of ['x:1', 'x:2', 'x:3']) await client.result('resources/subscribe', { uri });
	await client.result('resources/unsubscribe', { uri: 'x:2' });
	assert.deepEqual(line.all('resources/subscribe').map(({ params }) => params.uri), ['x:1', 'x:2', 'x:3']);
	await device.unplug();
	await device.plug();
	const anew = await device.ready(2);
	assert.deepEqual((await anew.takes('initialize')).params.capabilities, { roots: {} });
	assert.equal((await anew.takes('logging/setLevel')).params.level, 'warning');
	const again = [await anew.takes('resources/subscribe'), await anew.takes('resources/subscribe')];
	assert.deepEqual(again.map(({ params }) => params.uri).sort(), ['x:1', 'x:3']);
	anew.notify('notifications/resources/updated', { uri: 'x:3' });
	assert.equal((await client.takes('notifications/resources/updated')).params.uri, 'x:3');
	assert.equal(anew.messages[0].method, 'initialize');
	const ids = [...line.messages, ...anew.messages].map(({ id }) => id).filter((id) => id !== undefined);
	assert.equal(new Set(ids).size, ids.length, 'no id of the old session comes again');
});

const lists = {
	tools: ['tools/list', () => toolsNamed('work', 'rest')],
	prompts: ['prompts/list', () => ({ prompts: [] })],
	resources: ['resources/list', () => ({ resources: [{ uri: 'file:///other', name: 'o' }] })],
};

async function replugged(t, changes) {
	const all = await joined(t);
	const { device, client } = all;
	for (const [method] of Object.values(lists)) await client.result(method);
	await device.unplug();
	Object.assign(device.handlers, changes);
	await device.plug();
	await device.ready(2);
	return all;
}

for (const [name, [method, handler]] of Object.entries(lists))
	check(`${name} that differ after a loss are announced, and nothing else`, async (t) => {
		const { client } = await replugged(t, { [method]: handler });
		await client.takes(`notifications/${name}/list_changed`);
		await sleep(200);
		assert.deepEqual(client.messages.filter((message) => message.method?.endsWith('list_changed')).length, 1);
		assert.deepEqual((await client.result(method))[name], handler()[name]);
	});

check('lists that are the same after a loss are not announced', async (t) => {
	const { client } = await replugged(t, {});
	await sleep(400);
	assert.deepEqual(client.messages.filter((message) => message.method?.endsWith('list_changed')), []);
});

check('lists in pages are compared as a whole', async (t) => {
	const page = (names, nextCursor) => ({ ...toolsNamed(...names), ...(nextCursor && { nextCursor }) });
	const handler = (last) => ({ params }) => (params?.cursor ? page([last]) : page(['first'], 'second'));
	const { device, client } = await joined(t, { device: { handlers: { 'tools/list': handler('last') } } });
	const { nextCursor: cursor } = await client.result('tools/list');
	assert.equal((await client.result('tools/list', { cursor })).tools[0].name, 'last');
	await device.unplug();
	device.handlers['tools/list'] = handler('other');
	await device.plug();
	await client.takes('notifications/tools/list_changed');
});

check('a half message at the loss is not joined with what comes later', async (t) => {
	const { device, client, line } = await joined(t);
	line.sendBytes('{"jsonrpc":"2.0","method":"x/half","params":[');
	await sleep(50);
	await device.unplug();
	await device.plug();
	const anew = await device.ready(2);
	anew.notify('x/whole', { n: 1 });
	assert.deepEqual((await client.takes('x/whole')).params, { n: 1 });
	assert.deepEqual(client.all('x/half'), []);
});

check('reconnects with growing pauses', async (t) => {
	const path = join(folderFor(t), 'closing');
	const times = [];
	const server = createServer((socket) => { times.push(performance.now()); socket.on('error', () => {}).destroy(); });
	t.after(() => new Promise((resolve) => server.close(resolve)));
	await new Promise((resolve) => server.listen(path, resolve));
	Bridge.start(t, ['--unix', path]);
	await until('six connections', () => times.length >= 6);
	const gaps = times.slice(1).map((time, i) => time - times[i]);
	assert.ok(gaps.every((gap) => gap > 40), `${gaps}`);
	assert.ok(gaps[4] > 600, `they grow: ${gaps}`);
});

check('a cable is pulled and plugged in: the same board goes on', async (t) => {
	const { link, plug, unplug } = await cable(t);
	const { client } = Bridge.start(t, ['--tty', link]);
	await greet(client);
	const id = client.ask('tools/call', { name: 'slow', arguments: { ms: 60000 } });
	await sleep(50);
	await unplug();
	assert.deepEqual((await client.answerTo(id)).error, linkLost);
	await plug();
	const { stepper_stops: stops } = await until('the board', async () => {
		const { result } = await client.answerTo(client.ask('tools/call', { name: 'stats', arguments: {} }));
		return result && JSON.parse(result.content[0].text);
	});
	assert.equal(stops, 0);
}, { needs: ['tty'] });

check('a motor whose cable is pulled stops by its lease or by the new session', async (t) => {
	const { link, plug, unplug } = await cable(t);
	const { client } = Bridge.start(t, ['--tty', link]);
	await greet(client);
	const id = client.ask('tools/call', { name: 'stepper', arguments: { steps: 100000 }, _meta: { progressToken: 1 } });
	await client.takes('notifications/progress');
	await unplug();
	assert.deepEqual((await client.answerTo(id)).error, linkLost);
	await plug();
	const stats = () => until('the board', async () => {
		const { result } = await client.answerTo(client.ask('tools/call', { name: 'stats', arguments: {} }));
		return result && JSON.parse(result.content[0].text);
	});
	const first = await stats();
	assert.equal(first.stepper_stops, 1);
	await sleep(150);
	assert.equal((await stats()).stepper_position, first.stepper_position, 'it stands');
}, { needs: ['tty'] });

/* --- Commands */

check('a program behind -- is started again', async (t) => {
	const { client } = Bridge.start(t, ['--', ...scripted('dying')]);
	await greet(client);
	assert.deepEqual(await client.error('tools/call', { name: 'work' }), linkLost);
	await until('the tools again', async () => (await client.answerTo(client.ask('tools/list'))).result?.tools);
});

for (const command of [['false'], ['/no/such/program'], ['sh', '-c', 'sleep 0.1; exit 3']])
	check(`a program that never becomes ready: exit 1: ${command.join(' ')}`, async (t) => {
		const bridge = Bridge.start(t, ['--', ...command]);
		await bridge.exits(1);
		assert.match(bridge.stderr, /^quash-bridge: error: /m);
	});

check('LSP: a lost device ends it with 1', async (t) => {
	const { device, bridge, client, line } = await joined(t, { protocol: 'lsp' });
	await client.result('initialize', { processId: null, rootUri: null, capabilities: {} });
	client.ask('x/long', {}, 'l');
	await line.takes('x/long');
	await device.unplug();
	await bridge.exits(1);
	assert.deepEqual(client.answersTo('l').map(({ error }) => error), [linkLost]);
});

check('ACP: initialize is made to the device again, and sessions of before are gone', async (t) => {
	const { device, client, line } = await joined(t, { protocol: 'acp' });
	const clientCapabilities = { fs: { readTextFile: true } };
	await client.result('initialize', { protocolVersion: 1, clientCapabilities });
	assert.deepEqual((await line.takes('initialize')).params.clientCapabilities, clientCapabilities);
	client.ask('session/prompt', { sessionId: 's', prompt: [] }, 'p');
	await line.takes('session/prompt');
	await device.unplug();
	assert.deepEqual((await client.answerTo('p')).error, linkLost);
	await device.plug();
	const anew = await device.lineNumber(2);
	assert.deepEqual((await anew.takes('initialize')).params.clientCapabilities, clientCapabilities);
});

/* --- A device that restarts behind a line that stays, as a board with a USB adapter does */

const noInitialize = 'No initialize. Missing _meta io.modelcontextprotocol/protocolVersion';
const leased = (ms, more) => ({ device: { handlers: { initialize: ({ params }) => ({ protocolVersion: params.protocolVersion,
	capabilities: { tools: {}, experimental: { 'quash/lifeSign': { ms } } }, serverInfo: { name: 'leased', version: '1' } }), ...more } } });
const deny = (message, line) => { line.refuse(message, -32602, noInitialize); };

/* It knows of no session until it was greeted again. */
function restart(device) {
	const { initialize, ...others } = device.handlers;
	const denying = Object.fromEntries(['tools/list', 'tools/call', 'prompts/list', 'resources/list'].map((method) => [method, deny]));
	Object.assign(device.handlers, denying, { initialize: (message, line) => {
		Object.assign(device.handlers, { 'tools/call': undefined }, others, { initialize });
		return initialize(message, line);
	} });
}

check('a device that restarts while it works: Link lost within the lease, and its session anew on the same line', async (t) => {
	const lease = 300;
	const { device, bridge, client, line } = await joined(t, leased(lease));
	for (const id of ['a', 'b']) client.ask('tools/call', { name: 'work' }, id);
	for (let i = 0; i < 2; i++) await line.takes('tools/call');
	const before = line.all('initialize').length;
	restart(device);
	for (const id of ['a', 'b']) assert.deepEqual((await client.answerTo(id)).error, linkLost);
	await bridge.says(/^quash-bridge: warning: device: restarted, 2 requests answered with Link lost$/m);
	await until('initialize', () => line.all('initialize').length === before + 1);
	await until('a session', async () => 'result' in await client.answerTo(client.ask('tools/list')));
	client.ask('tools/call', { name: 'work' }, 'c');
	line.answer(await line.takes('tools/call'), { content: [] });
	assert.deepEqual((await client.answerTo('c')).result, { content: [] });
	assert.deepEqual([device.connected, client.answersTo('a').length, client.answersTo('b').length], [1, 1, 1]);
});

check('a device that has restarted while nothing was open: the next request finds it out', async (t) => {
	const { device, bridge, client, line } = await joined(t, leased(60000));
	restart(device);
	assert.deepEqual(await client.error('tools/call', { name: 'work' }), linkLost);
	await bridge.says(/^quash-bridge: warning: device: restarted, 1 request answered with Link lost$/m);
	assert.equal((await until('a session', async () => (await client.answerTo(client.ask('tools/list'))).result)).tools[0].name, 'work');
	assert.equal(line.all('initialize').length, 2);
	assert.equal(device.connected, 1);
});

check('a device that works in silence and answers nothing meanwhile keeps its request', async (t) => {
	const lease = 200;
	const { device, client, line } = await joined(t, leased(lease));
	client.ask('tools/call', { name: 'work' }, 'a');
	const call = await line.takes('tools/call');
	device.handlers['tools/list'] = () => undefined;
	await until('it was asked twice', () => line.all('tools/list').filter(({ params }) => params?.cursor === '?').length >= 2);
	line.answer(call, { content: [], structuredContent: { error: { code: -32602, message: noInitialize } } });
	assert.equal((await client.answerTo('a')).result.structuredContent.error.message, noInitialize);
});

check('a device that says how far it is, or has no lease, is not asked', async (t) => {
	const lease = 1500;
	for (const [options, talks] of [[leased(lease), true], [{}, false]]) {
		const { client, line } = await joined(t, options);
		client.ask('tools/call', { name: 'work', _meta: { progressToken: 'p' } }, 'a');
		const call = await line.takes('tools/call');
		for (let i = 0; i < 5; i++) {
			await sleep(lease / 3);
			if (talks) line.notify('notifications/progress', { progressToken: call.params._meta.progressToken, progress: i + 1 });
		}
		assert.deepEqual(line.all('tools/list').filter(({ params }) => params?.cursor === '?'), []);
		line.answer(call, { content: [] });
		await client.answerTo('a');
	}
});

/* --- The lock */

check('a serial device that another program has: waits, names it, exit 3', async (t) => {
	const { link } = await cable(t);
	const first = Bridge.start(t, ['--tty', link]);
	await greet(first.client);
	const second = Bridge.start(t, ['--tty', link, '--wait', '300ms']);
	second.stopped = performance.now();
	const ms = await second.exits(3);
	assert.ok(ms > 280, `${ms} ms`);
	assert.match(second.stderr, new RegExp(`^quash-bridge: error: ${link} is in use by quash-bridge \\(${first.pid}\\)$`, 'm'));
	assert.deepEqual(await first.client.result('ping'), {}, 'the first is not disturbed');
}, { needs: ['tty', 'linux'] });

check('--wait takes seconds, and the device when it is free', async (t) => {
	const { link } = await cable(t);
	const first = Bridge.start(t, ['--tty', link]);
	await greet(first.client);
	const second = Bridge.start(t, ['--tty', link, '--wait', '60']);
	await sleep(300);
	assert.equal(second.ended, null);
	await first.endsByInput();
	assert.equal((await greet(second.client)).serverInfo.name, 'quash-toolbox');
}, { needs: ['tty'] });
