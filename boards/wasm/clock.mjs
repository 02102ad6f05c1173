/* SPDX-License-Identifier: MIT
 * The time of the bridge: milliseconds that only go on, and wrap at 2^32.
 *
 * A machine that sleeps is found by its clocks: `uptime` counts the sleep, and on most systems `monotonic` does not. Where that one does
 * too (Windows), a turn that comes far later than it was asked for is the sign. The sleep is no time of the bridge's: its timeouts go on
 * from where they were, so they do not end all at once. Whoever calls ends the sessions of devices as with a line that is lost, as
 * devices have ended theirs by their leases. */

const sleepMs = 10000, lookMs = 1000;

export class Clock {
	#monotonic;
	#uptime;
	#countsSleep;
	#last;
	#due = Infinity; /* when a turn was asked for */
	#looked;
	#ahead;
	#now;

	/** `uptime`: milliseconds that count a sleep. `countsSleep`: so do those of `monotonic`. */
	constructor({ starts = 0, monotonic = () => performance.now(), uptime, countsSleep }) {
		this.#now = starts;
		this.#monotonic = monotonic;
		this.#uptime = uptime;
		this.#countsSleep = countsSleep;
		this.#last = this.#looked = monotonic();
		this.#ahead = uptime() - this.#last;
	}

	/** As the engine counts it. */
	get now() {
		return Math.floor(this.#now) >>> 0;
	}

	/** The next turn is asked for in so many milliseconds; Infinity: when something comes. */
	asks(ms) {
		this.#due = this.#last + ms;
	}

	/** A turn begins. True if the machine has slept since the last one. */
	turn() {
		const monotonic = this.#monotonic();
		const late = this.#countsSleep && monotonic - Math.min(this.#due, this.#last + lookMs) > sleepMs && this.#due !== Infinity;
		const slept = this.#hasSlept(monotonic) || late;
		this.#now += late ? Math.max(0, this.#due - this.#last) : monotonic - this.#last;
		this.#last = monotonic;
		return slept;
	}

	/* What the system's clock is ahead by grows with each sleep. It is a file to read: not in every turn. */
	#hasSlept(monotonic) {
		if (monotonic - this.#looked < lookMs) return false;
		const ahead = this.#uptime() - monotonic, slept = ahead - this.#ahead > sleepMs;
		this.#looked = monotonic;
		this.#ahead = ahead;
		return slept;
	}
}
