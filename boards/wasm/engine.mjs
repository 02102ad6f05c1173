/* SPDX-License-Identifier: MIT
 * The module as functions of JavaScript, for whatever host: wasm_bridge.c has what they do. Lines are numbers. A call that traps, or for
 * which there is no memory, throws; after that the module may not be used any more. */

import { answering, encoder } from './answers.mjs';

/** Of bridge.h: kinds of wishes, and whose a line is. */
export const wishes = { opens: 0, hangsUp: 1, closes: 2 };
export const ways = { terminal: 0, local: 1, tcp: 2, http: 3, device: 4 };

/** Of bridge_host.h: levels of the log. */
export const levels = { error: 0, warning: 1, info: 2, debug: 3 };

const pageBytes = 1 << 16, firstPages = 16, pieceBytes = 1 << 16, mostBytes = 2 ** 31 - pageBytes;
const nothing = new Uint8Array(0), decoder = new TextDecoder();

/** Who asks for more memory than there may be. */
export class NoMemory extends Error {}

/* The memory in arrays that are made anew when it has grown, and with that lost their bytes. */
function views(memory) {
	let bytes = new Uint8Array(memory.buffer), numbers = new Uint32Array(memory.buffer);
	const fresh = () => {
		if (bytes.length > 0) return;
		bytes = new Uint8Array(memory.buffer);
		numbers = new Uint32Array(memory.buffer);
	};
	return {
		bytesAt: (at, n) => (fresh(), bytes.subarray(at, at + n)),
		words: (at, n) => (fresh(), numbers.subarray(at >>> 2, (at >>> 2) + n)),
		word: (at, i) => (fresh(), numbers[(at >>> 2) + i]),
		set: (from, at) => (fresh(), bytes.set(from, at)),
		endAt: (at) => (fresh(), bytes.indexOf(0, at)),
		textAt: (at, n) => (fresh(), decoder.decode(bytes.subarray(at, at + n))),
	};
}

/** What a module imports from `shell`: wasm_host.h, of a host with bytes and texts. */
export function imports(memory, host) {
	const { bytesAt, words, textAt } = views(memory), answer = answering(host);
	const joined = (at, count) => {
		const places = words(at, 2 * count);
		const pieces = Array.from({ length: count }, (_, i) => bytesAt(places[2 * i], places[2 * i + 1]));
		if (count === 1) return pieces[0];
		const all = new Uint8Array(pieces.reduce((sum, piece) => sum + piece.length, 0));
		pieces.reduce((to, piece) => (all.set(piece, to), to + piece.length), 0);
		return all;
	};
	return {
		random: (at, n) => Number(host.random(bytesAt(at, n))),
		print: (fd, at, count) => host.print(fd, joined(at, count)),
		record_ms: () => host.recordMs(),
		record: (at, n) => host.record(bytesAt(at, n)),
		file: (at, n, to, size) => {
			const bytes = host.file(textAt(at, n))?.subarray(0, size);
			if (bytes) bytesAt(to, size).set(bytes);
			return bytes ? bytes.length : -1;
		},
		folder: (at, n, to, size) => {
			const names = host.folder(textAt(at, n));
			return names ? encoder.encodeInto(names.map((name) => `${name}\0`).join(''), bytesAt(to, size)).written : -1;
		},
		ports: (to, size) => {
			const text = host.ports();
			return size > 0 ? encoder.encodeInto(text, bytesAt(to, size)).written : encoder.encode(text).length;
		},
		page: (to, size) => {
			const bytes = host.page?.() ?? nothing;
			if (size > 0) bytesAt(to, size).set(bytes.subarray(0, size));
			return bytes.length;
		},
		system: (question, at, n, to, size) => {
			const bytes = answer(question, textAt(at, n).split('\0').slice(0, -1));
			if (bytes && bytes.length <= size) bytesAt(to, size).set(bytes);
			return bytes ? bytes.length : -1;
		},
		is_address: (at, n) => Number(host.isAddress(textAt(at, n))),
		refuse: (n) => { throw new NoMemory(`no memory is left for ${n >>> 0} bytes`); },
	};
}

/** `most`: bytes of memory that it may have. `copy`: copies bytes, if there is a better way than `slice`. */
export async function startEngine(module, host, { most = mostBytes, copy = (bytes) => bytes.slice() } = {}) {
	const memory = new WebAssembly.Memory({ initial: firstPages, maximum: Math.max(firstPages, Math.floor(most / pageBytes)) });
	const { bytesAt, word, set, endAt, textAt } = views(memory);
	const { exports: x } = await WebAssembly.instantiate(module, { shell: imports(memory, host), env: { memory } });
	const put = (bytes) => set(bytes, x.room(bytes.length));
	const putText = (text) => put(encoder.encode(`${text}\0`));
	const endingText = (at) => textAt(at, endAt(at) - at);
	x._initialize();
	return {
		memory,
		version: endingText(x.version()),
		/** The exit code, or -1: go on. */
		start(words) {
			const bytes = encoder.encode(words.map((word) => `${word}\0`).join(''));
			put(bytes);
			return x.start(words.length, bytes.length);
		},
		options: () => JSON.parse(endingText(x.options())),
		/** Where a serial device is: `path`, or `trouble`, and `found`, a line for the log. */
		port: (device) => JSON.parse(endingText(x.port(device))),
		begin: (now) => x.begin(now) !== 0,
		say(level, text) {
			const bytes = encoder.encode(text);
			put(bytes);
			x.say(level, bytes.length);
		},
		tick: (now) => x.tick(now),
		idle: () => x.idle() >>> 0,
		end: () => x.end(),
		isEnding: () => x.is_ending() !== 0,
		over: () => x.over(),
		wish() {
			const at = x.wish();
			if (!at) return null;
			return { kind: word(at, 0), line: word(at, 1), device: word(at, 2), ms: word(at, 3) };
		},
		takes: (way) => x.takes(way) !== 0,
		client: (way) => x.client(way) >>> 0,
		terminal: () => x.terminal() >>> 0,
		opened: (line) => x.opened(line),
		ended: (line, unread) => x.ended(line, unread),
		lost(line, words) {
			putText(words);
			x.lost(line);
		},
		failed(line, inUse, words) {
			putText(words);
			x.failed(line, inUse);
		},
		closed: (line) => x.closed(line),
		/** How many were taken. */
		feed(line, bytes) {
			let taken = 0;
			while (taken < bytes.length) {
				const piece = bytes.subarray(taken, taken + pieceBytes);
				put(piece);
				const n = x.feed(line, piece.length);
				taken += n;
				if (n < piece.length) break;
			}
			return taken;
		},
		reads: (line) => x.reads(line) !== 0,
		/** A copy of what is to leave. */
		out(line) {
			const at = x.out(line), n = word(at, 1);
			return n === 0 ? nothing : copy(bytesAt(word(at, 0), n));
		},
		sent: (line, n) => x.sent(line, n),
		next: () => x.next() >>> 0,
	};
}
