/* SPDX-License-Identifier: MIT
 * A transport of the legacy era over a stream of messages both ways. */

import { Stopped } from './client.mjs';

export class Pipe {
	era = 'legacy';
	#send;
	#pending = new Map(); /* by id */
	#asked = new Map(); /* questions of the other side: id, and what ends it */

	/** `send(message)` sends one. */
	constructor(send) {
		this.#send = send;
	}

	/** A promise of the response. */
	exchange(message, { signal, onNote }) {
		return new Promise((resolve, reject) => {
			if (signal?.aborted) return void reject(new Stopped());
			const { id } = message, cancels = message.method !== 'initialize';
			const stops = () => {
				this.#pending.delete(id);
				if (cancels) this.notify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: id, reason: 'stopped by a person at the page' } });
				reject(new Stopped());
			};
			const ends = (settle) => (value) => {
				this.#pending.delete(id);
				signal?.removeEventListener('abort', stops);
				settle(value);
			};
			this.#pending.set(id, { onNote, resolve: ends(resolve), reject: ends(reject) });
			signal?.addEventListener('abort', stops, { once: true });
			this.#send(message);
		});
	}

	notify(message) {
		this.#send(message);
	}

	/** A message has come, for the client of that transport. */
	async takes(message, client) {
		const { id, method, params } = message;
		if (method === undefined) return this.#pending.get(id)?.resolve(message);
		if (method === 'notifications/progress') return this.#pending.get(params?.progressToken)?.onNote(message);
		if (method === 'notifications/cancelled') return this.#asked.get(params?.requestId)?.abort();
		if (id === undefined) return client.takes(message);
		const question = new AbortController();
		this.#asked.set(id, question);
		const answer = await client.takes(message, question.signal);
		this.#asked.delete(id);
		if (answer !== undefined) this.#send(answer);
		return undefined;
	}

	/** Nothing comes any more: what waits ends with these words. */
	ends(words) {
		for (const question of this.#asked.values()) question.abort();
		for (const { reject } of [...this.#pending.values()]) reject(new Error(words));
	}
}
