/* SPDX-License-Identifier: MIT
 * The page with a board on Web Serial: one board, one client. */

import { byId, element } from './dom.mjs';
import { Lines } from './lines.mjs';
import { Pipe } from './pipe.mjs';
import { SerialBoard, serialOf } from './serial.mjs';
import { Session } from './session.mjs';
import { shownInLine } from './text.mjs';

const rateChoices = [9600, 19200, 38400, 57600, 115200, 230400, 250000, 460800, 500000, 921600, 1000000, 2000000];

const usualRate = 115200, mostWireLines = 2000;

/* The doctor's words name an option of the bridge where the page has a choice. */
const inPage = (words) => words.replaceAll('as --baud', 'by Rate, beside Connect');

const notConnected = { name: 'board', state: 'closed' };

class SerialSide {
	#serial;
	#info;
	#view;
	#board = null;
	#pipe;
	#session;
	#shown = { ...notConnected };
	#wire = new Lines(byId('wire'), mostWireLines);
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
	async connect() {
		const board = new SerialBoard(this.#serial, {
			message: (message) => this.#pipe.takes(message, this.#session.client),
			log: (level, text) => this.#logs(level, text),
			wire: (line) => this.#wire.add(shownInLine(line, 4000)),
			opened: () => this.#opens(),
			closed: (words) => this.#closes(words),
			broken: (words) => this.#breaks(words),
		});
		this.#pipe = new Pipe((message) => board.send(message));
		this.#session = new Session(this.#pipe, this.#info, this.#view);
		await board.connect(Number(byId('baud').value));
		this.#board = board;
		board.watch(byId('wire-section').open);
		showConnected(true);
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

	read(uri, signal) {
		return this.#session.readResource(uri, signal);
	}

	watchWire(on) {
		this.#board?.watch(on);
	}

	/** Nobody else has this board. */
	hasOthers = false;
	tellTabs() {}

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
		this.#session?.empties();
	}

	#leaves(words) {
		this.#pipe?.ends(words);
		this.#board = null;
		this.#shown = { ...notConnected };
		this.#view.boards([this.#shown]);
		this.#session?.empties();
		showConnected(false);
	}

	#breaks(words) {
		this.#leaves(words);
		this.#view.trouble(words);
	}

	#isReady(server) {
		this.#sets({ state: 'ready', server, trouble: undefined });
		this.#session.refresh();
	}

	/* The engine's own words: what state the board is in, and what the doctor has found. */
	#logs(level, text) {
		this.#view.log(level, text, 'bridge');
		const [, about] = /^device: (.*)$/s.exec(text) ?? [], [, ready] = /^ready: (.*)$/s.exec(about ?? '') ?? [];
		if (ready !== undefined) this.#isReady(ready);
		else if (about !== undefined && about.includes('; remedy: ')) this.#sets({ trouble: inPage(about) });
	}
}

/* --- What a person presses */

function showConnected(on) {
	byId('connect').disabled = on;
	byId('baud').disabled = on;
	byId('disconnect').hidden = !on;
}

async function connect(side, view) {
	byId('connect').disabled = true;
	try {
		await side.connect();
	} catch (error) {
		if (!side.isConnected) showConnected(false);
		view.says(`not connected: ${error.message}`);
	}
}

const noSerial = 'This browser has no Web Serial. Chrome and Edge on a PC have it since version 89, Firefox since 151, Chrome for Android since 138.';
const noContext = 'Web Serial is there only on HTTPS, on this machine (localhost), or in a file that is opened from disk.';

/** The side of this page, which shows what it has in `view`. */
export function beginSide(info, view) {
	const serial = serialOf(window), side = new SerialSide(serial, info, view);
	byId('baud').append(...rateChoices.map((rate) => element('option', { value: rate, selected: rate === usualRate }, String(rate))));
	byId('connect').addEventListener('click', () => connect(side, view));
	byId('disconnect').addEventListener('click', () => side.disconnect());
	byId('wire-section').addEventListener('toggle', () => side.watchWire(byId('wire-section').open));
	if (serial) return side;
	byId('connect').disabled = true;
	view.notes(window.isSecureContext ? noSerial : noContext, 'grave');
	return side;
}
