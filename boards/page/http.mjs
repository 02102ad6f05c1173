/* SPDX-License-Identifier: MIT
 * The bridge that serves this page: a transport of the modern era, in which a stream that is closed is the cancel, and its two endpoints
 * beside MCP. */

import { Stopped } from './client.mjs';
import { takeStream } from './streams.mjs';
import { nextTask } from './tasks.mjs';

const mcpVersion = '2026-07-28', stopTries = 3, askMs = 10000, stopMs = 3000, queueMs = 50, mostBusyMs = 20;

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

/* One that nobody can show does not end its call. */
function tells(onNote, message) {
	try {
		onNote?.(message);
	} catch (error) {
		console.warn(error);
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
		tells(onNote, message);
		if (performance.now() - began < mostBusyMs) continue;
		await nextTask();
		began = performance.now();
	}
	throw new Error('the bridge has closed the stream before its answer');
}

/* A place for a stream. One that has to be waited for is told of. */
async function takenStream(signal, onQueue) {
	let waits = false;
	const late = setTimeout(() => {
		waits = true;
		onQueue?.(true);
	}, queueMs);
	try {
		return await takeStream(signal);
	} finally {
		clearTimeout(late);
		if (waits) onQueue?.(false);
	}
}

export class Served {
	era = 'modern';
	#token = '';

	set token(token) {
		this.#token = token;
	}

	/** A promise of the response to a request. */
	async exchange(message, { signal, onNote, onQueue, fields = {} }) {
		const stream = new AbortController(), stops = () => stream.abort(signal.reason);
		let release;
		try {
			signal?.throwIfAborted();
			signal?.addEventListener('abort', stops);
			release = await takenStream(stream.signal, onQueue);
			return await responseOf(await this.#posts(message, fields, stream.signal), onNote);
		} catch (error) {
			throw signal?.aborted ? new Stopped() : error;
		} finally {
			signal?.removeEventListener('abort', stops);
			stream.abort(); /* however it has ended, nothing of it goes on at the bridge */
			release?.();
		}
	}

	/** A promise of what the bridge tells: its devices, and the calls of all its clients. */
	async looks() {
		return (await this.#asks('/calls', { method: 'GET' })).json();
	}

	/** Stops all calls at all devices. A promise of `{ stopped, stops }`: how many that were, and how many Stops there have been. Tried again
	 * where the network fails, which `fails` is told. */
	async stops(fails) {
		for (let tries = 1; ; tries++) {
			try {
				return await (await this.#asks('/stop', { method: 'POST', keepalive: true }, stopMs)).json();
			} catch (error) {
				if (error instanceof TokenNeeded || tries === stopTries) throw error;
				fails();
			}
		}
	}

	/* --- */

	get #shows() {
		return this.#token === '' ? {} : { Authorization: `Bearer ${this.#token}` };
	}

	async #asks(path, options, ms = askMs) {
		const reply = await fetch(path, { ...options, headers: this.#shows, cache: 'no-store', credentials: 'omit', signal: AbortSignal.timeout(ms) });
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
