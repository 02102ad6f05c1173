/* SPDX-License-Identifier: MIT
 * What is printed of mutants. */

const plural = (n, word) => `${n} ${word}${n === 1 ? '' : 's'}`;

/** A mutant as it stands in a list of equivalents, with its place. */
export const shown = ({ file, line, name }) => `${file}:${line}\n${name.replace(/^/gm, '    ')}`;

/** The closing line, then what was left alone and who has survived. */
export function report(judged, listed, forgotten, checks) {
	const of = (verdict) => judged.filter((one) => one.verdict === verdict);
	const killed = of('killed'), survived = of('survived'), same = of('same'), broken = of('broken');
	const by = checks.map(({ name }) => [killed.filter(({ check }) => check === name).length, name]).filter(([n]) => n);
	const n = killed.length + survived.length, percent = n ? (100 * killed.length / n).toFixed(1) : '0.0';
	return [
		...survived.map((one) => `survived: ${shown(one)}\n`),
		...listed.map(([one, reason]) => `listed as equivalent: ${shown(one)}\n    ${reason}\n`),
		...forgotten.map((name) => `an entry of the list of equivalents matches no mutant:\n${name.replace(/^/gm, '    ')}\n`),
		`${plural(n, 'mutant')}, ${killed.length} killed (${by.map(([count, name]) => `${name} ${count}`).join(', ')}), ${survived.length} survived, `
			+ `${same.length + listed.length} equivalent: ${percent} % killed`,
		`Not among them: ${same.length} with the same object code, ${listed.length} listed as equivalent, ${broken.length} that do not compile.`,
	].join('\n');
}
