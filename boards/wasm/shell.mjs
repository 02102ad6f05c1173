/* SPDX-License-Identifier: MIT
 * The shell around the engine: its turns, its wishes, its end. */

import { ways, wishes } from './engine.mjs';
import { Line } from './line.mjs';

const never = 0xffffffff, longestMs = 0x7fffffff;
const sleepWords = 'the machine has slept';

export class Shell {
	doors = [];
	#lines = new Map();
	#kinds;
	#devices;
	#clock;
	#Door;
	#soon;
	#ending = new Map(); /* of a device, by its number: the end of the line that it had before */
	#closing = new Set();
	#due = false;
	#timer;
	#wakesAt = Infinity;
	#over;
	#isOver = false;

	/** `Door`: of doors.mjs, if there are places where clients come. `soon`: calls what it is given, after what has come has been read.
	 * `wordsOf`: what an error of the host says. */
	constructor(engine, kinds, { devices, clock, Door, soon, wordsOf }) {
		Object.assign(this, { engine, wordsOf });
		this.#kinds = kinds;
		this.#devices = devices;
		this.#clock = clock;
		this.#Door = Door;
		this.#soon = soon;
		this.over = new Promise((resolve) => { this.#over = resolve; });
	}

	/** Where clients come, or the one that is there from the start, whose link `makeTerminal` makes. False: no memory. */
	async open(doors, makeTerminal) {
		this.#clock.turn();
		if (!this.engine.begin(this.#clock.now)) return false;
		const number = this.engine.terminal();
		if (number !== 0) this.adds(new Line(this, number, ways.terminal), makeTerminal);
		this.#turn();
		for (const where of doors) {
			const door = new this.#Door(this, where);
			await door.open();
			this.doors.push(door);
		}
		return true;
	}

	/** A turn follows on what has just come. */
	wake() {
		if (this.#due || this.#isOver) return;
		this.#due = true;
		this.#soon(() => this.#turn());
	}

	/** Not every event is one that the engine waits for. */
	wakeIfDue() {
		if (this.engine.idle() === 0) this.wake();
	}

	end() {
		this.engine.end();
		this.wake();
	}

	/** A line that is open. */
	adds(line, makeLink) {
		this.#lines.set(line.number, line);
		line.opened(makeLink(line));
	}

	forget(line) {
		this.#lines.delete(line.number);
	}

	/** Does what the engine wishes. */
	obeys() {
		for (let wish; (wish = this.engine.wish());) {
			if (wish.kind === wishes.opens) this.#opens(wish);
			else if (wish.kind === wishes.hangsUp) this.#lines.get(wish.line)?.hangUp();
			else this.#closes(wish);
		}
	}

	/* --- */

	#turn() {
		this.#due = false;
		if (this.#isOver) return;
		if (this.#clock.turn()) this.#loseDevices();
		this.engine.tick(this.#clock.now);
		this.obeys();
		for (let number; (number = this.engine.next()) !== 0;) this.#lines.get(number)?.serve();
		for (const door of this.doors) door.accept(); /* by the time of the tick a place may be free */
		if (this.engine.isEnding()) for (const door of this.doors.splice(0)) door.close();
		const code = this.engine.over();
		if (code >= 0) this.#ends(code);
		else this.#rests();
	}

	#rests() {
		const ms = this.engine.idle();
		this.#clock.asks(ms === never ? Infinity : ms);
		if (ms === 0) this.wake();
		else if (ms !== never) this.#wakesWithin(Math.min(ms, longestMs));
	}

	/* A timer that ends earlier stays: most times that are waited for are put off again and again. What has come meanwhile, as while the
	 * program was stopped, is read before the turn. */
	#wakesWithin(ms) {
		const at = performance.now() + ms;
		if (at >= this.#wakesAt) return;
		clearTimeout(this.#timer);
		this.#wakesAt = at;
		this.#timer = setTimeout(() => {
			this.#wakesAt = Infinity;
			this.wake();
		}, ms);
	}

	#loseDevices() {
		for (const line of this.#lines.values()) {
			if (line.way === ways.device && line.link) line.loses(sleepWords);
		}
	}

	/* One line to a device at a time. */
	async #opens({ line: number, device }) {
		const line = new Line(this, number, ways.device);
		this.#lines.set(number, line);
		line.device = device;
		await this.#ending.get(device);
		if (!this.#lines.has(number) || line.isClosing) return;
		const options = this.#devices[device];
		try {
			await this.#kinds.get(options.kind).open(options, line);
		} catch (error) {
			line.failed(error);
		}
	}

	#closes({ line: number, ms }) {
		const line = this.#lines.get(number);
		if (!line || line.isClosing) return;
		const closed = line.close(ms);
		this.#closing.add(closed);
		if (line.device !== undefined) this.#ending.set(line.device, closed);
		closed.then(() => this.#closing.delete(closed));
	}

	async #ends(code) {
		this.#isOver = true;
		clearTimeout(this.#timer);
		for (const { number: line } of [...this.#lines.values()]) this.#closes({ line, ms: 0 });
		while (this.#closing.size > 0) await Promise.all(this.#closing);
		this.#over(code);
	}
}
