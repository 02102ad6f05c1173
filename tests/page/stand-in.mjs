/* SPDX-License-Identifier: MIT
 * What stands in for Web Serial, in a Chromium that has no device: `window.standIn`, which says of itself that it is one. It has the
 * interface of `navigator.serial`. Its bytes come from a serial device of this machine and go there, past the page's policy, which
 * allows no connection. */

import { closeSync, constants, openSync } from 'node:fs';
import { ReadStream } from 'node:tty';

/* Runs in the page, before its own script. */
function playSerial() {
	const tell = (message) => window.standInTells(JSON.stringify(message));
	const toText = (bytes) => btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
	const toBytes = (text) => Uint8Array.from(atob(text), (one) => one.charCodeAt(0));
	const lost = () => new DOMException('The device has been lost.', 'NetworkError');
	const asked = new Map();
	let questions = 0;

	class Port extends EventTarget {
		#input;
		#output;
		connected = true;
		readable = null;
		writable = null;
		signals = {};

		getInfo() {
			return { usbVendorId: 0x2341, usbProductId: 0x0043 };
		}

		async open({ baudRate }) {
			if (!Number.isInteger(baudRate) || baudRate <= 0) throw new TypeError('baudRate is no positive integer');
			if (this.readable || this.writable) throw new DOMException('The port is already open.', 'InvalidStateError');
			if (!this.connected) throw new DOMException('Failed to open serial port.', 'NetworkError');
			await new Promise((resolve, reject) => {
				asked.set(++questions, { resolve, reject });
				tell({ does: 'open', question: questions, baudRate });
			});
			this.readable = new ReadableStream({ type: 'bytes', start: (input) => { this.#input = input; } });
			/* As on a port with room left: what is written has left when the call returns. */
			this.writable = new WritableStream({ start: (output) => { this.#output = output; }, write: (bytes) => tell({ does: 'write', bytes: toText(bytes) }) });
		}

		async close() {
			if (this.readable?.locked || this.writable?.locked) throw new TypeError('Cannot cancel a locked stream');
			this.readable = this.writable = null;
			tell({ does: 'close' });
		}

		async setSignals(signals) {
			Object.assign(this.signals, signals);
		}

		async getSignals() {
			return { dataCarrierDetect: false, clearToSend: false, ringIndicator: false, dataSetReady: false };
		}

		async forget() {}

		takes(bytes) {
			if (this.readable) this.#input.enqueue(bytes);
		}

		goes() {
			this.connected = false;
			if (this.readable) this.#input.error(lost());
			if (this.writable) this.#output.error(lost());
			this.readable = this.writable = null;
		}
	}

	class Serial extends EventTarget {
		isStandIn = true;
		refuses = false;
		granted = false;
		port = new Port();

		async requestPort() {
			if (!navigator.userActivation.isActive) throw new DOMException('Must be handling a user gesture to show a permission request.', 'SecurityError');
			if (this.refuses) throw new DOMException('No port selected by the user.', 'NotFoundError');
			this.granted = true;
			return this.port;
		}

		async getPorts() {
			return this.granted && this.port.connected ? [this.port] : [];
		}
	}

	const serial = new Serial();
	const happens = (type, port) => {
		port.dispatchEvent(new Event(type));
		serial.dispatchEvent(Object.defineProperty(new Event(type), 'target', { value: port }));
	};
	/* What the test does to it. After it is plugged in again the port is another object, as in Chromium. */
	const hears = {
		opened({ question, error }) {
			const { resolve, reject } = asked.get(question);
			if (error) reject(new DOMException(error, 'NetworkError'));
			else resolve();
		},
		bytes: ({ bytes }) => serial.port.takes(toBytes(bytes)),
		refuses: ({ refuses }) => { serial.refuses = refuses; },
		goes() {
			serial.port.goes();
			happens('disconnect', serial.port);
		},
		comes() {
			serial.port = new Port();
			if (serial.granted) happens('connect', serial.port);
		},
	};
	Object.defineProperty(window, 'standIn', { value: serial });
	window.standInHears = (message) => hears[message.event](message);
}


/** Opens a serial device, and gives its stream. */
export function openDevice(path) {
	const fd = openSync(path, constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK), stream = new ReadStream(fd);
	if (stream._handle.fd !== fd) closeSync(fd);
	return stream;
}

/** The stand-in of one page, at the cable of common/cable.mjs. `written` is all that the page has written, `opens` how often it opened
 * the port. */
export class StandIn {
	written = '';
	opens = 0;
	baudRate = undefined;
	#page;
	#cable;
	#stream = null;

	static async of(t, page, cable) {
		const one = new StandIn(page, cable), session = await page.context().newCDPSession(page);
		session.on('Runtime.bindingCalled', ({ name, payload }) => { if (name === 'standInTells') one.#hear(JSON.parse(payload)); });
		await session.send('Runtime.enable');
		await session.send('Runtime.addBinding', { name: 'standInTells' });
		await page.addInitScript(playSerial);
		for (const event of ['close', 'crash']) page.on(event, () => one.#close());
		t.after(() => one.#close());
		return one;
	}

	constructor(page, cable) {
		this.#page = page;
		this.#cable = cable;
	}

	async #tell(event, more = {}) {
		if (!this.#page.isClosed()) await this.#page.evaluate((message) => window.standInHears(message), { event, ...more }).catch(() => {}); /* it has just gone */
	}

	#hear({ does, question, baudRate, bytes }) {
		if (does === 'open') this.#open(question, baudRate);
		else if (does === 'write') this.#write(Buffer.from(bytes, 'base64'));
		else this.#close();
	}

	#open(question, baudRate) {
		this.baudRate = baudRate;
		this.opens++;
		try {
			this.#stream = openDevice(this.#cable.link);
		} catch (error) {
			this.#tell('opened', { question, error: error.message });
			return;
		}
		this.#stream.on('data', (bytes) => this.#tell('bytes', { bytes: bytes.toString('base64') })).on('error', () => {});
		this.#tell('opened', { question });
	}

	#write(bytes) {
		this.written += bytes.toString('latin1');
		this.#stream?.write(bytes);
	}

	#close() {
		this.#stream?.destroy();
		this.#stream = null;
	}

	/** Whether the page has the port. */
	get isOpen() {
		return this.#stream !== null;
	}

	/** The person chooses no port, until told otherwise. */
	refuses(refuses = true) {
		return this.#tell('refuses', { refuses });
	}

	async unplug() {
		await this.#cable.unplug();
		this.#close();
		await this.#tell('goes');
	}

	async plug() {
		await this.#cable.plug();
		await this.#tell('comes');
	}
}
