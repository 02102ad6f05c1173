/* SPDX-License-Identifier: MIT
 * The engine, with one serial device, whose port the page has, and one client, which is the page. Messages of the page:
 *
 *     start { engine, words }    the module's bytes, gzipped, and the words of a command line
 *     client { text }            a message of the client; in turn `read` for each `client` that has come from here
 *     watch { on }               whether lines of the record are wanted
 *     opened, failed { words }, bytes { bytes }, wrote, lost { words }, closed      of the port, with `line`; in turn `wrote` for each `write`
 *     end
 *
 * and to the page:
 *
 *     client { texts }
 *     log { lines }, wire { lines }, will { text }
 *     open, write { bytes }, more, close      of the port, with `line`, a number that is given once; in turn `more` for each `bytes`
 *     over { code } */

import { Clock } from '../../wasm/clock.mjs';
import { startEngine } from '../../wasm/engine.mjs';
import { Shell } from '../../wasm/shell.mjs';
import { browserHost } from './host.mjs';
import { PageLink, PortLink } from './links.mjs';
import { Will } from './will.mjs';

const gunzipped = (bytes) => new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream('gzip'))).arrayBuffer();

/* A page that was held up for long, as by its browser, is to devices as a machine that has slept. */
const pageClock = () => new Clock({ uptime: () => Date.now(), countsSleep: true });

export class Board {
	#send;
	#soon;
	#shell;
	#page; /* the link to the client */
	#said = []; /* what the page has sent before there was that link */
	#lines = new Map(); /* of the port, by number: a line, and its link once it is open */
	#will = new Will();
	#watched = false;
	#log = [];
	#wire = [];
	#due = false;

	/** `send` hands the page a message, `soon` is that of a shell. */
	constructor(send, soon) {
		this.#send = send;
		this.#soon = soon;
	}

	takes({ what, ...told }) {
		this.#on[what](told);
	}

	#on = {
		start: (told) => this.#starts(told),
		client: ({ text }) => (this.#page ? this.#page.says(text) : this.#said.push(text)),
		read: () => this.#page.wasRead(),
		watch: ({ on }) => { this.#watched = on; },
		end: () => this.#shell?.end(),
		opened: ({ line }) => this.#opened(line),
		failed: ({ line, words }) => {
			this.#at(line, (one) => one.line.failed(words));
			this.#lines.delete(line);
		},
		bytes: ({ line, bytes }) => this.#at(line, (one) => {
			one.line.takes(bytes);
			one.link.hasCome();
		}),
		wrote: ({ line }) => this.#at(line, (one) => one.link.wrote()),
		lost: ({ line, words }) => this.#at(line, (one) => one.line.loses(words)),
		closed: ({ line }) => {
			this.#at(line, (one) => one.link?.closed());
			this.#lines.delete(line);
		},
	};

	/* --- Its start */

	async #starts({ engine: bytes, words }) {
		const host = browserHost({ log: (line) => this.#keep(this.#log, line), wire: (line) => this.#records(line) });
		const engine = await startEngine(await WebAssembly.compile(await gunzipped(bytes)), host);
		const code = engine.start(['quash-bridge', ...words]);
		if (code >= 0) return this.#over(code);
		const kinds = new Map([['tty', { open: (options, line) => this.#open(line) }]]), { devices } = engine.options();
		this.#shell = new Shell(engine, kinds, { devices, clock: pageClock(), soon: this.#soon, wordsOf: ({ message }) => message });
		if (!await this.#shell.open([], (line) => this.#hasClient(line))) return this.#over(1);
		return this.#over(await this.#shell.over);
	}

	#hasClient(line) {
		this.#page = new PageLink(line, (message) => this.#post(message));
		this.#soon(() => this.#said.splice(0).forEach((text) => this.#page.says(text))); /* the line is open then */
		return this.#page;
	}

	#over(code) {
		this.#post({ what: 'over', code });
	}

	/* --- The port */

	#at(line, does) {
		const one = this.#lines.get(line);
		if (one) does(one);
	}

	#open(line) {
		this.#lines.set(line.number, { line });
		this.#post({ what: 'open', line: line.number });
	}

	#opened(number) {
		this.#at(number, (one) => {
			one.link = new PortLink(one.line, (message) => this.#post(message));
			one.line.opened(one.link);
		});
	}

	/* --- To the page: lines of log and record in groups, in their order with the rest */

	#post(message) {
		this.#flush();
		this.#send(message);
	}

	#flush() {
		for (const [what, lines] of [['log', this.#log], ['wire', this.#wire]]) {
			if (lines.length > 0) this.#send({ what, lines: lines.splice(0) });
		}
	}

	#keep(lines, line) {
		lines.push(line);
		if (this.#due) return;
		this.#due = true;
		this.#soon(() => {
			this.#due = false;
			this.#flush();
		});
	}

	/* A request is told of before it leaves. */
	#records(line) {
		if (this.#will.takes(line)) this.#send({ what: 'will', text: this.#will.text });
		if (this.#watched) this.#keep(this.#wire, line);
	}
}
