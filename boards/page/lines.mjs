/* SPDX-License-Identifier: MIT
 * A list of lines of which the last some thousands are kept, and only those in sight are elements. What comes is shown once a frame. */

import { element } from './dom.mjs';

const rowHeight = 20, rowsBeyond = 10;

export class Lines {
	#kept = [];
	#dropped = 0;
	#due = false;
	#follows = true; /* the newest is in sight, and stays so */
	#most;
	#box;
	#room = element('div', { class: 'room' });
	#rows = element('div', { class: 'rows' });

	/** `box` scrolls. A row is `rowHeight` high, whatever stands in it: page.css. */
	constructor(box, most) {
		this.#box = box;
		this.#most = most;
		this.#room.append(this.#rows);
		box.append(this.#room);
		box.addEventListener('scroll', () => {
			this.#follows = box.scrollTop + box.clientHeight >= box.scrollHeight - rowHeight;
			this.#shows();
		});
		new ResizeObserver(() => this.#shows()).observe(box); /* also of what was folded away */
	}

	/** How many there were. */
	get count() {
		return this.#dropped + this.#kept.length;
	}

	get kept() {
		return this.#kept.length;
	}

	add(text, kind = '') {
		this.#kept.push({ text, kind });
		if (this.#kept.length >= 2 * this.#most) this.#forgets();
		this.#shows();
	}

	clear() {
		this.#dropped += this.#kept.length;
		this.#kept = [];
		this.#shows();
	}

	/** All that is kept, as a text. */
	get text() {
		this.#forgets();
		return this.#kept.map(({ text }) => text).join('\n');
	}

	/* --- */

	#forgets() {
		const more = Math.max(0, this.#kept.length - this.#most);
		this.#kept.splice(0, more);
		this.#dropped += more;
	}

	#shows() {
		if (this.#due) return;
		this.#due = true;
		requestAnimationFrame(() => {
			this.#due = false;
			this.#forgets();
			this.#draws();
		});
	}

	#draws() {
		const box = this.#box, count = this.#kept.length;
		this.#room.style.height = `${count * rowHeight}px`;
		if (this.#follows) box.scrollTop = box.scrollHeight;
		const first = Math.max(0, Math.floor(box.scrollTop / rowHeight) - rowsBeyond), last = Math.min(count, first + Math.ceil(box.clientHeight / rowHeight) + 2 * rowsBeyond);
		this.#rows.style.transform = `translateY(${first * rowHeight}px)`;
		this.#rows.replaceChildren(...this.#kept.slice(first, last).map(({ text, kind }) => element('div', { class: `row ${kind}`, title: text.length > 100 ? text : null }, text)));
	}
}
