/* SPDX-License-Identifier: MIT
 * All mutants of a tree, their names, and those that are known to be equivalent. */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

import { changesOf } from './changes.mjs';

const flat = (text) => text.replace(/\s+/g, ' ').trim();

/** The lines that a change touches, before it and after it, without their indentation. */
function linesOf(text, { start, end, put }) {
	const from = text.lastIndexOf('\n', start - 1) + 1, to = (text.indexOf('\n', end) + 1 || text.length + 1) - 1;
	return { before: flat(text.slice(from, to)), after: flat(text.slice(from, start) + put + text.slice(end, to)) };
}

/** @returns the mutants of every C file under `folder`: { file, line, where, kind, before, after, name, text }. `text` is the
 * whole file with the change. The name is the same as long as function and lines are: it has no line numbers. */
export function mutantsOf(root, folder) {
	const files = readdirSync(join(root, folder), { recursive: true }).filter((name) => /\.[ch]$/.test(name)).sort();
	const times = new Map();
	return files.flatMap((name) => {
		const file = `${folder}/${name}`, whole = readFileSync(join(root, file), 'utf8');
		return changesOf(whole, name.endsWith('.h')).map((change) => {
			const { before, after } = linesOf(whole, change), line = whole.slice(0, change.start).split('\n').length;
			const said = `${file}, ${change.where}\n- ${before}\n+ ${after}`, time = (times.get(said) ?? 0) + 1;
			times.set(said, time);
			const place = `${file}, ${change.where || 'a table'}${time > 1 ? ` (${time})` : ''}`;
			return {
				file, line, where: change.where, kind: change.kind, before, after, name: `${place}\n- ${before}\n+ ${after}`,
				text: () => whole.slice(0, change.start) + change.put + whole.slice(change.end),
			};
		});
	});
}

/** The mutants in an order that the seed decides. It depends on nothing but their names: where a line has changed, the others
 * keep their order. */
export function shuffled(mutants, seed) {
	const key = ({ name }) => createHash('sha256').update(`${seed}\n${name}`).digest('hex');
	return mutants.map((mutant) => [key(mutant), mutant]).sort(([a], [b]) => (a < b ? -1 : 1)).map(([, mutant]) => mutant);
}

/** Reads a list of equivalents: a sentence or more, and behind it the mutants of which it says why.
 *
 *     Why these change nothing that can be seen.
 *
 *         src/core/step.c, function
 *         - the line before
 *         + the line after
 *
 * @returns a map from each mutant's name to the reason */
export function equivalentsIn(page) {
	const found = new Map();
	let reason = null;
	for (const part of page.replace(/^#.*$/gm, '').split(/\n(?:[ \t]*\n)+/).map((text) => text.replace(/^\n+|\s+$/g, ''))) {
		if (part === '') continue;
		const lines = part.split('\n').map((line) => line.replace(/^(?: {4}|\t)/, ''));
		if (!/^(?: {4}|\t)/.test(part)) reason = flat(part);
		else if (lines.length !== 3) throw new Error(`an entry has a place, a line before and a line after: ${part}`);
		else found.set(lines.join('\n'), reason);
	}
	return found;
}
