/* SPDX-License-Identifier: MIT
 * A budget: what each figure was when it was last meant to be so, and the compiler that made it. A figure may grow by 2 %.
 *
 *     [TARGET] COMPILER
 *     FIGURE  NUMBER */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { closeWith } from '../common/runner.mjs';

const growth = 1.02;

/** target -> { compiler, figures } */
export function readBudget(path) {
	const budget = new Map();
	let figures;
	for (const line of existsSync(path) ? readFileSync(path, 'utf8').split('\n') : []) {
		const [, target, compiler] = /^\[([^\]]+)\] (.+)$/.exec(line) ?? [];
		if (target) budget.set(target, { compiler, figures: (figures = new Map()) });
		const [, what, n] = /^([^#[].*?) +([\d.]+)$/.exec(line) ?? [];
		if (what) figures.set(what, Number(n));
	}
	return budget;
}

/** Writes what was measured; what was not, stays as it was. */
export function writeBudget(path, about, measured) {
	const budget = new Map([...readBudget(path), ...measured]);
	const texts = [...budget].map(([target, { compiler, figures }]) =>
		[`[${target}] ${compiler}`, ...[...figures].map(([what, n]) => `${what.padEnd(44)} ${Math.round(n * 10) / 10}`), ''].join('\n'));
	writeFileSync(path, `${about.map((line) => `# ${line}\n`).join('')}\n${texts.join('\n')}`);
}

/* One verdict for each figure of a target. Of another compiler's code nothing is said. */
function compareOne(target, { compiler, figures }, allowed) {
	if (allowed && allowed.compiler !== compiler)
		return { passed: 0, skipped: figures.size, notes: [], others: [`skipped: ${target}: the budget was measured with ${allowed.compiler}, not ${compiler}`] };
	const notes = [];
	for (const [what, n] of figures) {
		const limit = allowed?.figures.get(what);
		if (limit === undefined) notes.push(`FAIL ${target} ${what}: ${n}, of which the budget knows nothing`);
		else if (n > limit * growth) notes.push(`FAIL ${target} ${what}: ${n}, budget ${limit}`);
	}
	for (const what of allowed?.figures.keys() ?? [])
		if (!figures.has(what)) notes.push(`FAIL ${target} ${what}: in the budget, but not measured`);
	const known = [...figures.keys()].filter((what) => allowed?.figures.has(what)).length;
	const grown = notes.filter((note) => note.includes(', budget ')).length;
	return { passed: known - grown, skipped: 0, notes, others: [] };
}

/** Compares what was measured (target -> { compiler, figures }) with a budget: { passed, failed, skipped, notes }. `missing`
 * are targets that could not be measured: [{ target, reason }]. */
export function compare(path, measured, missing) {
	const budget = readBudget(path);
	const verdicts = [...measured].map(([target, made]) => compareOne(target, made, budget.get(target)));
	const sum = (what) => verdicts.reduce((total, verdict) => total + verdict[what], 0);
	const unmeasured = missing.map(({ target, reason }) => ({ n: Math.max(budget.get(target)?.figures.size ?? 0, 1), note: `skipped: ${target}: ${reason}` }));
	const failures = verdicts.flatMap(({ notes }) => notes);
	return {
		passed: sum('passed'),
		failed: failures.length,
		skipped: sum('skipped') + unmeasured.reduce((total, { n }) => total + n, 0),
		notes: [...failures, ...verdicts.flatMap(({ others }) => others), ...unmeasured.map(({ note }) => note)],
	};
}

/** Says how it went, and leaves with an error if something failed. */
export function close({ notes, ...counts }) {
	for (const note of notes) console.log(note);
	closeWith(counts);
}
