/* SPDX-License-Identifier: MIT
 * literals.mjs FOLDER: prints quash.c of the pair in FOLDER with its string literals named, so that a small AVR keeps them
 * in flash: `"id"` becomes QUASH_TEXT(7, "id"), and an array quash_text_7 is declared in front. texts.h, which stands
 * before all, has the meaning of the two.
 *
 * It names the literals of files that read theirs through quash_rom alone. What programs read as plain text stays as it
 * is: faults, reasons, events, and the empty text. So does the array of frame.c, whose letters are compared by themselves. */

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const named = /^src\/(core|json|params|profile|call|wire)\/|^src\/mcp\/mcp(_inner|_keep|_list|_modern|_target|_tools)?\.[ch]$/;
const plain = /check\.c$|\/(why|refuse|faults|fault_text|event_text|frame|motion)\.c$|\/rom\.h$/;

const literal = String.raw`"(?:\\.|[^"\\\n])*"`;
const comment = String.raw`\/\*[^]*?\*\/`;

/** The macros that stand for literals, or for lists of them. */
function literalMacros(source) {
	const macros = new Map();
	for (const [, name, body] of source.matchAll(/^#define (\w+) (.+)$/gm)) {
		const words = body.replace(new RegExp(literal, 'g'), '').match(/\w+/g) ?? [];
		if (/^[{"]|^\w+ "/.test(body) && words.every((word) => macros.has(word))) macros.set(name, body);
	}
	return macros;
}

/** The macros that put literals around the one that they take. */
const literalWraps = (source) => [...source.matchAll(/^#define (\w+)\((\w+)\) (".*)$/gm)].map(([, name, param, body]) => ({ name, param, body }));

/** The macros that take nothing but a literal, and the functions behind them. */
const literalCalls = (header) =>
	new Map([...header.matchAll(/^#define (\w+)\([^)]*\bliteral\b[^)]*\) (\w+)\(/gm)].map(([, macro, to]) => [macro, to]));

class Texts {
	#numbers = new Map();

	number(text) {
		if (!this.#numbers.has(text)) this.#numbers.set(text, this.#numbers.size);
		return this.#numbers.get(text);
	}

	declarations() {
		return [...this.#numbers].map(([text, n]) => `QUASH_TEXT_ARRAY(${n}, "${text}")`).join('\n');
	}
}

/* An escape of unknown length, at the end of a text and before another: it would become longer. */
const grows = (text, next) => /\\x[0-9A-F]*$/i.test(text) && /^[0-9A-F]/i.test(next) || /\\[0-7]{1,2}$/.test(text) && /^[0-7]/.test(next);

/** The pieces of a literal as one. */
function joined(pieces) {
	const texts = pieces.match(new RegExp(literal, 'g')).map((piece) => piece.slice(1, -1));
	if (texts.some((text, i) => grows(text, texts[i + 1] ?? ''))) throw new Error(`an escape ends in ${pieces}`);
	return texts.join('');
}

/** The one file cut into parts [path, text]. A header stands inside of its includer and ends with its guard. */
function partsOf(source) {
	const parts = [];
	const open = [{ path: '', depth: 0 }];
	let depth = 0;
	const add = (line) => {
		const { path } = open.at(-1);
		if (parts.at(-1)?.[0] !== path) parts.push([path, '']);
		parts.at(-1)[1] += line;
	};
	for (const line of source.match(/.*\n/g)) {
		const path = line.match(/^\/\* === (\S+) \*\/$/m)?.[1];
		if (path?.endsWith('.c')) open.length = 1;
		if (path) open.push({ path, depth });
		if (/^[ \t]*#[ \t]*if/.test(line)) depth++;
		add(line);
		if (/^[ \t]*#[ \t]*endif/.test(line) && --depth === open.at(-1).depth && open.at(-1).path.endsWith('.h')) open.pop();
	}
	return parts;
}

/** A file of the library with its literals named. */
function withNames(file, { macros, wraps, calls, texts }) {
	const among = (names) => `\\b(${[...names.keys()].join('|')})\\b`;
	const skipped = `(${comment}|^[ \\t]*#(?:\\\\\\n|.)*|'(?:\\\\.|[^'\\\\])*'|__asm__[^;]*;|\\bquash_check_member\\([^;]*;)`;
	const token = new RegExp(`${skipped}|(${literal}(?:\\s*${literal})*)|${among(macros)}|${among(calls)}`, 'gm');
	let plainer = wraps.reduce((text, { name, param, body }) => text.replace(new RegExp(`\\b${name}\\((${literal})\\)`, 'g'),
		(all, taken) => body.replace(new RegExp(`\\b${param}\\b`), () => taken)), file);
	while (plainer !== (plainer = plainer.replace(token, (all, skip, text, macro) => (macro ? macros.get(macro) : all))));
	return plainer.replace(token, (all, skip, text, macro, call, at) => {
		if (call) return calls.get(call);
		if (text === undefined || joined(text) === '') return all;
		if (/sizeof\s*\(?\s*$/.test(plainer.slice(0, at))) return all;
		if (/\]\s*=\s*$/.test(plainer.slice(0, at))) throw new Error(`an array's literal: ${text}`);
		return `QUASH_TEXT(${texts.number(joined(text))}, ${text})`;
	});
}

const folder = process.argv[2];
const header = readFileSync(`${folder}/quash.h`, 'utf8');
const [head, source] = readFileSync(`${folder}/quash.c`, 'utf8').split('#include "quash.h"\n');
const macros = literalMacros(header + source);
const calls = literalCalls(header);
const texts = new Texts();
const known = { macros, wraps: literalWraps(source), calls, texts };
const body = partsOf(source).map(([path, part]) => (named.test(path) && !plain.test(path) ? withNames(part, known) : part));
const prelude = readFileSync(fileURLToPath(new URL('texts.h', import.meta.url)), 'utf8');
process.stdout.write(`${head}${prelude.replace(/^.*SPDX.*\n/, '/*\n')}
#ifdef QUASH_TEXTS_FAR_
${texts.declarations()}
#endif
${body.join('')}`);
