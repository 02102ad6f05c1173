/* SPDX-License-Identifier: MIT
 * A client that always has requests under way, and counts how each of them ended. */

import assert from 'node:assert/strict';
import { until } from '../common/runner.mjs';

const pauseMs = 5; /* after an error: a lost link answers at once */

/* What the client asks: [tool, arguments, wants progress, is cancelled]. */
const short = [['echo', { text: 'grün' }], ['led', { on: true }], ['slow', { ms: 0 }, true], ['echo', { text: 'x'.repeat(200) }], ['stats', {}]];
const long = [['slow', { ms: 60 }, true], ['slow', { ms: 5000 }, true, true]];

/** `client` is an End in a session. Without `stop()` it goes on until the test ends. `shorts`: so many times the short
 * requests come for each of the long ones. */
export class Load {
	asked = 0;
	answered = 0;
	lost = 0;
	cancelled = 0;
	progress = 0;
	surplus = [];
	#open = new Map();
	#kinds;
	#crossed = new Set();
	#goesOn = true;
	#timers = new Set();

	constructor(t, client, { width = 4, shorts = 1, most = Infinity } = {}) {
		this.client = client;
		this.most = most;
		this.#kinds = [...Array(shorts).fill(short).flat(), ...long];
		t.after(() => this.stop());
		client.onmessage = (message) => this.#take(message);
		for (let n = 0; n < width; n++) this.#next();
	}

	/** Nothing new is asked. */
	stop() {
		this.#goesOn = false;
	}

	/** Nothing new is asked, and all that was has its end. */
	async finish() {
		this.stop();
		await until('the last answers', () => this.#open.size === 0);
		assert.deepEqual(this.surplus, [], 'nothing is answered twice, or by a stranger');
		assert.equal(this.answered + this.lost + this.cancelled, this.asked, 'each has one end');
	}

	#next() {
		if (!this.#goesOn || this.asked >= this.most) return;
		const [name, args, reports, isCancelled] = this.#kinds[this.asked % this.#kinds.length];
		const id = `n${++this.asked}`;
		this.#open.set(id, name);
		this.client.ask('tools/call', { name, arguments: args, ...(reports && { _meta: { progressToken: id } }) }, id);
		if (isCancelled) this.#later(10, () => this.#cancel(id));
	}

	#later(ms, action) {
		const timer = setTimeout(() => {
			this.#timers.delete(timer);
			action();
		}, ms);
		this.#timers.add(timer);
	}

	#cancel(id) {
		if (!this.#open.has(id)) return;
		this.client.notify('notifications/cancelled', { requestId: id });
		this.#end(id, 'cancelled');
	}

	#end(id, how) {
		this[how]++;
		this.#open.delete(id);
		if (how === 'lost') this.#later(pauseMs, () => this.#next());
		else this.#next();
	}

	/* An answer may have left when the cancel came. */
	#mayCross({ id }) {
		return this.#kinds[(Number(id.slice(1)) - 1) % this.#kinds.length][3] && !this.#crossed.has(id) && this.#crossed.add(id);
	}

	#take(message) {
		this.client.messages.length = this.client.lines.length = 0;
		if (message.method === 'notifications/progress') this.progress++;
		if (message.method || !String(message.id).startsWith('n')) return;
		if (this.#open.has(message.id)) this.#end(message.id, message.error?.code === -32012 ? 'lost' : 'answered');
		else if (!this.#mayCross(message)) this.surplus.push(message);
	}
}
