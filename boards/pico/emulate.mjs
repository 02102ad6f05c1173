/* SPDX-License-Identifier: MIT
 * node emulate.mjs IMAGE.elf
 *
 * Runs an image on an emulated RP2040, its UART 0 on stdin and stdout. It goes on until it is ended, or nobody reads what it
 * says. */

import { createReadStream } from 'node:fs';
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
function connect(clock, uart, input) {
	const line = clock.createAlarm(() => {
		input.feed(uart);
		line.schedule((BITS_PER_BYTE * 1e9) / (uart.enabled && uart.baudDivider ? uart.baudRate : 115200));
	});
	line.schedule(0);
}

class Output {
	#bytes = [];

	constructor(uart, stream) {
		uart.onByte = (byte) => this.#bytes.push(byte);
		stream.on('error', () => process.exit(0));
		this.stream = stream;
	}

	/** False as long as the reader is behind. */
	flush() {
		if (this.#bytes.length > 0) this.stream.write(Buffer.from(this.#bytes.splice(0)));
		return !this.stream.writableNeedDrain;
	}
}

const [image] = process.argv.slice(2);
if (image === undefined) fail('no image: emulate.mjs IMAGE.elf');
const mcu = boardWith(image);
connect(mcu.clock, mcu.uart[0], new Input());
keepTime(mcu, new Output(mcu.uart[0], process.stdout));
