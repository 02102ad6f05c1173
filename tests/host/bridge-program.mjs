/* SPDX-License-Identifier: MIT
 * quash-bridge between a client and a device, both played by the test: each is an End of a line. */

import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { framed, hostProgram, root } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';
import { spawned } from '../common/start.mjs';

export const ptys = join(root, 'build/host/tests/host/ptys');

/* What may be missing: serial devices of tests/host/ptys.c; what Linux shows of processes; a bridge that uses what is Linux's own. */
const needed = ['tty', 'proc', 'linux'];
const without = (process.env.WITHOUT ?? (process.platform === 'linux' ? '' : needed.join(' '))).split(' ').filter(Boolean);
assert.deepEqual(without.filter((word) => !needed.includes(word)), [], 'WITHOUT has words that no test needs');

/** These tests mostly wait. One that needs what is not there is left out. */
export function check(name, body, { needs = [], ...more } = {}) {
	const missing = needs.filter((word) => without.includes(word));
	if (missing.length) console.log(`without ${missing.join(' and ')}: no test that ${name}`);
	else test(`quash-bridge: ${name}`, body, { together: true, ...more });
}

export function folderFor(t) {
	const folder = mkdtempSync(join(tmpdir(), 'quash-bridge-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

const headerEnd = '\r\n\r\n';

/* The next piece of what is there, [text, rest], or null. */
const pieces = {
	lines(bytes) {
		const end = bytes.indexOf('\n');
		return end < 0 ? null : [bytes.toString('utf8', 0, end).replace(/\r$/, ''), bytes.subarray(end + 1)];
	},
	headers(bytes) {
		const end = bytes.indexOf(headerEnd);
		if (end < 0) return null;
		const from = end + headerEnd.length;
		const to = from + Number(/Content-Length: (\d+)/.exec(bytes.toString('latin1', 0, end))?.[1] ?? 0);
		return bytes.length < to ? null : [bytes.toString('utf8', from, to), bytes.subarray(to)];
	},
};

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

/** One end of a line. `lines` is all that came, with its time; `messages` those that are JSON, in their order. */
export class End {
	lines = [];
	messages = [];
	closed = false;
	#untaken = [];
	#next = 1;

	constructor(input, output, protocol = 'mcp') {
		this.output = output;
		this.protocol = protocol;
		let unread = Buffer.alloc(0);
		const split = protocol === 'lsp' ? pieces.headers : pieces.lines;
		input.on('data', (bytes) => {
			unread = Buffer.concat([unread, bytes]);
			for (let found = split(unread); found; found = split(unread)) {
				unread = found[1];
				this.#take(found[0]);
			}
		});
		for (const event of ['end', 'close', 'error']) input.on(event, () => { this.closed = true; });
		output.on('error', () => {});
	}

	#take(text) {
		this.lines.push({ text, at: performance.now() });
		const message = parsed(text);
		if (message === null) return;
		this.messages.push(message);
		this.#untaken.push(message);
		this.onmessage?.(message);
	}

	sendBytes(bytes) {
		this.output.write(bytes);
	}

	/** In a single write. */
	send(...messages) {
		this.sendBytes(Buffer.concat(messages.map((message) => framed(this.protocol, { jsonrpc: '2.0', ...message }))));
	}

	notify(method, params) {
		this.send({ method, params });
	}

	/** Gives its id. */
	ask(method, params, id = this.#next++) {
		this.send({ id, method, params });
		return id;
	}

	answer({ id }, result) {
		this.send({ id, result });
	}

	refuse({ id }, code, message = 'no') {
		this.send({ id, error: { code, message } });
	}

	/** The next message that was not taken yet and of which `matches` is true. */
	async take(what, matches) {
		const at = await until(what, () => {
			const found = this.#untaken.findIndex(matches);
			if (found < 0 && this.closed) throw new Error(`${what} will never come: the line is closed`);
			return found >= 0 && { found };
		});
		return this.#untaken.splice(at.found, 1)[0];
	}

	takes(method) {
		return this.take(method, (message) => message.method === method);
	}

	answerTo(id) {
		return this.take(`the answer to ${JSON.stringify(id)}`, (message) => message.id === id && !('method' in message));
	}

	/** The result of a request, whose error is a failure of the test. */
	async result(method, params, id) {
		const answer = await this.answerTo(this.ask(method, params, id));
		assert.ok('result' in answer, `${method}: ${JSON.stringify(answer)}`);
		return answer.result;
	}

	async error(method, params, id) {
		const { error } = await this.answerTo(this.ask(method, params, id));
		assert.ok(error, `${method} is refused`);
		return error;
	}

	all(method) {
		return this.messages.filter((message) => message.method === method);
	}

	answersTo(id) {
		return this.messages.filter((message) => message.id === id && !('method' in message));
	}

	async closes() {
		await until('the end of the connection', () => this.closed);
	}

	/** So long nothing of this method comes. */
	async getsNo(method, ms = 200) {
		const known = this.all(method).length;
		await sleep(ms);
		assert.deepEqual(this.all(method).slice(known), [], `no ${method}`);
	}
}

/* --- The client */

export const clientInfo = { name: 'test', version: '1' };

/** The client's half of a session. Gives the result of `initialize`. */
export async function greet(client, { version = '2025-11-25', capabilities = {} } = {}) {
	const result = await client.result('initialize', { protocolVersion: version, capabilities, clientInfo }, 'greeting');
	client.notify('notifications/initialized');
	return result;
}

/** A client that connects: to a path, or to the number of a port. What it sends first, if anything, is `first`. */
export async function connectTo(t, where, { protocol, first } = {}) {
	const socket = connect(typeof where === 'number' ? { port: where, host: '127.0.0.1' } : where);
	t.after(() => socket.destroy());
	const client = new End(socket, socket, protocol);
	await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
	if (first !== undefined) client.sendBytes(first);
	return Object.assign(client, { vanish: () => socket.destroy(), hangUp: () => socket.end() });
}

/** A client that wants log messages, and whose socket nobody reads any more. */
export async function mute(t, where) {
	const socket = connect(where);
	t.after(() => socket.destroy());
	const client = new End(socket, socket);
	await greet(client);
	await client.result('logging/setLevel', { level: 'info' });
	socket.pause();
	return Object.assign(client, { socket });
}

/* --- The bridge */

export class Bridge {
	stderr = '';
	ended = null;

	/** Ends with the test. `protocol` is that of stdin and stdout. `program` stands before the words. */
	static start(t, words, { protocol, program = [hostProgram('quash-bridge')] } = {}) {
		assert.ok(existsSync(program[0]), `${program[0]} is not built`);
		return new Bridge(t, [...program, ...words], protocol);
	}

	constructor(t, command, protocol) {
		this.child = spawned(t, command);
		this.client = new End(this.child.stdout, this.child.stdin, protocol);
		this.child.stderr.setEncoding('utf8').on('data', (text) => { this.stderr += text; });
		this.child.on('close', (code, signal) => { this.ended = { code, signal, at: performance.now() }; });
	}

	get pid() {
		return this.child.pid;
	}

	/** On stderr. */
	says(pattern) {
		return until(`${pattern} on stderr`, () => {
			const found = pattern.exec(this.stderr);
			if (!found && this.ended) throw new Error(`${pattern} will never come: it ended, stderr: ${this.stderr}`);
			return found;
		});
	}

	signal(name) {
		this.stopped = performance.now();
		this.child.kill(name);
	}

	endInput() {
		this.stopped = performance.now();
		this.child.stdin.end();
	}

	/** Nobody reads or writes any more. */
	vanish() {
		this.stopped = performance.now();
		this.child.stdout.destroy();
		this.child.stdin.destroy();
	}

	/** It ends with this code. Gives the milliseconds since it was asked to. */
	async exits(code) {
		await until('the end of the bridge', () => this.ended);
		assert.deepEqual([this.ended.code, this.ended.signal], [code, null], `stderr: ${this.stderr}`);
		return this.ended.at - this.stopped;
	}
}

/* --- The device */

const schema = { type: 'object' };
export const toolsNamed = (...names) => ({ tools: names.map((name) => ({ name, inputSchema: schema })) });

const unknown = (message, line) => { line.refuse(message, -32601, 'Method not found'); };

/** What a device answers unless the test wants something else. What has no entry is for the test to answer. */
export const wellBehaved = {
	mcp: {
		initialize: ({ params }) => ({ protocolVersion: params.protocolVersion,
			capabilities: { tools: { listChanged: true }, prompts: { listChanged: true }, resources: { subscribe: true, listChanged: true }, logging: {} },
			serverInfo: { name: 'played', version: '3.1' }, instructions: 'Mind the motor.' }),
		ping: () => ({}),
		'server/discover': unknown,
		'tools/list': () => toolsNamed('work'),
		'prompts/list': () => ({ prompts: [{ name: 'plan' }] }),
		'resources/list': () => ({ resources: [{ uri: 'file:///log', name: 'log' }] }),
		'resources/templates/list': () => ({ resourceTemplates: [] }),
		'logging/setLevel': () => ({}),
		'resources/subscribe': () => ({}),
		'resources/unsubscribe': () => ({}),
	},
	acp: { initialize: ({ params }) => ({ protocolVersion: params.protocolVersion, agentInfo: { name: 'played', version: '3.1' } }) },
	lsp: { initialize: () => ({ capabilities: { hoverProvider: true }, serverInfo: { name: 'played', version: '3.1' } }), shutdown: () => null },
	jsonrpc: {},
};

/** A device behind a Unix socket, played by the test. `line` is the connection of the bridge, while there is one;
 * `connected` counts them. */
export class Device {
	line = null;
	connected = 0;
	lines = [];

	static async open(t, { protocol = 'mcp', handlers = {}, plugged = true, name = 'device' } = {}) {
		const device = new Device(join(folderFor(t), name), protocol, handlers);
		t.after(() => device.unplug());
		if (plugged) await device.plug();
		return device;
	}

	constructor(path, protocol, handlers) {
		this.path = path;
		this.protocol = protocol;
		this.handlers = { ...wellBehaved[protocol], ...handlers };
	}

	plug() {
		this.server = createServer((socket) => this.#connect(socket));
		return new Promise((resolve, reject) => this.server.listen(this.path, resolve).once('error', reject));
	}

	/** The line is lost, and nobody is there. */
	unplug() {
		this.socket?.destroy();
		this.line = null;
		const { server } = this;
		this.server = null;
		return new Promise((resolve) => (server ? server.close(resolve) : resolve()));
	}

	#connect(socket) {
		this.socket = socket;
		this.connected++;
		const line = new End(socket, socket, this.protocol);
		line.onmessage = (message) => {
			const handler = this.handlers[message.method];
			const result = handler && message.id !== undefined ? handler(message, line) : undefined;
			if (result !== undefined) line.answer(message, result);
		};
		this.line = line;
		this.lines.push(line);
		socket.on('close', () => { if (this.line === line) this.line = null; });
	}

	/** The connection number `n`, from 1. */
	async lineNumber(n) {
		await until(`connection ${n} of the bridge`, () => this.lines.length >= n);
		return this.lines[n - 1];
	}

	/** A session has been opened on its newest line. */
	async ready(n = this.connected || 1) {
		const line = await this.lineNumber(n);
		if (this.protocol === 'mcp') await line.takes('notifications/initialized');
		return line;
	}
}

/** A device, a bridge to it, and its client on stdin and stdout. MCP: the session is open. */
export async function joined(t, { words = [], device: how, ...more } = {}) {
	const device = await Device.open(t, { protocol: more.protocol, ...how });
	const bridge = Bridge.start(t, [...(more.protocol ? ['--protocol', more.protocol] : []), ...words, '--unix', device.path], more);
	const { client } = bridge;
	if ((more.protocol ?? 'mcp') === 'mcp') {
		bridge.greeting = await greet(client, more);
		await device.ready();
	}
	return { device, bridge, client, line: await device.lineNumber(1) };
}

/** The same with clients that connect to `where`. */
export async function listening(t, { words = [], device: how, protocol } = {}) {
	const device = await Device.open(t, { protocol, ...how });
	const where = join(folderFor(t), 'clients');
	const bridge = Bridge.start(t, [...(protocol ? ['--protocol', protocol] : []), '--listen-unix', where, ...words, '--unix', device.path]);
	await bridge.says(/listening on /);
	const newClient = async (options) => {
		const client = await connectTo(t, where, { protocol });
		if ((protocol ?? 'mcp') === 'mcp') await greet(client, options);
		return client;
	};
	return { device, bridge, where, newClient };
}

/** A device on a cable; the command is that of ptys. */
export async function cable(t, { words = [], command = [hostProgram('toolbox')], plugged = true } = {}) {
	const link = join(folderFor(t), 'tty');
	const process = Bridge.start(t, [...words, ...(plugged ? [] : ['--unplugged']), link, '--', ...command], { program: [ptys] });
	t.after(async () => {
		if (process.ended) return;
		process.signal('SIGTERM');
		await until('the end of ptys', () => process.ended);
	});
	const isThere = (there) => until(`${link} ${there}`, () => existsSync(link) === there);
	if (plugged) await isThere(true);
	return { link, process,
		unplug: () => { process.signal('SIGUSR1'); return isThere(false); },
		plug: () => { process.signal('SIGUSR2'); return isThere(true); } };
}
