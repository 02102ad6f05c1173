/* SPDX-License-Identifier: MIT
 * Links, as line.mjs has them, whose other sides are in the page: the port, and the one client. `post` hands the page a message, whose words
 * board.mjs has. */

import { Lines } from './lines.mjs';

const closingMs = 1000;

/** To the port that the page has opened for a line. */
export class PortLink {
	#line;
	#post;
	#paused = false;
	#done = () => {};
	#closed = () => {};

	constructor(line, post) {
		this.#line = line.number;
		this.#post = post;
	}

	write(bytes, done) {
		this.#done = done;
		this.#post({ what: 'write', line: this.#line, bytes });
	}

	/** The page has written that. */
	wrote() {
		this.#done();
	}

	/** Its line has what has come. The page reads on when that has been taken. */
	hasCome() {
		if (!this.#paused) this.#post({ what: 'more', line: this.#line });
	}

	pause() {
		this.#paused = true;
	}

	resume() {
		this.#paused = false;
		this.hasCome();
	}

	hangUp() {}

	/** A browser may wait for a device that takes nothing. */
	close(ms) {
		this.#post({ what: 'close', line: this.#line });
		return new Promise((resolve) => {
			this.#closed = resolve;
			setTimeout(resolve, Math.max(ms, closingMs));
		});
	}

	closed() {
		this.#closed();
	}
}

/** To the page as the client. It says of each part that it has read it. */
export class PageLink {
	#line;
	#post;
	#done = () => {};
	#texts = [];
	#lines = new Lines((text) => this.#texts.push(text));

	constructor(line, post) {
		this.#line = line;
		this.#post = post;
	}

	/** A message of the page, in JSON. */
	says(text) {
		this.#line.takes(new TextEncoder().encode(`${text}\n`));
	}

	write(bytes, done) {
		this.#lines.takes(bytes);
		this.#done = done;
		this.#post({ what: 'client', texts: this.#texts.splice(0) });
	}

	wasRead() {
		this.#done();
	}

	pause() {}
	resume() {}
	hangUp() {}
	close() {}
}
