/* SPDX-License-Identifier: MIT
 * The bridge that serves this page: a transport of the modern era, in which a stream that is closed is the cancel, and its two endpoints
 * beside MCP. */

import { Stopped } from './client.mjs';
import { takeStream } from './streams.mjs';
import { nextTask } from './tasks.mjs';

const mcpVersion = '2026-07-28', stopTries = 3, askMs = 10000, mostBusyMs = 20;

/** The bridge wants another token than was shown. */
export class TokenNeeded extends Error {}

const isPlain = (text) => /^[\x21-\x7e]([\x20-\x7e]*[\x21-\x7e])?$/.test(text) && !text.startsWith('=?base64?');

const inBase64 = (text) => btoa(String.fromCharCode(...new TextEncoder().encode(text)));

/** A text as a field of HTTP may have it. */
export const fieldText = (text) => (isPlain(text) ? text : `=?base64?${inBase64(text)}?=`);

/* The events of a stream, each the text of its `data`. */
async function* eventsOf(body) {
	const reader = body.pipeThrough(new TextDecoderStream()).getReader(), pieces = [];
	for (;;) {
		const { value, done } = await reader.read();
		if (done) return;
		pieces.push(value.replace(/\r/g, ''));
		if (!value.includes('\n')) continue; /* a long one comes in many pieces */
		const events = pieces.splice(0).join('').split('\n\n');
		pieces.push(events.pop());
		for (const event of events) {
			const data = event.split('\n').filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart());
			if (data.length > 0 && data[0] !== '') yield data.join('\n');
		}
	}
}

async function responseOf(reply, onNote) {
	const type = reply.headers.get('content-type') ?? '';
	if (type.startsWith('application/json')) return reply.json();
	if (!type.startsWith('text/event-stream')) throw new Error(`the bridge has answered with HTTP ${reply.status}: ${(await reply.text()).slice(0, 200)}`);
	let began = performance.now();
	for await (const data of eventsOf(reply.body)) {
		const message = JSON.parse(data);
		if (message.method === undefined) return message;
		onNote?.(message);
		if (performance.now() - began < mostBusyMs) continue;
		await nextTask();
		began = performance.now();
	}
	throw new Error('the bridge has closed the stream before its answer');
}

export class Served {
	era = 'modern';
	#token = '';

	set token(token) {
		this.#token = token;
	}

	/** A promise of the response to a request. */
	async exchange(message, { signal, onNote, onQueue, fields = {} }) {
		let release;
		try {
			signal?.throwIfAborted();
			onQueue?.(true);
			release = await takeStream(signal);
			onQueue?.(false);
			return await responseOf(await this.#posts(message, fields, signal), onNote);
		} catch (error) {
			throw signal?.aborted ? new Stopped() : error;
		} finally {
			release?.();
		}
	}

	/** A promise of what the bridge tells: its devices, and the calls of all its clients. */
	async looks() {
		return (await this.#asks('/calls', { method: 'GET' })).json();
	}

	/** Stops all calls at all devices. A promise of how many that were. Tried again where the network fails. */
	async stops() {
		for (let tries = 1; ; tries++) {
			try {
				const { stopped } = await (await this.#asks('/stop', { method: 'POST', keepalive: true })).json();
				return stopped;
			} catch (error) {
				if (error instanceof TokenNeeded || tries === stopTries) throw error;
			}
		}
	}

	/* --- */

	get #shows() {
		return this.#token === '' ? {} : { Authorization: `Bearer ${this.#token}` };
	}

	async #asks(path, options) {
		const reply = await fetch(path, { ...options, headers: this.#shows, cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(askMs) });
		if (reply.status === 401) throw new TokenNeeded('the bridge wants a token');
		if (!reply.ok) throw new Error(`the bridge has answered with HTTP ${reply.status}`);
		return reply;
	}

	async #posts(message, fields, signal) {
		const { method, params } = message, name = method === 'resources/read' ? params.uri : params.name;
		const named = name === undefined ? {} : { 'Mcp-Name': fieldText(name) };
		const headers = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream', 'MCP-Protocol-Version': mcpVersion, 'Mcp-Method': method,
			...named, ...fields, ...this.#shows };
		const reply = await fetch('/mcp', { method: 'POST', headers, body: JSON.stringify(message), cache: 'no-store', credentials: 'omit', signal });
		if (reply.status === 401) throw new TokenNeeded('the bridge wants a token');
		return reply;
	}
}
