/* SPDX-License-Identifier: MIT
 * Serial ports, for the module, which chooses among them: files of Linux are read by it, macOS and Windows are asked here. */

import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { holderOf } from './holder.mjs';

const classes = ['IOUSBHostDevice', 'IOSerialBSDClient'];
const mostBytes = 1 << 26;

/** The names in a folder; null: there is none. */
export function namesIn(folder) {
	try {
		return readdirSync(folder);
	} catch {
		return null;
	}
}

const ofMac = () => classes.map((name) => spawnSync('ioreg', ['-r', '-l', '-w', '0', '-c', name], { encoding: 'utf8', maxBuffer: mostBytes }).stdout ?? '').join('');

/* Windows tells what a driver calls the port, with its name behind that. */
const productOf = ({ friendlyName = '', path }) => friendlyName.replace(` (${path})`, '');
const isUsb = ({ pnpId = '' }) => /^(USB|FTDIBUS)\\/i.test(pnpId);

/* What Windows makes up for a device without one has this mark, and belongs to the socket. */
const serialOf = ({ serialNumber = '' }) => (serialNumber.includes('&') ? '' : serialNumber);

/** Of `list()` of the addon of `serialport`: fields for `ports_read` of ports.h. */
export function fieldsOf(list) {
	const fields = (port) => [port.path, port.manufacturer, productOf(port), ...(isUsb(port) ? [serialOf(port), port.vendorId, port.productId] : ['', '', ''])];
	return list.map((port) => fields(port).map((text) => `${text ?? ''}\0`).join('')).join('');
}

let ofWindows = '';

/** To be called before the module may look for a port: Windows tells later. */
export async function lookAtPorts() {
	if (process.platform !== 'win32') return;
	try {
		const { autoDetect } = await import('@serialport/bindings-cpp');
		ofWindows = fieldsOf(await autoDetect().list());
	} catch {
		ofWindows = ''; /* who opens a port is told why */
	}
}

export const portsShown = () => (process.platform === 'win32' ? ofWindows : ofMac());

/** Whether the words of a command line may have to do with ports. */
export const areOfPorts = (words) => words.some((word) => /^--list$|tty/.test(word));

/** The kind of serial devices, with the path that a name means now in place of the name. `tells` takes lines for the log. A device that another
 * program has marked for itself (TIOCEXCL), as the native program does, is in use. */
export const withNames = (kind, engine, tells) => ({ ...kind, async open(options, line) {
	await lookAtPorts();
	const { path, trouble, found } = engine.port(line.device);
	if (found !== undefined) tells(found);
	if (trouble !== undefined) return line.failed(trouble);
	try {
		return await kind.open({ ...options, path }, line);
	} catch (error) {
		if (error.code !== 'EBUSY') throw error;
		return line.failed(holderOf(path), true);
	}
} });
