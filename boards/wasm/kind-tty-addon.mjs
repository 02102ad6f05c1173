/* SPDX-License-Identifier: MIT
 * A serial device by the addon of `serialport`: on Windows, and where `stty` is not installed. Elsewhere kind-tty.mjs stands above it.
 * The package is loaded when a device is opened, and may be missing. */

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { holderOf, isLockedByFile } from './holder.mjs';

const packageName = '@serialport/bindings-cpp';
const resetMs = 100, pieceBytes = 4096;
const windows = process.platform === 'win32';

/* Windows keeps no rate that could be left as it is found, and USB devices take no notice of it. */
const usualBaud = 115200;

/* What a device sees besides its rate. On Windows `hupcl` is DTR: without it boards with USB of their own (TinyUSB, the pico-sdk) take
 * nobody to be there, and send nothing. Elsewhere it would lower DTR at the end. */
const settings = { hupcl: windows, vmin: 1, vtime: 0 };
const lines = { brk: false, cts: false, dsr: false, lowLatency: false };

async function load() {
	try {
		return (await import(packageName)).autoDetect();
	} catch (error) {
		const [why] = error.message.split('\n');
		throw new Error(`${packageName}, which opens serial devices here, cannot be loaded: ${why}`);
	}
}

/* The addon's words in those of the native program. */
const isInUse = ({ message }) => /access denied|cannot lock port/i.test(message);
const wordsOf = ({ message }) => (/file not found|no such file/i.test(message) ? 'No such file or directory' : message.replace(/^Error:? /, ''));

class AddonLink {
	#port;
	#line;
	#isClosed = false;
	#isPaused = false;
	#continues = () => {};

	constructor(line, port) {
		this.#line = line;
		this.#port = port;
		this.#reads();
	}

	async #reads() {
		const buffer = Buffer.alloc(pieceBytes);
		try {
			while (!this.#isClosed) {
				const { bytesRead } = await this.#port.read(buffer, 0, pieceBytes);
				if (bytesRead > 0) this.#line.takes(Buffer.from(buffer.subarray(0, bytesRead)));
				if (this.#isPaused) await new Promise((resolve) => { this.#continues = resolve; });
			}
		} catch {
			this.#isLost();
		}
	}

	#isLost() {
		if (!this.#isClosed) this.#line.loses('unplugged, or the line hung up');
	}

	write(bytes, done) {
		this.#port.write(Buffer.from(bytes)).then(() => done(), (error) => {
			this.#isLost();
			done(error);
		});
	}

	pause() {
		this.#isPaused = true;
	}

	resume() {
		this.#isPaused = false;
		this.#continues();
	}

	hangUp() {}

	async close() {
		this.#isClosed = true;
		this.#continues();
		await this.#port.close().catch(() => {}); /* one that is gone cannot be closed */
	}
}

const raise = (port) => port.set({ ...lines, dtr: true, rts: true });

async function reset(port) {
	await port.set({ ...lines, dtr: false, rts: false });
	await sleep(resetMs);
	await raise(port);
}

/* There the addon opens with RTS low. With DTR high that holds the boot pin of many ESP32 boards: after a reset they would wait for a
 * program. A port without such lines refuses, and needs neither. */
async function raiseOnWindows(port) {
	if (windows) await raise(port).catch(() => {});
}

async function open({ path, baud, reset: resets }, line) {
	const busy = () => line.failed(holderOf(path), true);
	if (isLockedByFile(path)) return busy();
	const binding = await load();
	let port;
	try {
		port = await binding.open({ ...settings, path, baudRate: baud || usualBaud });
	} catch (error) {
		if (isInUse(error)) return busy();
		throw new Error(wordsOf(error));
	}
	try {
		await raiseOnWindows(port);
		if (resets) await reset(port);
	} catch (error) {
		await port.close();
		throw error;
	}
	return line.opened(new AddonLink(line, port));
}

const isInPath = (program) => (process.env.PATH ?? '').split(delimiter).some((folder) => existsSync(join(folder, program)));

export const kind = { name: 'tty', rank: windows || !isInPath('stty') ? 1 : -1, open };
