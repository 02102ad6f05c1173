/* SPDX-License-Identifier: MIT
 * What a device asks a person, as forms. A question goes with the call that has asked it. */

import { button, element } from './dom.mjs';
import { Rows, boxOf } from './form.mjs';
import { shown } from './text.mjs';

export class Questions {
	#list;
	#asked;

	/** `list` gets the elements; `asked(open)` is called with how many are open. */
	constructor(list, asked) {
		this.#list = list;
		this.#asked = asked;
	}

	/** A promise of the answer, `{ action, content }`. An aborted signal takes the question away. */
	ask({ message, requestedSchema }, signal) {
		return new Promise((resolve) => {
			const rows = new Rows(requestedSchema), decline = button('No', { class: 'decline' }, () => ends({ action: 'decline' }));
			const buttons = element('div', { class: 'buttons' }, element('button', { type: 'submit', class: 'accept' }, 'Yes, go on'), decline);
			const form = element('form', { 'data-question': '', novalidate: true }, element('p', { class: 'message' }, shown(message ?? '', 2000)), ...rows.nodes, buttons);
			const box = boxOf(form, 'question', () => {
				const content = rows.read();
				if (content !== null) ends({ action: 'accept', content });
			});
			const ends = (answer) => {
				signal?.removeEventListener('abort', leaves);
				box.remove();
				this.#asked(this.#list.childElementCount);
				resolve(answer);
			};
			const leaves = () => ends({ action: 'cancel' });
			if (signal?.aborted) return void leaves();
			signal?.addEventListener('abort', leaves);
			this.#list.append(box);
			this.#asked(this.#list.childElementCount);
			if (document.activeElement === document.body || !document.activeElement?.matches('input, select')) decline.focus();
			return undefined;
		});
	}
}
