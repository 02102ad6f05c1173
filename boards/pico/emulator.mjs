/* SPDX-License-Identifier: MIT
 * An emulated RP2040 that runs an image, its time our time. What its boot ROM does is done here, for the emulator has none.
 * The package rp2040js is the one that the tests install. */

import { readFileSync } from 'node:fs';
import { installed, load as loadModule, whyMissing } from '../../tests/common/npm/modules.mjs';

const FLASH = 0x10000000;
const BOOT = { size: 256, to: 0x20041f00 };
const SLICE_NS = 1e6; /* simulated without a look at the world */
const LAG_NS = 2e6; /* more is not made up for at once, lest the board's time runs faster than ours */
const CATCH_UP = { most: 200e6, rate: 0.01 }; /* but little by little */

/** Ends the emulator. */
export function fail(reason) {
	console.error(`emulate: ${reason}`);
	process.exit(2);
}

function loadEmulator() {
	if (!installed) fail(whyMissing);
	return loadModule('rp2040js');
}

/** The parts of an ELF image that are loaded, each with the address where it is stored. */
function partsOf(elf) {
	const [ELF, BITS_32, LITTLE_ENDIAN] = [0x7f454c46, 1, 1];
	if (elf.length < 52 || elf.readUInt32BE(0) !== ELF || elf[4] !== BITS_32 || elf[5] !== LITTLE_ENDIAN)
		fail('not an ELF image of 32 bits, little endian');
	const [table, size, count] = [elf.readUInt32LE(28), elf.readUInt16LE(42), elf.readUInt16LE(44)];
	return Array.from({ length: count }, (_, i) => table + i * size)
		.filter((at) => elf.readUInt32LE(at) === 1)
		.map((at) => {
			const from = elf.readUInt32LE(at + 4);
			return { address: elf.readUInt32LE(at + 12), bytes: elf.subarray(from, from + elf.readUInt32LE(at + 16)) };
		})
		.filter(({ bytes }) => bytes.length > 0);
}

/** CRC-32/MPEG-2, which the boot ROM wants behind the boot block. */
function checksum(bytes) {
	let sum = 0xffffffff;
	for (const byte of bytes) {
		sum ^= byte << 24;
		for (let bit = 0; bit < 8; bit++) sum = sum & 0x80000000 ? (sum << 1) ^ 0x04c11db7 : sum << 1;
	}
	return sum >>> 0;
}

const hex = (number) => `0x${number.toString(16).padStart(8, '0')}`;

/** The boot ROM: checks the first 256 bytes of the flash, copies them to RAM and enters them there. */
function boot(mcu) {
	const block = Buffer.from(mcu.flash.subarray(0, BOOT.size));
	const [is, must] = [block.readUInt32LE(BOOT.size - 4), checksum(block.subarray(0, BOOT.size - 4))];
	if (is !== must) fail(`the boot block ends in ${hex(is)}, its checksum is ${hex(must)}`);
	block.forEach((byte, i) => mcu.writeUint8(BOOT.to + i, byte));
	mcu.core.PC = BOOT.to;
}

function load(mcu, path) {
	for (const { address, bytes } of partsOf(readFileSync(path))) {
		const at = address - FLASH;
		if (at < 0 || at + bytes.length > mcu.flash.length) fail(`${hex(address)} is not in the flash`);
		mcu.flash.set(bytes, at);
	}
}

/** Simulates up to a time, in nanoseconds since reset. */
function runUntil(mcu, clock, end) {
	const { core } = mcu;
	while (clock.nanos < end) {
		/* What the emulator overlooks: what was pending when the sleep began, and SysTick, end it too. */
		if (core.waiting && core.checkForInterrupts()) core.waiting = false;
		if (core.waiting) clock.tick(Math.min(clock.nanosToNextAlarm || Infinity, end - clock.nanos));
		else clock.tick((core.executeInstruction() * 1e9) / mcu.clkSys);
	}
}

const now = () => Number(process.hrtime.bigint());

/** When the board would have been reset if it had never stood still. */
class Pace {
	#reset = now();
	#last = now();
	#debt = 0;

	/** The board has stood still until now. */
	hold(nanos) {
		this.#last = now();
		this.#reset = this.#last - nanos;
	}

	/** How far the board is behind. */
	behind(nanos) {
		const time = now();
		this.#payBack((time - this.#last) * CATCH_UP.rate);
		this.#last = time;
		const excess = Math.max(time - this.#reset - nanos - LAG_NS, 0);
		this.#debt = Math.min(this.#debt + excess, CATCH_UP.most);
		this.#reset += excess;
		return time - this.#reset - nanos;
	}

	#payBack(most) {
		const part = Math.min(most, this.#debt);
		this.#debt -= part;
		this.#reset -= part;
	}
}

/** Lets it run, for ever. `output` has a `flush` that is false as long as the reader is behind, and the `stream` to him.
 * `current` gives the board of now, which may be another one than before: after a reset. */
export function keepTime(current, output) {
	const pace = new Pace();
	let mcu = null;
	const turn = () => {
		const { clock } = current();
		if (mcu !== current()) pace.hold(clock.nanos);
		mcu = current();
		if (!output.flush()) {
			output.stream.once('drain', () => {
				pace.hold(mcu.clock.nanos);
				turn();
			});
			return;
		}
		const behind = pace.behind(clock.nanos);
		runUntil(mcu, clock, clock.nanos + Math.min(behind, SLICE_NS));
		output.flush();
		if (behind > SLICE_NS) setImmediate(turn);
		else setTimeout(turn, 1);
	};
	turn();
}

/** One with the image in its flash, which has just left its boot ROM. `before` is what its RAM has held. */
export function boardWith(image, before) {
	const { RP2040, ConsoleLogger, LogLevel } = loadEmulator();
	const mcu = new RP2040();
	mcu.logger = new ConsoleLogger(LogLevel.Warn); /* all below would go to stdout */
	mcu.onBreak = (code) => fail(`break ${code}`);
	load(mcu, image);
	if (before) mcu.sram.set(before);
	boot(mcu);
	return mcu;
}
