/* SPDX-License-Identifier: MIT
 * A conversation with a device that goes on from test to test. Each answer belongs to a request that was not answered yet, or to
 * none that can be known. */

import assert from 'node:assert/strict';
import { Program } from './program.mjs';
import { sleep } from './waits.mjs';

export class Link extends Program {
	#unanswered = new Set();
	#overtaken = new Set();
	#last = null;

	constructor([command, ...args], dialect) {
		super(command, args, dialect);
		this.child.on('error', ({ message }) => { this.stderr += message; }); /* its end is told as ever */
		for (const handle of [this.child, ...this.child.stdio]) handle.unref();
	}

	onmessage({ id = null, method }) {
		if (method === undefined && id !== null)
			assert.ok(this.#unanswered.delete(id) || this.#overtaken.delete(id), `nobody asked for ${id}`);
	}

	request(...words) {
		const request = super.request(...words);
		this.#unanswered.add(request.id);
		return request;
	}

	async waits(...words) {
		const found = await super.waits(...words);
		this.#last = found.message ?? this.#last;
		return found;
	}

	/** What has come since the last message that was waited for. */
	get news() {
		return this.messages.slice(this.messages.indexOf(this.#last) + 1);
	}

	/** What comes within `ms`. */
	async listen(ms) {
		await sleep(ms);
		return this.news;
	}

	/** All up to the last message that was waited for is of no interest. */
	forget() {
		super.forget(this.news);
	}

	/** A request of which the answer may never come. */
	giveUp(id, { overtaken = false } = {}) {
		if (this.#unanswered.delete(id) && overtaken) this.#overtaken.add(id);
	}
}
