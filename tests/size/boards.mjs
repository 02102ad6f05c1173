/* SPDX-License-Identifier: MIT
 * What the programs weigh on each board: flash and RAM, the library by file, prints Markdown. With --write it goes into
 * docs/measured.md. */

import { execFileSync } from 'node:child_process';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/program.mjs';

const run = (command, ...args) => execFileSync(command, args, { cwd: root, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] });
const boards = readdirSync(join(root, 'boards')).filter((board) => {
	try {
		return /^EMULATOR/m.test(readFileSync(join(root, 'boards', board, 'board.mk'), 'utf8'));
	} catch {
		return false;
	}
});

const variable = (board, name) => new RegExp(`^${name} = (.*)$`, 'm').exec(readFileSync(join(root, 'boards', board, 'board.mk'), 'utf8'))?.[1];
const number = (n) => n.toLocaleString('en-US');

/** Each program of a board: flash is code, constants and what RAM begins with; RAM is data and zeros, without the stack. */
function programsOf(board) {
	const cc = variable(board, 'CC');
	run('make', '-s', `BOARD=${board}`);
	return variable(board, 'PROGRAMS').split(' ').map((program) => {
		const [, text, data, bss] = /\n\s*(\d+)\s+(\d+)\s+(\d+)/.exec(run(cc.replace(/gcc$/, 'size'), `build/${board}/${program}.elf`)).map(Number);
		return { board, program, flash: text + data, ram: data + bss, compiler: `${cc} ${run(cc, '-dumpversion').trim()}` };
	});
}

const rows = boards.flatMap(programsOf);
const text = `# Measured

Written by \`make measure\`; the sizes of buffers are those of each board's \`board.mk\`. Flash is code, constants and the
first values of variables; RAM is variables, without the stack. \`make size\` has the library by file, structs and stacks on a
Cortex-M0+ ([README](../README.md#measured)).

| board | program | flash | RAM | compiler, \`-Os\` |
|---|---|--:|--:|---|
${rows.map(({ board, program, flash, ram, compiler }) => `| ${board} | ${program} | ${number(flash)} | ${number(ram)} | ${compiler} |`).join('\n')}
`;
console.log(text);
if (process.argv.includes('--write')) writeFileSync(join(root, 'docs/measured.md'), text);
