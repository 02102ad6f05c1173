/* SPDX-License-Identifier: MIT
 * node tests/readme/comments.mjs [FILE or FOLDER ...]
 *
 * Holds the comments of C to the rules that pages keep (prose.mjs), and comments and names to words of the field. Prints file, line and
 * what breaks a rule, then how much there is. An indented block and what stands between backticks is code. A comment on a line with
 * code, and what follows `@param` or `@return`, is a note: it has parts between `;`, and is not in the mean. */

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { argv, exit } from 'node:process';
import { pathToFileURL } from 'node:url';
import { isUnwanted, limits, plain, sentencesOf, wordsOf } from './prose.mjs';

const folders = ['src', 'include', 'port', 'boards'];

/* A file with fewer sentences is measured with its folder alone. */
const fewest = 30;

/* The field's words are: after, no one, cause or why, stored. In comments of each folder, and in names in src that no header documents.
 * In src/core a message is kept (docs/README.md); elsewhere in src something is stored. `reason` is a public name and a member in JSON:
 * comments have it between backticks. */
const inComments = [[/./, /^(?:relieved|behind|nobody)$/i], [/^src\//, /^reasons?$/i], [/^src\/(?!core\/)/, /^kept$/i]];
const inNames = [[/^src\//, /(?:^|_)(?:relieved|behind|nobody)(?:_|$)/i]];

const wantedIn = (rules, path) => rules.filter(([where]) => where.test(path)).map(([, words]) => words);

/** The C below these paths, sorted. */
export function sourcesBelow(root, paths = folders) {
	const below = (path) => (statSync(join(root, path)).isDirectory()
		? readdirSync(join(root, path)).flatMap((name) => below(join(path, name))) : [path]);
	return paths.filter((path) => existsSync(join(root, path))).flatMap(below).filter((path) => /\.[ch]$/.test(path)).sort();
}

/** The comments of C, and the code without them and without the content of its literals. `line` is where a comment begins; `trails` if
 * code stands before it on that line. */
export function split(text) {
	const comments = [];
	let line = 1, at = 0;
	const code = text.replace(/\/\*[^]*?\*\/|\/\/.*|"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'/g, (found, offset) => {
		line += text.slice(at, offset).split('\n').length - 1;
		at = offset;
		if (!/^\/[*/]/.test(found)) return found[0] + found[0];
		const before = text.slice(text.lastIndexOf('\n', offset) + 1, offset);
		comments.push({ line, trails: /\S/.test(before), text: found });
		return found.replace(/[^\n]/g, ' ');
	});
	return { comments, code };
}

/* Pages take these for emphasis, comments of C do not. */
const hidden = { '_': '\u0002', '*': '\u0003' };
const shown = (text) => text.replaceAll(hidden['_'], '_').replaceAll(hidden['*'], '*');

/* Blocks that are indented behind an empty line are blanked; so no line moves. */
function withoutCode(text) {
	let inside = false, empty = false;
	return text.split('\n').map((line) => {
		const indented = /^(?: {5}| ?\t)/.test(line);
		if (/\S/.test(line)) inside = indented && (inside || empty);
		empty = !/\S/.test(line);
		return inside ? '' : line;
	}).join('\n');
}

/* What is read of a comment, line by line as it stands. A rule with a title, and the licence, are none of it. */
const bare = (text) => withoutCode(text.replace(/^\/\*+<?|^\/\/[/!]?<?|\*\/$/g, '').replace(/^[ \t]*\*(?!\S)/gm, ''))
	.replace(/^.*SPDX-License-Identifier.*$/m, '').replace(/^ ?-{3}.*$/gm, '').replace(/[_*]/g, (mark) => hidden[mark]);

/* Each `@param` and `@return` is a part of its own, up to an empty line. */
const NOTE = '\u0001';
const partsOf = (text) => text.replace(/^ *@(?:param +\S+|returns?) */gm, NOTE).split(/(?=\u0001)|\n[ \t]*\n/)
	.map((part) => ({ text: part.replace(NOTE, ''), noted: part.startsWith(NOTE) }));

/* The words of a comment with their lines; code as one word, as `sentencesOf` has it. */
function placed(text, first) {
	const codes = text.replace(/``.+?``|`[^`]*`/g, (code) => `CODE${'\n'.repeat(code.split('\n').length - 1)}`);
	return codes.split('\n').flatMap((line, at) => wordsOf(plain(line)).map((word) => ({ word, line: first + at })));
}

/** The sentences of one comment: each with its line, its number of words, and whether it is a note. */
export function readComment({ line, trails, text }) {
	const body = bare(text);
	const words = placed(body, line);
	let at = 0;
	return partsOf(body).flatMap((part) => {
		const note = trails || part.noted;
		return sentencesOf(part.text).flatMap((sentence) => (note ? sentence.split(/(?<=;) /) : [sentence])).map((sentence) => ({ sentence, note }));
	}).map(({ sentence, note }) => {
		const its = wordsOf(sentence);
		const found = words.findIndex((_, i) => i >= at && its.slice(0, 3).every((word, k) => words[i + k]?.word === word));
		if (found >= 0) at = found + its.length;
		return { sentence: shown(sentence), note, length: its.length, line: found >= 0 ? words[found].line : line };
	});
}

const letters = (word) => word.replace(/^[^\p{L}]+|(?:['’]s)?[^\p{L}]*$/gu, '');

/* Names that a header documents, or that are of the library's own prefix: their words are a contract. */
export function publicNames(headers) {
	const names = headers.flatMap((text) => [...text.matchAll(/^.*\/\*\*<.*$/gm)].flatMap(([line]) => line.replace(/\/\*.*/, '').match(/\w+/g) ?? []));
	return new Set([...names, ...headers.flatMap((text) => split(text).code.match(/\bquash_\w+|\bQUASH_\w+/g) ?? [])]);
}

/** What is wrong with a file: `line` and `what` of each; its sentences and their mean, notes apart. */
export function readFile(path, text, known = new Set()) {
	const { comments, code } = split(text);
	const words = wantedIn(inComments, path), names = wantedIn(inNames, path);
	const sentences = comments.flatMap(readComment);
	const found = sentences.filter(({ length }) => length > limits.sentence)
		.map(({ line, length, sentence }) => ({ line, what: `${length} words: ${sentence}` }));
	for (const { line, sentence } of sentences)
		for (const word of wordsOf(sentence).map(letters))
			if (isUnwanted(word) || words.some((rule) => rule.test(word)))
				found.push({ line, what: `unwanted word: ${word}: ${sentence}` });
	code.split('\n').forEach((text, at) => {
		for (const name of new Set(text.match(/[A-Za-z_]\w*/g)))
			if (!known.has(name) && names.some((rule) => rule.test(name)))
				found.push({ line: at + 1, what: `unwanted name: ${name}` });
	});
	const read = sentences.filter(({ note }) => !note);
	const length = read.reduce((sum, { length }) => sum + length, 0);
	if (read.length >= fewest && length > limits.mean * read.length)
		found.push({ line: 1, what: `a sentence has ${(length / read.length).toFixed(1)} words in the mean` });
	return { found: found.sort((a, b) => a.line - b.line), sentences: read.length, words: length };
}

/** What is wrong with the C below these paths, a line each; the mean of each top folder; how many files. */
export function readBelow(root, paths) {
	const known = publicNames(sourcesBelow(root, ['include']).map((path) => readFileSync(join(root, path), 'utf8')));
	const files = sourcesBelow(root, paths).map((path) => ({ path, ...readFile(path, readFileSync(join(root, path), 'utf8'), known) }));
	const found = files.flatMap(({ path, found }) => found.map(({ line, what }) => `${path}:${line}: ${what}`));
	const means = [...new Set(files.map(({ path }) => path.split('/')[0]))].map((folder) => {
		const its = files.filter(({ path }) => path.startsWith(`${folder}/`));
		const sentences = its.reduce((sum, file) => sum + file.sentences, 0);
		return { folder, sentences, mean: its.reduce((sum, { words }) => sum + words, 0) / Math.max(sentences, 1) };
	});
	for (const { folder, sentences, mean } of means)
		if (sentences >= fewest && mean > limits.mean) found.push(`${folder}: a sentence has ${mean.toFixed(1)} words in the mean`);
	return { files: files.length, found, means };
}

if (import.meta.url === pathToFileURL(argv[1]).href) {
	const { files, found, means } = readBelow('.', argv.length > 2 ? argv.slice(2).map((path) => path.replace(/\/+$/, '')) : folders);
	for (const line of found) console.log(line);
	for (const { folder, sentences, mean } of means) console.log(`${folder}: ${sentences} sentences of ${mean.toFixed(1)} words`);
	console.log(`${files} files, ${found.length} break a rule`);
	exit(found.length > 0 || files === 0 ? 1 : 0);
}
