/* SPDX-License-Identifier: MIT
 * Calls: those that run, each with its progress and its Stop, and the last ones that have ended. */

import { Refusal, Stopped } from './client.mjs';
import { button, element, setText } from './dom.mjs';
import { resultNodes, textsOf } from './result.mjs';
import { asText, shown, shownAge, shownInLine } from './text.mjs';

const mostEnded = 30, tickMs = 500;

/** How a call has ended. */
export const ends = { result: 'result', failed: 'refused', error: 'error', stopped: 'stopped' };

class Call {
	#abort = new AbortController();
	#began = performance.now();
	#waits = false;

	constructor(tool, by, again) {
		this.tool = tool;
		this.again = again;
		this.signal = this.#abort.signal;
		const label = shownInLine(tool, 80);
		this.age = element('span', { class: 'age' });
		this.bar = element('progress', { 'aria-label': `progress of ${label}` });
		this.words = element('span', { class: 'words' });
		this.progress = element('div', { class: 'progress' }, this.bar, this.words);
		this.stopButton = button('Stop', { class: 'stop', 'aria-label': `Stop ${label}` }, () => this.stop());
		this.node = element('li', { 'data-call': tool, 'data-again': again ? tool : null, class: 'runs', hidden: again }, element('div', { class: 'head' }, element('strong', {}, element('bdi', {}, label)), by ? element('span', { class: 'hint' }, by) : null, this.age, this.stopButton), this.progress);
		this.tick();
	}

	stop() {
		this.#abort.abort(new Stopped());
	}

	get ms() {
		return performance.now() - this.#began;
	}

	/* A repeated call is seen while it runs only if it takes long: else all below would jump with each. */
	tick() {
		if (this.#waits || this.ms >= tickMs) this.node.hidden = false;
		setText(this.age, this.#waits ? 'waits for a free connection' : shownAge(this.ms));
	}

	waits(on) {
		this.#waits = on;
		if (!on) this.#began = performance.now();
		this.node.toggleAttribute('data-waits', on);
		this.tick();
	}

	progresses({ progress, total, message }) {
		if (Number.isFinite(progress) && Number.isFinite(total) && total > 0) {
			this.bar.max = total;
			this.bar.value = Math.min(progress, total);
		}
		const far = Number.isFinite(total) ? `${asText(progress)} of ${total}` : asText(progress);
		setText(this.words, shownInLine(typeof message === 'string' ? message : far, 200));
	}

	/** Shows the end: the elements behind the words. */
	ends(how, words, nodes) {
		this.how = how;
		this.node.className = 'ended';
		this.node.hidden = false;
		this.stopButton.remove();
		this.progress.remove();
		setText(this.age, `${words}, ${shownAge(this.ms)}`);
		this.node.append(element('div', { class: `result ${how}`, tabindex: 0, role: 'group', 'aria-label': `result of ${shownInLine(this.tool, 80)}` }, ...nodes));
	}
}

export class Calls {
	#running = new Set();
	#list;
	#none;
	#changed;
	counts = { made: 0, result: 0, refused: 0, error: 0, stopped: 0 };

	/** `list` gets the elements, `none` is seen while it is empty; `changed(running)` is called when one begins or ends. */
	constructor(list, none, changed) {
		this.#list = list;
		this.#none = none;
		this.#changed = changed;
		setInterval(() => { for (const call of this.#running) call.tick(); }, tickMs);
	}

	get running() {
		return this.#running.size;
	}

	/** Makes a call: `make(call)` is a promise of its result. A promise of `{ how, result, words }`. `signal` is one more thing that stops it,
	 * `by` says who has made it. One that was made `again` takes the place of the one before. */
	async run(tool, make, { signal, by, again = false } = {}) {
		const call = new Call(tool, by, again), stop = () => call.stop();
		if (signal?.aborted) stop();
		signal?.addEventListener('abort', stop);
		this.#begins(call);
		const end = await make(call).then((result) => this.#succeeds(call, result)).catch((error) => this.#fails(call, error));
		signal?.removeEventListener('abort', stop);
		this.#ends(call);
		return end;
	}

	/** Stops all that run. Returns how many that were. */
	stopAll() {
		const calls = [...this.#running];
		for (const call of calls) call.stop();
		return calls.length;
	}

	/* --- */

	#begins(call) {
		this.counts.made++;
		this.#running.add(call);
		this.#places(call.node);
		this.#none.hidden = true;
		this.#changed(this.#running.size);
	}

	/* What runs stands above all that has ended, the oldest first: a Stop stays where it is when another call begins. */
	#places(node) {
		const running = this.#list.querySelectorAll(':scope > .runs');
		if (running.length > 0) running[running.length - 1].after(node);
		else this.#list.prepend(node);
	}

	get #ended() {
		return [...this.#list.querySelectorAll(':scope > :not(.runs)')];
	}

	#ends(call) {
		this.counts[call.how]++;
		this.#running.delete(call);
		if (call.again) this.#ended.find((node) => node !== call.node && node.dataset.again === call.tool)?.remove();
		this.#places(call.node);
		for (const old of this.#ended.slice(mostEnded)) old.remove();
		this.#changed(this.#running.size);
	}

	#succeeds(call, result) {
		const how = result.isError === true ? ends.failed : ends.result;
		call.ends(how, how === ends.failed ? 'refused' : 'done', resultNodes(result));
		return { how, result, words: textsOf(result) };
	}

	#fails(call, error) {
		const isStopped = error instanceof Stopped || (error instanceof Refusal && error.code === -32800);
		const words = isStopped ? (error.message || 'stopped from this page') : error.message, code = error instanceof Refusal ? ` (${error.code})` : '';
		const how = isStopped ? ends.stopped : ends.error;
		call.ends(how, isStopped ? 'stopped' : 'failed', [element('p', {}, shown(words + code))]);
		return { how, words };
	}
}
