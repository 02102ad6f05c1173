/* SPDX-License-Identifier: MIT
 * What is to be written to the device when the page goes and the engine with it: cancels of the requests that are under way there. The record
 * tells which these are: its lines are those of docs/bridge.md. */

const recordLine = /^\d+ \S+ ([<>!])(?: (.*))?$/s;

function messageIn(text) {
	try {
		const message = JSON.parse(text);
		return typeof message === 'object' && message !== null ? message : {};
	} catch {
		return {}; /* noise of a device */
	}
}

/* Of MCP, which lets nobody cancel the request that begins a session. */
const cancel = (id) => `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`;

export class Will {
	#live = new Set(); /* ids as JSON */

	/** A line of the record. True if the text is another one now. */
	takes(line) {
		const [, way, text = ''] = recordLine.exec(line) ?? [];
		if (way === '!') return this.#endsAll();
		return (text.includes('"id"') || text.includes('notifications/cancelled')) && this.#passes(way, messageIn(text));
	}

	/** Empty if nothing is under way. It begins with an end of a line, as a part of one may have left. */
	get text() {
		return this.#live.size === 0 ? '' : `\n${[...this.#live].map(cancel).join('')}`;
	}

	#endsAll() {
		const some = this.#live.size > 0;
		this.#live.clear();
		return some;
	}

	#passes(way, { id, method, params }) {
		if (way === '<') return method === undefined && this.#live.delete(JSON.stringify(id));
		if (method === 'notifications/cancelled') return this.#live.delete(JSON.stringify(params?.requestId));
		if (id === undefined || method === undefined || method === 'initialize') return false;
		this.#live.add(JSON.stringify(id));
		return true;
	}
}
