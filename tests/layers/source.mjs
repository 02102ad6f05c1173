/* SPDX-License-Identifier: MIT
 * C sources as text: without comments and strings, their functions, their public declarations. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';

const blank = (text) => text.replace(/[^\n]/g, ' ');

/** The text with comments and the insides of strings blanked out; every line stays in its place. */
export const bare = (text) =>
	text.replace(/\/\*[^]*?\*\/|\/\/[^\n]*|"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'/g, (token) =>
		(token[0] === '/' ? blank(token) : token[0] + blank(token.slice(1, -1)) + token[0]));

/** Without preprocessor lines too. */
export const withoutDirectives = (text) => bare(text).replace(/^[ \t]*#(?:[^\n]*\\\n)*[^\n]*/gm, blank);

/** The C files under the folders, however deep, by path. */
export function readTree(root, folders) {
	const files = new Map();
	for (const folder of folders.filter((name) => existsSync(join(root, name))))
		for (const name of readdirSync(join(root, folder), { recursive: true }).sort())
			if (/\.[ch]$/.test(name)) files.set(`${folder}/${name}`, readFileSync(join(root, folder, name), 'utf8'));
	return files;
}

export const includesOf = (text) =>
	[...text.matchAll(/^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]/gm)]
		.map(([, bracket, name]) => ({ name, system: bracket === '<' }));

/** The functions of a file, whose braces stand at the margin: { name, line, lines, exported }. */
export function functionsOf(text) {
	const lines = bare(text).split('\n');
	const found = [];
	let head = 0;
	let open = null;
	lines.forEach((line, i) => {
		if (/^\S.*\(/.test(line) && !line.startsWith('#')) head = i;
		if (line === '{') open = head;
		if (line === '}' && open !== null) {
			const name = /(\w+)\s*\(/.exec(lines[open])?.[1] ?? `line ${open + 1}`;
			found.push({ name, line: open + 1, lines: i - open + 1, exported: !/^(?:QUASH_\w+ )?static\b/.test(lines[open]) });
			open = null;
		}
	});
	return found;
}

const all = (text, pattern) => [...text.matchAll(pattern)].map(([, name]) => name);

/** What a file keeps to itself or gives to those that include it, though it is no symbol: static functions and variables,
 * macros, enumerators, tags (`struct name`). */
export function ownNames(text) {
	const code = bare(text);
	const tags = all(code, /^\s*(?:typedef\s+)?((?:struct|union|enum)\s+\w+)\s*\{/gm);
	const enumerators = all(code, /\benum\b\s*\w*\s*\{([^}]*)\}/g)
		.flatMap((body) => all(body.replace(/=[^,]*/g, ''), /(\w+)/g));
	return new Set([
		...all(code, /^static\b[^;{=]*?\b(\w+)\s*\(/gm), ...all(code, /^static\b[^;{(]*?\b(\w+)\s*(?:\[[^\]]*\])*\s*=/gm),
		...all(code, /^[ \t]*#[ \t]*define[ \t]+(\w+)/gm), ...enumerators, ...tags,
	]);
}

/** The functions and constants that a file defines for others. */
export const exportsOf = (text) => [...functionsOf(text).filter(({ exported }) => exported).map(({ name }) => name),
	...all(bare(text), /^const\b[^;{(]*?\b(\w+)(?:\[[^\]]*\])*\s*=/gm)];

const braces = (line) => (/extern\s*"/.test(line) ? 0 : line.split('{').length - line.split('}').length);

/* A group is what stands without a blank line between, but for blank lines inside of braces; lines of #if and #endif
 * neither begin nor end one. */
function groupsOf(text) {
	const code = bare(text).split('\n');
	const groups = [[]];
	let [conditional, blankLine, depth] = [true, false, 0];
	text.split('\n').forEach((line, i) => {
		if (line.trim() === '') {
			blankLine ||= depth === 0;
			return;
		}
		const isConditional = /^\s*#\s*(if|ifdef|ifndef|else|elif|endif)\b/.test(line);
		if (blankLine && !(conditional && isConditional)) groups.push([]);
		groups.at(-1).push(line);
		[conditional, blankLine, depth] = [isConditional, false, Math.max(0, depth + braces(code[i]))];
	});
	return groups.map((lines) => lines.join('\n'));
}

/* What a group declares at its top level: names of functions, types and macros. */
function declaredIn(group) {
	const names = [...group.matchAll(/^[ \t]*#[ \t]*define[ \t]+(\w+)/gm)].map(([, name]) => name);
	let text = withoutDirectives(group).replace(/extern\s+"[^"]*"\s*\{?/g, ' ');
	for (let last = ''; last !== text;) [last, text] = [text, text.replace(/\{[^{}]*\}/g, ' ')];
	for (const statement of text.split(';')) {
		const type = /\btypedef\b[^]*?(\w+)\s*(?:\([^]*\))?\s*$/.exec(statement);
		const call = /^[^=]*?\b(\w+)\s*\(/.exec(statement);
		const data = /\bextern\b[^(]*?(\w+)\s*$/.exec(statement);
		const name = (type ?? call ?? data)?.[1];
		if (name) names.push(name);
	}
	return names;
}

const forwardTypes = (text) => new Set([...text.matchAll(/typedef struct (\w+) \1;/g)].map(([, name]) => name));

/** Names that a public header declares without a doc comment: one at the head of their group, or behind them on
 * their line, or (a type that is only named here) at its struct. Names that end with _ are nobody's business. */
export function undocumented(text) {
	const forward = forwardTypes(text);
	const documented = new Set([...text.matchAll(/\*\/\s*struct (\w+) \{/g)].map(([, name]) => name));
	const all = new Set();
	for (const group of groupsOf(text)) {
		const headed = /^\s*(?:#[^\n]*\n\s*)*\/\*\*(?!<)/.test(group);
		for (const name of declaredIn(group)) {
			all.add(name);
			const own = new RegExp(`\\b${name}\\b[^\\n]*/\\*\\*<`);
			if (headed || own.test(group)) documented.add(name);
		}
	}
	return [...all].filter((name) => !documented.has(name) && !/_H?$/.test(name) && !(forward.has(name) && documented.has(name)));
}

/** The terms of the table below the heading Words of a page, without their marks: `a, b` are two. */
export const ownWords = (page) => [...(page.split('\n## Words\n')[1] ?? '').split('\n## ')[0].matchAll(/^\| ([^|]+) \|/gm)]
	.flatMap(([, cell]) => cell.split(', ')).filter((word) => word !== 'word');
