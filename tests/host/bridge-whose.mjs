/* SPDX-License-Identifier: MIT
 * `node tests/host/bridge-whose.mjs [rest]`: two clients of one resident bridge call the same tool of a real device at the
 * same time, with the same ids and tokens. It reports progress, logs, and asks. Each has what is its own. `rest`: ten
 * thousand calls in each era. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { Bridge, check, connectTo, folderFor, greet } from './bridge-program.mjs';
import { modernMeta } from '../common/client.mjs';
import { root } from '../common/program.mjs';
import { until } from '../common/runner.mjs';

const calls = process.argv[2] === 'rest' ? 10000 : 600;
const width = 4;
const teller = join(root, 'build/host/tests/host/teller');

const eras = {
	legacy: undefined,
	modern: modernMeta({ 'io.modelcontextprotocol/logLevel': 'info' }),
};

/* Client 0 has the even numbers, client 1 the odd ones. */
class Caller {
	open = new Map();
	done = 0;
	wrong = [];
	seen = { progress: 0, logs: 0, questions: 0 };

	constructor(client, index, meta, most) {
		Object.assign(this, { client, index, meta, most, next: 0 });
		client.onmessage = (message) => this.#take(message);
		for (let i = 0; i < width; i++) this.#call();
	}

	#call() {
		if (this.next === this.most) return;
		const id = this.next++;
		this.open.set(id, { n: 2 * id + this.index, progress: 0, logs: 0 });
		const { n } = this.open.get(id);
		this.client.ask('tools/call', { name: 'tell', arguments: { n }, _meta: { ...this.meta, progressToken: id } }, id);
	}

	#note(message, n, kind) {
		const call = this.open.get((n - this.index) / 2);
		if (call === undefined || ++call[kind] > 1 || '_meta' in message.params) this.wrong.push(message);
		this.seen[kind]++;
	}

	#take(message) {
		const { id, method, params } = message;
		if (method === 'notifications/progress') {
			if (params.progressToken !== (params.progress - 1 - this.index) / 2) this.wrong.push(message);
			this.#note(message, params.progress - 1, 'progress');
		} else if (method === 'notifications/message') this.#note(message, params.data, 'logs');
		else if (method === 'elicitation/create') this.#answer(message);
		else if (method === undefined) this.#end(id, message);
		else this.wrong.push(message);
	}

	#answer(message) {
		if (this.meta !== undefined || '_meta' in message.params) this.wrong.push(message);
		this.seen.questions++;
		this.client.answer(message, { action: 'accept', content: { answer: this.index } });
	}

	#end(id, message) {
		const call = this.open.get(id);
		const expected = this.meta === undefined ? this.index : call?.n;
		if (call === undefined || call.progress !== 1 || call.logs !== 1 || message.result?.content?.[0].text !== `${expected}`)
			this.wrong.push({ message, call });
		this.open.delete(id);
		this.done++;
		this.#call();
	}
}

async function called(t, meta, open) {
	const where = join(folderFor(t), 'clients');
	const bridge = Bridge.start(t, ['--listen-unix', where, '--', teller]);
	await bridge.says(/listening on /);
	const callers = [];
	for (const index of [0, 1]) {
		const client = await open(t, where);
		if (meta === undefined) await greet(client, { capabilities: { elicitation: {} } });
		callers.push({ client, index });
	}
	const running = callers.map(({ client, index }) => new Caller(client, index, meta, calls / 2));
	await until('the last answer', () => running.every(({ done, most, wrong }) => done === most || wrong.length > 0));
	return running;
}

/* An editor starts a second bridge, which is the client. */
const ways = { '': connectTo, ', behind bridges of their own': (t, where) => Bridge.start(t, ['--unix', where]).client };

for (const [era, meta] of Object.entries(eras)) for (const [way, open] of Object.entries(ways))
	check(`${calls} calls of two clients${way}, ${era}: each has its own progress, logs and questions`, async (t) => {
		for (const { wrong, seen, most, done } of await called(t, meta, open)) {
			assert.deepEqual(wrong.slice(0, 3), []);
			assert.equal(done, most);
			assert.deepEqual(seen, { progress: most, logs: most, questions: meta === undefined ? most : 0 });
		}
	});
