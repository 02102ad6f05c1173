/* SPDX-License-Identifier: MIT
 * The code of pages and of headers' comments: every block of C and C++, as it stands there. `...` in it is DOTS_1, DOTS_2 and so on,
 * which the surroundings define. */

import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { blocksIn, pagesOf } from './blocks.mjs';

const build = join(root, 'build/readme/blocks');
const inCxx = (path, text) => path.startsWith('port/arduino/') || text.includes('quash::');

/* Text and comments stay as they are. */
const dotted = (text) => {
	let count = 0;
	return text.replace(/"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\*[^]*?\*\/|\/\/[^\n]*|\.\.\./g, (part) => (part === '...' ? `DOTS_${++count}` : part));
};

/** The examples in the comments of a header: lines that are indented by five behind the star. */
export function examplesIn(text) {
	const lines = text.split('\n').map((line) => {
		const [, indented] = /^\s*\* {5}(.*?)(?: \*\/)?$/.exec(line) ?? [];
		return /^\s*\*$/.test(line) ? '' : indented ?? null;
	});
	const examples = [];
	for (const [i, line] of lines.entries()) {
		const before = i === 0 ? null : lines[i - 1];
		if (line === null || (line === '' && examples.at(-1)?.end !== i)) continue;
		if (examples.at(-1)?.end === i) {
			examples.at(-1).lines.push(line);
			examples.at(-1).end = i + 1;
		} else if (before === '' && /^\S/.test(line)) {
			examples.push({ lines: [line], end: i + 1 });
		}
	}
	return examples.map((example) => `${example.lines.join('\n').trimEnd()}\n`);
}

/** A path with its blocks of C and C++, in order. */
function blocksOfFile(path) {
	const text = readFileSync(join(root, path), 'utf8');
	const blocks = path.endsWith('.h')
		? examplesIn(text).map((example) => ({ language: inCxx(path, example) ? 'cpp' : 'c', text: example }))
		: blocksIn(text).filter(({ language }) => language === 'c' || language === 'cpp');
	return blocks.map(({ language, text: its }, i) => ({ path, number: i + 1, language, text: dotted(its) }));
}

const headers = () => execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard', 'include/*.h', 'port/*.h', 'boards/*.h'], { cwd: root, encoding: 'utf8' })
	.trim().split('\n');

/** All of them: `path`, `number` within it from 1 on, `language`, `text`. */
export const allBlocks = () => [...pagesOf(root), ...headers()].flatMap(blocksOfFile);

/** One of a file. */
export const blockOf = (path, number) => blocksOfFile(path)[number - 1];

/** The name of a file for what belongs to a path. */
export const nameOf = (path) => path.replaceAll('/', '-');

/** Writes a block, or what was made of it, where surroundings include it. Gives the path. */
export function written({ path, number, language }, text, ending = '') {
	mkdirSync(build, { recursive: true });
	const file = join(build, `${nameOf(path)}-${number}${ending}.${language === 'cpp' ? 'cc' : 'c'}`);
	writeFileSync(file, text);
	return file;
}

const parts = /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|\/\*[^]*?\*\/|\/\/[^\n]*|^#[^\n]*|[^]/gm;
const isComment = (part) => part.startsWith('/*') || part.startsWith('//');

/** The text of functions with a point, `AT();`, at the beginning of each body and behind each statement. Braces of data have none. */
export function instrumented(text) {
	const bodies = []; /* of each open brace: whether statements stand in it */
	let parentheses = 0, made = '', code = '';
	for (const { 0: part, index } of text.matchAll(parts)) {
		made += part;
		const before = code;
		if (!isComment(part)) code += part;
		if (part === '(') parentheses++;
		if (part === ')') parentheses--;
		if (part === '}') bodies.pop();
		if (part === '{') bodies.push(parentheses === 0 && /(?:[);{}:]|\belse|\bdo)\s*$/.test(before));
		const isEnd = part === ';' && !/^(?:\s|\/\*[^]*?\*\/)*else\b/.test(text.slice(index + 1));
		if ((part === '{' || isEnd) && parentheses === 0 && bodies.length > 0 && bodies.every(Boolean)) made += ' AT();';
	}
	return made;
}
