/* SPDX-License-Identifier: MIT
 * node count.mjs [[--but] BOARD...] [--write]
 *
 * Exact instructions for each message, on every board, on those named, or on all but those. Every bench runs twice and must
 * say the same; what counting itself costs is taken off, and a hundred instructions that are known must be counted as a
 * hundred. Prints Markdown and compares it with the file `budget`; with --write that, docs/measured.md and the README are
 * made anew. */

import assert from 'node:assert/strict';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { close, compare, writeBudget } from '../size/budget.mjs';
import { emulatedBoards, variable, writePlace } from '../size/page.mjs';
import { goalsOf } from '../size/tables.mjs';
import { compilerVersion } from '../size/targets.mjs';
import { boards, build, missing, run } from './boards.mjs';
import { countTable, figureList, goalTable, sizeOf } from './meanings.mjs';

const budgetFile = join(root, 'tests/bench/budget');

/** The ids of the requests, and of the one that is cancelled. */
const ids = { initialize: 1, call: 42, cancel: 42, call_4k: 43 };

/** What was said, as rows of samples in ticks: name -> [ticks]. Where the emulator told the marks, those are the samples. */
function rowsOf({ said, marks }) {
	const wrong = /^wrong .*$/m.exec(said);
	assert.ok(!wrong, wrong?.[0]);
	assert.match(said, /^end$/m, 'the bench did not come to its end');
	const rows = new Map();
	let samples;
	let place = 0;
	for (const line of said.split('\n')) {
		if (line.startsWith('row ')) rows.set(line.slice(4), (samples = []));
		else if (/^\d+$/.test(line)) samples.push(marks ? marks[place++] : Number(line));
	}
	assert.ok(!marks || place === marks.length, 'more marks than samples');
	return rows;
}

/** The answers are what they must be: name of the row -> its answer. */
function checkAnswers({ said }) {
	const answers = new Map([...said.matchAll(/^row (.*)\n(?:\d+\n)+answer (.*)$/gm)].map(([, row, text]) => [row, JSON.parse(text)]));
	for (const [row, answer] of answers)
		assert.ok(answer.id === ids[row.split(' ')[1]] && (row === 'answer cancel' ? answer.error?.code === -32800 : answer.result), `${row}: ${JSON.stringify(answer)}`);
	for (const row of ['answer initialize', 'answer call', 'answer cancel'])
		assert.ok(answers.has(row), `no answer in ${row}`);
}

/** Instructions of each sample, without what counting costs. */
function instructions(rows, per) {
	const exact = (ticks) => Math.round(ticks / per);
	const cost = exact(rows.get('known 0')[0]);
	const counts = new Map([...rows].map(([name, samples]) => [name, samples.map((ticks) => exact(ticks) - cost)]));
	assert.deepEqual([counts.get('known 0'), counts.get('known 100')], [[0], [100]], 'the counter does not count right');
	return counts;
}

async function count(target) {
	const elf = build(target);
	const told = await run(target, elf);
	const first = rowsOf(told);
	checkAnswers(told);
	const second = rowsOf(await run(target, elf));
	assert.ok([...first].every(([name, samples]) => `${samples}` === `${second.get(name)}`), 'two runs differ');
	return instructions(first, target.per);
}

const sum = (list) => list.reduce((total, n) => total + n, 0);
const most = (list) => list.reduce((greatest, n) => Math.max(greatest, n), 0);

/** The figures of a board: name -> instructions. */
function figuresOf(counts) {
	const figures = new Map();
	const bytes = new Map([['bytes', []], ['feed', []]]);
	const bursts = new Map([['bursts16', []], ['bursts64', []]]);
	for (const [name, samples] of counts) {
		const [what, message] = name.split(' ');
		if (what === 'known') continue;
		if (bytes.has(what)) bytes.get(what).push(...samples);
		else if (bursts.has(what)) bursts.get(what).push({ instructions: sum(samples), n: sizeOf(message) + 1 });
		else figures.set(name, message === 'stream' ? sum(samples) / samples.length : sum(samples));
	}
	for (const [what, samples] of bytes) {
		figures.set(`${what} mean`, sum(samples) / samples.length);
		figures.set(`${what} worst`, most(samples));
	}
	for (const [what, messages] of bursts)
		figures.set(`${what} mean`, sum(messages.map(({ instructions }) => instructions)) / sum(messages.map(({ n }) => n)));
	return figures;
}

const uncounted = emulatedBoards().filter((name) => !boards.some(({ board }) => board === name));
const traced = boards.filter((board) => board.traced).map(({ name }) => name).join(', ');

function pageOf(made) {
	const columns = [...made.values()];
	return [
		`Instructions, not cycles, of code made at \`-Os\` by ${[...new Set(columns.map(({ compiler }) => compiler))].join(', ')}. `
			+ 'Every program ran twice and counted the same; what counting itself costs is taken off; a hundred instructions that are known '
			+ `were counted as a hundred. Goals, on a ${goalsOf}:`,
		goalTable(made),
		`The column ${goalsOf} is Thumb-1 code on the emulated Cortex-M3 of mps2-an385. *Config known*: the plain peer in one unit with the `
			+ 'library, by `QUASH_THE_CONFIG`. There, on lm3s6965evb and on microbit QEMU\'s '
			+ '`-icount` makes every instruction last equally long, and SysTick or TIMER0 tells the time; on riscv-virt it is `minstret`. pico\'s '
			+ `emulator counts what it executes. For ${traced} QEMU tells each instruction (\`-singlestep -d exec\`), for it lets AVRs read no `
			+ 'clock under `-icount`.',
		countTable(made),
		'Messages stand in `tests/bench/messages`. Lexing is a loop around `quash_lex_run`, the whole message in one chunk (on AVRs in '
			+ 'pieces of 64 bytes, copied from flash), or around `quash_lex_byte`. A request to its answer is `quash_feed`, one `quash_step`, '
			+ '`quash_out` and `quash_sent`, the handler included. *Plain* are two methods in plain JSON-RPC that read one or two members of '
			+ 'the params and answer with a word; the *MCP server* has two tools with typed arguments. The cancel ends a call that has begun and '
			+ 'waits; its last byte is the line feed. The peer has four slots, ids of 40 bytes and 256 bytes of TX, on uno 128. What a board\'s '
			+ 'memory does not hold is not counted there. Each board has the options of its `board.mk`.'
			+ (uncounted.length > 0 ? ` No bench has been made for ${uncounted.join(', ')}.` : ''),
	].join('\n\n');
}

const wanted = process.argv.slice(2).filter((word) => !word.startsWith('-'));
const but = process.argv.includes('--but');
const chosen = boards.filter(({ name }) => wanted.length === 0 || wanted.includes(name) !== but);
const made = new Map();
for (const target of chosen.filter((board) => !missing(board))) {
	const figures = figuresOf(await count(target));
	made.set(target.name, { compiler: compilerVersion({ prefix: variable(target.board, 'CC').replace(/gcc$/, '') }), figures });
}
if (made.size > 0) console.log(pageOf(made));
if (process.argv.includes('--write')) {
	if (made.size < boards.length) throw new Error(`only what was counted on all boards is written; ${chosen.map(missing).filter(Boolean).join()}`);
	writeBudget(budgetFile, ['Instructions. Each figure may grow by 2 % before `make test` fails; then either the code gets faster, or',
		'`node tests/bench/count.mjs --write` says that the growth is meant.'], made);
	writePlace('docs/measured.md', 'count', pageOf(made));
	writePlace('README.md', 'count', figureList(made));
}
close(compare(budgetFile, made, chosen.filter(missing).map((board) => ({ target: board.name, reason: `it needs ${missing(board)}` }))));
