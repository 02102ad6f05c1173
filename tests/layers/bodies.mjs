/* SPDX-License-Identifier: MIT
 * Which lines of a C source clang-format lays out: functions and their declarations. What has columns of its own stays as its
 * author has laid it out: initialisers, enums, structs and the comments of their members, macros, assembler, a `case` with its statements on
 * one line, a chain of choices, texts and choices that go on from line to line. */

/* Texts, characters and comments as blanks, so that what is in them does not count. */
const blanked = (text) => text.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|\/\*[^]*?\*\/|\/\/[^\n]*/g, (found) => found.replace(/[^\n]/g, ' '));

const depthOf = (line) => (line.match(/[{([]/g) ?? []).length - (line.match(/[})\]]/g) ?? []).length;
const beginsTable = (line) => /(=|\)) ?\{/.test(line) && depthOf(line) > 0 && !/^\s*(\} )?(if|for|while|switch|else|do)\b/.test(line);
const hasColumns = (line) => /\b(case\b.*:.*;|default:.*;|__asm__|asm\b|enum \{)|\?.* : .*\?.* : /.test(line);

/* The last line of the statement that begins here, or of the head of a block. */
function endOfStatement(lines, first, limit) {
	let depth = 0, last = first;
	for (; last < limit; last++) {
		depth += (lines[last].match(/\(/g) ?? []).length - (lines[last].match(/\)/g) ?? []).length;
		if (depth <= 0 && /[;{})]$|^\s*(case .*|default|\w+):$/.test(lines[last])) break;
	}
	return last;
}

/* Of several lines, with texts or choices among them; or texts side by side. */
const isByHand = (lines) => (lines.length > 1 && lines.some((line) => /"|\?/.test(line))) || /"[^"]*" "/.test(lines[0]);

/* The lines of a body that are no table. */
function* linesOfBody(lines, whole, first, last) {
	for (let i = first; i <= last; i++) {
		const end = endOfStatement(lines, i, last);
		if (/^\s*#/.test(lines[i])) {
			while (i < last && lines[i].endsWith('\\')) i++;
		} else if (i > first && beginsTable(lines[i])) {
			for (let depth = depthOf(lines[i]); depth > 0 && i < last;) depth += depthOf(lines[++i]);
		} else if (isByHand(whole.slice(i, end + 1))) {
			i = end;
		} else if (!hasColumns(lines[i])) {
			yield i;
		}
	}
}

/* The last line of a declaration or of the head of a function that begins here; -1 if it is neither. What stands behind a directive is
 * left alone: attributes. */
function endOfHead(lines, first) {
	if (/^#/.test(lines[first - 1])) return -1;
	if (!/^[a-z].*\(/.test(lines[first]) || /^typedef|[{}=]/.test(lines[first])) return -1;
	let last = first;
	while (last < lines.length && !/[;{}=]|^\S*$|^#/.test(lines[last])) last++;
	return /;$/.test(lines[last]) ? last : lines[last] === '{' ? last - 1 : -1;
}

/* A function, from its brace on; a brace does not belong on the line of its head. */
const beginsFunction = (line) => line === '{' || /^[a-z][^={]*\)\s*\{[^}]*$/.test(line);

function* linesOf(lines, whole) {
	for (let i = 0; i < lines.length; i++) {
		const last = beginsFunction(lines[i]) ? lines.findIndex((line, j) => j >= i && line.startsWith('}')) : endOfHead(lines, i);
		if (beginsFunction(lines[i])) yield* linesOfBody(lines, whole, i, last);
		else for (let j = i; j <= last; j++) if (!/\/[*/]/.test(whole[j])) yield j;
		if (last > i) i = last;
	}
}

/** [first, last] of each range of lines that is laid out, from 1 on. */
export function rangesOf(text) {
	const lines = blanked(text).split('\n').map((line) => line.trimEnd()), ranges = [];
	for (const i of linesOf(lines, text.split('\n'))) {
		if (ranges.at(-1)?.[1] === i) ranges.at(-1)[1] = i + 1;
		else ranges.push([i + 1, i + 1]);
	}
	return ranges;
}
