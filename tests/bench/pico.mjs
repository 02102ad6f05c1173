/* SPDX-License-Identifier: MIT
 * node pico.mjs IMAGE.bin SAYINGS
 *
 * Runs the flash image of a bench on an emulated RP2040, with a device on its bus that counts instructions and writes what
 * is said to the file SAYINGS. The image's vectors stand behind the boot block, whose work is not needed here. */

import { readFileSync, writeFileSync } from 'node:fs';
import { load } from '../common/npm/modules.mjs';

const VECTORS = 0x10000100;
const DEVICE = { at: 0x400fc, count: 0, put: 4, end: 8 };

const [image, sayings] = process.argv.slice(2);
const { RP2040, ConsoleLogger, LogLevel } = load('rp2040js');
const mcu = new RP2040();
const said = [];
let count = 0;
let ended = false;

mcu.logger = new ConsoleLogger(LogLevel.Error);
mcu.onBreak = (code) => {
	throw new Error(`break ${code}`);
};
mcu.peripherals[DEVICE.at] = {
	readUint32: () => count >>> 0,
	writeUint32Atomic: (offset, value) => {
		if (offset === DEVICE.put) said.push(value);
		if (offset === DEVICE.end) ended = true;
	},
};
mcu.flash.set(readFileSync(image));
mcu.core.SP = mcu.readUint32(VECTORS);
mcu.core.PC = mcu.readUint32(VECTORS + 4) & ~1;
for (; !ended && count < 1e9; count++) mcu.core.executeInstruction();
writeFileSync(sayings, Buffer.from(said));
