/* SPDX-License-Identifier: MIT
 * quash-bridge and lists that do not end, or do not come: what has come is served, calls are answered, and the log says why. */

import assert from 'node:assert/strict';
import { Bridge, Device, check, greet } from './bridge-program.mjs';
import { until } from '../common/runner.mjs';

const members = { 'tools/list': 'tools', 'prompts/list': 'prompts', 'resources/list': 'resources', 'resources/templates/list': 'resourceTemplates' };
const item = (n) => ({ name: `n${n}`, uri: `u:${n}`, uriTemplate: `t:${n}/{x}`, inputSchema: { type: 'object' } });

/* What follows on the page number `n`, from 0: the cursor of the next one, and the item that stands on it. */
const endless = {
	'the same cursor': [() => 'again', () => 0, /its next cursor has come before/],
	'an empty cursor': [() => '', () => 0, /its next cursor is empty/],
	'cursors that cycle': [(n) => `c${n % 3}`, (n) => n % 3, /its next cursor has come before/],
	'cursors that count, with the same items': [(n) => `${n}`, () => 0, /it brings the same pages again/],
	'cursors that count, with nothing': [(n) => `${n}`, () => undefined, /it brings the same pages again/],
	'cursors that count, with other items': [(n) => `${n}`, (n) => n, /it has more than 1000 pages/],
};

/** A device whose list of this method does not end; `asked` counts its pages. */
async function withoutEnd(t, method, [cursor, named]) {
	const device = await Device.open(t, { handlers: { [method]: () => {
		const n = device.asked++;
		const name = named(n);
		return { [members[method]]: name === undefined ? [] : [item(name)], nextCursor: cursor(n) };
	}, 'tools/call': ({ params }) => ({ content: [], of: params.name }) } });
	device.asked = 0;
	return device;
}

for (const [what, how] of Object.entries(endless))
	check(`lists: tools with ${what}`, async (t) => {
		const device = await withoutEnd(t, 'tools/list', how);
		const bridge = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
		const { client } = bridge;
		await greet(client);
		await bridge.says(new RegExp(`^quash-bridge: warning: arm: tools/list does not end: ${how[2].source}; no more is asked for$`, 'm'));
		await until('what has come', async () => (await client.result('prompts/list')).prompts.length === 1);
		const names = (await client.result('tools/list')).tools.map(({ name }) => name);
		if (how[1](0) !== undefined) {
			assert.ok(names.includes('arm_n0'), `${names}`);
			assert.equal((await client.result('tools/call', { name: 'arm_n0' })).of, 'n0');
		}
		assert.match((await client.error('tools/call', { name: 'arm_no_such' })).message, /Unknown tool/);
		assert.ok(device.asked <= 1000, `${device.asked} pages`);
		const { asked } = device;
		await client.result('tools/list');
		assert.equal(device.asked, asked, 'it is not asked on');
	});

for (const method of Object.keys(members).slice(1))
	check(`lists: ${method} without end`, async (t) => {
		const device = await withoutEnd(t, method, endless['cursors that cycle']);
		const bridge = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
		await greet(bridge.client);
		await bridge.says(new RegExp(`^quash-bridge: warning: arm: ${method} does not end: `, 'm'));
		await until('what has come', async () => (await bridge.client.result(method))[members[method]].length === 3);
		assert.equal((await bridge.client.result('tools/call', { name: 'arm_work' })).of, 'work');
	});

check('lists: whoever says again and again that his list is another is in the log once', async (t) => {
	const device = await withoutEnd(t, 'tools/list', endless['the same cursor']);
	const bridge = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
	await greet(bridge.client);
	await bridge.says(/does not end/);
	for (let i = 0; i < 5; i++) {
		const { asked } = device;
		device.line.notify('notifications/tools/list_changed');
		await until('the list to be asked for', () => device.asked > asked);
	}
	await bridge.client.result('tools/list');
	assert.equal(bridge.stderr.match(/does not end/g).length, 1);
});

/* A device that is asked as fast as it answers is asked more often than the client sends pings. */
check('lists: whoever says with each list that it has changed is asked once a second, and is in the log once', async (t) => {
	let asked = 0;
	const device = await Device.open(t, { handlers: { 'tools/list': (message, line) => {
		asked++;
		line.answer(message, { tools: [item(0)] });
		line.notify('notifications/tools/list_changed');
	} } });
	const bridge = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
	const { client } = bridge;
	await greet(client);
	await bridge.says(/^quash-bridge: warning: arm: says again and again that its lists change; they are asked for once a second$/m);
	const before = asked, since = performance.now();
	for (let i = 0; i < 200; i++) await client.result('ping');
	assert.equal((await client.result('tools/list')).tools.length, 2);
	assert.ok(asked - before <= 2 + (performance.now() - since) / 1000, `${asked - before} times`);
	await until('it to be asked again', () => asked > before);
	assert.equal(bridge.stderr.match(/again and again/g).length, 1);
});

check('lists: one of more than 10000 items is cut', async (t) => {
	const tools = Array.from({ length: 10001 }, (_, n) => item(n));
	const device = await Device.open(t, { handlers: { 'tools/list': () => ({ tools }) } });
	const bridge = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
	await greet(bridge.client);
	await bridge.says(/^quash-bridge: warning: arm: tools\/list does not end: it has more than 10000 items, or 8 MiB; no more is asked for$/m);
	await until('the list', async () => (await bridge.client.result('tools/list')).tools.length === 10001); /* with `devices` */
});

check('lists: one that goes on is served meanwhile', async (t) => {
	const device = await Device.open(t, { handlers: {
		'tools/list': ({ params }) => (params?.cursor ? undefined : { tools: [item(0)], nextCursor: 'more' }),
		'tools/call': ({ params }) => ({ content: [], of: params.name }) } });
	const { client } = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
	await greet(client);
	assert.equal((await client.result('tools/call', { name: 'arm_n0' })).of, 'n0');
});

check('lists: one that never comes is named, and so is what it lacks', async (t) => {
	const device = await Device.open(t, { handlers: { 'tools/list': () => undefined } });
	const bridge = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
	const { client } = bridge;
	await greet(client);
	assert.deepEqual(await client.error('tools/call', { name: 'arm_work' }),
		{ code: -32603, message: 'arm has not answered tools/list with its tools, so they are not known' });
	await bridge.says(/^quash-bridge: warning: arm: has not answered tools\/list in 10 s; asked again every 5 s$/m);
	await until('the prompts', async () => (await client.result('prompts/list')).prompts.length === 1);
});

check('lists: one that is refused is named, and asked for again', async (t) => {
	let well = false;
	const device = await Device.open(t, { handlers: { 'tools/list': (message, line) => {
		if (well) return { tools: [item(0)] };
		well = true;
		line.refuse(message, -32010, 'Busy');
	} } });
	const bridge = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
	await greet(bridge.client);
	await bridge.says(/^quash-bridge: warning: arm: refuses tools\/list: \{"code":-32010,"message":"Busy"\}; asked again every 5 s$/m);
	await until('the tools', async () => (await bridge.client.result('tools/list')).tools.length === 2);
});

check('lists: one that is refused is asked for again, also while nobody asks', async (t) => {
	let asked = 0;
	const device = await Device.open(t, { handlers: { 'tools/list': (message, line) => {
		asked++;
		line.refuse(message, -32603, 'Internal error');
	} } });
	await greet(Bridge.start(t, ['--device', `arm=unix:${device.path}`]).client);
	await until('it to be asked again', () => asked > 1);
});

check('lists: an answer without a list is named', async (t) => {
	const device = await Device.open(t, { handlers: { 'tools/list': () => ({ items: [] }) } });
	const bridge = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
	await greet(bridge.client);
	await bridge.says(/^quash-bridge: warning: arm: answers tools\/list without tools$/m);
});

check('lists: one device alone, over HTTP: a list without end', async (t) => {
	const device = await withoutEnd(t, 'tools/list', endless['the same cursor']);
	const bridge = Bridge.start(t, ['--listen-http', '127.0.0.1:0', '--unix', device.path]);
	await bridge.says(/^quash-bridge: warning: device: tools\/list does not end: /m);
	await bridge.says(/ready/);
	assert.ok(device.asked <= 2);
});
