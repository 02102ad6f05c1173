/* SPDX-License-Identifier: MIT
 * What the sources tell of themselves: their files, functions, and the static functions that are called once. */

import { readTree, functionsOf, withoutDirectives } from './source.mjs';

const lineCount = (text) => text.split('\n').length - 1;

/** { files, sources, lines, longest } of the folders; the longest function is { name, path, lines }. */
export function sizesOf(root, folders) {
	const files = readTree(root, folders);
	const functions = [...files].flatMap(([path, text]) => functionsOf(text).map(({ name, lines }) => ({ name, path, lines })));
	return {
		files: files.size,
		sources: [...files.keys()].filter((path) => path.endsWith('.c')).length,
		lines: [...files.values()].reduce((total, text) => total + lineCount(text), 0),
		longest: functions.reduce((longest, one) => (one.lines > longest.lines ? one : longest), { lines: 0 }),
	};
}

/** Source file -> the names of its functions. */
export const homesOf = (root, folders) => new Map([...readTree(root, folders)].filter(([path]) => path.endsWith('.c'))
	.map(([path, text]) => [path, new Set(functionsOf(text).map(({ name }) => name))]));

/* Heads and prototypes stand at the margin, calls do not. */
const withoutHeads = (text) => withoutDirectives(text).replace(/^[a-zA-Z][^;={]*\)(?=\s*[;{])/gm, '');

/* How often each name is called, and how often it is named in another way: as a pointer. */
function usesIn(text) {
	const uses = new Map();
	for (const [, name, call] of withoutHeads(text).matchAll(/(?<!\.\s*|->\s*)\b([a-z]\w*)\b(\s*\()?/g)) {
		const of = uses.get(name) ?? { calls: 0, others: 0 };
		of[call ? 'calls' : 'others']++;
		uses.set(name, of);
	}
	return uses;
}

/** The static functions of files, path -> text: [{ name, path, lines, named, once }]. `named`: how often. `once`: and that is one call.
 * Of a function that is there in variants, for the preprocessor to choose from, the longest counts. */
export function staticsIn(files) {
	const everywhere = usesIn([...files.values()].join('\n'));
	return [...files].flatMap(([path, text]) => {
		const uses = path.endsWith('.h') ? everywhere : usesIn(text);
		const statics = new Map();
		for (const { name, lines, exported } of functionsOf(text))
			if (!exported) statics.set(name, Math.max(lines, statics.get(name) ?? 0));
		return [...statics].map(([name, lines]) => {
			const { calls, others } = uses.get(name) ?? { calls: 0, others: 0 };
			return { name, path, lines, named: calls + others, once: calls === 1 && others === 0 };
		});
	});
}

export const staticsOf = (root, folder) => staticsIn(readTree(root, [folder]));
