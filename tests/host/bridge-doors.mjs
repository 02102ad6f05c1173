/* SPDX-License-Identifier: MIT
 * A message gets the same answer from a device alone and from each door of a bridge to it. What differs stands in a table. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Bridge, check, connectTo, folderFor } from './bridge-program.mjs';
import { clientInfo, modernMeta } from '../common/client.mjs';
import { HttpClient } from '../common/http-client.mjs';
import { Program, hostProgram, root } from '../common/program.mjs';
import { Context } from '../common/runner.mjs';
import { differences, scenes } from './doors.mjs';

const paths = { toolbox: hostProgram('toolbox'), gallery: `${root}build/host/tests/common/gallery/gallery` };
const endsOf = { toolbox: ['tools/call', { name: 'echo', arguments: { text: '' } }], gallery: ['prompts/get', { name: 'hello' }] };

const parsed = (text) => {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
};

/* --- Names behind --device */

const shown = (text) => text.replace(/("name":")(?=(echo|greet|hello|nobody)")/g, '$1box_').replace(/("uri":")(?=gallery)/g, '$1box+');
const own = (text) => text.replace(/("name":")box_/g, '$1').replace(/("uri(?:Template)?":")box\+/g, '$1');

/* --- What a line is answered with: all that comes until a request behind it is answered */

class OnLine {
	#count = 0;

	constructor(end, program, named = false) {
		Object.assign(this, { end, program, named });
	}

	/* `awaited`: an answer of the bridge's own may come later. */
	async says(text, awaited) {
		const id = `end ${this.#count++}`, [method, params] = endsOf[this.program];
		const mark = JSON.stringify({ jsonrpc: '2.0', id, method, params: { ...params, _meta: modernMeta() } });
		const before = this.end.lines.length;
		this.end.sendBytes((this.named ? shown(`${text}\n${mark}`) : `${text}\n${mark}`) + '\n');
		await this.end.waits(`the answer behind ${text.slice(0, 80)}`, () => this.end.closed ||
			[id, awaited].every((one) => one === undefined || this.end.lines.slice(before).some((line) => JSON.parse(line.text).id === one)));
		if (this.end.closed) return ['the connection is closed'];
		return this.end.lines.slice(before).map((line) => JSON.parse(this.named ? own(line.text) : line.text)).filter((message) => message.id !== id);
	}
}

class OverHttp {
	constructor(client) {
		this.client = client;
	}

	/* Modern requests say twice what they are. `initialize` is none. */
	#fields(message) {
		const meta = message?.params?._meta, version = meta?.['io.modelcontextprotocol/protocolVersion'];
		if (version === undefined || message.method === 'initialize') return {};
		const name = { 'tools/call': message.params.name, 'prompts/get': message.params.name, 'resources/read': message.params.uri }[message.method];
		return { 'MCP-Protocol-Version': String(version), 'Mcp-Method': message.method, 'Mcp-Name': name };
	}

	async says(text) {
		const message = parsed(text);
		const response = this.client.postText(text, this.#fields(message));
		if (message?.method === 'subscriptions/listen') await response.first();
		else await response.whole();
		if (message?.method === 'initialize') this.client.session = response.fields['mcp-session-id'] ?? this.client.session;
		const streams = response.fields['content-type'] === 'text/event-stream';
		const messages = streams ? response.messages : response.body ? [JSON.parse(response.body)] : [];
		response.vanish();
		return messages;
	}
}

/* --- Doors: each gives clients, which end with their scene */

/* However long the device takes to start, it is what answers. */
const started = (t, words) => Bridge.start(t, ['--initialize-timeout', '10m', '--wait', '10m', ...words]);

/** A bridge with clients that connect, once its device is there: what it listens on. */
async function listening(t, ...words) {
	const bridge = started(t, words);
	const [, where] = await bridge.says(/listening on (\S+)/);
	await bridge.says(/ ready: /);
	return where;
}

const unixFor = (t) => ['--listen-unix', join(folderFor(t), 'clients')];

const doors = {
	alone: (_, program) => (t) => new OnLine(Program.start(t, paths[program], [], { dialect: 'mcp' }), program),
	stdio: (_, program) => (t) => new OnLine(started(t, ['--', paths[program]]), program),
	async unix(t, program) {
		const path = await listening(t, ...unixFor(t), '--', paths[program]);
		return async (scene) => new OnLine(await connectTo(scene, path), program);
	},
	async device(t, program) {
		const path = await listening(t, ...unixFor(t), '--device', `box=exec:${paths[program]}`);
		const connect = async (scene) => new OnLine(await connectTo(scene, path), program, true);
		await (await connect(t)).says(''); /* its lists are known */
		return connect;
	},
	async http(t, program) {
		const [, number] = /:(\d+)\/mcp$/.exec(await listening(t, '--listen-http', '127.0.0.1:0', '--', paths[program]));
		return (scene) => new OverHttp(new HttpClient(scene, Number(number)));
	},
};

const greeting = (version) => JSON.stringify({ jsonrpc: '2.0', id: 'greeting', method: 'initialize', params: { protocolVersion: version, capabilities: {}, clientInfo } });

/* A connection that is closed for what it said is made anew. */
async function played(connect, { greet, lines }, alone = []) {
	const answers = [], t = new Context();
	let client;
	for (const [i, { text }] of lines.entries()) {
		if (!client && greet) await (client = await connect(t)).says(greeting(greet));
		client ??= await connect(t);
		answers.push(await client.says(text, alone[i]?.at(-1)?.id));
		if (client.end?.closed) client = undefined;
	}
	await t.cleanUp();
	return answers;
}

/* Each line of each scene, with its answers at each door. */
async function compared(t, program) {
	const made = {}, lines = [];
	for (const [name, door] of Object.entries(doors)) made[name] = await door(t, program);
	for (const scene of scenes.filter((one) => one.program === program)) {
		const all = {};
		for (const name of Object.keys(doors)) all[name] = await played(made[name], scene, all.alone);
		scene.lines.forEach((line, i) => lines.push({ scene, line, answers: Object.fromEntries(Object.keys(doors).map((name) => [name, all[name][i]])) }));
	}
	return lines;
}

/* --- What holds of each answer, wherever it comes from */

const isModern = ({ text }) => /"_meta":\{"io.modelcontextprotocol\/protocolVersion":/.test(text);

function holds(what, line, messages) {
	const [message, ...others] = messages;
	assert.deepEqual(others, [], `${what}: one answer`);
	if (!message || message.method === 'notifications/subscriptions/acknowledged') return;
	assert.ok('error' in message !== 'result' in message && message.id !== null, `${what}: ${JSON.stringify(message)}`);
	const { code } = message.error ?? {};
	if (isModern(line)) assert.ok(!(code <= -32000 && code >= -32019), `${what}: ${code} is of other eras`);
}

const shownLine = ({ scene, line, name, answers }) => `${scene.program}, ${scene.title}: ${line.label}, at ${name}
    ${line.text.slice(0, 200)}
    alone ${JSON.stringify(answers.alone).slice(0, 300)}
    there ${JSON.stringify(answers[name]).slice(0, 300)}`;

const used = new Set();
const reasonFor = ({ scene, line, name, answers }) => differences.find(({ doors: of, covers }) => of.includes(name) && covers(answers.alone, answers[name], line, scene));

for (const program of Object.keys(paths)) {
	check(`each door to the ${program} answers as it does alone, or the table says why not`, async (t) => {
		const unexplained = [];
		for (const { scene, line, answers } of await compared(t, program)) {
			for (const name of Object.keys(doors)) {
				holds(`${scene.title}: ${line.label}, at ${name}`, line, answers[name]);
				if (JSON.stringify(answers[name]) === JSON.stringify(answers.alone)) continue;
				const one = { scene, line, name, answers }, reason = reasonFor(one);
				if (reason) used.add(reason);
				else unexplained.push(shownLine(one));
			}
		}
		assert.equal(unexplained.length, 0, `${unexplained.length} differ:\n${unexplained.slice(0, 20).join('\n')}`);
	}, { together: false });
}

check('each row of the table of differences is needed, and stands in docs/bridge.md', () => {
	assert.deepEqual(differences.filter((row) => !used.has(row)).map(({ at, message }) => `${at}: ${message}`), []);
	const rows = differences.map(({ at, message, differs }) => `| ${at} | ${message} | ${differs} |\n`).join('');
	assert.ok(readFileSync(join(root, 'docs/bridge.md'), 'utf8').includes(`| at | to | the answer |\n|---|---|---|\n${rows}`), `docs/bridge.md lacks:\n${rows}`);
}, { together: false });
