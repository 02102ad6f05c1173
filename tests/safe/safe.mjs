/* SPDX-License-Identifier: MIT
 * safe.mjs FAULTS SEED BOARD_SECONDS: `make safe`. Writes the tables of docs/safety.md, and docs/safety.svg.
 * safe.mjs --draw: draws docs/safety.svg of what the page has. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import { printed, root } from '../common/start.mjs';
import { number, writePlace } from '../size/page.mjs';
import { boardFaults, boards, boundOf, build, hostFaults, promises, violations } from './runs.mjs';
import { remarkOf, tableOf } from './tables.mjs';

const [faults, seed, seconds] = process.argv.slice(2).map(Number);
const page = 'docs/safety.md';
const folder = join(root, 'build/safe');

/* The host's rows of the page, without their sum: name, p50, most, bound. */
const rowsOfPage = () => readFileSync(join(root, page), 'utf8').split('\nThe host: ')[1].split('\n\n')[1].split('\n').slice(2, -1)
	.map((line) => line.split('|').map((cell) => cell.trim())).map(([, text, , p50, , , most, bound]) => [text.replaceAll('`', ''), p50, most, Number(bound)]);

/* Rows as chart.gp takes them. The first that has another bound than most have says so. */
function draw(rows, bound) {
	const first = (other, i) => other !== bound && i === rows.findIndex((row) => row[3] === other);
	mkdirSync(folder, { recursive: true });
	const data = join(folder, 'faults.data');
	writeFileSync(data, rows.map(([text, p50, most, own], i) => `"${text}" ${p50} ${most} ${own} "${first(own, i) ? `the bound: ${own} ms` : ' '}"\n`).join(''));
	const left = Math.max(...rows.map(([text]) => text.length));
	const settings = `data='${data}'; out='${join(root, 'docs/safety.svg')}'; rows=${rows.length}; left=${left}; bound=${bound}`;
	printed('gnuplot', ['-e', settings, join(root, 'tests/safe/chart.gp')], { stdio: ['ignore', 'ignore', 2] });
}

function show(title, lines) {
	console.log(`${title}: ${number(lines.length)} faults, ${violations(lines).length} violations`);
	for (const { text } of violations(lines).slice(0, 20)) console.log(`  seed ${seed}: ${text}`);
}

function section(title, lines, promise) {
	show(title, lines);
	return `${title}: a lease of ${promise.lease} ms, a ramp of ${promise.ramp} ms, a longest time of ${promise.longest} ms, a step of ${promise.step} ms.\n\n${tableOf(lines, promise)}\n\n${remarkOf(lines)}`;
}

if (process.argv[2] === '--draw') {
	draw(rowsOfPage(), boundOf(promises.host));
	process.exit();
}
build('safe-programs');
for (const board of Object.keys(boards)) build('safe-board', `BOARD=${board}`);
const host = await hostFaults({ faults, seed, jobs: 6 * availableParallelism() });
const sections = [`\`make safe FAULTS=${faults} SEED=${seed} BOARD_SECONDS=${seconds}\`, times in milliseconds from the fault.`, section('The host', host, promises.host)];
const onBoards = await Promise.all(Object.keys(boards).map((board) => boardFaults(board, { seconds, seed })));
for (const [i, board] of Object.keys(boards).entries()) sections.push(section(`Emulated \`${board}\`, ${seconds} s`, onBoards[i], promises.board));
writePlace(page, 'safe', sections.join('\n\n'));
draw(rowsOfPage(), boundOf(promises.host));
process.exit(violations([...host, ...onBoards.flat()]).length > 0 ? 1 : 0);
