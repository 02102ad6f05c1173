/* SPDX-License-Identifier: MIT
 * The boards whose instructions can be counted, and how each is built and run. */

import { spawn } from 'node:child_process';
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isInstalled } from '../common/npm/modules.mjs';
import { make, printed, root } from '../common/start.mjs';
import { variable } from '../size/page.mjs';
import { goalsOf } from '../size/tables.mjs';
import { countBetweenMarks } from './trace.mjs';

/* With -icount an instruction takes 2^shift ns of the emulated time, whatever it is. */
function arm(hertz, shift) {
	const options = ['-semihosting', '-serial', 'none', '-icount', `shift=${shift}`];
	return { emulator: 'qemu-system-arm', output: 'stderr', options, per: (hertz * 2 ** shift) / 1e9 };
}

const avr = { emulator: 'qemu-system-avr', output: 'stdout', traced: true,
	options: ['-serial', 'stdio', '-singlestep', '-d', 'exec,nochain'], per: 1 };

/** `per` is the number of the counter's ticks in an instruction: more than 2, so that it can be told exactly. */
export const boards = [
	{ name: goalsOf, board: 'mps2-an385', cpu: '-mcpu=cortex-m0plus -mthumb', ...arm(25e6, 7) },
	{ name: `${goalsOf}, config known`, board: 'mps2-an385', cpu: '-mcpu=cortex-m0plus -mthumb', known: true, ...arm(25e6, 7) },
	{ name: 'lm3s6965evb', board: 'lm3s6965evb', ...arm(12.5e6, 8) },
	{ name: 'microbit', board: 'microbit', ...arm(16e6, 8) },
	{ name: 'pico', board: 'pico', per: 1 },
	{ name: 'riscv-virt', board: 'riscv-virt', emulator: 'qemu-system-riscv32', output: 'stdout',
		options: ['-bios', 'none', '-serial', 'stdio', '-icount', 'shift=0'], per: 1 },
	{ name: 'mega2560', board: 'mega2560', ...avr },
	{ name: 'uno', board: 'uno', ...avr },
];

/** What keeps a board from being counted here, or null. */
export const missing = ({ emulator }) =>
	(emulator || isInstalled('rp2040js') ? null
		: 'the npm package rp2040js, which tests/common/npm/install.sh installs');

/** Builds a board's bench: the path of its ELF image. */
export function build({ name, board, cpu, known }) {
	const folder = cpu ? `build/measure/${name.replaceAll(/, | /g, '-')}` : 'build/measure';
	make('-j2', 'THE_CONFIG=', `BOARD=${board}`, `BUILD=${folder}`, ...(cpu ? [`CPU=${cpu}`] : []), ...(known ? ['BENCH_KNOWN=yes'] : []), `${folder}/${board}/bench.elf`);
	return join(root, folder, board, 'bench.elf');
}

async function inQemu({ board, emulator, options, output, traced }, elf) {
	const image = /\S+$/.exec(variable(board, 'EMULATOR'))[0];
	const qemu = spawn(emulator, ['-M', board.replace('riscv-', ''), '-display', 'none', '-monitor', 'none', ...options, image, elf],
		{ stdio: ['ignore', 'pipe', 'pipe'] });
	const marks = traced ? countBetweenMarks(elf, qemu.stderr) : null;
	let said = '';
	if (!traced) qemu[output === 'stdout' ? 'stderr' : 'stdout'].resume();
	qemu[output].setEncoding('latin1').on('data', (text) => {
		said += text;
		if (/^end$/m.test(said.slice(-8))) qemu.kill();
	});
	await new Promise((done, wrong) => qemu.on('close', done).on('error', wrong));
	return { said, marks: marks && (await marks) };
}

function inPicoEmulator(elf) {
	const [image, sayings] = [elf.replace(/elf$/, 'bin'), elf.replace(/elf$/, 'out')];
	rmSync(sayings, { force: true });
	printed('arm-none-eabi-objcopy', ['-O', 'binary', elf, image]);
	printed(process.execPath, [join(root, 'tests/bench/pico.mjs'), image, sayings], { stdio: ['ignore', 2, 2] });
	return { said: readFileSync(sayings, 'latin1'), marks: null };
}

/** Runs a bench to its end: { said, marks }. `marks` are instructions between two marks, where the emulator told them. */
export const run = (target, elf) => (target.emulator ? inQemu(target, elf) : inPicoEmulator(elf));
