/* SPDX-License-Identifier: MIT
 * Tools for an agent in the browser (WebMCP): those of the board, with their schemas. The abort signal of a call is its cancel. */

import { ends } from './calls.mjs';
import { shown } from './text.mjs';

const mostOffered = 128; /* an agent reads them all */

/** True if this browser has a place for tools of pages. */
export const offersTools = () => typeof document.modelContext?.registerTool === 'function';

/** Offers the tools of a list; the ones before are taken back. */
export class Agent {
	#offered = new Map(); /* by name: what takes it back, and its text */
	#call;

	/** `call(tool, args, signal)` is a promise of how the call has ended. */
	constructor(call) {
		this.#call = call;
	}

	/** The first ones of a long list. */
	sets(all) {
		if (!offersTools()) return;
		const tools = all.slice(0, mostOffered);
		const prints = new Map(tools.map((tool) => [tool.name, JSON.stringify(tool)]));
		for (const [name, { print, withdraw }] of this.#offered) {
			if (prints.get(name) === print) continue;
			withdraw.abort();
			this.#offered.delete(name);
		}
		for (const tool of tools) if (!this.#offered.has(tool.name)) this.#offers(tool, prints.get(tool.name));
	}

	/* A name or a schema that the browser refuses is not offered. */
	async #offers(tool, print) {
		const withdraw = new AbortController();
		const { name, description, inputSchema } = tool;
		const execute = (args, { signal } = {}) => this.#executes(tool, args, signal);
		this.#offered.set(name, { print, withdraw });
		try {
			await document.modelContext.registerTool({ name, description: shown(description || name, 1000), inputSchema: inputSchema ?? { type: 'object' }, execute }, { signal: withdraw.signal });
		} catch {
			if (this.#offered.get(name)?.withdraw === withdraw) this.#offered.delete(name);
		}
	}

	async #executes(tool, args, signal) {
		const { how, result, words } = await this.#call(tool, args ?? {}, signal);
		if (how === ends.stopped) throw new DOMException(words, 'AbortError');
		if (how === ends.error) throw new Error(words);
		return result;
	}
}
