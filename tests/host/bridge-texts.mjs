/* SPDX-License-Identifier: MIT
 * quash-bridge and a device whose every text is hostile: control characters of three kinds, marks that turn the direction of
 * writing, ends of lines, halves of characters. None of it reaches a terminal, a log or a client's JSON as it came. */

import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge, Device, check, clientInfo, folderFor, joined } from './bridge-program.mjs';
import { until } from '../common/runner.mjs';

const steering = '\u001b]0;x\u0007\u001b[2J\u007f\u009b31m\u202e\u2066\u061c\u200f\u2028\u2029\r\nquash-bridge: error: forged\u0000\t';
/** At whichever byte this is cut, it may be inside of a character. */
const wide = ['ä€𝄞', 'xä€𝄞', 'xyä€𝄞', 'xyzä€𝄞'].map((text) => text.repeat(60));
const evil = wide.map((text) => `${steering}${text}${steering}`);
const halves = Buffer.concat([Buffer.from('\x1b[31m'), Buffer.from([0xc2, 0x9b, 0xe2, 0x80, 0xae, 0xff, 0xc3, 0x28, 0xed, 0xa0, 0x80, 0xf0, 0x9d]), Buffer.from('\n')]);
const noises = [halves, ...wide.map((text) => Buffer.from(`${text}\n`))];

const hidden = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/;

/** Keeps the bytes that come from a stream. */
function kept(stream) {
	const bytes = [];
	stream.on('data', (data) => bytes.push(Buffer.from(data)));
	return () => Buffer.concat(bytes);
}

function assertShown(text, what) {
	assert.doesNotMatch(text, hidden, what);
	assert.ok(!text.includes('\ufffd'), `${what}: half of a character in ${JSON.stringify(text.slice(Math.max(0, text.indexOf('\ufffd') - 60)).slice(0, 120))}`);
}

/** Nothing on stderr steers a terminal or is a line that the bridge has not made. */
function assertLog(bridge) {
	assertShown(bridge.stderr, 'stderr');
	for (const line of bridge.stderr.split('\n').slice(0, -1)) {
		assert.match(line, /^quash-bridge: (error|warning|info|debug|trace): /);
		assert.ok(!line.startsWith('quash-bridge: error: forged'), line);
		assert.doesNotMatch(line, /^\S+ trace: [^{]*\{.*\\x/, 'a message is cut between characters');
	}
}

/** The answer that the bridge has made itself, in the client's bytes. */
function assertMade(client, what, member) {
	const { text } = client.lines.findLast((line) => JSON.parse(line.text)[member] !== undefined);
	assertShown(text, what);
}

/** What a client gets is UTF-8 and JSON. */
function assertClient(bytes) {
	assert.ok(isUtf8(bytes), 'what the client gets is UTF-8');
	for (const line of bytes.toString().split('\n').slice(0, -1)) JSON.parse(line);
}

const answers = (text) => ({
	initialize: ({ params }) => ({ protocolVersion: params.protocolVersion, instructions: text, serverInfo: { name: text, title: text, version: text },
		capabilities: { tools: { listChanged: true, [text]: text }, experimental: { [text]: { [text]: text } }, logging: {}, resources: { subscribe: true } } }),
	'tools/list': () => ({ tools: [{ name: text, description: text, inputSchema: { type: 'object', [text]: text } }], [text]: text }),
	'resources/list': () => ({ resources: [{ uri: `file:///${text}`, name: text }] }),
	'resources/templates/list': () => ({ resourceTemplates: [] }),
});

/** Everything else that a device can say. */
async function sayAll(line, client, text) {
	for (const noise of noises) line.sendBytes(noise);
	for (const method of ['notifications/message', 'notifications/tools/list_changed', text.slice(0, 60), `x/${text}`])
		line.notify(method, { level: 'error', logger: text, data: text, [text]: text });
	line.ask(text.slice(0, 60), { [text]: text }, text.slice(0, 30));
	line.ask('ping', { [text]: text }, 'ping');
	client.ask('x/fails', {}, 'fails');
	line.send({ id: (await line.takes('x/fails')).id, error: { code: -7, message: text, data: { [text]: text } } });
	assert.equal((await client.answerTo('fails')).error.message, text, 'a client gets it as it is');
	client.ask('x/works', {}, 'works');
	line.answer(await line.takes('x/works'), { [text]: text });
	assert.deepEqual((await client.answerTo('works')).result, { [text]: text });
}

for (const [n, text] of evil.entries())
	for (const words of [[], ['--trace', '--log', 'debug']])
		check(`hostile texts of a device, cut ${n}${words.length ? ', traced' : ''}`, async (t) => {
			const device = await Device.open(t, { handlers: answers(text) });
			const file = join(folderFor(t), 'record');
			const bridge = Bridge.start(t, [...words, '--record', file, '--unix', device.path]);
			const { client } = bridge, bytes = kept(bridge.child.stdout);
			client.ask('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo }, 'greeting');
			const greeting = await client.answerTo('greeting');
			assert.equal(greeting.result.serverInfo.name, text);
			assertMade(client, 'the greeting, which the bridge has made', 'result');
			const line = await device.ready();
			await sayAll(line, client, text);
			await bridge.says(/noise: /);
			await device.unplug();
			await bridge.says(/: lost/);
			await bridge.endsByInput();
			assertLog(bridge);
			assertClient(bytes());
			const notes = readFileSync(file, 'utf8').split('\n').filter((entry) => / ! /.test(entry));
			assert.ok(notes.some((entry) => entry.includes('noise')));
			assertShown(notes.join('\n'), 'notes of the record');
		});

check('hostile texts of several devices', async (t) => {
	const texts = wide.map((text) => `${steering.replace('\0', '')}${text}`);
	const devices = await Promise.all(texts.map((text, n) => Device.open(t, { handlers: answers(text), name: `d${n}` })));
	const bridge = Bridge.start(t, devices.flatMap(({ path }, n) => ['--device', `d${n}=unix:${path}`]));
	const { client } = bridge, bytes = kept(bridge.child.stdout);
	await client.result('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
	for (const [n, device] of devices.entries()) {
		const line = await device.ready();
		for (const noise of noises) line.sendBytes(noise);
		line.notify(texts[n].slice(0, 60), { [texts[n]]: 1 });
	}
	await until('all tools', async () => (await client.result('tools/list')).tools.length === texts.length + 1);
	assertMade(client, 'a list, which the bridge has made', 'result');
	const { devices: listed } = (await client.result('tools/call', { name: 'devices' })).structuredContent;
	assertMade(client, 'the devices', 'result');
	for (const [n, { server, version }] of listed.entries())
		for (const [name, most] of [[server, 127], [version, 63]]) {
			const { length } = Buffer.from(name);
			assert.ok(length > most - 4 && length <= most && texts[n].startsWith(name), `whole characters: ${JSON.stringify(name)}`);
		}
	assertLog(bridge);
	assertClient(bytes());
});

check('hostile texts of an agent', async (t) => {
	for (const text of evil) {
		const agentInfo = { name: text, title: text, version: text };
		const { bridge, client, line } = await joined(t, { protocol: 'acp', device: { handlers: {
			initialize: () => ({ protocolVersion: 1, agentInfo, agentCapabilities: { [text]: text } }) } } });
		const bytes = kept(bridge.child.stdout);
		assert.deepEqual((await client.result('initialize', { protocolVersion: 1 })).agentInfo, agentInfo);
		assertMade(client, 'the greeting, which the bridge has made', 'result');
		await sayAll(line, client, text);
		await bridge.says(/ready: /);
		assertLog(bridge);
		assertClient(bytes());
	}
});

check('a device that refuses its greeting with a hostile text', async (t) => {
	const device = await Device.open(t, { handlers: { initialize: (message, line) => { line.refuse(message, -5, evil[1]); } } });
	const bridge = Bridge.start(t, ['--trace', '--unix', device.path]);
	const { client } = bridge;
	const { message } = await client.error('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
	assert.equal(message, evil[1]);
	assertMade(client, 'the refusal', 'error');
	assertLog(bridge);
});

/* --- Names are shown rightly */

const named = (serverInfo) => ({ initialize: ({ params }) => ({ protocolVersion: params.protocolVersion, capabilities: { tools: {} }, serverInfo }) });

check('names and versions with blanks stay whole', async (t) => {
	const infos = [{ name: 'robot arm', version: '1.2 beta' }, { name: 'Größe 7', version: '' }, { name: '', version: '3' }, { name: ' a  b ', version: ' c ' }];
	const devices = await Promise.all(infos.map((info, n) => Device.open(t, { handlers: named(info), name: `d${n}` })));
	const bridge = Bridge.start(t, devices.flatMap(({ path }, n) => ['--device', `d${n}=unix:${path}`]));
	const { client } = bridge;
	await client.result('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo });
	for (const device of devices) await device.ready();
	const { devices: listed } = (await client.result('tools/call', { name: 'devices' })).structuredContent;
	assert.deepEqual(listed.map(({ server, version }) => ({ name: server, version })), infos);
	await bridge.says(/^quash-bridge: info: d0: ready: robot arm 1\.2 beta$/m);
	await bridge.says(/^quash-bridge: info: d1: ready: Größe 7$/m);
	await bridge.says(/^quash-bridge: info: d2: ready: 3$/m);
});

check('noise in other letters is shown in them', async (t) => {
	const { bridge, line } = await joined(t);
	line.sendBytes('Größe "7" \\ 日本\n');
	await bridge.says(/noise: "Größe \\"7\\" \\\\ 日本"$/m);
	line.sendBytes(Buffer.from([0x47, 0xfc, 0x0a]));
	await bridge.says(/noise: "G\\xfc"$/m);
});
