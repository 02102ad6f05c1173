/* SPDX-License-Identifier: MIT
 * A board at a serial port of the browser's. The engine runs in a worker, and the port's bytes pass here, as a worker may not have it.
 * worker/board.mjs has the messages between both. */

import { PortPipe } from './serial-port.mjs';

const notThere = 'unplugged', notOpened = 'the browser cannot open it: another program or page may have it, or you may not use it';
const endMs = 3000;

/** What has Web Serial's interface; undefined if the browser has it not. A browser that is driven may name an object of its window that stood
 * there before this script. */
export function serialOf(window) {
	const { navigator, location } = window, name = new URLSearchParams(location.search).get('serial');
	if (name !== null && navigator.webdriver === true && Object.hasOwn(window, name)) return window[name];
	return navigator.serial;
}

/* What the page has for the worker, in elements that are no script of its own. */
const packed = (id) => Uint8Array.from(atob(document.getElementById(id).textContent), (letter) => letter.charCodeAt(0));

const unpackedText = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).text();

/* Not as a module: a page that was opened from a file may not load one. */
async function startWorker() {
	const url = URL.createObjectURL(new Blob(["'use strict';", await unpackedText(packed('worker'))], { type: 'text/javascript' }));
	return new Worker(url);
}

/* Of two boards of one make it may be the other one, where the browser gives a port that was unplugged a new object. */
function isLike(port, other) {
	const [a, b] = [port, other].map((one) => one.getInfo?.() ?? {});
	return a.usbVendorId !== undefined && a.usbVendorId === b.usbVendorId && a.usbProductId === b.usbProductId;
}

export class SerialBoard {
	#serial;
	#events;
	#port;
	#baud;
	#worker = null;
	#pipe = null;
	#line = 0; /* of the pipe */
	#will = '';
	#watched = false;
	#shown = null; /* what the page has been told of the port: true, or why it is not open */
	#closing = null; /* of the whole: what is called at its end */
	#isFirst = true;
	#others = [];
	#ended;

	/** `serial`: what `serialOf` gives. `events`: message(object), log(level, text), wire(line), opened(), closed(words), broken(words). */
	constructor(serial, events) {
		this.#serial = serial;
		this.#events = events;
	}

	/** From a click. Rejects with an error whose message is words, as when nothing was chosen. */
	async connect(baud) {
		const port = await this.#choose();
		await this.close();
		this.#port = port;
		this.#baud = baud;
		this.#isFirst = true;
		this.#shown = null;
		await this.#starts();
	}

	/** A message to the engine. */
	send(message) {
		this.#post({ what: 'client', text: JSON.stringify(message) });
	}

	/** Whether the events get the lines of the record. */
	watch(on) {
		this.#watched = on;
		this.#post({ what: 'watch', on });
	}

	/** In `pagehide`: cancels what is under way, at once, as nothing that waits is done any more. */
	leave() {
		if (this.#will !== '') this.#pipe?.write(new TextEncoder().encode(this.#will));
		this.#will = '';
	}

	/** What is under way is cancelled first. */
	async close() {
		const worker = this.#worker;
		if (!worker) return;
		await new Promise((resolve) => {
			this.#closing = resolve;
			this.#post({ what: 'end' });
			setTimeout(resolve, endMs);
		});
		this.#closing = null;
		if (this.#worker === worker) await this.#ends();
	}

	/* --- The worker */

	async #choose() {
		try {
			return await this.#serial.requestPort();
		} catch (error) {
			throw new Error(error.name === 'NotFoundError' ? 'no port was chosen' : error.message);
		}
	}

	async #starts() {
		const engine = packed('engine'), worker = this.#worker = await startWorker();
		this.#ended = new AbortController();
		this.#serial.addEventListener('disconnect', ({ target, port = target }) => { /* older browsers name the port so */
			if (port === this.#port) this.#pipe?.lose();
		}, { signal: this.#ended.signal });
		worker.onmessage = ({ data: { what, ...told } }) => {
			if (this.#worker === worker) this.#on[what](told);
		};
		worker.onerror = ({ message }) => {
			if (this.#worker === worker) this.#breaks(message ?? 'the worker does not start');
		};
		const words = ['--tty', 'serial', '--baud', String(this.#baud), '--record', 'wire', '--log', 'debug'];
		worker.postMessage({ what: 'start', engine, words }, [engine.buffer]);
		this.#post({ what: 'watch', on: this.#watched });
	}

	#post(message) {
		this.#worker?.postMessage(message);
	}

	#on = {
		client: ({ texts }) => {
			try {
				for (const text of texts) this.#events.message(JSON.parse(text));
			} finally {
				this.#post({ what: 'read' });
			}
		},
		log: ({ lines }) => lines.forEach(({ level, text }) => this.#events.log(level, text)),
		wire: ({ lines }) => lines.forEach((line) => this.#events.wire(line)),
		will: ({ text }) => { this.#will = text; },
		open: ({ line }) => this.#opens(line),
		write: ({ line, bytes }) => this.#writes(line, bytes),
		more: ({ line }) => this.#at(line)?.more(),
		close: ({ line }) => this.#closes(line),
		over: ({ code }) => (this.#closing ? this.#closing() : this.#breaks(`the engine has ended, with code ${code}; the log says why`)),
		broken: ({ words }) => this.#breaks(words),
	};

	async #ends() {
		const pipe = this.#pipe;
		this.#worker.terminate();
		this.#ended.abort();
		this.#worker = this.#pipe = null;
		this.#will = '';
		await pipe?.close();
	}

	#breaks(words) {
		this.leave();
		this.#ends();
		this.#closing?.();
		this.#events.broken(words);
	}

	/* --- The port */

	#at(line) {
		return this.#line === line ? this.#pipe : null;
	}

	/* The one that was chosen, which need not be among those that the browser lists, or where it is now. */
	async #find() {
		if (this.#isFirst) return this.#port;
		const ports = await this.#serial.getPorts(), others = await this.#others;
		return ports.find((port) => port === this.#port) ?? ports.find((port) => isLike(port, this.#port) && !others.includes(port));
	}

	async #opens(line) {
		this.#line = line;
		const worker = this.#worker, tells = {
			bytes: (bytes) => this.#post({ what: 'bytes', line, bytes }),
			lost: (words) => this.#loses(line, words),
			says: (words) => this.#events.log('warning', words),
		};
		try {
			const port = await this.#find();
			this.#isFirst = false;
			if (!port || port.connected === false) return this.#fails(line, notThere);
			this.#port = port;
			const pipe = await PortPipe.open(port, this.#baud, tells);
			if (this.#worker !== worker) return pipe.close();
			this.#pipe = pipe;
		} catch (error) {
			return this.#worker === worker && this.#fails(line, error.name === 'NetworkError' ? notOpened : error.message);
		}
		this.#post({ what: 'opened', line });
		this.#shows(true);
		return this.#pipe.begin();
	}

	#fails(line, words) {
		this.#post({ what: 'failed', line, words });
		this.#shows(false, words);
	}

	#loses(line, words) {
		if (this.#line !== line) return;
		this.#post({ what: 'lost', line, words });
		this.#shows(false, words);
		this.#others = this.#serial.getPorts(); /* those that are there now are other boards */
	}

	async #writes(line, bytes) {
		if (await this.#at(line)?.write(bytes)) this.#post({ what: 'wrote', line });
	}

	async #closes(line) {
		const pipe = this.#at(line);
		if (pipe) this.#pipe = null;
		await pipe?.close();
		this.#post({ what: 'closed', line });
	}

	/* The page is told once. */
	#shows(isOpen, words) {
		const shown = isOpen ? true : words;
		if (this.#shown === shown) return;
		this.#shown = shown;
		if (isOpen) this.#events.opened();
		else this.#events.closed(words);
	}
}
