/* SPDX-License-Identifier: MIT
 * What the page runs in its worker, here without one: the engine with a device whose port a page has, which the test plays. And the port as
 * Web Serial has it. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { serialOf } from '../../boards/page/serial.mjs';
import { PortPipe } from '../../boards/page/serial-port.mjs';
import { Board } from '../../boards/page/worker/board.mjs';
import { Will } from '../../boards/page/worker/will.mjs';
import { test, until } from '../common/runner.mjs';
import { root } from '../common/start.mjs';
import { call, device, initialize, initialized } from '../wasm/rig.mjs';

const engine = gzipSync(readFileSync(join(root, 'build/wasm/bridge.wasm')));
const usual = ['--tty', 'serial', '--baud', '115200', '--record', 'wire', '--log', 'debug'];

/* A page. `answers` is the device; `opens` says what comes of opening its port, an error's words or nothing. */
class Page {
	messages = [];
	log = [];
	wire = [];
	willTexts = [];
	lines = []; /* of the port: numbers, in their order */
	notesAtMore = 0; /* how many had come when the device was to go on */
	reads = true;
	code = null;
	fails = null;
	#board = new Board((message) => this.#take(structuredClone(message)), setImmediate);
	#unread = 0;
	#answers;
	#text = '';

	constructor(t, answers = device, words = usual) {
		this.#answers = answers;
		this.#tell({ what: 'start', engine, words });
		t.after(async () => {
			this.reads = true;
			this.#read();
			this.#tell({ what: 'end' });
			await until('the end of the engine', () => this.code !== null);
		});
	}

	says(...messages) {
		for (const message of messages) this.#tell({ what: 'client', text: JSON.stringify({ jsonrpc: '2.0', ...message }) });
	}

	watches(on) {
		this.#tell({ what: 'watch', on });
	}

	loses(words) {
		this.#tell({ what: 'lost', line: this.lines.at(-1), words });
	}

	/* The device says that. */
	comes(...messages) {
		const text = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('');
		if (text) this.#tell({ what: 'bytes', line: this.lines.at(-1), bytes: Buffer.from(text) });
	}

	answer(id) {
		return until(`the answer of ${id}`, () => this.messages.find((message) => message.id === id && !message.method));
	}

	said(words) {
		return until(`${words} in the log`, () => this.log.some(({ text }) => text.includes(words)));
	}

	async greets() {
		this.says(initialize(1));
		await this.answer(1);
		this.says(initialized);
	}

	get will() {
		return this.willTexts.at(-1) ?? '';
	}

	/* As a page does it, in another turn. */
	#tell(message) {
		setImmediate(() => this.#board.takes(message));
	}

	#read() {
		for (; this.reads && this.#unread > 0; this.#unread--) this.#tell({ what: 'read' });
	}

	#take({ what, ...told }) {
		this.#on[what](told);
	}

	#on = {
		client: ({ texts }) => {
			this.messages.push(...texts.map((text) => JSON.parse(text)));
			this.#unread++;
			this.#read();
		},
		log: ({ lines }) => this.log.push(...lines),
		wire: ({ lines }) => this.wire.push(...lines),
		will: ({ text }) => this.willTexts.push(text),
		open: ({ line }) => {
			this.lines.push(line);
			this.#tell(this.fails ? { what: 'failed', line, words: this.fails } : { what: 'opened', line });
		},
		write: ({ line, bytes }) => {
			const lines = `${this.#text}${Buffer.from(bytes)}`.split('\n');
			this.#text = lines.pop();
			for (const text of lines) if (text) this.comes(...this.#answers(JSON.parse(text)) ?? []);
			this.#tell({ what: 'wrote', line });
		},
		more: () => { this.notesAtMore = this.messages.filter(isNote).length; },
		close: ({ line }) => {
			this.#text = '';
			this.#tell({ what: 'closed', line });
		},
		over: ({ code }) => { this.code = code; },
	};
}

const silent = (message) => (message.method === 'tools/call' ? [] : device(message));

test('the page is the client of the device at its port', async (t) => {
	const page = new Page(t);
	await page.greets();
	page.says({ id: 2, method: 'tools/list' }, call(3));
	assert.deepEqual((await page.answer(2)).result.tools.map(({ name }) => name), ['work']);
	assert.deepEqual((await page.answer(3)).result.content, [{ type: 'text', text: 'done' }]);
});

test('lines of the log come with their levels, and are those of the bridge', async (t) => {
	const page = new Page(t);
	await page.greets();
	await page.said('device: ready: played 1');
	assert.deepEqual(page.log[0], { level: 'info', text: 'device: connected (serial)' });
	assert.ok(page.log.some(({ level }) => level === 'debug'));
});

test('lines of the record come while the page watches', async (t) => {
	const page = new Page(t);
	await page.greets();
	page.says(call(2));
	await page.answer(2);
	assert.deepEqual(page.wire, []);
	page.watches(true);
	page.says(call(3));
	await page.answer(3);
	await until('the call on the wire', () => page.wire.length >= 2);
	assert.match(page.wire[0], /^\d+ device > \{.*"method":"tools\/call"/);
	assert.match(page.wire[1], /^\d+ device < \{.*"result"/);
	page.watches(false);
	page.says(call(4));
	await page.answer(4);
	assert.equal(page.wire.length, 2);
});

test('the page knows what would cancel the calls that are under way', async (t) => {
	const ids = [], page = new Page(t, (message) => {
		if (message.method !== 'tools/call') return device(message);
		ids.push(message.id);
		return [];
	});
	await page.greets();
	await until('nothing under way', () => page.will === '');
	page.says(call(2), call(3));
	await until('both calls', () => ids.length === 2);
	const cancel = (id) => `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`;
	assert.equal(page.will, `\n${cancel(ids[0])}${cancel(ids[1])}`);
	page.comes({ id: ids[0], result: { content: [] } });
	await page.answer(2);
	assert.equal(page.will, `\n${cancel(ids[1])}`);
	page.says({ method: 'notifications/cancelled', params: { requestId: 3 } });
	await until('nothing under way', () => page.will === '');
});

test('a port that cannot be opened is tried again, and the log says why once', async (t) => {
	const page = new Page(t);
	page.fails = 'another page has it';
	await until('more than one try', () => page.lines.length > 2);
	page.fails = null;
	await page.greets();
	assert.equal(page.log.filter(({ text }) => text === 'device: waiting for serial: another page has it').length, 1);
});

test('a port that is lost ends its calls in words, and is opened anew under another number', async (t) => {
	const page = new Page(t, silent);
	await page.greets();
	page.says(call(2));
	await until('the call', () => page.will !== '');
	page.loses('unplugged');
	assert.equal((await page.answer(2)).error.message, 'Link lost');
	assert.equal(page.will, '');
	await until('a second session', () => page.log.filter(({ text }) => text.startsWith('device: ready')).length === 2);
	assert.equal(new Set(page.lines).size, page.lines.length);
	await page.said('device: unplugged');
});

const note = (i) => ({ method: 'notifications/message', params: { level: 'info', data: `${i} ${'x'.repeat(1000)}` } });
const isNote = ({ method }) => method === 'notifications/message';

test('a device that says more than the engine takes at once is held up, and nothing is lost', async (t) => {
	const page = new Page(t);
	await page.greets();
	await page.said('device: ready');
	page.comes(...Array.from({ length: 3000 }, (_, i) => note(i)));
	await until('all messages', () => page.messages.filter(isNote).length === 3000);
	await until('the device to go on, once most of it was taken', () => page.notesAtMore > 1500);
});

/* A page with a call under way, and the cancels that its device gets. */
async function underWay(t) {
	const cancelled = [], page = new Page(t, (message) => {
		if (message.method === 'notifications/cancelled') cancelled.push(message);
		return silent(message);
	});
	await page.greets();
	page.says(call(2));
	await until('the call', () => page.will !== '');
	return { page, cancelled };
}

test('a page that does not read is left as any client, and its calls are cancelled', async (t) => {
	const { page, cancelled } = await underWay(t);
	page.reads = false;
	for (let i = 0; page.code === null; i++) {
		page.comes(note(i));
		await new Promise((resolve) => { setImmediate(resolve); });
	}
	assert.ok(page.log.some(({ text }) => text.includes('does not read')));
	assert.equal(cancelled.length, 1);
});

test('the end cancels what is under way, with exit code 0', async (t) => {
	const { page, cancelled } = await underWay(t);
	await t.cleanUp();
	assert.equal(cancelled.length, 1);
	assert.equal(page.code, 0);
});

test('words that the engine does not take end it, with its words', async (t) => {
	const page = new Page(t, device, ['--tty', 'serial', '--baud', 'fast']);
	await until('its end', () => page.code !== null);
	assert.equal(page.code, 2);
	assert.match(page.log[0].text, /--baud/);
});

/* --- What the page writes when it goes */

test('what is under way is known by the record, whatever a device says', () => {
	const will = new Will(), text = (id) => `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":${id}}}\n`;
	const takes = (way, message) => will.takes(`12 device ${way} ${typeof message === 'string' ? message : JSON.stringify(message)}`);
	assert.equal(takes('>', { id: 1, method: 'initialize' }), false, 'nobody may cancel that');
	assert.equal(takes('>', { id: 2, method: 'tools/call' }), true);
	assert.equal(takes('>', { id: 'a"b', method: 'tools/call' }), true);
	assert.equal(takes('<', { id: 2, method: 'elicitation/create' }), false, 'a question of the device, with an id of its own');
	assert.equal(takes('>', { id: 2, result: {} }), false, 'its answer');
	for (const noise of ['"id" {', '"id"', 'null "id"', '["id"]', '{"id":{"__proto__":1}}', '']) takes('<', noise);
	assert.equal(will.text, `\n${text(2)}${text('"a\\"b"')}`);
	assert.equal(takes('<', { id: 2, error: {} }), true);
	assert.equal(will.text, `\n${text('"a\\"b"')}`);
	assert.equal(will.takes('12 device ! lost'), true);
	assert.equal(will.text, '');
	assert.equal(will.takes('# quash-bridge record 1 mcp'), false);
});

/* --- The port */

/* A port of a browser. What it is told to break breaks its stream, and it has another one then. */
class Port {
	written = '';
	signals = null;
	isClosed = false;
	opened = null;
	readable = null;

	async open(options) {
		this.opened = options;
		this.#renews();
		this.writable = new WritableStream({ write: (bytes) => { this.written += Buffer.from(bytes); }, start: (output) => { this.output = output; } });
	}

	async setSignals(signals) {
		this.signals = signals;
		throw new DOMException('Failed to set control signals.', 'NetworkError');
	}

	async close() {
		assert.ok(!this.readable?.locked && !this.writable.locked, 'nothing reads or writes');
		this.isClosed = true;
	}

	says(text) {
		this.input.enqueue(Buffer.from(text));
	}

	breaks(name) {
		this.input.error(new DOMException(`${name} of the browser`, name));
		if (name !== 'NetworkError') this.#renews();
	}

	#renews() {
		this.readable = new ReadableStream({ start: (input) => { this.input = input; } }, { highWaterMark: 0 });
	}
}

async function piped(port = new Port(), takesAll = true) {
	const heard = { port, text: '', lost: [], said: [] };
	heard.pipe = await PortPipe.open(port, 9600, { lost: (words) => heard.lost.push(words), says: (words) => heard.said.push(words), bytes: (bytes) => {
		heard.text += Buffer.from(bytes);
		if (takesAll) heard.pipe.more();
	} });
	heard.pipe.begin();
	return heard;
}

test('a port is opened with its rate and a large buffer, and DTR and RTS are on where there are such lines', async () => {
	const { port, pipe } = await piped();
	assert.deepEqual(port.opened, { baudRate: 9600, bufferSize: 16384 });
	assert.deepEqual(port.signals, { dataTerminalReady: true, requestToSend: true });
	await pipe.close();
});

for (const [name, words] of [['BreakError', 'a break on the line'], ['FramingError', 'wrong framing on the line'], ['ParityError', 'wrong parity on the line'], ['BufferOverrunError', 'an overrun: bytes were lost on the line']])
	test(`behind a ${name} the port is read on, and the log says so`, async () => {
		const heard = await piped();
		heard.port.says('one ');
		await until('the first', () => heard.text === 'one ');
		heard.port.breaks(name);
		heard.port.says('two');
		await until('the second', () => heard.text === 'one two');
		assert.deepEqual([heard.said, heard.lost], [[words], []]);
		await heard.pipe.close();
	});

for (const [what, goes, words] of [
	['is unplugged', (port) => port.breaks('NetworkError'), 'unplugged'],
	['ends', (port) => port.input.close(), 'unplugged'],
	['breaks in another way', (port) => port.input.error(new Error('its own words')), 'its own words'],
])
	test(`a port that ${what} is lost, once`, async () => {
		const heard = await piped();
		goes(heard.port);
		await until('its loss', () => heard.lost.length > 0);
		heard.port.output.error(new DOMException('gone', 'NetworkError'));
		assert.equal(await heard.pipe.write(Buffer.from('x')), false);
		heard.pipe.lose();
		await heard.pipe.close();
		assert.deepEqual(heard.lost, [words]);
		assert.equal(heard.port.isClosed, true);
	});

test('what comes is read when what came before was taken', async () => {
	const heard = await piped(new Port(), false);
	heard.port.says('one');
	await until('the first', () => heard.text === 'one');
	heard.port.says(', two');
	heard.port.says(', three');
	for (let turns = 0; turns < 20; turns++) await new Promise((resolve) => { setImmediate(resolve); });
	assert.equal(heard.text, 'one');
	heard.pipe.more();
	await until('the second', () => heard.text === 'one, two');
	heard.port.says(', four');
	await heard.pipe.close();
	assert.equal(heard.text, 'one, two');
});

test('a port that is unplugged while it is opened is one that cannot be opened', async () => {
	const port = new Port();
	port.setSignals = async () => { port.writable = null; };
	await assert.rejects(piped(port), { message: 'unplugged' });
});

test('what was written leaves before the port is closed', async () => {
	const { port, pipe } = await piped();
	pipe.write(Buffer.from('one '));
	pipe.write(Buffer.from('two'));
	await pipe.close();
	assert.equal(port.written, 'one two');
});

test('a port that takes nothing is closed all the same', async () => {
	const port = new Port(), heard = await piped(port);
	await heard.pipe.close();
	const stuck = new Port();
	stuck.open = async function open() {
		this.readable = new ReadableStream();
		this.writable = new WritableStream({ write: (bytes, { signal }) => new Promise((resolve, reject) => { signal.addEventListener('abort', () => reject(signal.reason)); }) });
	};
	const { pipe } = await piped(stuck);
	pipe.write(Buffer.from('x'));
	await pipe.close();
	assert.equal(stuck.isClosed, true);
});

/* --- Stand-ins */

test('a browser that is driven may name what stands in for Web Serial; no other one, and no name that is not its own', () => {
	const navigator = { serial: 'the real one', webdriver: true }, location = { search: '?serial=standIn' }, standIn = 'the stand-in';
	assert.equal(serialOf({ navigator, location, standIn }), standIn);
	assert.equal(serialOf({ navigator: { ...navigator, webdriver: false }, location, standIn }), 'the real one');
	assert.equal(serialOf({ navigator: { serial: 'the real one' }, location, standIn }), 'the real one');
	assert.equal(serialOf({ navigator, location }), 'the real one');
	assert.equal(serialOf(Object.assign(Object.create({ standIn }), { navigator, location })), 'the real one');
	assert.equal(serialOf({ navigator, location: { search: '' }, standIn }), 'the real one');
	assert.equal(serialOf({ navigator: {}, location: { search: '' } }), undefined);
});
