/* SPDX-License-Identifier: MIT
 * A client of MCP over HTTP, played by the test: each request is a connection, whose response is read as it comes. */

import assert from 'node:assert/strict';
import { connect } from 'node:net';
import { clientInfo, modernMeta, modernVersion } from './client.mjs';
import { awaited, until } from './waits.mjs';

/* The body of a response as far as it has come, or null while its head has not. */
function readHead(bytes) {
	const end = bytes.indexOf('\r\n\r\n');
	if (end < 0) return null;
	const [first, ...lines] = bytes.toString('latin1', 0, end).split('\r\n');
	const fields = Object.fromEntries(lines.map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 1).trim()]));
	return { status: Number(/^HTTP\/1\.1 (\d{3}) /.exec(first)[1]), fields, rest: bytes.subarray(end + 4) };
}

/* What chunks hold, and whether the last one has come. */
function readChunks(bytes) {
	const parts = [];
	for (let at = 0; ;) {
		const line = bytes.indexOf('\r\n', at);
		const size = line < 0 ? NaN : parseInt(bytes.toString('latin1', at, line), 16);
		if (Number.isNaN(size) || bytes.length < line + 2 + size + 2) return { body: Buffer.concat(parts), whole: false, end: at };
		parts.push(bytes.subarray(line + 2, line + 2 + size));
		at = line + 2 + size + 2;
		if (size === 0) return { body: Buffer.concat(parts), whole: true, end: at };
	}
}

function readBody({ status, fields, rest }) {
	if (fields['transfer-encoding'] === 'chunked') return readChunks(rest);
	const length = Number(fields['content-length'] ?? (status === 204 ? 0 : Infinity));
	return { body: rest.subarray(0, length), whole: rest.length >= length, end: length };
}

/** The events of a stream that have come whole: `{ id, retry, message, at }`. */
function readEvents(text) {
	return text.split('\n\n').slice(0, -1).filter((event) => !event.startsWith(':')).map((event) => {
		const fields = Object.fromEntries(event.split('\n').map((line) => [line.slice(0, line.indexOf(':')), line.slice(line.indexOf(':') + 1).trim()]));
		return { id: fields.id, retry: fields.retry, message: fields.data ? JSON.parse(fields.data) : null };
	});
}

/** One connection. What it has received can be looked at at any time. */
export class Connection {
	received = Buffer.alloc(0);
	closed = false;
	#waiting = [];

	constructor(t, number, host = '127.0.0.1') {
		this.socket = connect({ port: number, host });
		t.after(() => this.socket.destroy());
		this.socket.on('data', (bytes) => {
			this.received = Buffer.concat([this.received, bytes]);
			this.#wake();
		});
		for (const event of ['close', 'error']) this.socket.on(event, () => {
			this.closed = true;
			this.#wake();
		});
	}

	#wake() {
		for (const wake of this.#waiting.splice(0)) wake();
	}

	/** Waits until `probe` is true, which is asked whenever something has come, or nothing more will. */
	async #waits(what, probe) {
		while (!this.closed && !probe()) await awaited(what, new Promise((resolve) => { this.#waiting.push(resolve); }));
	}

	write(text) {
		this.socket.write(text);
		return this;
	}

	get head() {
		return readHead(this.received);
	}

	get status() {
		return this.head?.status;
	}

	get fields() {
		return this.head?.fields;
	}

	get isWhole() {
		return this.head !== null && readBody(this.head).whole;
	}

	get body() {
		return readBody(this.head).body.toString();
	}

	get events() {
		return this.head ? readEvents(this.body) : [];
	}

	get messages() {
		return this.events.map(({ message }) => message).filter(Boolean);
	}

	/** The response has come whole. */
	async whole() {
		await this.#waits('a whole response', () => this.isWhole);
		assert.ok(this.isWhole, `a whole response: ${this.received}`);
		return this;
	}

	/** Its status, and its JSON; of a stream, which a response becomes on a machine that is slow, the last message. */
	async answer() {
		await this.whole();
		const streams = this.fields['content-type'] === 'text/event-stream';
		return { status: this.status, fields: this.fields, json: streams ? this.messages.at(-1) : this.body ? JSON.parse(this.body) : undefined };
	}

	/** The message of the stream for which it is true. */
	async take(what, matches) {
		await until(what, () => {
			const found = this.messages.some(matches);
			if (!found && this.closed) throw new Error(`${what} will never come: ${this.received}`);
			return found;
		});
		return this.messages.find(matches);
	}

	/** Its first message has come, or it has none. */
	async first() {
		await this.#waits('a first message', () => this.messages.length > 0 || this.isWhole);
		return this;
	}

	/** The first event of a stream has come, which may have no message. */
	async begins() {
		await this.streams();
		await this.#waits('a first event', () => this.events.length > 0);
		return this;
	}

	/** The head of a stream has come. */
	async streams() {
		await until('the head of a stream', () => this.head || this.closed);
		assert.equal(this.fields['content-type'], 'text/event-stream', String(this.received));
		return this;
	}

	async closes() {
		await until('the end of the connection', () => this.closed);
	}

	vanish() {
		this.socket.destroy();
	}

	/** Takes the response away, for the next one of this connection. */
	forget() {
		const { rest } = this.head;
		this.received = rest.subarray(readBody(this.head).end);
	}
}

/** An answer has this status, or that of a stream, which a response becomes that is not there in time. */
export function hasStatus({ status, fields }, expected, why) {
	assert.equal(status, fields['content-type'] === 'text/event-stream' ? 200 : expected, why);
}

const fieldsText = (fields) => Object.entries(fields).filter(([, value]) => value !== undefined).map(([name, value]) => `${name}: ${value}\r\n`).join('');

/** A request as it stands on the line. */
export function requestText(method, fields, body, target = '/mcp') {
	const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
	return `${method} ${target} HTTP/1.1\r\n${fieldsText({ Host: 'localhost', ...length, ...fields })}\r\n${body ?? ''}`;
}

const accepted = 'application/json, text/event-stream';

/** A client of the bridge at that port. `fields` are sent with everything. */
export class HttpClient {
	session = undefined;

	constructor(t, number, fields = {}) {
		Object.assign(this, { t, number, own: fields });
	}

	get common() {
		return { Accept: accepted, 'Mcp-Session-Id': this.session, ...this.own };
	}

	send(method, fields = {}, body = undefined, target = undefined) {
		return new Connection(this.t, this.number).write(requestText(method, { ...this.common, ...fields }, body, target));
	}

	postText(text, fields = {}) {
		return this.send('POST', { 'Content-Type': 'application/json', ...fields }, text);
	}

	/** Of the legacy era. */
	post(message, fields) {
		return this.postText(JSON.stringify({ jsonrpc: '2.0', ...message }), fields);
	}

	async greet({ version = '2025-11-25', capabilities = {} } = {}) {
		const { status, fields, json } = await this.post({ id: 'greeting', method: 'initialize',
			params: { protocolVersion: version, capabilities, clientInfo } }).answer();
		assert.equal(status, 200, JSON.stringify(json));
		this.session = fields['mcp-session-id'];
		assert.match(this.session, /^[0-9a-f]{32}$/);
		assert.equal((await this.post({ method: 'notifications/initialized' }).whole()).status, 202);
		return json.result;
	}

	get(fields) {
		return this.send('GET', fields);
	}

	/** Of the modern era. */
	ask(method, params = {}, { id = 1, fields = {}, meta = {} } = {}) {
		const name = params.name ?? params.uri;
		const named = name !== undefined && ['tools/call', 'prompts/get', 'resources/read'].includes(method) ? { 'Mcp-Name': name } : {};
		return this.post({ id, method, params: { ...params, _meta: modernMeta(meta) } },
			{ 'MCP-Protocol-Version': modernVersion, 'Mcp-Method': method, ...named, ...fields });
	}
}
