/* SPDX-License-Identifier: MIT
 * The blocks of code on pages: commands and programs, as a reader takes them out of a page. A page is given by its path, from
 * the root of the tree or from that of the system. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { root } from '../common/program.mjs';

/* It stands at npm, where no other page of the tree does. */
const pageOfNpm = 'port/package/npm/README.md';

/** The pages below a folder, as paths from there. */
export function pagesOf(folder) {
	const below = (path) => readdirSync(join(folder, path)).map((name) => join(path, name));
	const folders = [...below('boards'), ...below('port'), ...below('port/package')].filter((path) => statSync(join(folder, path)).isDirectory()).flatMap(below);
	return [...below(''), ...below('docs'), ...folders].filter((path) => path.endsWith('.md') && path !== pageOfNpm).sort();
}

/** The blocks of a text: language and text of each, and the file's name if that stands before it, or behind the language. */
export const blocksIn = (text) => [...text.matchAll(/(?:^`([\w./]+)`[^\n]*:\n\n)?^```(\w*)(?: ([\w.]+))?\n([^]*?)^```$/gm)]
	.map(([, before, language, named, its]) => ({ file: before ?? named, language, text: its }));

export const blocksOf = (page) => blocksIn(readFileSync(resolve(root, page), 'utf8'));

/** The texts of those in a language. */
export const textsOf = (page, language) => blocksOf(page).filter((block) => block.language === language).map(({ text }) => text);

/** The only one in a language that has this text or pattern in it. */
export function block(page, language, pattern = '') {
	const texts = textsOf(page, language).filter((text) => (pattern instanceof RegExp ? pattern.test(text) : text.includes(pattern)));
	assert.equal(texts.length, 1, `blocks of ${language} with ${pattern} in ${page}`);
	return texts[0];
}

/** What stands around the blocks. */
export const withoutBlocks = (text) => text.replace(/^```[^]*?^```$/gm, '');
