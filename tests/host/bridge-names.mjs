/* SPDX-License-Identifier: MIT
 * quash-bridge with several devices: a name that clients see is one tool's alone, the same at each start. */

import assert from 'node:assert/strict';
import { Bridge, Device, check, greet, toolsNamed } from './bridge-program.mjs';
import { until } from '../common/runner.mjs';

const long = 'w'.repeat(300);

/* What becomes the same if characters are replaced, or what is too long is cut. */
const alike = {
	'replaced characters': ['gripper.open', 'gripper_open', 'gripper open', 'gripper/open'],
	'what is cut': [`${long}.left`, `${long}.right`, long, long.slice(0, 62), long.slice(0, 63)],
	'characters of equal length': ['größe', 'grüße', '夾子', '夾板', '\u{1f9be}', '____'],
	'an empty one': ['', '_', ' '],
};

/** A device that lists these tools and prompts, in this order, one on each page. */
const serves = (names) => {
	const page = (member, { params }) => {
		const at = Number(params?.cursor ?? 0);
		const next = at + 1 < names.length ? { nextCursor: `${at + 1}` } : {};
		return { [member]: [{ name: names[at], inputSchema: { type: 'object' } }], ...next };
	};
	return { 'tools/list': (message) => page('tools', message), 'prompts/list': (message) => page('prompts', message),
		'tools/call': ({ params }) => ({ content: [{ type: 'text', text: params.name }] }),
		'prompts/get': ({ params }) => ({ messages: [], description: params.name }),
		'completion/complete': ({ params }) => ({ completion: { values: [params.ref.name] } }) };
};

const listed = async (client, what) => (await client.result(`${what}/list`))[what].map(({ name }) => name).filter((name) => name !== 'devices');

/** A bridge whose device `arm` serves these names. Gives [shown, own] of each tool, by calls. */
async function shown(t, names) {
	const device = await Device.open(t, { handlers: serves(names) });
	const bridge = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
	const { client } = bridge;
	await greet(client);
	await until('the tools', async () => (await listed(client, 'tools')).length > 0);
	const pairs = [];
	for (const name of await listed(client, 'tools')) {
		const { content: [{ text }] } = await client.result('tools/call', { name, arguments: {} });
		pairs.push([name, text]);
	}
	return { bridge, client, pairs };
}

for (const [what, names] of Object.entries(alike))
	check(`names: ${what}: each runs its own tool, in whatever order they are listed`, async (t) => {
		const { bridge, client, pairs } = await shown(t, names);
		assert.deepEqual(pairs.map(([, own]) => own).sort(), [...names].sort(), 'each tool is called by one name');
		assert.equal(new Set(pairs.map(([name]) => name)).size, names.length, `${pairs.map(([name]) => name)}`);
		for (const [name] of pairs) assert.match(name, /^arm_[A-Za-z0-9_-]{0,60}$/);
		const again = await shown(t, [...names].reverse());
		assert.deepEqual(again.pairs.sort(), pairs.sort());
		const changed = pairs.filter(([name, own]) => name !== `arm_${own}`);
		assert.equal(bridge.stderr.match(/^quash-bridge: info: arm: the tool "[^\n]*" is shown as arm_/gm)?.length ?? 0, changed.length);
		for (const [name] of changed) assert.ok(bridge.stderr.includes(` is shown as ${name}\n`), name);
		for (const [name, own] of pairs) {
			assert.equal((await client.result('prompts/get', { name })).description, own);
			assert.deepEqual((await client.result('completion/complete', { ref: { type: 'ref/prompt', name }, argument: { name: 'x', value: '' } })).completion.values, [own]);
		}
	});

check('names: what is called like a changed name is another tool', async (t) => {
	const [[first]] = (await shown(t, ['gripper.open'])).pairs;
	const second = first.slice('arm_'.length);
	const { pairs } = await shown(t, ['gripper.open', second]);
	assert.deepEqual(pairs.map(([, own]) => own), ['gripper.open', second]);
	assert.equal(pairs[0][0], first, 'another tool changes nothing');
	assert.notEqual(pairs[1][0], first);
});

check('names: the log has the whole of one of 64 characters', async (t) => {
	const { bridge, pairs: [[name]] } = await shown(t, [long]);
	assert.equal(name.length, 64);
	await bridge.says(new RegExp(`: tools/call ${name}: result after \\d+ ms$`, 'm'));
});

check('names: a name that is listed twice is shown once', async (t) => {
	const { bridge, pairs } = await shown(t, ['turn', 'stop', 'turn', 'turn']);
	assert.deepEqual(pairs, [['arm_turn', 'turn'], ['arm_stop', 'stop']]);
	await bridge.says(/^quash-bridge: warning: arm: lists the tool "turn" more than once$/m);
});

check('names: what no name can stand for is not shown', async (t) => {
	const { bridge, client, pairs } = await shown(t, ['a\u0000b', 'a', 7, null]);
	assert.deepEqual(pairs, [['arm_a', 'a']]);
	await bridge.says(/^quash-bridge: warning: arm: 3 of its tools have no name that can be shown$/m);
	assert.match((await client.error('tools/call', { name: 'arm_a\u0000b' })).message, /Unknown tool/);
});

check('names: resources and templates that are listed twice are shown once', async (t) => {
	const uri = 'file:///log';
	const device = await Device.open(t, { handlers: {
		'resources/list': () => ({ resources: [{ uri, name: 'a' }, { uri: 'file:///b', name: 'a' }, { uri, name: 'c' }] }),
		'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'r://{n}', name: 'a' }, { uriTemplate: 'r://{n}', name: 'b' }] }),
	} });
	const { client } = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
	await greet(client);
	await until('the resources', async () => (await client.result('resources/list')).resources.length > 0);
	assert.deepEqual((await client.result('resources/list')).resources.map((one) => one.uri), [`arm+${uri}`, 'arm+file:///b']);
	assert.deepEqual((await client.result('resources/templates/list')).resourceTemplates.map(({ uriTemplate }) => uriTemplate), ['arm+r://{n}']);
});

check('names: a tool keeps its name while others come and go', async (t) => {
	let names = ['gripper.open'];
	const device = await Device.open(t, { handlers: { ...serves(names), 'tools/list': () => toolsNamed(...names) } });
	const bridge = Bridge.start(t, ['--device', `arm=unix:${device.path}`]);
	const { client } = bridge;
	await greet(client);
	await until('the tools', async () => (await listed(client, 'tools')).length === 1);
	const [first] = await listed(client, 'tools');
	names = ['gripper_open', 'gripper.open'];
	device.line.notify('notifications/tools/list_changed');
	await until('both', async () => (await listed(client, 'tools')).length === 2);
	assert.deepEqual(await listed(client, 'tools'), ['arm_gripper_open', first]);
	assert.equal((await client.result('tools/call', { name: first })).content[0].text, 'gripper.open');
});
