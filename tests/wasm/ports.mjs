/* SPDX-License-Identifier: MIT
 * Ports of systems that this one is not: what macOS prints and Windows' addon lists, and what the module makes of it. */

import assert from 'node:assert/strict';
import { fieldsOf, withNames } from '../../boards/wasm/ports.mjs';
import { startEngine } from '../../boards/wasm/engine.mjs';
import { test } from '../common/runner.mjs';
import { module } from './rig.mjs';

/* A module on a system without /sys, whose ports are that text. */
async function machine(words, ports) {
	const shown = { text: '' };
	const print = (fd, bytes) => { shown.text += Buffer.from(bytes).toString(); };
	const stays = setInterval(() => {}, 1000); /* a module that starts does not keep Node from its end */
	const engine = await startEngine(module, { folder: () => null, ports: () => ports, print, file: () => null });
	clearInterval(stays);
	const code = engine.start(['quash-bridge', ...words]);
	return { engine, code, shown: shown.text };
}

const windows = [
	{ path: 'COM1', pnpId: 'ACPI\\PNP0501\\1', manufacturer: '(Standard port types)', friendlyName: 'Communications Port (COM1)' },
	{ path: 'COM12', pnpId: 'USB\\VID_2341&PID_0043\\7573531303335', manufacturer: 'Arduino LLC', friendlyName: 'Arduino Uno (COM12)', serialNumber: '7573531303335',
		vendorId: '2341', productId: '0043' },
	{ path: 'COM5', pnpId: 'BTHENUM\\{00001101}_VID&0001001D_PID&1200\\8&1', manufacturer: 'Microsoft', vendorId: '2341', productId: '0043' },
	{ path: 'COM3', pnpId: 'USB\\VID_1A86&PID_7523\\6&25A3B9&0&2', manufacturer: 'wch.cn', friendlyName: 'USB-SERIAL CH340 (COM3)', serialNumber: '6&25A3B9&0&2',
		vendorId: '1A86', productId: '7523' },
];

test('what Windows lists', async () => {
	const { code, shown } = await machine(['--list', '--json'], fieldsOf(windows));
	assert.equal(code, 0);
	assert.deepEqual(JSON.parse(shown), [
		{ path: 'COM3', maker: 'wch.cn', product: 'USB-SERIAL CH340', vid: '1a86', pid: '7523' },
		{ path: 'COM12', maker: 'Arduino LLC', product: 'Arduino Uno', serial: '7573531303335', vid: '2341', pid: '0043' },
		{ path: 'COM1', maker: '(Standard port types)', product: 'Communications Port' },
		{ path: 'COM5', maker: 'Microsoft' },
	]);
});

test('names on Windows: a port of Bluetooth is no board', async () => {
	const one = await machine(['--tty', 'auto'], fieldsOf(windows.filter(({ path }) => path !== 'COM3')));
	assert.equal(one.code, -1);
	assert.deepEqual(one.engine.port(0), { path: 'COM12', found: 'device: auto is COM12, Arduino Uno (usb:2341:0043:7573531303335); opening it resets the board' });
	assert.deepEqual(one.engine.port(0), { path: 'COM12' }, 'it is told once');
	const two = await machine(['--tty', 'auto'], fieldsOf(windows));
	assert.equal(two.code, 2);
	assert.match(two.shown, /usb:1a86:7523: is COM3, USB-SERIAL CH340\n[^\n]+ usb:2341:0043:7573531303335: is COM12, /);
});

test('names on macOS, and a path', async () => {
	const ioreg = '+-o Pico@01100000  <class IOUSBHostDevice, id 0x1>\n  | {\n  |   "idVendor" = 11914\n  |   "idProduct" = 10\n  | }\n'
		+ '  +-o IOSerialBSDClient  <class IOSerialBSDClient, id 0x2>\n      {\n        "IOCalloutDevice" = "/dev/cu.usbmodem1101"\n      }\n';
	const named = await machine(['--tty', 'usb:2e8a:000a'], ioreg), plain = await machine(['--tty', 'COM7'], ioreg);
	assert.equal(named.engine.port(0).path, '/dev/cu.usbmodem1101');
	assert.deepEqual(plain.engine.port(0), { path: 'COM7' });
});

test('a name that means no port is why the line fails', async () => {
	const { engine } = await machine(['--tty', 'usb:2e8a:000a'], ''), failed = [];
	const kind = withNames({ name: 'tty', open: () => assert.fail('nothing is opened') }, engine, assert.fail);
	await kind.open({ path: 'usb:2e8a:000a' }, { device: 0, failed: (words) => failed.push(words) });
	assert.deepEqual(failed, ['no such board is plugged in']);
});

test('a device that another program has marked for itself is in use', async () => {
	const { engine } = await machine(['--tty', '/dev/no'], ''), failed = [];
	const line = { device: 0, failed: (...why) => failed.push(why) };
	const opened = (code) => withNames({ open: () => Promise.reject(Object.assign(new Error(), { code })) }, engine, assert.fail).open({}, line);
	await opened('EBUSY');
	assert.deepEqual(failed, [['another program', true]]);
	await assert.rejects(opened('EACCES'), { code: 'EACCES' });
});
