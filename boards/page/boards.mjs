/* SPDX-License-Identifier: MIT
 * Boards, whether they are there, and what is wrong with one, in the words of the doctor. */

import { element } from './dom.mjs';
import { shown, shownInLine } from './text.mjs';

const states = { ready: 'ready', refusing: 'refuses', waiting: 'not there', connecting: 'connecting', closed: 'not connected' };

/* `what is wrong; remedy: what to do` */
function troubleNode(trouble) {
	const [what, ...remedies] = String(trouble).split('; remedy: ');
	return element('div', { class: 'trouble', role: 'alert' }, element('p', {}, shown(what, 1000)), ...remedies.map((remedy) => element('p', { class: 'remedy' }, element('strong', {}, 'What to do: '), shown(remedy, 1000))));
}

function boardNode({ name, state, server, version, line, trouble }) {
	const about = [server, version].filter(Boolean).join(' ');
	return element('li', { 'data-board': name, class: state }, element('div', { class: 'head' }, element('span', { class: 'lamp', 'aria-hidden': 'true' }), element('strong', {}, element('bdi', {}, shownInLine(name, 60))), element('span', { class: 'state' }, states[state] ?? shownInLine(state, 40)),
		about ? element('span', { class: 'hint' }, element('bdi', {}, shownInLine(about))) : null, line ? element('span', { class: 'hint' }, element('bdi', {}, shownInLine(line))) : null), trouble ? troubleNode(trouble) : null);
}

/** Shows boards: `{ name, state, server, version, line, trouble }` each, of which all but the first two may be missing. */
export class Boards {
	#list;
	#print = '';

	constructor(list) {
		this.#list = list;
	}

	sets(boards) {
		const print = JSON.stringify(boards);
		if (print === this.#print) return;
		this.#print = print;
		this.#list.replaceChildren(...boards.map(boardNode));
	}
}
