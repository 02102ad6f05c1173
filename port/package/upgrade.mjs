#!/usr/bin/env node
/* SPDX-License-Identifier: MIT
 * `node upgrade.mjs FILE...`: writes tables of 0.3.0 as 0.4.0 has them, in C and C++. docs/upgrading.md has the rules. What it cannot write
 * is printed, with its line, and is left as it stands. */

import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

const closing = { '(': ')', '{': '}', '[': ']' };

/* Behind a text, a character or a comment that begins at `at`; `at` where none does. */
function behindText(code, at) {
	const [text] = /^(?:"(?:[^"\\]|\\.)*"|'(?:[^'\\]|\\.)+'|\/\*[^]*?\*\/|\/\/[^\n]*)/.exec(code.slice(at)) ?? [''];
	return at + text.length;
}

/** What stands between the bracket at `open` and its partner: where that is, and the parts between commas. */
export function inBrackets(code, open) {
	const parts = [];
	for (let at = open + 1, from = at; at < code.length;) {
		const behind = behindText(code, at);
		if (behind > at) {
			at = behind;
			continue;
		}
		const ends = code[at] === closing[code[open]];
		if (ends || code[at] === ',') {
			parts.push(code.slice(from, at));
			from = at + 1;
		}
		if (ends) return { end: at, parts };
		at = code[at] in closing ? (inBrackets(code, at)?.end ?? code.length) + 1 : at + 1;
	}
	return null;
}

const isNothing = (value) => value === undefined || /^(0|NULL|nullptr)$/.test(value);

/** Members with a value, as an initializer. */
const named = (members) => `{ ${Object.entries(members).filter(([, value]) => !isNothing(value)).map(([name, value]) => `.${name} = ${value}`).join(', ')} }`;

const motion = (end, longest, lease, group) => named({ end, longest, lease, group });
const ended = (end) => (isNothing(end) ? undefined : motion(end, 'QUASH_NO_LIMIT'));
const marksOf = (marks, end) => {
	const others = (marks ?? '0').split('|').map((mark) => mark.trim()).filter((mark) => mark !== 'QUASH_DROPS' && mark !== '0');
	const finishes = !isNothing(end) && !/\bQUASH_DROPS\b/.test(marks ?? '');
	return [...others, ...(finishes ? ['QUASH_FINISHES'] : [])].join(' | ') || undefined;
};

/* Macros of 0.3.0 for an entry of a table, and what takes its place. */
const entries = {
	QUASH_METHOD: (name, handler, marks) => named({ name, handler, marks: marksOf(marks) }),
	QUASH_METHOD_STATE: (name, handler, end, state_size, marks) =>
		named({ name, handler, motion: ended(end), state_size, marks: marksOf(marks, end) }),
	QUASH_METHOD_DATA: (name, handler, end, released, data, state_size, marks) =>
		named({ name, handler, motion: ended(end), released, data, state_size, marks: marksOf(marks, end) }),
	QUASH_METHOD_MOTION: (name, handler, end, state_size, longest, lease, group) =>
		named({ name, handler, motion: motion(end, longest, lease, group), state_size }),
	QUASH_MCP_TOOL: (name, description, args, call, hints) => named({ name, description, args, call, hints }),
	QUASH_MCP_TOOL_STRUCT: (name, description, args, output, call, hints) => named({ name, description, args, output, call, hints }),
	QUASH_MCP_TOOL_MOTION: (name, description, args, call, end, busy, longest, lease, group, hints) =>
		named({ name, description, args, call, motion: motion(end, longest, lease, group), busy, hints }),
};

function withoutMacros(code) {
	const macro = new RegExp(`(?<!#define )\\b(${Object.keys(entries).join('|')})\\(`);
	for (let found; (found = macro.exec(code));) {
		const open = found.index + found[0].length - 1, { end, parts } = inBrackets(code, open);
		code = code.slice(0, found.index) + entries[found[1]](...parts.map((part) => part.trim())) + code.slice(end + 1);
	}
	return code;
}

/* Its name and value. */
const memberOf = (part) => /^(?:\s|\/\*[^]*?\*\/|\/\/.*\n)*\.(\w+)\s*=\s*([^]*?)\s*$/.exec(part)?.slice(1) ?? [];

/* The members of an entry whose `end`, `deadline`, `lease`, `group` and `marks` are those of 0.3.0. */
function inMotion(parts, tell) {
	const members = Object.fromEntries(parts.map(memberOf).filter(([name]) => name));
	const { end, deadline, lease, group, marks } = members, isTable = 'call' in members || 'handler' in members;
	const drops = /\bQUASH_DROPS\b/.test(marks ?? '');
	if (!isTable && !('read' in members || 'get' in members)) return parts;
	if (isNothing(end) && (drops || (isTable && !(isNothing(deadline) && isNothing(lease) && isNothing(group))))) {
		tell(members.name, 'has no `end`: docs/upgrading.md says what its handler does in place of QUASH_DROPS, a deadline or a group');
		return parts;
	}
	const kept = marksOf(marks, end), goes = isTable ? /^(end|deadline|lease|group|marks)$/ : /^marks$/;
	const written = parts.filter((part) => !goes.test(memberOf(part)[0] ?? ''));
	if (isTable && !isNothing(end)) {
		const at = parts.findIndex((part) => /^(end|deadline|lease|group)$/.test(memberOf(part)[0] ?? ''));
		const [space] = /^\s*/.exec(parts[at]);
		written.splice(parts.slice(0, at).filter((part) => written.includes(part)).length, 0,
			`${space}.motion = ${motion(end, isNothing(deadline) ? 'QUASH_NO_LIMIT' : deadline, lease, group)}`);
	}
	if (kept) written.push(written.pop().trimEnd(), ` .marks = ${kept}`);
	return written;
}

/* The innermost braces first. */
function withMotions(code, tell) {
	let to = '';
	for (let at = 0; at < code.length;) {
		const behind = behindText(code, at);
		if (behind > at || code[at] !== '{') {
			to += code.slice(at, Math.max(behind, at + 1));
			at = Math.max(behind, at + 1);
			continue;
		}
		const braces = inBrackets(code, at);
		const inside = braces === null ? code.slice(at + 1) : code.slice(at + 1, braces.end);
		to += `{${asEntry(withMotions(inside, tell), tell)}`;
		at += 1 + inside.length;
	}
	return to;
}

function asEntry(inside, tell) {
	const { parts } = inBrackets(`{${inside}}`, 0) ?? { parts: [] }, [space] = /\s*$/.exec(inside);
	if (!parts.every((part) => part.trim() === '' || memberOf(part).length > 0)) return inside; /* code, a list, or members by their places */
	if (!parts.some((part) => /^(end|deadline|lease|group|marks)$/.test(memberOf(part)[0] ?? ''))) return inside;
	return inMotion(parts, tell).join(',').trimEnd() + space;
}

/* In C++ the compiler looks at a list of params. */
const inConstants = (code) => code.replace(/\bstatic const (quash_param|quash_range)\b/g, 'static constexpr $1');

/** A source of 0.3.0 as 0.4.0 has it. `tell(name, words)` is told what is left to its writer. */
export function upgraded(code, isCxx, tell) {
	const written = withMotions(withoutMacros(code), tell);
	return isCxx ? inConstants(written) : written;
}

if (process.argv[1] !== undefined && import.meta.url === pathToFileURL(process.argv[1]).href) {
	for (const path of process.argv.slice(2))
		writeFileSync(path, upgraded(readFileSync(path, 'utf8'), /\.(ino|cpp|cc|cxx|hpp)$/.test(path), (name, words) => console.log(`${path}: ${name} ${words}`)));
}
