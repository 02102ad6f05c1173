/* SPDX-License-Identifier: MIT
 * What the commands that measure share: tables in Markdown, and the places in documents that they write, between
 * `<!-- make NAME -->` and `<!-- end of make NAME -->`. */

import { existsSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';

/** A variable of a board's board.mk. */
export const variable = (board, name) =>
	new RegExp(`^${name} = (.*)$`, 'm').exec(readFileSync(join(root, 'boards', board, 'board.mk'), 'utf8'))?.[1];

/** The boards that have an emulator. */
export const emulatedBoards = () => readdirSync(join(root, 'boards'))
	.filter((name) => existsSync(join(root, 'boards', name, 'board.mk')) && variable(name, 'EMULATOR')).sort();

export const number = (n) => n?.toLocaleString('en-US', { maximumFractionDigits: 1 }) ?? '';

/** A table: the first column is text, `right` the places of columns that are numbers. */
export function table(heads, rows, right = heads.slice(1).map((_, i) => i + 1)) {
	const line = (cells) => `| ${cells.join(' | ')} |`;
	return [line(heads), `|${heads.map((_, i) => (right.includes(i) ? '--:' : '---')).join('|')}|`, ...rows.map(line)].join('\n');
}

/** A table of figures and what they were meant to be at most: [what, figure, limit, is it an aim]. An aim has no trial behind it. */
export function goals(rows) {
	const verdict = (is, limit, aim) => (is <= limit ? 'kept' : aim ? 'an aim' : `${number(is - limit)} over`);
	return table(['', 'is', 'goal', ''], rows.filter(([, is]) => is !== undefined).map(([what, is, limit, aim]) =>
		[what, number(is), number(limit), verdict(is, limit, aim)]), [1, 2]);
}

const width = 118;

/* Prose in lines that are not too long; tables and heads as they are. */
function wrapped(line) {
	if (/^[|#]/.test(line)) return line;
	const indent = line.startsWith('- ') ? '  ' : '';
	const lines = [''];
	for (const word of line.split(' ')) {
		const last = lines.at(-1);
		if (last && last.length + 1 + word.length > width) lines.push(indent + word);
		else lines[lines.length - 1] = last ? `${last} ${word}` : word;
	}
	return lines.join('\n');
}

/* A document in three: what stands before a place, in it and behind it. */
function partsOf(document, name) {
	const text = readFileSync(join(root, document), 'utf8');
	const from = `<!-- make ${name} -->\n`;
	const [start, end] = [text.indexOf(from) + from.length, text.indexOf(`<!-- end of make ${name} -->`)];
	if (!text.includes(from) || end < start) throw new Error(`${document} has no place for make ${name}`);
	return [text.slice(0, start), text.slice(start, end), text.slice(end)];
}

/** What stands in a place of a document. */
export const readPlace = (document, name) => partsOf(document, name)[1];

/** Writes a text into its place in a document. */
export function writePlace(document, name, text) {
	const [before, , behind] = partsOf(document, name);
	writeFileSync(join(root, document), `${before}${text.trimEnd().split('\n').map(wrapped).join('\n')}\n${behind}`);
}
