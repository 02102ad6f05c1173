/* SPDX-License-Identifier: MIT
 * Serial ports that a program sees in place of the machine's: as files of Linux (tests/host/plugged.c), and as macOS' `ioreg` prints them,
 * which the stand-ins ask. */

import assert from 'node:assert/strict';
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { cable } from './cable.mjs';
import { folderFor, root } from './start.mjs';

const library = join(root, 'build/host/tests/host/plugged.so');

/* With `/dev/NAME` as its serial port. */
function shownByIoreg(name, { vid, pid, maker, product, serial }) {
	const number = (text) => parseInt(text, 16);
	const texts = [['USB Vendor Name', maker], ['USB Product Name', product], ['USB Serial Number', serial]].filter(([, text]) => text !== undefined);
	const port = (column) => `${column}+-o IOSerialBSDClient  <class IOSerialBSDClient, id 0x2, registered>\n${column}    "IOCalloutDevice" = "/dev/${name}"\n`;
	if (vid === undefined) return port('');
	return `+-o ${product}@00100000  <class IOUSBHostDevice, id 0x1, registered>\n  | {\n  |   "idVendor" = ${number(vid)}\n  |   "idProduct" = ${number(pid)}\n`
		+ `${texts.map(([key, text]) => `  |   "${key}" = "${text}"\n`).join('')}  | }\n${port('  ')}`;
}

export class Plugged {
	#ports = new Map();

	constructor(t) {
		assert.ok(existsSync(library), `${library} is not built`);
		this.root = folderFor(t);
		this.path = join(this.root, 'bin');
		for (const folder of ['bin', 'dev', 'sys/class/tty', 'sys/devices']) mkdirSync(join(this.root, folder), { recursive: true });
		writeFileSync(join(this.path, 'ioreg'), `#!/bin/sh\ncase "$*" in *IOUSBHostDevice) cat "${this.root}/ioreg" ;; esac\n`);
		chmodSync(join(this.path, 'ioreg'), 0o700);
		this.#writeIoreg();
	}

	/** Of a program that sees these ports. */
	get env() {
		return { PLUGGED: this.root, LD_PRELOAD: library, PATH: `${this.path}:${process.env.PATH}` };
	}

	/** The same as words before its own. */
	get words() {
		return ['env', ...Object.entries(this.env).map(([name, value]) => `${name}=${value}`)];
	}

	/** A port is seen; without numbers it is none of USB. */
	show(name, device = {}) {
		const folder = join(this.root, 'sys/devices', name), end = join(folder, `${name}:1.0`), port = join(this.root, 'sys/class/tty', name);
		const files = { idVendor: device.vid, idProduct: device.pid, manufacturer: device.maker, product: device.product, serial: device.serial };
		for (const path of [end, port]) mkdirSync(path, { recursive: true });
		for (const [file, text] of Object.entries(files)) if (text !== undefined) writeFileSync(join(folder, file), `${text}\n`);
		writeFileSync(join(end, 'uevent'), 'DRIVER=test\n');
		this.#ports.set(name, device);
		this.#writeIoreg();
		symlinkSync(`../../../devices/${name}/${name}:1.0`, join(port, 'device'));
	}

	hide(name) {
		rmSync(join(this.root, 'sys/class/tty', name), { recursive: true });
		rmSync(join(this.root, 'sys/devices', name), { recursive: true });
		this.#ports.delete(name);
		this.#writeIoreg();
	}

	/** A board with a toolbox, under that name. `unplug` ends it. */
	async plug(t, name, device, how) {
		const line = await cable(t, { link: join(this.root, 'dev', name), ...how });
		this.show(name, device);
		return { ...line, unplug: async () => {
			this.hide(name);
			await line.unplug();
		} };
	}

	#writeIoreg() {
		writeFileSync(join(this.root, 'ioreg'), [...this.#ports].map(([name, device]) => shownByIoreg(name, device)).join(''));
	}
}

export const uno = { vid: '2341', pid: '0043', maker: 'Arduino', product: 'Uno', serial: '7573531303335' };
export const pico = { vid: '2e8a', pid: '000a', maker: 'Raspberry Pi', product: 'Pico', serial: 'E66038B7' };
export const esp = { vid: '303a', pid: '1001', maker: 'Espressif', product: 'USB JTAG/serial debug unit', serial: '34:85:18:AA:B7:C8' };
export const adapter = { vid: '1a86', pid: '7523', product: 'USB Serial' };
export const modem = { vid: '12d1', pid: '1506', maker: 'HUAWEI', product: 'Mobile' };
