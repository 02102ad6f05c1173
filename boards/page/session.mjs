/* SPDX-License-Identifier: MIT
 * A client's session as the page needs it: lists that stay true, calls, resources. */

import { Client, Refusal } from './client.mjs';
import { headerMarks } from './schema.mjs';
import { asText } from './text.mjs';

const methodNotFound = -32601;

/* What a field of HTTP says of an argument; null: nothing. */
function fieldValue(args, path) {
	const value = path.reduce((at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? at[name] : undefined), args);
	return value === undefined || value === null || typeof value === 'object' ? null : String(value);
}

export class Session {
	#client;
	#view;
	#fieldText;
	#refreshing = null;
	#again = false;
	#round = 0; /* lists of an earlier one are not shown any more */

	/** `view` has `log(level, text)`, `tools(list)`, `resources(list)`, `trouble(words)` and `questions`. `fieldText` makes texts such that a field of
	 * HTTP can have them; null: the transport has no such fields. */
	constructor(transport, info, view, fieldText = null) {
		this.#view = view;
		this.#fieldText = fieldText;
		this.#client = new Client(transport, info, {
			log: (level, data, logger) => view.log(asText(level), `${logger ? `${asText(logger)}: ` : ''}${asText(data)}`),
			lists: () => this.refresh(),
			ask: (params, signal) => view.questions.ask(params, signal),
		});
	}

	get client() {
		return this.#client;
	}

	begin(signal) {
		return this.#client.begin(signal);
	}

	/** Fetches the lists, once more if one has changed meanwhile. */
	refresh() {
		this.#again = true;
		this.#refreshing ??= this.#refreshes().finally(() => { this.#refreshing = null; });
		return this.#refreshing;
	}

	/** There is nothing to show, whatever comes of lists that were asked for before. */
	empties() {
		this.#round++;
		this.#view.tools([]);
		this.#view.resources([]);
	}

	/** A promise of the result of a tool. `call` is one of calls.mjs. */
	callTool(tool, args, call) {
		const onProgress = (progress) => call.progresses(progress), onQueue = (waits) => call.waits(waits);
		return this.#client.ask('tools/call', { name: tool.name, arguments: args }, { signal: call.signal, onProgress, onQueue, fields: this.#fieldsOf(tool, args) });
	}

	readResource(uri, signal) {
		return this.#client.ask('resources/read', { uri }, { signal });
	}

	/* --- */

	#fieldsOf(tool, args) {
		if (!this.#fieldText) return {};
		const pairs = headerMarks(tool.inputSchema).map(({ path, mark }) => [`Mcp-Param-${mark}`, fieldValue(args, path)]);
		return Object.fromEntries(pairs.filter(([, value]) => value !== null).map(([name, value]) => [name, this.#fieldText(value)]));
	}

	async #refreshes() {
		while (this.#again) {
			this.#again = false;
			const round = this.#round;
			const tools = await this.#list('tools/list', 'tools'), resources = await this.#list('resources/list', 'resources');
			if (round !== this.#round) continue;
			if (tools) this.#view.tools(tools);
			if (resources) this.#view.resources(resources);
		}
	}

	/* Null: it did not come. What a device does not have is an empty list. */
	async #list(method, member) {
		try {
			return await this.#client.list(method, member, { onQueue: (waits) => this.#view.listsWait(waits) });
		} catch (error) {
			if (error instanceof Refusal && error.code === methodNotFound) return [];
			this.#view.trouble(`${method}: ${error.message}`);
			return null;
		}
	}
}
