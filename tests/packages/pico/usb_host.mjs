/* SPDX-License-Identifier: MIT
 * node usb_host.mjs IMAGE.elf SOCKET
 *
 * Runs an image on an emulated RP2040 and is the USB host at its port: it enumerates the device, and a client of the Unix
 * socket opens the serial port (DTR rises), one at a time; its end closes it. Commands are lines on stdin, one each:
 *
 *   unplug    the bus falls silent: the device sees that it is suspended
 *   plug      a reset, and it is enumerated anew
 *   suspend, resume
 *   deaf, hear    the client's side no longer reads, or reads again
 *
 * What happens is told in lines on stdout: `ready`, `configured`, `pin N on`, `pin N off`, `woken`, each behind the emulated
 * milliseconds. Of USB it plays what a full-speed host does with packets, not its timing: no frame, no toggle, no error. */

import { unlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { createInterface } from 'node:readline';
import { boardWith, fail, keepTime } from '../../../boards/pico/emulator.mjs';

const PACKET = 64;
const DTR_AND_RTS = 3;
const BYTES_AHEAD = 4096; /* taken from a client before the device has */
const PULSE_NS = 2e6;
const WATCHED = [15, 25];
const status = { suspended: 1 << 4, resume: 1 << 11 };
const sie = { remoteWakeup: 1 << 12 };

const setup = (type, request, value, index = 0, length = 0) =>
	Uint8Array.of(type, request, value & 255, value >> 8, index & 255, index >> 8, length & 255, length >> 8);

/** Endpoints of the interface with the bytes, from the configuration descriptor; each descriptor's length must be right. */
function endpointsOf(bytes) {
	const found = {};
	for (let at = 0, data = false; at < bytes.length; at += bytes[at]) {
		if (bytes[at] < 2 || at + bytes[at] > bytes.length) fail(`a descriptor at ${at} of ${bytes.length} has length ${bytes[at]}`);
		if (bytes[at + 1] === 4) data = bytes[at + 5] === 10;
		if (data && bytes[at + 1] === 5) found[bytes[at + 2] & 0x80 ? 'in' : 'out'] = bytes[at + 2] & 15;
	}
	return found;
}

class UsbHost {
	#transfers = []; /* of endpoint 0, those that wait and, first, that which is under way */
	#underWay = null;
	#armed = 0; /* bytes that the device's OUT endpoint waits for */
	#held = []; /* what the device has filled while nobody reads */
	#plugged = false;
	#open = false;
	deaf = false;
	toDevice = [];
	received = () => {};
	drained = () => {};

	constructor(mcu, tell) {
		this.usb = mcu.usbCtrl;
		this.clock = mcu.clock;
		this.tell = tell;
		this.pulse = this.clock.createAlarm(() => this.#signal(status.suspended, false));
		const filled = this.usb.DPRAMUpdated.bind(this.usb);
		this.usb.DPRAMUpdated = (offset, value) => {
			if (this.#holds(offset, value)) this.#held.push(() => filled(offset, value));
			else filled(offset, value);
		};
		const control = this.usb.handleSieCtrlWrite.bind(this.usb);
		this.usb.handleSieCtrlWrite = (value) => {
			control(value);
			if (value & sie.remoteWakeup) this.tell('woken');
		};
		this.usb.onUSBEnabled = () => { if (!this.#plugged) this.plug(); };
		this.usb.onResetReceived = () => this.#later(() => this.#enumerate());
		this.usb.onEndpointWrite = (endpoint, bytes) => (endpoint === 0 ? this.#answered(bytes) : this.#heard(endpoint, bytes));
		this.usb.onEndpointRead = (endpoint, size) => (endpoint === 0 ? this.usb.endpointReadDone(0, new Uint8Array(0)) : this.#arm(size));
	}

	/* The packets of an open port are fetched at once; those of a closed one nobody asks for. */
	#holds(offset, value) {
		const isIn = this.endpoints && offset === 0x80 + 8 * this.endpoints.in && value & 0x400;
		return isIn && (!this.#open || this.deaf || !this.#plugged);
	}

	#release() {
		if (this.#open && !this.deaf && this.#plugged) for (const fill of this.#held.splice(0)) fill();
	}

	/* --- Control transfers, one after the other */

	#control(packet, done = () => {}) {
		this.#transfers.push({ packet, done, bytes: [], wanted: packet[0] & 0x80 ? packet[6] | packet[7] << 8 : 0 });
		this.#next();
	}

	#next() {
		if (this.#underWay || this.#transfers.length === 0 || !this.#plugged) return;
		this.#underWay = this.#transfers.shift();
		this.usb.sendSetupPacket(this.#underWay.packet);
	}

	#answered(bytes) {
		const transfer = this.#underWay;
		if (!transfer) return;
		transfer.bytes.push(...bytes);
		if (transfer.bytes.length < transfer.wanted && bytes.length === PACKET) return;
		this.#later(() => { /* the status stage takes its time */
			this.#underWay = null;
			transfer.done(transfer.bytes);
			this.#next();
		});
	}

	#later(what) {
		const alarm = this.clock.createAlarm(what);
		alarm.schedule(1e6);
	}

	#enumerate() {
		this.#control(setup(0x80, 6, 0x100, 0, 18), (device) => {
			if (device.length !== 18 || device[0] !== 18) fail(`a device descriptor of ${device.length} bytes`);
		});
		this.#control(setup(0x00, 5, 7));
		this.#control(setup(0x80, 6, 0x300, 0, 255), ([length, kind]) => { if (kind !== 3 || length !== 4) fail('no list of languages'); });
		for (const text of [1, 2, 3])
			this.#control(setup(0x80, 6, 0x300 + text, 0x409, 255), (bytes) => {
				if (bytes[0] !== bytes.length || bytes.length < 4) fail(`text ${text} has ${bytes.length} bytes`);
			});
		this.#control(setup(0x80, 6, 0x200, 0, 9), (head) => this.#control(setup(0x80, 6, 0x200, 0, head[2] | head[3] << 8), (all) => {
			this.endpoints = endpointsOf(all);
			this.#control(setup(0x00, 9, 1), () => {
				this.tell('configured');
				if (this.#open) this.#lines(DTR_AND_RTS);
			});
		}));
	}

	/* --- Bytes */

	#heard(endpoint, bytes) {
		if (endpoint === this.endpoints?.in) this.received(Buffer.from(bytes));
	}

	#arm(size) {
		this.#armed = size;
		this.feed();
	}

	/** Hands the device what it waits for. */
	feed() {
		if (this.#armed === 0 || this.toDevice.length === 0 || !this.#open || !this.#plugged) return;
		const bytes = Uint8Array.from(this.toDevice.splice(0, Math.min(this.#armed, PACKET)));
		this.#armed = 0;
		this.usb.endpointReadDone(this.endpoints.out, bytes);
		this.drained();
	}

	/* --- What happens at the port */

	#lines(value) {
		this.#control(setup(0x21, 0x22, value), () => {
			if (value !== 0) this.#later(() => this.feed());
		});
	}

	open() {
		this.#open = true;
		this.toDevice = [];
		if (this.endpoints) this.#lines(DTR_AND_RTS);
		this.#release();
	}

	close() {
		this.#open = false;
		this.toDevice = [];
		if (this.endpoints) this.#lines(0);
	}

	#signal(bit, on) {
		this.usb.sieStatus = on ? this.usb.sieStatus | bit : this.usb.sieStatus & ~bit;
		this.usb.sieStatusUpdated();
	}

	#fallSilent() {
		this.#signal(status.suspended, true);
		this.pulse.schedule(PULSE_NS);
	}

	/** The device may wake it. */
	suspend() {
		this.#control(setup(0x00, 3, 1), () => this.#fallSilent());
	}

	resume() {
		this.#signal(status.resume, true);
	}

	unplug() {
		this.#plugged = false;
		this.endpoints = undefined;
		this.#armed = 0;
		this.#held = [];
		this.#transfers = [];
		this.#underWay = null;
		this.#fallSilent();
	}

	plug() {
		this.#plugged = true;
		this.usb.resetDevice();
	}

	hear() {
		this.deaf = false;
		this.#release();
	}
}

/* A client of the socket at the port, until one of the two goes away. */
function serve(host, socket, path) {
	let current = null;
	const server = createServer((client) => {
		if (current) {
			client.destroy();
			return;
		}
		current = client;
		host.open();
		host.received = (bytes) => client.write(bytes);
		host.drained = () => { if (host.toDevice.length < BYTES_AHEAD) client.resume(); };
		client.on('data', (bytes) => {
			host.toDevice.push(...bytes);
			host.feed();
			if (host.toDevice.length >= BYTES_AHEAD) client.pause();
		});
		client.on('error', () => {});
		client.on('close', () => {
			current = null;
			host.received = () => {};
			host.close();
		});
		client.on('end', () => client.destroy());
	});
	server.listen(path, socket);
	return { hangUp: () => current?.destroy() };
}

const [image, path] = process.argv.slice(2);
if (path === undefined) fail('usb_host.mjs IMAGE.elf SOCKET');
const mcu = boardWith(image);
const ms = () => Math.floor(mcu.clock.nanos / 1e6);
const lines = [];
const tell = (text) => lines.push(`${ms()} ${text}\n`);
const host = new UsbHost(mcu, tell);
const port = serve(host, () => tell('ready'), path);
for (const pin of WATCHED) {
	let on = false;
	mcu.gpio[pin].addListener((state) => {
		if ((state === 1) !== on) tell(`pin ${pin} ${(on = state === 1) ? 'on' : 'off'}`);
	});
}
const commands = {
	unplug: () => { host.unplug(); port.hangUp(); },
	plug: () => host.plug(),
	suspend: () => host.suspend(),
	resume: () => host.resume(),
	deaf: () => { host.deaf = true; },
	hear: () => host.hear(),
};
createInterface({ input: process.stdin }).on('line', (line) => {
	if (!(line in commands)) fail(`no command ${line}`);
	commands[line]();
}).on('close', () => {
	unlinkSync(path);
	process.exit(0);
});
keepTime(() => mcu, {
	stream: process.stdout,
	flush: () => {
		if (lines.length > 0) process.stdout.write(lines.splice(0).join(''));
		return !process.stdout.writableNeedDrain;
	},
});
