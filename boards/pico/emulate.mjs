/* SPDX-License-Identifier: MIT
 * node emulate.mjs IMAGE.elf [SOCKET]
 *
 * Runs an image on an emulated RP2040, its UART 0 on stdin and stdout. It goes on until it is ended, or nobody reads what it
 * says. At a Unix socket it takes lines: `pin N` is answered with 1 where the board drives that pin high, else 0; `reset` resets
 * the board, whose RAM stays, and is answered when it has. */

import { createReadStream } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { boardWith, fail, keepTime } from './emulator.mjs';

const BITS_PER_BYTE = 10; /* with start and stop bit */
const FIFO_BYTES = 32; /* what the line holds: the rest stays with the sender, who sees that it waits */

/** stdin to the UART at its rate, as long as it is on and has room; else the sender waits. */
class Input {
	#chunks = [];
	#at = 0;

	#listen() {
		this.stream = createReadStream(null, { fd: 0, highWaterMark: FIFO_BYTES });
		this.stream.on('data', (chunk) => {
			this.#chunks.push(chunk);
			this.stream.pause();
		});
	}

	#next() {
		const [chunk] = this.#chunks;
		const byte = chunk[this.#at++];
		if (this.#at === chunk.length) {
			this.#chunks.shift();
			this.#at = 0;
			this.stream.resume();
		}
		return byte;
	}

	feed(uart) {
		if (!uart.enabled || !uart.rxEnabled) return;
		if (!this.stream) this.#listen();
		if (this.#chunks.length > 0 && !uart.rxFIFO.full) uart.feedByte(this.#next());
	}
}

/** A byte comes with each tick of the line. */
function connect({ clock, uart: [uart] }, input) {
	const line = clock.createAlarm(() => {
		input.feed(uart);
		line.schedule((BITS_PER_BYTE * 1e9) / (uart.enabled && uart.baudDivider ? uart.baudRate : 115200));
	});
	line.schedule(0);
}

class Output {
	#bytes = [];

	constructor(stream) {
		stream.on('error', () => process.exit(0));
		this.stream = stream;
	}

	hear(uart) {
		uart.onByte = (byte) => this.#bytes.push(byte);
	}

	/** False as long as the reader is behind. */
	flush() {
		if (this.#bytes.length > 0) this.stream.write(Buffer.from(this.#bytes.splice(0)));
		return !this.stream.writableNeedDrain;
	}
}

const [image, path] = process.argv.slice(2);
if (image === undefined) fail('no image: emulate.mjs IMAGE.elf [SOCKET]');
const input = new Input();
const output = new Output(process.stdout);
let mcu = null;

function start() {
	mcu = boardWith(image, mcu?.sram);
	connect(mcu, input);
	output.hear(mcu.uart[0]);
}

const isHigh = (pin) => mcu.gpio[pin].outputEnable && mcu.gpio[pin].outputValue;

function obey(line) {
	const pin = /^pin (\d+)$/.exec(line);
	if (pin) return isHigh(Number(pin[1])) ? '1' : '0';
	if (line !== 'reset') return '?';
	start();
	return 'reset';
}

start();
if (path !== undefined) createServer((socket) => {
	createInterface({ input: socket }).on('line', (line) => socket.write(`${obey(line)}\n`));
	socket.on('error', () => {});
}).listen(path);
keepTime(() => mcu, output);
