/* SPDX-License-Identifier: MIT
 * One end of a line of messages, of a client mostly. */

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { awaited, sleep } from './waits.mjs';

const newline = 0x0a;
const headerEnd = Buffer.from('\r\n\r\n');

/* A splitter takes what is there and gives [message, rest], or null when no message is complete yet. An odd header is an error. */
const splitters = {
	lines(bytes) {
		const end = bytes.indexOf(newline);
		return end < 0 ? null : [bytes.subarray(0, end), bytes.subarray(end + 1)];
	},
	headers(bytes) {
		const end = bytes.indexOf(headerEnd);
		if (end < 0) return null;
		const header = /^Content-Length: (0|[1-9]\d*)$/.exec(bytes.toString('latin1', 0, end));
		if (!header) throw new Error(`not the header we agreed on: ${JSON.stringify(bytes.toString('latin1', 0, end))}`);
		const from = end + headerEnd.length;
		const to = from + Number(header[1]);
		return bytes.length < to ? null : [bytes.subarray(from, to), bytes.subarray(to)];
	},
};

const toText = (message) => (typeof message === 'string' ? message : JSON.stringify(message));

/** The bytes of a message (text, bytes, or an object to be written as JSON) on the wire of a dialect. */
export function framed(dialect, message) {
	const body = Buffer.isBuffer(message) ? message : Buffer.from(toText(message));
	if (dialect !== 'lsp') return Buffer.concat([body, Buffer.from('\n')]);
	return Buffer.concat([Buffer.from(`Content-Length: ${body.length}\r\n\r\n`), body]);
}

const isBare = (message) => typeof message === 'object' && !Array.isArray(message) && !Buffer.isBuffer(message) && !('jsonrpc' in message);

function parsed(text) {
	try {
		return JSON.parse(text);
	} catch {
		return null;
	}
}

export const clientInfo = { name: 'test', version: '1' };

/** `lines` is all that came, with its time; `messages` those that are JSON, in their order. `onmessage` is told of each. */
export class End {
	lines = [];
	messages = [];
	closed = false;
	broken = null;
	#unread = Buffer.alloc(0);
	#untaken = [];
	#waiting = [];
	#next = 1;

	/** Without an input nothing is read until `readsFrom`. */
	constructor(input, output, dialect = 'mcp') {
		this.output = output;
		this.dialect = dialect;
		this.split = dialect === 'lsp' ? splitters.headers : splitters.lines;
		if (input) this.readsFrom(input);
		output?.on('error', () => {}); /* it may be gone: its end is what is looked at */
	}

	readsFrom(input) {
		input.on('data', (bytes) => this.takesBytes(bytes));
		for (const event of ['end', 'close', 'error']) input.on(event, () => this.#close());
	}

	#close() {
		this.closed = true;
		this.wake();
	}

	takesBytes(bytes) {
		this.#unread = Buffer.concat([this.#unread, bytes]);
		try {
			for (let found = this.split(this.#unread); found; found = this.split(this.#unread)) {
				this.#unread = found[1];
				this.#take(found[0].toString('utf8'));
			}
		} catch (error) {
			this.broken ??= error;
		}
		this.wake();
	}

	#take(text) {
		this.lines.push({ text, at: performance.now() });
		const message = parsed(text);
		this.#untaken.push({ text, message });
		if (message === null) return;
		this.messages.push(message);
		this.onmessage?.(message);
	}

	/** The beginning of a message, whose rest has not come. */
	get half() {
		return this.#unread.toString();
	}

	/** The texts that nobody has taken yet. */
	get untaken() {
		return this.#untaken.map(({ text }) => text);
	}

	/** Of all that was heard these messages alone are of interest. */
	forget(but = []) {
		this.messages = but;
		this.#untaken = this.#untaken.filter(({ message }) => but.includes(message));
	}

	wake() {
		for (const wake of this.#waiting.splice(0)) wake();
	}

	/** Why nothing more will come; null while something may. */
	fate() {
		return this.closed ? 'the line is closed' : null;
	}

	/** Waits until `probe` gives something, which is asked whenever something has come. */
	async waits(what, probe) {
		for (;;) {
			const found = probe();
			if (found) return found;
			if (this.broken) throw this.broken;
			const fate = this.fate();
			if (fate) throw new Error(`${what} will never come: ${fate}`);
			await awaited(what, new Promise((resolve) => { this.#waiting.push(resolve); }));
		}
	}

	/** The text of the next message, of whatever kind. */
	async nextText() {
		const { text } = await this.waits('a message', () => this.#untaken.shift());
		assert.notEqual(text, '', 'a blank line on the wire');
		return text;
	}

	async next() {
		return JSON.parse(await this.nextText());
	}

	/** The next message that was not taken yet and of which `matches` is true. */
	async take(what, matches) {
		const found = await this.waits(what, () => this.#untaken.find(({ message }) => message !== null && matches(message)));
		this.#untaken.splice(this.#untaken.indexOf(found), 1);
		return found.message;
	}

	takes(method) {
		return this.take(method, (message) => message.method === method);
	}

	answerTo(id) {
		return this.take(`the answer to ${JSON.stringify(id)}`, (message) => message.id === id && !('method' in message));
	}

	all(method) {
		return this.messages.filter((message) => message.method === method);
	}

	answersTo(id) {
		return this.messages.filter((message) => message.id === id && !('method' in message));
	}

	async closes() {
		while (!this.closed) await awaited('the end of the connection', new Promise((resolve) => { this.#waiting.push(resolve); }));
	}

	/** So long nothing of this method comes. */
	async getsNo(method, ms = 200) {
		const known = this.all(method).length;
		await sleep(ms);
		assert.deepEqual(this.all(method).slice(known), [], `no ${method}`);
	}

	/** Sends bytes as they are. */
	sendBytes(bytes) {
		this.output.write(bytes);
	}

	/** The bytes of messages. */
	framed(...messages) {
		return Buffer.concat(messages.map((message) => framed(this.dialect, isBare(message) ? { jsonrpc: '2.0', ...message } : message)));
	}

	/** In a single write. */
	send(...messages) {
		this.sendBytes(this.framed(...messages));
	}

	notify(method, params) {
		this.send({ method, params });
	}

	/** A request with an id that was never used. */
	request(method, params, id = this.#next++) {
		return { id, method, params };
	}

	/** Gives its id. */
	ask(...words) {
		const request = this.request(...words);
		this.send(request);
		return request.id;
	}

	answer({ id }, result) {
		this.send({ id, result });
	}

	refuse({ id }, code, message = 'no', data = undefined) {
		this.send({ id, error: { code, message, data } });
	}

	/** The answer to a request. */
	asks(method, params, id) {
		return this.answerTo(this.ask(method, params, id));
	}

	/** The result of a request, whose error is a failure of the test. */
	async result(method, params, id) {
		const answer = await this.asks(method, params, id);
		assert.ok('result' in answer, `${method}: ${JSON.stringify(answer)}`);
		return answer.result;
	}

	async error(method, params, id) {
		const { error } = await this.asks(method, params, id);
		assert.ok(error, `${method} is refused`);
		return error;
	}
}

/** The half of a client in a session of MCP. Gives the result of `initialize`. */
export async function greet(client, { version = '2025-11-25', capabilities = {} } = {}) {
	const result = await client.result('initialize', { protocolVersion: version, capabilities, clientInfo }, 'greeting');
	client.notify('notifications/initialized');
	return result;
}

/** The result of a tool of MCP. */
export const called = (client, name, args = {}, _meta = undefined) => client.result('tools/call', { name, arguments: args, _meta });

/** What a toolbox has counted. */
export const statsOf = async (client, meta) => JSON.parse((await called(client, 'stats', {}, meta)).content[0].text);

export const modernVersion = '2026-07-28';
/** What a request of the modern era says of its client. */
export const modernMeta = (more = {}) =>
	({ 'io.modelcontextprotocol/protocolVersion': modernVersion, 'io.modelcontextprotocol/clientCapabilities': {}, ...more });

/** A client that connects: to a path, or to the number of a port. What it sends first, if anything, is `first`. */
export async function connectTo(t, where, { protocol, first } = {}) {
	const socket = connect(typeof where === 'number' ? { port: where, host: '127.0.0.1' } : where);
	t.after(() => socket.destroy());
	const client = new End(socket, socket, protocol);
	await new Promise((resolve, reject) => socket.once('connect', resolve).once('error', reject));
	if (first !== undefined) client.sendBytes(first);
	return Object.assign(client, { socket, vanish: () => socket.destroy(), hangUp: () => socket.end() });
}

/** A client that wants log messages, and whose socket nobody reads any more. */
export async function mute(t, where) {
	const client = await connectTo(t, where);
	await greet(client);
	await client.result('logging/setLevel', { level: 'info' });
	client.socket.pause();
	return client;
}
