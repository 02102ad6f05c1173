/* SPDX-License-Identifier: MIT
 * node boards.mjs [--write]
 *
 * What the programs weigh on each board: flash and RAM. Prints Markdown and compares it with the file `budget_programs`; with
 * --write that and docs/measured.md are made anew. */

import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { root } from '../host/program.mjs';
import { close, compare, writeBudget } from './budget.mjs';
import { emulatedBoards, number, table, variable, writePlace } from './page.mjs';
import { compilerVersion, isThere } from './targets.mjs';

const budgetFile = join(root, 'tests/size/budget_programs');
const boards = emulatedBoards();
const prefixOf = (board) => variable(board, 'CC').replace(/gcc$/, '');

/** Flash is code, constants and what RAM begins with; RAM is data and zeros, without the stack. */
function sizeOf(board, program) {
	const text = execFileSync(`${prefixOf(board)}size`, [`build/measure/${board}/${program}.elf`], { cwd: root, encoding: 'utf8' });
	const [, code, data, zeros] = /\n\s*(\d+)\s+(\d+)\s+(\d+)/.exec(text).map(Number);
	return { program, flash: code + data, ram: data + zeros };
}

function measure(board) {
	execFileSync('make', ['-s', '-j2', `BOARD=${board}`, 'BUILD=build/measure'], { cwd: root, stdio: ['ignore', 'ignore', 2] });
	const sizes = variable(board, 'PROGRAMS').split(' ').map((program) => sizeOf(board, program));
	const figures = new Map(sizes.flatMap(({ program, flash, ram }) => [[`flash ${program}`, flash], [`ram ${program}`, ram]]));
	return { compiler: compilerVersion({ prefix: prefixOf(board) }), sizes, figures };
}

const there = boards.filter((board) => isThere({ prefix: prefixOf(board) }));
const made = new Map(there.map((board) => [board, measure(board)]));
const rows = [...made].flatMap(([board, { compiler, sizes }]) =>
	sizes.map(({ program, flash, ram }) => [board, program, number(flash), number(ram), compiler]));
const page = [
	'Bytes of what `make BOARD=...` builds, at `-Os`. The sizes of buffers are those of each board\'s `board.mk`. Flash is code, constants '
		+ 'and the first values of variables; RAM is variables, without the stack.',
	table(['board', 'program', 'flash', 'RAM', 'compiler'], rows, [2, 3]),
].join('\n\n');
console.log(page);
if (process.argv.includes('--write')) {
	if (there.length < boards.length) throw new Error('only what was built for all boards is written');
	writeBudget(budgetFile, ['Bytes of flash and RAM of the boards\' programs. Each may grow by 2 % before `make test` fails; then either it',
		'shrinks, or `node tests/size/boards.mjs --write` says that the growth is meant.'], made);
	writePlace('docs/measured.md', 'boards', page);
}
close(compare(budgetFile, made, boards.filter((board) => !there.includes(board)).map((target) => ({ target, reason: 'its compiler is missing' }))));
