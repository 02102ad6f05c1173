/* SPDX-License-Identifier: MIT
 * A board is reset in the middle of a motion, on each emulated board, behind a line that stays. The pin is low before the board
 * reads a byte, the client hears Link lost, and the next session works. BOARDS names some of them. */

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { test, until } from '../common/runner.mjs';
import { make, printed, root } from '../common/start.mjs';
import { boards as all, command } from '../interop/boards.mjs';
import { sdkFlavour } from '../interop/flavours.mjs';
import { boardOf, boards as arduino, connected, plugged } from '../packages/arduino.mjs';
import { emptyFolder } from '../packages/archives.mjs';

const isAvr = (board) => board in simulated;
const simulated = { mega2560: { of: arduino.mega, pin: 'B7' }, uno: { of: arduino.uno, pin: 'B5' } };

/* Where QEMU's monitor reads the pin: an address, or a variable, and a bit. */
const places = { lm3s6965evb: [0x40025004, 0], 'mps2-an385': [0x40028000, 0], microbit: [0x50000504, 13], 'riscv-virt': ['led', 0] };

function imageOf(board) {
	const [build, more] = board === 'uno' ? ['build/resets', ['THE_CONFIG=-DQUASH_THE_CONFIG=motor_config', 'BUILD=build/resets']] : ['build', []];
	make(`BOARD=${board}`, 'resets-board', ...more);
	const image = join(root, build, board, 'tests/boards/motor.elf');
	if (board in simulated) printed('avr-objcopy', ['-O', 'ihex', image, image.replace(/elf$/, 'hex')]);
	return board in simulated ? image.replace(/elf$/, 'hex') : image;
}

/** A line to a process that answers each line with one. */
async function asked(t, path) {
	await until('its socket', () => existsSync(path));
	const socket = connect(path);
	t.after(() => socket.destroy());
	await once(socket, 'connect');
	const lines = createInterface({ input: socket })[Symbol.asyncIterator]();
	const next = async () => (await lines.next()).value;
	return { next, ask: (line) => { socket.write(`${line}\n`); return next(); } };
}

function addressOf(image, place) {
	if (typeof place === 'number') return place;
	const [, at] = new RegExp(`^([0-9a-f]+) [bBdD] ${place}$`, 'm').exec(printed('riscv64-unknown-elf-nm', [image]));
	return parseInt(at, 16);
}

/* Each has the words that start it, and once it runs: whether the pin is high, and a reset, behind which the answer holds
 * for the board that has not run yet. */
const kinds = {
	qemu(t, board, image) {
		const path = join(emptyFolder(t), 'monitor');
		const words = command(board, 'none', { options: [] }).slice(1, -1);
		const [place, bit] = places[board];
		const address = addressOf(image, place);
		let monitor;
		const ask = async (execute, more) => {
			monitor ??= await asked(t, path).then(async (line) => { await line.next(); await line.ask('{"execute":"qmp_capabilities"}'); return line; });
			let answer = JSON.parse(await monitor.ask(JSON.stringify({ execute, ...more })));
			while (!('return' in answer)) answer = JSON.parse(await monitor.next());
			return answer.return;
		};
		const pin = async () => {
			const text = await ask('human-monitor-command', { arguments: { 'command-line': `xp /1xw 0x${(address - address % 4).toString(16)}` } });
			return Boolean(Number(text.trim().split(' ').pop()) >> (bit + 8 * (address % 4)) & 1);
		};
		return { command: [...words.slice(0, -1), '-qmp', `unix:${path},server=on,wait=off`, words.at(-1), image], pin,
			reset: () => ask('system_reset') };
	},
	pico(t, board, image) {
		const path = join(emptyFolder(t), 'control');
		let line;
		const ask = async (words) => (line ??= await asked(t, path)).ask(words);
		return { command: ['node', join(root, 'boards/pico/emulate.mjs'), image, path], pin: async () => await ask('pin 25') === '1', reset: () => ask('reset') };
	},
	avr(t, board, image, signal) {
		const { of, pin } = simulated[board];
		const running = boardOf(t, image, of, { pin });
		const pid = join(emptyFolder(t), 'pid');
		return { command: ['sh', '-c', 'echo $$ >"$0"; exec "$@"', pid, ...running.command], pin: async () => (await running.reports('the pin')).level === 1, rises: async () => (await running.reports('the pin')).rises,
			reset: async () => {
				const { resets } = await running.reports('the board');
				process.kill(Number(readFileSync(pid, 'utf8')), signal);
				await running.reports('the reset', (now) => now.resets > resets);
			} };
	},
};

const kindOf = (board) => (board in simulated ? 'avr' : board === 'pico' ? 'pico' : 'qemu');

async function outcomeOf(promise) {
	try {
		return { result: await promise };
	} catch (error) {
		return { error };
	}
}

async function resetInMotion(t, board, signal) {
	const emulated = kinds[kindOf(board)](t, board, imageOf(board), signal);
	const { call } = await connected(t, sdkFlavour, ['--tty', await plugged(t, emulated), '--baud', '115200']);
	const turning = outcomeOf(call('turn', { ms: 20000 }));
	await until('the motor', emulated.pin);
	const from = performance.now();
	await emulated.reset();
	if (board !== 'riscv-virt') assert.equal(await emulated.pin(), false, 'low since the reset'); /* there it is a variable */
	const { error } = await turning;
	const ms = Math.round(performance.now() - from);
	assert.equal(error?.code, -32012, `${error}`);
	assert.equal(await emulated.pin(), false, 'low while the next session begins');
	if (emulated.rises) assert.equal(await emulated.rises(), 0, 'and at no time in between');
	await until('the next session', async () => (await outcomeOf(call('turn', { ms: 20 }))).result?.content?.[0].text === 'turned');
	await until('the motor to stand', async () => !(await emulated.pin()));
	console.log(`        ${board}: Link lost ${ms} ms after the reset`);
}

const named = process.env.BOARDS?.trim().split(/\s+/) ?? all;
for (const board of named) {
	test(`${board}: a reset in the middle of a motion`, (t) => resetInMotion(t, board, 'SIGUSR1'));
	if (isAvr(board)) test(`${board}: a brown-out in the middle of a motion`, (t) => resetInMotion(t, board, 'SIGUSR2'));
}
