/* SPDX-License-Identifier: MIT
 * What a device asks a person, as forms. A question goes with the call that has asked it. */

import { button, element } from './dom.mjs';
import { Rows, boxOf } from './form.mjs';
import { shown, shownInLine } from './text.mjs';

const readMs = 500; /* a question moves the page: what is pressed at once was meant for something else */

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
			const rows = new Rows(requestedSchema), accept = element('button', { type: 'submit', class: 'accept', disabled: true }, 'Yes, go on');
			const decline = button('No', { class: 'decline' }, () => ends({ action: 'decline' }));
			const buttons = element('div', { class: 'buttons' }, accept, decline);
			const form = element('form', { 'data-question': '', novalidate: true, 'aria-label': shownInLine(message ?? 'a question') }, element('p', { class: 'message' }, shown(message ?? '', 2000)), ...rows.nodes, buttons);
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
			if (!document.activeElement?.matches('input, select, #stop, .stop')) decline.focus();
			setTimeout(() => { accept.disabled = false; }, readMs);
			return undefined;
		});
	}
}
