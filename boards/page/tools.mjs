/* SPDX-License-Identifier: MIT
 * Tools, each as a form. */

import { ends } from './calls.mjs';
import { button, element, newId } from './dom.mjs';
import { Rows, boxOf } from './form.mjs';
import { Plot } from './plot.mjs';
import { numbersOf } from './result.mjs';
import { shown, shownInLine } from './text.mjs';

const shownFirst = 100, leastSeconds = 0.2;

/* What a device says of its tool, as hints: it may be wrong. */
function hintsOf({ annotations = {} }) {
	const hints = [];
	if (annotations?.readOnlyHint === true) hints.push('reads only');
	if (annotations?.destructiveHint === true && annotations?.readOnlyHint !== true) hints.push('may destroy');
	return hints.map((hint) => element('span', { class: 'badge' }, hint));
}

/* A tool of a list, its form, and the numbers that its calls have brought. */
class Tool {
	#print;
	#timer;
	#round = 0; /* of what is repeated: an earlier one is over */
	#repeats;
	#plot = new Plot();
	#call;
	#rows;

	/** `call(tool, args, again)` is a promise of how the call has ended; `again`: it is repeated. */
	constructor(tool, call) {
		this.#call = call;
		this.sets(tool);
	}

	/** The same tool, perhaps with another schema. */
	sets(tool) {
		const print = JSON.stringify(tool);
		if (print === this.#print) return;
		this.#print = print;
		this.tool = tool;
		this.stopRepeating();
		const old = this.node;
		this.node = this.#form();
		old?.replaceWith(this.node);
	}

	stopRepeating() {
		clearTimeout(this.#timer);
		this.#round++;
		if (this.#repeats) this.#repeats.checked = false;
	}

	/* --- */

	#form() {
		const { name, title, description, inputSchema } = this.tool, heading = newId('tool');
		this.#rows = new Rows(inputSchema);
		const form = element('form', { 'data-tool': name, novalidate: true, 'aria-labelledby': heading },
			element('h3', { id: heading }, element('bdi', {}, shownInLine(name, 80)), ...hintsOf(this.tool)),
			typeof title === 'string' && title !== name ? element('p', { class: 'title' }, shownInLine(title)) : null,
			typeof description === 'string' ? element('p', { class: 'about' }, shown(description, 1000)) : null, ...this.#rows.nodes,
			element('div', { class: 'buttons' }, element('button', { type: 'submit', class: 'call', 'aria-label': `Call ${shownInLine(name, 80)}` }, 'Call'), ...this.#repeating()), this.#plot.node);
		return boxOf(form, 'tool', () => this.#runs());
	}

	#repeating() {
		const id = newId('repeat');
		const seconds = element('input', { type: 'number', value: 1, min: leastSeconds, step: 'any', class: 'seconds', 'aria-label': 'seconds between two calls' });
		this.#repeats = element('input', { type: 'checkbox', id });
		this.#repeats.addEventListener('change', () => {
			clearTimeout(this.#timer);
			this.#round++;
			if (this.#repeats.checked) this.#repeat(seconds, this.#round);
		});
		return [element('span', { class: 'repeat' }, this.#repeats, element('label', { for: id }, 'repeat every'), seconds, element('span', {}, 's'))];
	}

	/* The next call begins when the one before has ended. */
	async #repeat(seconds, round) {
		const goesOn = await this.#runs(true);
		if (round !== this.#round) return;
		if (goesOn) this.#timer = setTimeout(() => this.#repeat(seconds, round), Math.max(leastSeconds, Number(seconds.value) || 1) * 1000);
		else this.stopRepeating();
	}

	/* A promise: true, it may be repeated. */
	async #runs(again = false) {
		const args = this.#rows.read();
		if (args === null) return false;
		const { how, result, words } = await this.#call(this.tool, args, again);
		if (how === ends.failed) this.#rows.refuse(words);
		if (how === ends.result) this.#plot.add(performance.now(), numbersOf(result));
		return how === ends.result;
	}
}

export class Tools {
	#list;
	#filter;
	#more;
	#none;
	#call;
	#tools = new Map(); /* by name, those that were shown */
	#all = [];
	#most = shownFirst;

	/** `list` gets the forms; `filter` is an input for a part of a name; `more` gets the button for the others; `none` is seen while there are none. */
	constructor({ list, filter, more, none }, call) {
		this.#list = list;
		this.#filter = filter;
		this.#more = more;
		this.#none = none;
		this.#call = call;
		filter.addEventListener('input', () => {
			this.#most = shownFirst;
			this.#shows();
		});
	}

	/** All tools that there are. */
	get all() {
		return this.#all;
	}

	/** The tools of the list are these from now on. Those without a name are left out. While there are none, what was written in forms is kept:
	 * a board that was unplugged comes back. */
	sets(tools) {
		const names = new Set();
		this.#all = tools.filter((tool) => typeof tool?.name === 'string' && !names.has(tool.name) && names.add(tool.name));
		for (const [name, tool] of this.#tools) {
			if (names.has(name)) continue;
			tool.stopRepeating();
			if (names.size > 0) this.#tools.delete(name);
		}
		this.#shows();
	}

	stopRepeating() {
		for (const tool of this.#tools.values()) tool.stopRepeating();
	}

	/* --- */

	#nodeOf(tool) {
		const known = this.#tools.get(tool.name);
		if (known) known.sets(tool);
		else this.#tools.set(tool.name, new Tool(tool, this.#call));
		return this.#tools.get(tool.name).node;
	}

	#shows() {
		const part = this.#filter.value.trim().toLowerCase();
		const found = this.#all.filter(({ name, description }) => part === '' || name.toLowerCase().includes(part) || String(description ?? '').toLowerCase().includes(part));
		const nodes = found.slice(0, this.#most).map((tool) => this.#nodeOf(tool)), rest = found.length - nodes.length;
		if (nodes.length !== this.#list.childElementCount || nodes.some((node, i) => node !== this.#list.children[i])) this.#list.replaceChildren(...nodes);
		this.#none.hidden = this.#all.length > 0;
		this.#filter.parentElement.hidden = this.#all.length < 6 && part === '';
		this.#more.replaceChildren(...rest > 0 ? [button(`Show ${Math.min(rest, shownFirst)} of ${rest} more tools`, {}, () => {
			this.#most += shownFirst;
			this.#shows();
		})] : []);
	}
}
