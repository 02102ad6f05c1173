/* SPDX-License-Identifier: MIT
 * Measures the prose of pages: how long their sentences are, which words they use that they must not, how much there is
 * to read. `node tests/readme/prose.mjs [PAGE ...]` prints it. Code, tables and what commands write are no prose. */

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { argv } from 'node:process';
import { pathToFileURL } from 'node:url';

export const limits = {
	sentence: 27, /* words of the longest sentence */
	mean: 12,     /* words of a page's sentence, in the mean */
	words: 53330, /* of all pages that are read together; in the others one looks things up */
};

/* Metaphors, and verbs that mean too much, where the field has a word: receive, return, transmit, name, state. */
const unwanted = /^(hear|hears|heard|hearing|say|says|said|saying|tell|tells|told|telling|laws?|twins?|orphans?|orphaned|doomed)$/i;

export const isUnwanted = (word) => unwanted.test(word);

/** The pages below a folder, as paths from there. */
export function pagesOf(root) {
	const below = (folder) => readdirSync(join(root, folder)).map((name) => join(folder, name));
	const folders = [...below('boards'), ...below('port')].flatMap((folder) => (/\.\w+$/.test(folder) ? [] : below(folder)));
	return [...below(''), ...below('docs'), ...folders].filter((path) => path.endsWith('.md')).sort();
}

const withoutBlocks = (text) => text
	.replace(/^ *```[^]*?^ *```$/gm, '')
	.replace(/^<!-- make ([\w ]+) -->\n[^]*?^<!-- end of make \1 -->$/gm, '')
	.replace(/<!--[^]*?-->/g, '')
	.replace(/(^|\n)\n(?: {4}.*\n)+/g, '$1\n');

/* Links by their text; code in a line, and what a link shows of it, as one word. */
export const plain = (text) => text
	.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
	.replace(/``.+?``|`[^`]*`/g, 'CODE')
	.replace(/[*_]{1,2}(?=\S)|(?<=\S)[*_]{1,2}/g, '');

export const wordsOf = (text) => text.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));

/** Every word that is read on a page: its code, diagrams and generated tables are not among them. */
export const readWords = (text) => wordsOf(plain(withoutBlocks(text)));

/** The sentences of a page. A paragraph, an item of a list and a heading end one; so do `.`, `!`, `?` before a space. Items
 * of a list in one line stand between `·`. */
export function sentencesOf(text) {
	const lines = withoutBlocks(text).split('\n').filter((line) => !/^ *\|/.test(line)).join('\n');
	const parts = plain(lines).split(/\n\s*\n|\n(?=\s*(?:[-*]|\d+\.) )|(?<=^#.*)\n|\n(?=#)/m);
	return parts.filter((part) => !/^\s*#/.test(part))
		.flatMap((part) => part.replace(/^\s*(?:[-*]|\d+\.) /, '').replace(/\s+/g, ' ').split(/(?<=[.!?][")]?) (?=\S)| · /))
		.map((sentence) => sentence.trim()).filter((sentence) => wordsOf(sentence).length > 0);
}

export function measure(text) {
	const sentences = sentencesOf(text).map((sentence) => ({ sentence, length: wordsOf(sentence).length }));
	const total = sentences.reduce((sum, { length }) => sum + length, 0);
	return {
		words: readWords(text).length,
		mean: sentences.length ? total / sentences.length : 0,
		long: sentences.filter(({ length }) => length > limits.sentence),
		unwanted: readWords(text).map((word) => word.replace(/^[^\p{L}]+|[^\p{L}]+$/gu, '')).filter(isUnwanted),
	};
}

/** What is wrong with a page, a line each. */
export function complaints(text) {
	const { mean, long, unwanted: words } = measure(text);
	return [
		...long.map(({ sentence, length }) => `${length} words: ${sentence}`),
		...words.map((word) => `unwanted word: ${word}`),
		...(mean > limits.mean ? [`a sentence has ${mean.toFixed(1)} words in the mean`] : []),
	];
}

if (import.meta.url === pathToFileURL(argv[1]).href) {
	const pages = argv.length > 2 ? argv.slice(2) : pagesOf('.');
	let sum = 0;
	for (const page of pages) {
		const text = readFileSync(page, 'utf8');
		const { words, mean } = measure(text);
		sum += words;
		console.log(`${page}: ${words} words, ${mean.toFixed(1)} in a sentence`);
		for (const complaint of complaints(text)) console.log(`  ${complaint}`);
	}
	console.log(`${sum} words`);
}
