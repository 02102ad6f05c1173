/* SPDX-License-Identifier: MIT
 * Boards that sleep, called once a second over their UART: which share of the time their processor is asleep, in emulators that
 * know it. Each call is answered, so the UART wakes them; and docs/porting.md has the figures. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { boardWith } from '../../boards/pico/emulator.mjs';
import { test, until } from '../common/runner.mjs';
import { make, printed, root, started } from '../common/start.mjs';
import { boardOf, boards as arduino } from '../packages/arduino.mjs';
import { emptyFolder } from '../packages/archives.mjs';

const CALLS = 5;
const BYTE_NS = 1e10 / 115200;
const request = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const hello = request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'asleep', version: '1' } });
const call = (id) => request(id, 'tools/call', { name: 'led', arguments: { on: id % 2 === 0 } });

function built(board) {
	make(`BOARD=${board}`);
	return join(root, 'build', board, 'toolbox.elf');
}

/* In emulated time alone. The share is that from the first call on. */
function picoAsleep() {
	const mcu = boardWith(built('pico'));
	const { core, clock, uart: [uart] } = mcu;
	let said = '', asleep = 0, wakes = 0, waiting = [], fed = 0;
	uart.onByte = (byte) => { said += String.fromCharCode(byte); };
	const run = (ms) => {
		const end = clock.nanos + ms * 1e6;
		while (clock.nanos < end) {
			if (core.waiting && core.checkForInterrupts()) core.waiting = false;
			if (waiting.length > 0 && clock.nanos >= fed + BYTE_NS && !uart.rxFIFO.full) {
				uart.feedByte(waiting.shift());
				fed = clock.nanos;
			} else if (core.waiting) {
				const ns = Math.min(clock.nanosToNextAlarm || Infinity, waiting.length > 0 ? BYTE_NS : Infinity, end - clock.nanos);
				clock.tick(ns);
				asleep += ns;
			} else {
				const was = core.waiting;
				clock.tick((core.executeInstruction() * 1e9) / mcu.clkSys);
				wakes += !was && core.waiting;
			}
		}
	};
	const say = (text) => { waiting.push(...Buffer.from(text)); };
	run(20);
	say(hello);
	run(500);
	[asleep, wakes] = [0, 0];
	const from = clock.nanos;
	for (let i = 1; i <= CALLS; i++) {
		say(call(i));
		run(1000);
	}
	assert.deepEqual(said.trim().split('\n').map((line) => JSON.parse(line).id), Array.from({ length: CALLS + 1 }, (_, i) => i));
	const share = asleep / (clock.nanos - from);
	wakes = 0;
	run(10000);
	return { share, idle: wakes };
}

/* In its own time: what a second has with a call is what it has without one, and the call. So it is no matter when we come to ask. */
async function megaAsleep(t) {
	const image = built('mega2560'), hex = join(emptyFolder(t), 'toolbox.hex');
	printed('avr-objcopy', ['-O', 'ihex', image, hex]);
	const board = boardOf(t, hex, arduino.mega, { pin: 'B7' });
	const child = started(t, board.command);
	const isAnswered = (count) => until('an answer', () => child.said.split('\n').length - 1 === count);
	const now = async () => {
		const { ms } = await board.reports('the time'); /* may be that before the answer */
		return board.reports('a later time', (then) => then.ms > ms);
	};
	child.stdin.write(hello);
	await isAnswered(1);
	const begun = await now();
	const rested = await board.reports('two seconds', ({ ms }) => ms >= begun.ms + 2000);
	for (let i = 1; i <= CALLS; i++) {
		child.stdin.write(call(i));
		await isAnswered(i + 1);
	}
	const ended = await now();
	const awake = (from, to) => to.ms - to.asleep - (from.ms - from.asleep);
	const idle = awake(begun, rested) / (rested.ms - begun.ms);
	const called = (awake(rested, ended) - idle * (ended.ms - rested.ms)) / CALLS;
	return { share: 1 - idle - called / 1000 };
}

const page = readFileSync(join(root, 'docs/porting.md'), 'utf8');

function compare(board, share) {
	const [, said] = new RegExp(`^\\| \`${board}\` \\|.*\\| ([\\d.]+) % \\|$`, 'm').exec(page).map(Number);
	console.log(`        ${board}: asleep ${(100 * share).toFixed(1)} % of the time`);
	assert.ok(Math.abs(100 * share - said) <= 0.5, `the page has ${said} %`);
}

test('a Pico sleeps without a tick, and its UART wakes it', () => {
	const { share, idle } = picoAsleep();
	compare('pico', share);
	assert.ok(idle <= 1, `${idle} wakes in ten seconds in which nothing happens`);
});

test('a Mega sleeps between two ticks, and its UART wakes it', async (t) => compare('mega2560', (await megaAsleep(t)).share));
