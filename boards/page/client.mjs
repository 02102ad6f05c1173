/* SPDX-License-Identifier: MIT
 * MCP as a client: requests, lists, calls, questions. A transport has
 *
 *     era                                     'legacy' (2025-11-25) or 'modern' (2026-07-28)
 *     exchange(message, { signal, onNote, onQueue, fields })
 *                                             a promise of the response to a request; an aborted signal cancels it and ends the promise with
 *                                             `Stopped`. `onNote` gets notifications of this request, `onQueue` whether it waits
 *     notify(message)                         legacy
 *
 * and gives what belongs to no request to `client.takes`. */

const revision = '2026-07-28', legacyRevision = '2025-11-25', prefix = 'io.modelcontextprotocol/';
const mostPages = 1000, mostListed = 10000, mostRounds = 20;

/** A request was cancelled by this page. */
export class Stopped extends Error {}

/** What a response has as `error`. */
export class Refusal extends Error {
	constructor({ code, message, data }) {
		super(String(message));
		Object.assign(this, { code, data });
	}
}

export class Client {
	#transport;
	#info;
	#events;
	#lastId = 0;

	/** `info`: name and version. `events`: `log(level, text)`, `lists(method)` when one has changed, and `ask(params, signal)`, a promise of the
	 * answer to a question: `{ action, content }`. */
	constructor(transport, info, events) {
		this.#transport = transport;
		this.#info = info;
		this.#events = events;
	}

	/** A promise of what the server says of itself. */
	async begin(signal) {
		if (this.#isModern) return this.request('server/discover', {}, { signal });
		const about = await this.request('initialize', { protocolVersion: legacyRevision, capabilities: { elicitation: {} }, clientInfo: this.#info }, { signal });
		this.#transport.notify({ jsonrpc: '2.0', method: 'notifications/initialized' });
		if (about.capabilities?.logging) this.request('logging/setLevel', { level: 'debug' }).catch(() => {});
		return about;
	}

	/** A promise of the result. */
	async request(method, params, { signal, onProgress, onQueue, fields } = {}) {
		const id = ++this.#lastId;
		const message = { jsonrpc: '2.0', id, method, params: { ...params, _meta: this.#meta(onProgress ? id : null) } };
		if (Object.keys(message.params._meta).length === 0) delete message.params._meta;
		const response = await this.#transport.exchange(message, { signal, onQueue, fields, onNote: (note) => this.#notes(note, onProgress) });
		if (response.error) throw new Refusal(response.error);
		return response.result ?? {};
	}

	/** All pages of a list. */
	async list(method, member, options = {}) {
		const items = [];
		let cursor;
		for (let pages = 0; pages < mostPages && items.length < mostListed; pages++) {
			const result = await this.request(method, cursor === undefined ? {} : { cursor }, options);
			if (Array.isArray(result[member])) items.push(...result[member].slice(0, mostListed - items.length));
			if (typeof result.nextCursor !== 'string' || result.nextCursor === cursor) break;
			cursor = result.nextCursor;
		}
		return items;
	}

	/** A request in whose place the server may ask something first: then it is made again, with the answers. */
	async ask(method, params, options) {
		let more = {};
		for (let round = 0; round < mostRounds; round++) {
			const result = await this.request(method, { ...params, ...more }, options);
			if (result.resultType !== 'input_required') return result;
			more = { inputResponses: await this.#answers(result.inputRequests ?? {}, options.signal) };
			if (result.requestState !== undefined) more.requestState = result.requestState;
		}
		throw new Refusal({ code: -32603, message: 'the device asks without end' });
	}

	/** What belongs to no request: a notification, or a question of the legacy era, whose answer is returned, or undefined. */
	async takes(message, signal) {
		if (message.id === undefined || message.method === undefined) return this.#notes(message);
		if (message.method === 'ping') return { jsonrpc: '2.0', id: message.id, result: {} };
		if (message.method !== 'elicitation/create') return { jsonrpc: '2.0', id: message.id, error: { code: -32601, message: 'Method not found' } };
		const result = await this.#answer(message, signal);
		return signal.aborted ? undefined : { jsonrpc: '2.0', id: message.id, result };
	}

	/* --- */

	get #isModern() {
		return this.#transport.era === 'modern';
	}

	#meta(progressToken) {
		const progress = progressToken === null ? {} : { progressToken };
		if (!this.#isModern) return progress;
		return { ...progress, [`${prefix}protocolVersion`]: revision, [`${prefix}clientCapabilities`]: { elicitation: { form: {} } }, [`${prefix}clientInfo`]: this.#info,
			[`${prefix}logLevel`]: 'debug' };
	}

	#notes(note, onProgress) {
		const { method, params = {} } = note;
		if (method === 'notifications/progress') onProgress?.(params);
		else if (method === 'notifications/message') this.#events.log(params.level, params.data, params.logger);
		else if (/^notifications\/(tools|resources|prompts)\/list_changed$/.test(method)) this.#events.lists(method.split('/')[1]);
	}

	async #answers(asked, signal) {
		const answers = [];
		for (const [name, question] of Object.entries(asked)) answers.push([name, await this.#answer(question, signal)]);
		return Object.fromEntries(answers);
	}

	/* Only forms were announced. */
	async #answer({ method, params = {} }, signal) {
		if (method !== 'elicitation/create' || (params.mode ?? 'form') !== 'form') return { action: 'decline' };
		return this.#events.ask(params, signal);
	}
}
