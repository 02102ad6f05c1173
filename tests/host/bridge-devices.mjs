/* SPDX-License-Identifier: MIT
 * quash-bridge with several devices: whose tool is called, whose call is cancelled, who is there. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Bridge, Device, cable, check, connectTo, folderFor, greet, toolsNamed } from './bridge-program.mjs';
import { hostProgram } from '../common/program.mjs';
import { until } from '../common/runner.mjs';

const toolbox = hostProgram('toolbox');

/** Devices by their names, a bridge to all of them, its client. `hows` are those of Device.open. */
async function several(t, hows, words = []) {
	const devices = {};
	for (const [name, how] of Object.entries(hows)) devices[name] = await Device.open(t, how);
	const options = Object.entries(devices).flatMap(([name, { path }]) => ['--device', `${name}=unix:${path}`]);
	const bridge = Bridge.start(t, [...words, ...options]);
	return { devices, bridge, client: bridge.client, greeting: await greet(bridge.client) };
}

const serves = (...names) => ({ handlers: { 'tools/list': () => toolsNamed(...names) } });
const away = { plugged: false };

const namesOf = async (client) => (await client.result('tools/list')).tools.map(({ name }) => name).sort();
const listIs = (client, ...names) => until(`the tools ${names}`, async () => `${await namesOf(client)}` === `${names.sort()}`);
const listOf = async (client) => (await client.result('tools/call', { name: 'devices', arguments: {} })).structuredContent.devices;

check('the tools of each device have its name in front', async (t) => {
	const { client, devices, greeting } = await several(t, { a: serves('work', 'rest'), b: serves('work') });
	assert.match(greeting.serverInfo.name, /quash-bridge/);
	await listIs(client, 'a_rest', 'a_work', 'b_work', 'devices');
	for (const name of ['a', 'b']) {
		const id = client.ask('tools/call', { name: `${name}_work`, arguments: { of: name } });
		const below = await devices[name].line.takes('tools/call');
		assert.deepEqual([below.params.name, below.params.arguments], ['work', { of: name }]);
		devices[name].line.answer(below, { content: [], by: name });
		assert.equal((await client.answerTo(id)).result.by, name);
	}
	assert.deepEqual(devices.a.line.all('tools/call').length, 1);
});

/* For a device that may still come a list waits 1,500 ms. What is asked with it ends sooner, by the same clock. */
check('a device that refuses initialize holds up no list, and no server/discover', async (t) => {
	const refuses = { handlers: { initialize: (message, line) => { line.refuse(message, -32603, 'config: word_size 32, needs 46'); } } };
	const { bridge, client } = await several(t, { a: serves('work'), b: refuses }, ['--timeout', '700']);
	await bridge.says(/b: refuses initialize: /);
	await listIs(client, 'a_work', 'devices');
	assert.deepEqual((await listOf(client)).map(({ state }) => state), ['ready', 'refusing']);
	client.send({ id: 'list', method: 'tools/list' }, { id: 'call', method: 'tools/call', params: { name: 'a_work' } });
	await client.answerTo('call');
	assert.deepEqual(client.messages.map(({ id }) => id).filter((id) => ['list', 'call'].includes(id)), ['list', 'call']);
	assert.equal((await client.error('server/discover', { _meta: { 'io.modelcontextprotocol/protocolVersion': '2026-07-28',
		'io.modelcontextprotocol/clientCapabilities': {} } })).code, -32601);
});

check('schemas, titles and annotations come through', async (t) => {
	const tool = { name: 'work', title: 'Work', description: 'Works.', inputSchema: { type: 'object', properties: { n: { type: 'integer' } } },
		outputSchema: { type: 'object' }, annotations: { destructiveHint: true }, _meta: { x: 1 } };
	const { client } = await several(t, { a: { handlers: { 'tools/list': () => ({ tools: [tool] }) } }, b: {} });
	await listIs(client, 'a_work', 'b_work', 'devices');
	const { tools } = await client.result('tools/list');
	assert.deepEqual(tools.find(({ name }) => name === 'a_work'), { ...tool, name: 'a_work' });
});

check('characters that clients do not accept become _', async (t) => {
	const { client, devices } = await several(t, { a: serves('do it/now', 'grün'), b: {} });
	await until('the tools of a', async () => (await namesOf(client)).some((name) => name.startsWith('a_')));
	const names = (await namesOf(client)).filter((name) => name.startsWith('a_'));
	assert.equal(names.length, 2);
	for (const name of names) assert.match(name, /^[A-Za-z0-9_-]+$/);
	client.ask('tools/call', { name: names.find((name) => /^a_do_it_now_[0-9a-f]{8}$/.test(name)) });
	assert.equal((await devices.a.line.takes('tools/call')).params.name, 'do it/now');
});

check('all pages of all devices are listed', async (t) => {
	const paged = { handlers: { 'tools/list': ({ params }) =>
		(params?.cursor ? toolsNamed('last') : { ...toolsNamed('first'), nextCursor: 'more' }) } };
	const { client } = await several(t, { a: paged, b: paged });
	await until('all', async () => {
		const names = [];
		for (let cursor; ;) {
			const { tools, nextCursor } = await client.result('tools/list', cursor ? { cursor } : {});
			names.push(...tools.map(({ name }) => name));
			if (!nextCursor) return `${names.sort()}` === 'a_first,a_last,b_first,b_last,devices';
			cursor = nextCursor;
		}
	});
});

check('progress of two devices comes with the token of its call', async (t) => {
	const { client, devices } = await several(t, { a: {}, b: {} });
	await listIs(client, 'a_work', 'b_work', 'devices');
	for (const name of ['a', 'b']) {
		client.ask('tools/call', { name: `${name}_work`, _meta: { progressToken: `of ${name}` } }, name);
		const { params } = await devices[name].line.takes('tools/call');
		devices[name].line.notify('notifications/progress', { progressToken: params._meta.progressToken, progress: 1 });
		assert.equal((await client.takes('notifications/progress')).params.progressToken, `of ${name}`);
	}
});

check('the tool `devices` shows who is there', async (t) => {
	const { client, devices } = await several(t, { arm: serves('work', 'rest'), camera: away });
	await listIs(client, 'arm_rest', 'arm_work', 'devices');
	const list = await listOf(client);
	assert.deepEqual(list.find(({ name }) => name === 'arm'),
		{ name: 'arm', state: 'ready', line: devices.arm.path, server: 'played', version: '3.1', tools: 2 });
	const camera = list.find(({ name }) => name === 'camera');
	assert.equal(camera.line, devices.camera.path);
	assert.ok(['waiting', 'connecting'].includes(camera.state), camera.state);
	const { tools } = await client.result('tools/list');
	assert.equal(tools.find(({ name }) => name === 'devices').inputSchema.type, 'object');
});

check('a call of a device that never came is answered', async (t) => {
	const { client } = await several(t, { a: {}, b: away });
	await listIs(client, 'a_work', 'devices');
	assert.deepEqual(await client.error('tools/call', { name: 'b_work' }), { code: -32012, message: 'Link lost' });
});

check('a program that does not start ends nothing of the others', async (t) => {
	const device = await Device.open(t);
	const bridge = Bridge.start(t, ['--device', 'gone=exec:/no/such/program', '--device', 'ends=exec:false', '--device', `a=unix:${device.path}`]);
	const { client } = bridge;
	await greet(client);
	await listIs(client, 'a_work', 'devices');
	await bridge.says(/never became ready: No such file or directory$/m);
	await bridge.says(/^quash-bridge: error: false never became ready: exited with 1$/m);
	const trouble = Object.fromEntries((await listOf(client)).map(({ name, trouble: words }) => [name, words]));
	assert.deepEqual(trouble, { gone: '/no/such/program never became ready: No such file or directory', ends: 'false never became ready: exited with 1', a: undefined });
	assert.equal((await client.error('tools/call', { name: 'ends_work' })).code, -32012);
});

check('a device that another program has locked ends nothing of the others', async (t) => {
	const { link } = await cable(t);
	const holder = Bridge.start(t, ['--tty', link]);
	await greet(holder.client);
	const device = await Device.open(t);
	const { client } = Bridge.start(t, ['--wait', '1ms', '--device', `held=tty:${link}`, '--device', `a=unix:${device.path}`]);
	await greet(client);
	const call = client.ask('tools/call', { name: 'a_work' }), below = await (await device.ready()).takes('tools/call');
	await until('it to be tried again', async () => /in use by quash-bridge/.test((await listOf(client)).find(({ name }) => name === 'held').trouble));
	assert.equal((await client.error('tools/call', { name: 'held_work' })).code, -32012);
	device.line.answer(below, { content: [] });
	assert.deepEqual((await client.answerTo(call)).result, { content: [] });
}, { needs: ['tty', 'linux'] });

check('a device that is not there at the start does not hold the others up', async (t) => {
	const { client, devices } = await several(t, { a: {}, b: away });
	await listIs(client, 'a_work', 'devices');
	await devices.b.plug();
	await listIs(client, 'a_work', 'b_work', 'devices');
	await until('list_changed', () => client.all('notifications/tools/list_changed').length);
});

check('resources are NAME+uri, with . for _', async (t) => {
	const { client, devices } = await several(t, { a: {}, my_b: {} });
	const uris = () => client.result('resources/list').then(({ resources }) => resources.map(({ uri }) => uri).sort());
	await until('both', async () => `${await uris()}` === 'a+file:///log,my.b+file:///log');
	const id = client.ask('resources/read', { uri: 'my.b+file:///log' });
	const below = await devices.my_b.line.takes('resources/read');
	assert.equal(below.params.uri, 'file:///log');
	devices.my_b.line.answer(below, { contents: [{ uri: 'file:///log', text: 'hot' }] });
	assert.deepEqual((await client.answerTo(id)).result.contents, [{ uri: 'my.b+file:///log', text: 'hot' }]);
	await client.result('resources/subscribe', { uri: 'a+file:///log' });
	assert.equal((await devices.a.line.takes('resources/subscribe')).params.uri, 'file:///log');
	devices.a.line.notify('notifications/resources/updated', { uri: 'file:///log' });
	assert.equal((await client.takes('notifications/resources/updated')).params.uri, 'a+file:///log');
});

check('templates, links in results and references of completions are those of their device', async (t) => {
	const uri = 'file:///log';
	const handlers = {
		initialize: () => ({ protocolVersion: '2025-11-25', capabilities: { tools: {}, prompts: {}, resources: {}, completions: {} }, serverInfo: { name: 'p', version: '1' } }),
		'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'room://{n}', name: 'room' }] }),
		'completion/complete': ({ params }) => ({ completion: { values: [params.ref.name ?? params.ref.uri] } }),
		'tools/call': () => ({ content: [{ type: 'resource_link', uri, name: 'log' }, { type: 'resource', resource: { uri, text: 'hot' } }] }),
	};
	const { client } = await several(t, { a: { handlers }, b: { handlers } });
	await listIs(client, 'a_work', 'b_work', 'devices');
	const { resourceTemplates } = await client.result('resources/templates/list');
	assert.deepEqual(resourceTemplates.map(({ uriTemplate }) => uriTemplate).sort(), ['a+room://{n}', 'b+room://{n}']);
	const complete = async (ref) => (await client.result('completion/complete', { ref, argument: { name: 'x', value: '' } })).completion.values;
	assert.deepEqual(await complete({ type: 'ref/prompt', name: 'b_plan' }), ['plan']);
	assert.deepEqual(await complete({ type: 'ref/resource', uri: 'a+room://{n}' }), ['room://{n}']);
	const { content } = await client.result('tools/call', { name: 'b_work' });
	assert.deepEqual([content[0].uri, content[1].resource.uri], [`b+${uri}`, `b+${uri}`]);
});

check('life signs go to the device that is at work', async (t) => {
	const handlers = { initialize: () => ({ protocolVersion: '2025-11-25',
		capabilities: { tools: {}, experimental: { 'quash/lifeSign': { ms: 300 } } }, serverInfo: { name: 'p', version: '1' } }) };
	const { client, devices } = await several(t, { a: { handlers }, b: { handlers } });
	await listIs(client, 'a_work', 'b_work', 'devices');
	const signs = ({ line }) => line.lines.filter(({ text }) => text === '').length;
	await until('the lists to be read', async () => (await listOf(client)).every(({ state }) => state === 'ready'));
	const before = signs(devices.a);
	client.ask('tools/call', { name: 'b_work' });
	await devices.b.line.takes('tools/call');
	const known = signs(devices.b);
	await until('life signs', () => signs(devices.b) >= known + 3);
	assert.equal(signs(devices.a), before);
});

check('several clients of several devices', async (t) => {
	const devices = { a: await Device.open(t), b: await Device.open(t) };
	const where = join(folderFor(t), 'clients');
	const bridge = Bridge.start(t, ['--listen-unix', where, '--device', `a=unix:${devices.a.path}`, '--device', `b=unix:${devices.b.path}`]);
	await bridge.says(/b: ready/);
	const clients = [await connectTo(t, where), await connectTo(t, where)];
	for (const client of clients) await greet(client);
	await listIs(clients[0], 'a_work', 'b_work', 'devices');
	const belows = [];
	for (const [i, client] of clients.entries()) {
		client.ask('tools/call', { name: 'b_work', arguments: { i } }, 1);
		belows.push(await devices.b.line.takes('tools/call'));
	}
	clients[0].vanish();
	assert.equal((await devices.b.line.takes('notifications/cancelled')).params.requestId, belows[0].id);
	devices.b.line.answer(belows[1], { content: [], of: 1 });
	assert.equal((await clients[1].answerTo(1)).result.of, 1);
});

check('prompts are NAME_prompt', async (t) => {
	const { client, devices } = await several(t, { a: {}, b: {} });
	await until('both', async () => `${(await client.result('prompts/list')).prompts.map(({ name }) => name).sort()}` === 'a_plan,b_plan');
	const id = client.ask('prompts/get', { name: 'b_plan', arguments: { x: 'y' } });
	const below = await devices.b.line.takes('prompts/get');
	assert.deepEqual(below.params, { name: 'plan', arguments: { x: 'y' } });
	devices.b.line.answer(below, { messages: [] });
	assert.deepEqual((await client.answerTo(id)).result, { messages: [] });
});

check('levels go to every device', async (t) => {
	const { client, devices } = await several(t, { a: {}, b: {} });
	await listIs(client, 'a_work', 'b_work', 'devices');
	await client.result('logging/setLevel', { level: 'notice' });
	for (const { line } of Object.values(devices)) assert.equal((await line.takes('logging/setLevel')).params.level, 'notice');
	devices.b.line.notify('notifications/message', { level: 'error', data: 'hot' });
	assert.equal((await client.takes('notifications/message')).params.data, 'hot');
});

check('devices of all kinds together', async (t) => {
	const { link } = await cable(t);
	const played = await Device.open(t);
	const bridge = Bridge.start(t, ['--device', `wired=tty:${link},115200`, '--device', `run=exec:${toolbox} --slots 3`,
		'--device', `sock=unix:${played.path}`]);
	const { client } = bridge;
	await greet(client);
	const own = ['echo', 'led', 'slow', 'stats', 'stepper'];
	await until('all tools', async () => {
		const names = await namesOf(client);
		return [...own.map((name) => `run_${name}`), ...own.map((name) => `wired_${name}`), 'sock_work'].every((name) => names.includes(name));
	});
	assert.equal((await client.result('tools/call', { name: 'wired_led', arguments: { on: true } })).content[0].text, 'on');
	assert.deepEqual((await listOf(client)).map(({ name, state }) => [name, state]), [['wired', 'ready'], ['run', 'ready'], ['sock', 'ready']]);
	await bridge.endsByInput();
}, { needs: ['tty'] });

check('the end cancels on every device', async (t) => {
	const { client, devices, bridge } = await several(t, { a: {}, b: {} });
	await listIs(client, 'a_work', 'b_work', 'devices');
	for (const name of ['a', 'b']) client.ask('tools/call', { name: `${name}_work` });
	const belows = [await devices.a.line.takes('tools/call'), await devices.b.line.takes('tools/call')];
	const lines = [devices.a.line, devices.b.line];
	bridge.end();
	for (const [i, line] of lines.entries())
		assert.equal((await line.takes('notifications/cancelled')).params.requestId, belows[i].id);
	await bridge.exits(0);
});

/* --- Refused at the start */

const unix = 'unix:/no/such';
const refused = {
	'the same name twice': ['--device', `a=${unix}`, '--device', `a=${unix}`],
	'a name that would hide another': ['--device', `a=${unix}`, '--device', `a_b=${unix}`],
	'a name that begins with a digit': ['--device', `1a=${unix}`],
	'an empty name': ['--device', `=${unix}`],
	'a name with a blank': ['--device', `a b=${unix}`],
	'no such kind': ['--device', 'a=usb:/dev/x'],
	'no kind': ['--device', 'a'],
	'a device beside them': ['--device', `a=${unix}`, '--unix', '/no/such'],
	'a command beside them': ['--device', `a=${unix}`, '--', 'true'],
	'ACP': ['--protocol', 'acp', '--device', `a=${unix}`],
	'LSP': ['--protocol', 'lsp', '--device', `a=${unix}`],
	'25 of them': Array.from({ length: 25 }, (_, i) => ['--device', `d${i}x=${unix}`]).flat(),
};

for (const [what, words] of Object.entries(refused))
	check(`devices: ${what}: exit 2`, async (t) => {
		const bridge = Bridge.start(t, words);
		await bridge.exits(2);
		assert.match(bridge.stderr, /^quash-bridge: [^\n]+\n/);
		assert.deepEqual(bridge.client.lines, []);
	});

check('devices: 24 of them', async (t) => {
	const bridge = Bridge.start(t, Array.from({ length: 24 }, (_, i) => ['--device', `d${i}x=${unix}`]).flat());
	await greet(bridge.client);
	assert.equal((await listOf(bridge.client)).length, 24);
	await bridge.endsByInput();
});
