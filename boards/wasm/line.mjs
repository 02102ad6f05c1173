/* SPDX-License-Identifier: MIT
 * A line of the engine, and what is behind it: a link. A link has
 *
 *     write(bytes, done)   done(error) once they have left; one at a time
 *     pause(), resume()    what comes is not wanted for now, or is again
 *     hangUp()             nothing more is written, and what comes is dropped
 *     close(ms)            a promise of the end of all of it; what the other side does about that may take about `ms`
 *
 * and calls its line: `opened` or `failed` once, then `takes`, `ends`, `loses`. Calls that come after the end change nothing. */

const drainLookMs = 5;

export class Line {
	link = null;
	isClosing = false;
	abandons = () => {}; /* of one that is being opened: stops that */
	#shell;
	#engine;
	#held = []; /* bytes that have come and that the engine has not taken */
	#paused = false;
	#ended = false; /* behind what is held */
	#writing = false;
	#silent = false;
	#gone = false; /* nothing passes any more */

	constructor(shell, number, way) {
		this.#shell = shell;
		this.#engine = shell.engine;
		this.number = number;
		this.way = way;
	}

	/* --- For links */

	opened(link) {
		if (this.#gone) {
			link.close(0);
			return;
		}
		this.link = link;
		this.#engine.opened(this.number);
		this.#shell.wake();
		this.serve();
	}

	/** It could not be opened: an error of the host, or words. `inUse`: another program has it, which the words name. */
	failed(why, inUse = false) {
		if (this.#gone) return;
		this.#gone = true;
		this.#engine.failed(this.number, inUse, typeof why === 'string' ? why : this.#shell.wordsOf(why));
		this.#shell.forget(this);
		this.#shell.wake();
	}

	/** Bytes have come. */
	takes(bytes) {
		if (this.#gone || this.#silent) return;
		this.#held.push(bytes);
		this.#feed();
		this.#shell.wake();
	}

	/** Nothing more comes. */
	ends() {
		if (this.#gone || this.#ended) return;
		this.#ended = true;
		this.#engine.ended(this.number, this.#held.length > 0);
		this.#shell.wake();
	}

	/** Nothing passes any more, by these words. What is held is still read. */
	loses(words) {
		if (this.#gone) return;
		this.#gone = true;
		for (const bytes of this.#held.splice(0)) this.#engine.feed(this.number, bytes);
		this.#engine.lost(this.number, words);
		this.#shell.wake();
	}

	/** True if nothing that has come waits for the engine. */
	get isRead() {
		return this.#held.length === 0;
	}

	/* --- For the shell */

	/** Feeds what is held, and writes what is to leave. */
	serve() {
		if (!this.link || this.#gone) return;
		this.#feed();
		this.#write();
	}

	hangUp() {
		this.#silent = true;
		this.#held = [];
		this.#pause(false);
		this.link.hangUp();
	}

	/** Closes it: what is to leave has `ms` for that. */
	async close(ms) {
		const end = performance.now() + ms;
		this.isClosing = true;
		if (!this.link) this.abandons();
		if (this.link) {
			this.#silent = true;
			await this.#drains(end);
			this.#gone = true;
			this.#pause(false);
			await this.link.close(Math.max(0, end - performance.now()));
		}
		this.#gone = true;
		this.#engine.closed(this.number);
		this.#shell.forget(this);
		this.#shell.wake();
	}

	/* --- */

	#pause(on) {
		if (this.#paused === on) return;
		this.#paused = on;
		if (on) this.link.pause();
		else this.link.resume();
	}

	#feed() {
		while (this.#held.length > 0) {
			const [bytes] = this.#held, taken = this.#engine.feed(this.number, bytes);
			if (taken < bytes.length) {
				this.#held[0] = bytes.subarray(taken);
				break;
			}
			this.#held.shift();
		}
		this.#pause(this.#held.length > 0);
		if (this.#ended && this.#held.length === 0) this.#engine.ended(this.number, false);
	}

	#write() {
		if (this.#writing || this.#gone) return;
		const bytes = this.#engine.out(this.number);
		if (bytes.length === 0) return;
		this.#writing = true;
		this.link.write(bytes, (error) => {
			this.#writing = false;
			if (error || this.#gone) return;
			this.#engine.sent(this.number, bytes.length);
			this.#write();
			this.#shell.wakeIfDue();
		});
	}

	async #drains(end) {
		this.#write();
		while (this.#writing && !this.#gone && performance.now() < end) await new Promise((resolve) => { setTimeout(resolve, drainLookMs); });
	}
}
