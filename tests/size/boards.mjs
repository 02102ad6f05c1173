/* SPDX-License-Identifier: MIT
 * node boards.mjs [BOARD...] [--write]
 *
 * What the programs weigh on each board, or on those named: flash and RAM. Prints Markdown and compares it with the file `budget_programs`; with
 * --write that and docs/measured.md are made anew. */

import { join } from 'node:path';
import { make, printed, root } from '../common/start.mjs';
import { close, compare, writeBudget } from './budget.mjs';
import { emulatedBoards, variable, writePlace } from './page.mjs';
import { boardTable } from './tables.mjs';
import { compilerVersion, isThere } from './targets.mjs';

const budgetFile = join(root, 'tests/size/budget_programs');
const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const boards = emulatedBoards().filter((board) => wanted.length === 0 || wanted.includes(board));
const prefixOf = (board) => variable(board, 'CC').replace(/gcc$/, '');

/** Flash is code, constants and what RAM begins with; RAM is data and zeros, without the stack. */
function sizeOf(board, program) {
	const text = printed(`${prefixOf(board)}size`, [`build/measure/${board}/${program}.elf`]);
	const [, code, data, zeros] = /\n\s*(\d+)\s+(\d+)\s+(\d+)/.exec(text).map(Number);
	return { program, flash: code + data, ram: data + zeros };
}

function measure(board) {
	make('-j2', `BOARD=${board}`, 'BUILD=build/measure');
	const sizes = variable(board, 'PROGRAMS').split(' ').map((program) => sizeOf(board, program));
	const figures = new Map(sizes.flatMap(({ program, flash, ram }) => [[`flash ${program}`, flash], [`ram ${program}`, ram]]));
	return { compiler: compilerVersion({ prefix: prefixOf(board) }), figures };
}

const there = boards.filter((board) => isThere({ prefix: prefixOf(board) }));
const made = new Map();
const problems = [];
for (const board of there) {
	try {
		made.set(board, measure(board));
	} catch {
		problems.push(`FAIL ${board}: it is not built`);
	}
}
const page = [
	'Bytes of what `make BOARD=...` builds, at `-Os`. The sizes of buffers are those of each board\'s `board.mk`. Flash is code, constants '
		+ 'and the first values of variables; RAM is variables, without the stack.',
	boardTable(made),
].join('\n\n');
console.log(page);
if (process.argv.includes('--write')) {
	if (made.size < emulatedBoards().length) throw new Error(['only what was built for all boards is written', ...problems].join('\n'));
	writeBudget(budgetFile, ['Bytes of flash and RAM of the boards\' programs. Each may grow by 2 % before `make test` fails; then either it',
		'shrinks, or `node tests/size/boards.mjs --write` says that the growth is meant.'], made);
	writePlace('docs/measured.md', 'boards', page);
}
const verdict = compare(budgetFile, made, boards.filter((board) => !there.includes(board)).map((target) => ({ target, reason: 'its compiler is missing' })));
close({ ...verdict, failed: verdict.failed + problems.length, notes: [...problems, ...verdict.notes] });
