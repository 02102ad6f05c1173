/* SPDX-License-Identifier: MIT
 * The page with a board on Web Serial: one board, one client. */

import { Pipe } from './pipe.mjs';
import { SerialBoard } from './serial.mjs';
import { Session } from './session.mjs';

const rates = [9600, 19200, 38400, 57600, 115200, 230400, 250000, 460800, 500000, 921600, 1000000, 2000000];

/** The rates that a person can choose; 115200 is the usual one. */
export const rateChoices = rates;
export const usualRate = 115200;

const notConnected = { name: 'board', state: 'closed' };

export class SerialSide {
	#serial;
	#info;
	#view;
	#board = null;
	#pipe;
	#session;
	#shown = { ...notConnected };
	counts = { connected: 0, lost: 0 };

	constructor(serial, info, view) {
		this.#serial = serial;
		this.#info = info;
		this.#view = view;
		view.boards([this.#shown]);
	}

	get isConnected() {
		return this.#board !== null;
	}

	/** From a click: the person chooses a port. Rejected with words if none was chosen. */
	async connect(rate, watchesWire) {
		const board = new SerialBoard(this.#serial, {
			message: (message) => this.#pipe.takes(message, this.#session.client),
			log: (level, text) => this.#logs(level, text),
			wire: (line) => this.#view.wire(line),
			opened: () => this.#opens(),
			closed: (words) => this.#closes(words),
			broken: (words) => this.#breaks(words),
		});
		this.#pipe = new Pipe((message) => board.send(message));
		this.#session = new Session(this.#pipe, this.#info, this.#view);
		await board.connect(rate);
		this.#board = board;
		board.watch(watchesWire);
		this.#sets({ state: 'connecting' });
		await this.#session.begin();
		await this.#session.refresh();
	}

	async disconnect() {
		const board = this.#board;
		this.#leaves('disconnected');
		await board?.close();
	}

	call(tool, args, call) {
		return this.#session.callTool(tool, args, call);
	}

	read(uri) {
		return this.#session.readResource(uri);
	}

	watchWire(on) {
		this.#board?.watch(on);
	}

	/** Nobody else has this board. */
	async stopOthers() {
		return 0;
	}

	/** The page goes: synchronous. */
	leave() {
		this.#board?.leave();
	}

	/* --- */

	#sets(more) {
		this.#shown = { ...this.#shown, ...more };
		this.#view.boards([this.#shown]);
	}

	#opens() {
		this.counts.connected++;
		this.#sets({ state: 'connecting', trouble: undefined });
	}

	#closes(words) {
		this.counts.lost++;
		this.#sets({ state: 'waiting', trouble: words });
	}

	#leaves(words) {
		this.#pipe?.ends(words);
		this.#board = null;
		this.#shown = { ...notConnected };
		this.#view.boards([this.#shown]);
		this.#view.tools([]);
		this.#view.resources([]);
		this.#view.connected(false);
	}

	#breaks(words) {
		this.#leaves(words);
		this.#view.trouble(words);
	}

	/* The engine's own words: what state the board is in, and what the doctor has found. */
	#logs(level, text) {
		this.#view.log(level, text, 'bridge');
		const [, about] = /^device: (.*)$/s.exec(text) ?? [], [, ready] = /^ready: (.*)$/s.exec(about ?? '') ?? [];
		if (ready !== undefined) this.#sets({ state: 'ready', server: ready, trouble: undefined });
		else if (about !== undefined && about.includes('; remedy: ')) this.#sets({ trouble: about });
	}
}
