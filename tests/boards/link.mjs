/* SPDX-License-Identifier: MIT
 * A conversation with a device that goes on from test to test: requests with ids of our own, and all that was heard. */

import assert from 'node:assert/strict';
import { Program, framed } from '../common/program.mjs';
import { sleep } from '../common/runner.mjs';

const isAnswer = (message) => !('method' in message);

export class Link {
	heard = []; /* since the last forget() */
	#lastId = 0;
	#unanswered = new Set();
	#overtaken = new Set();

	constructor([command, ...args], dialect) {
		this.program = new Program(command, args, dialect);
		this.dialect = dialect;
		this.program.child.on('error', ({ message }) => { this.program.stderr += message; }); /* its end is told as ever */
		for (const handle of [this.program.child, ...this.program.child.stdio]) handle.unref();
	}

	/** The bytes of a message on this line. */
	framed(message) {
		return framed(this.dialect === 'lsp' ? 'lsp' : 'acp', { jsonrpc: '2.0', ...message });
	}

	sendBytes(bytes) {
		this.program.sendBytes(bytes);
	}

	/** A request with an id that was never used. */
	request(method, params) {
		const id = ++this.#lastId;
		this.#unanswered.add(id);
		return { id, method, params };
	}

	/** Says messages in one write. */
	say(...messages) {
		this.sendBytes(Buffer.concat(messages.map((message) => this.framed(message))));
	}

	/** The next message; an answer must belong to a request that was not answered yet, or to none that can be known. */
	async next() {
		const message = await this.program.next();
		this.heard.push(message);
		if (isAnswer(message) && (message.id ?? null) !== null)
			assert.ok(this.#unanswered.delete(message.id) || this.#overtaken.delete(message.id), `nobody asked for ${JSON.stringify(message)}`);
		return message;
	}

	/** Hears until `id` is answered. */
	async answerTo(id) {
		const isIt = (message) => isAnswer(message) && message.id === id;
		let found = this.heard.find(isIt);
		while (!found) {
			const message = await this.next();
			if (isIt(message)) found = message;
		}
		return found;
	}

	async ask(method, params) {
		const request = this.request(method, params);
		this.say(request);
		return this.answerTo(request.id);
	}

	/** Hears what is said within `ms`. */
	async listen(ms) {
		await sleep(ms);
		const from = this.heard.length;
		while (this.program.messages.length > 0) await this.next();
		return this.heard.slice(from);
	}

	forget() {
		this.heard = [];
	}

	/** A request of which the answer may never come. */
	giveUp(id, { overtaken = false } = {}) {
		if (this.#unanswered.delete(id) && overtaken) this.#overtaken.add(id);
	}
}
