/* SPDX-License-Identifier: MIT
 * The index of functions and the tables of codes and buffers have all that the sources have, and nothing else. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from '../common/runner.mjs';
import { printed, root } from '../common/start.mjs';
import { functionNames, headersOfPorts, macroNames } from '../layers/public.mjs';
import { compile } from './pages.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const withoutComments = (text) => text.replace(/\/\*[^]*?\*\//g, '');
const namesIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);
const repeated = (names) => names.filter((name, i) => names.indexOf(name) !== i);

/* The rows of each table in a text, without its head. */
const rowsOf = (text) => text.split('\n').filter((line, i, all) => line.startsWith('|') && !/^\|[-:|]+$/.test(line) && !/^\|[-:|]+$/.test(all[i + 1] ?? ''))
	.map((line) => line.split('|').slice(1, -1).map((cell) => cell.trim()));

/* --- Functions */

const headers = [...readdirSync(join(root, 'include/quash')).filter((name) => name.endsWith('.h') && !['cxx_params.h', 'cxx_check.h'].includes(name)).map((name) => join('include/quash', name)),
	...headersOfPorts(root)];

/* Functions; macros with arguments; classes and functions for C++; what a class for Arduino offers. */
function publicNames(text) {
	const code = withoutComments(text);
	const all = (pattern) => [...code.matchAll(pattern)].map(([, name]) => name);
	const [, named, offered] = /^class (Quash\w+) \{\npublic:\n([^]*?)^private:/m.exec(code) ?? [null, '', ''];
	return [...new Set([
		...functionNames(text),
		...macroNames(text).filter((name) => new RegExp(`^#define ${name}\\((?!.*_is_gone_)`, 'm').test(code)),
		...all(/^class (?!Quash)(\w+) \{/gm).map((name) => `quash::${name}`),
		...all(/^constexpr \w+ (\w*[^\W_])\(/gm).map((name) => `quash::${name}`),
		...[...offered.matchAll(/^\t(?!explicit|Quash)[\w* ]+[ *](\w+)\(/gm)].map(([, name]) => `${named}::${name}`),
	])];
}

/* The header of each name: the first one that has it. version.h is for the library itself. */
const declared = new Map(headers.filter((path) => basename(path) !== 'version.h').reverse()
	.flatMap((path) => publicNames(read(path)).map((name) => [name, path])));

const index = () => rowsOf(read('docs/functions.md')).map(([name, what, where, from]) => ({ name: name.slice(1, -1), what, where: where.slice(1, -1), from }));

test('public names are found', () => {
	const text = '/** int a(void); */\nint quash_a(void);\nquash_b *\tx;\nstatic inline bool port_c(\n\tint n)\n{\n\tquash_d(n);\n}\nquash_handler quash_e;\n' +
		'#define QUASH_F(x) (x)\n#define QUASH_G_(x) (x)\ntypedef bool quash_h(void);\nclass i {\nconstexpr size_t j(int n)\n' +
		'class QuashStream {\npublic:\n\texplicit QuashStream(int n);\n\tbool k(int n);\nprivate:\n\tint l(int n);\n';
	assert.deepEqual(publicNames(text), ['quash_a', 'port_c', 'quash_e', 'QUASH_F', 'quash::i', 'quash::j', 'QuashStream::k']);
	assert.deepEqual(rowsOf('| a | b | c |\n|---|--:|---|\n| d | | `e` |\n\ntext'), [['d', '', '`e`']]);
});

test('docs/functions.md has each public function once, with its header', () => {
	assert.ok(declared.size > 480, `${declared.size} functions`);
	const rows = index();
	const names = rows.map(({ name }) => name);
	assert.deepEqual(repeated(names), [], 'twice');
	assert.deepEqual([...declared.keys()].filter((name) => !names.includes(name)), [], 'missing');
	assert.deepEqual(names.filter((name) => !declared.has(name)), [], 'unknown');
	assert.deepEqual(rows.filter(({ name, where }) => basename(declared.get(name)) !== where).map(({ name }) => name), [], 'elsewhere');
	assert.deepEqual(rows.filter(({ what }) => what === '' || what.split(/\s+/).length > 12).map(({ name }) => name), [], 'more than a dozen words');
});

/* What the header has right before a declaration, or behind it in its line. A macro of the same name may stand between. */
function commentOf(name, text) {
	const found = new RegExp(`(?:/\\*\\*(?!<)((?:(?!\\*/)[^])*)\\*/\\n(?:#define [^\\n]*\\n)?)?^(?!#)\\w[\\w* ]*[ *]${name}\\([^;{]*[;{]?(?:[^\\n]*/\\*\\*<(.*)\\*/)?`, 'm').exec(text);
	return found ? `${found[1] ?? ''} ${found[2] ?? ''}`.replace(/\s+\*\s+|\s+/g, ' ').trim() : '';
}

const callers = ['loop', 'peer', 'peer, put', 'handler', 'handler, put', 'put', 'anywhere', 'any thread', 'task', 'task, interrupt', 'interrupt',
	'producer', 'consumer', 'producer, consumer', 'its owner', 'table'];

/* What a comment has of who may call, and what the index has then. */
const promises = [
	[/\bAnywhere\b/, ['anywhere', 'any thread']],
	[/[Nn]ot (?:from|by) (?:a )?handlers?\b/, ['loop']],
	[/\b[Hh]andlers may\b/, ['peer']],
	[/^(?:Its )?[Ii]nterrupt\b/, ['interrupt']],
	[/^Producer\./, ['producer']],
	[/^Consumer\./, ['consumer']],
	[/\bTask\.$/, ['task']],
	[/\bTask or interrupt\.$/, ['task, interrupt']],
];

test('docs/functions.md has who may call what, as the headers have it', () => {
	const rows = index().map((row) => ({ ...row, comment: commentOf(row.name, read(declared.get(row.name))) }));
	assert.deepEqual(rows.filter(({ from }) => !callers.includes(from)).map(({ name, from }) => `${name}: ${from}`), []);
	for (const [pattern, froms] of promises) {
		const found = rows.filter(({ comment }) => pattern.test(comment));
		assert.ok(found.length > 0, `${pattern}`);
		assert.deepEqual(found.filter(({ from }) => !froms.includes(from)).map(({ name, from }) => `${name}: ${from}`), [], `${pattern}`);
	}
	assert.deepEqual(rows.filter(({ from, comment }) => promises[0][1].includes(from) && !promises[0][0].test(comment)).map(({ name }) => name), [],
		'no header has that these may be called from anywhere');
	assert.equal(commentOf('quash_x', '/** A. */\nint quash_w(void);\n\n/** B,\n * c. */\nbool quash_x(int n);\n'), 'B, c.');
	assert.equal(commentOf('quash_y', '/** A. */\nint quash_x(void); /**< B. */\nint quash_y(void); /**< C. */\n'), 'C.');
});

/* --- Codes */

/* The rows below a heading, as text without the marks of code. */
function tableOf(heading) {
	const [, part] = read('docs/codes.md').split(`\n## ${heading}\n`);
	return rowsOf(part.split('\n## ')[0]);
}

const plain = (cell) => cell.replaceAll('`', '');
const plainRows = (heading) => tableOf(heading).map((row) => row.map(plain));

const linesOf = (program, ...args) => printed(program, args).trimEnd().split('\n');

/* The enumerators of enums, by their headers and how they begin: with their numbers, and what a function of the library returns. */
function enumerators(enums) {
	const source = join(root, 'build/readme/texts.c');
	const lines = enums.flatMap(([header, prefix, last, textOf], i) => [...withoutComments(read(header)).matchAll(new RegExp(`^\\t(${prefix}\\w+)(?=,| = |$)`, 'gm'))]
		.filter(([, name]) => name !== last).map(([, name]) => `	printf("${i}\\t%s\\t%d\\t%s\\n", "${name}", (int)${name}, ${textOf ? `${textOf}(${name})` : '""'});`));
	mkdirSync(join(root, 'build/readme'), { recursive: true });
	writeFileSync(source, `#include "quash.h"\n#include "posix/posix_serve.h"\n#include <stdio.h>\nint main(void)\n{\n${lines.join('\n')}\n\treturn 0;\n}\n`);
	const printed = linesOf(compile('texts', [source], ['-Iport'])).map((line) => line.split('\t'));
	return enums.map((_, i) => printed.filter(([number]) => number === `${i}`).map(([, ...cells]) => cells));
}

const textsBelow = (...paths) => paths.flatMap((path) => readdirSync(join(root, path)).filter((name) => /\.[ch]$/.test(name)).map((name) => withoutComments(read(join(path, name)))));

test('docs/codes.md has every code, cause, reason, event and fault', () => {
	const defined = headers.flatMap((path) => [...read(path).matchAll(/^#define (QUASH_\w+)\s+\(\(int32_t\)(-\d+)\)/gm)].map(([, name, code]) => `${code} ${name}`));
	const codes = plainRows('Errors on the wire');
	assert.ok(defined.length > 14);
	assert.deepEqual(codes.map(([code, name]) => `${code} ${name}`).sort(), defined.sort());

	const [whys, faults, events, causes, exits] = enumerators([
		['include/quash/why.h', 'QUASH_WHY', 'QUASH_WHYS', 'quash_why_text'],
		['include/quash/fault.h', 'QUASH_FAULT', 'QUASH_FAULTS', 'quash_fault_text'],
		['include/quash/objects.h', 'QUASH_(?!\\w+_(?:MIN|MAX)\\b)', 'QUASH_EVENTS', 'quash_event_text'],
		['include/quash/method.h', 'QUASH_(?:BY|NOT_CANC)', 'QUASH_CAUSES'],
		['port/posix/posix_serve.h', 'POSIX_SERVE'],
	]);
	for (const [heading, list] of [['Reasons in the trace', whys.slice(1)], ['Faults of a config', faults.slice(1)], ['Events in the trace', events]])
		assert.deepEqual(plainRows(heading).map(([text, name]) => [name, text]), list.map(([name, , text]) => [name, text]), heading);
	assert.deepEqual(plainRows('Causes of a cancel').map(([name]) => name), causes.map(([name]) => name));
	assert.deepEqual(plainRows('What a program on a PC returns').map(([value, name]) => [name, value]), exits.map(([name, value]) => [name, value]));
	assert.deepEqual([whys, faults, events, causes, exits].map((list) => list.length > 3), Array(5).fill(true));
});

/* An error of a part of a profile has words that no handler gets by its code. */
const ofParts = ['QUASH_MCP_NO_RESOURCE', 'QUASH_MCP_UNSUPPORTED'];

test('the texts of docs/codes.md are those that are answered', () => {
	const program = compile('words', ['tests/readme/words.c']);
	const codes = plainRows('Errors on the wire').filter(([, name]) => !ofParts.includes(name));
	for (const dialect of ['lsp', 'jsonrpc']) {
		const own = codes.filter(([, , , of]) => (of === 'LSP') === (dialect === 'lsp'));
		assert.ok(own.length > 3, dialect);
		assert.deepEqual(linesOf(program, dialect, ...own.map(([code]) => code)), own.map(([code, , text]) => `${code}\t${text}`));
	}
});

/* The words that sources give an error beside its code, with the code's constant where it stands there. */
function wordsIn(sources) {
	const text = sources.join('\n');
	const literals = Object.fromEntries([...text.matchAll(/^#define (\w+) ((?:"[^"]*"|[A-Z_]+|\s)*"[^"]*")$/gm)].map(([, name, value]) => [name, value]));
	for (const [, name, value] of text.matchAll(/^static const char (words_\w+)\[\] = ("[^"]*");$/gm)) literals[name] = value;
	const expand = (code) => code.replace(/\b(?:[A-Z][A-Z_]+|words_\w+)\b/g, (name) => (literals[name] ? expand(literals[name]) : name)).replace(/"\s*"/g, '');
	const calls = [...text.matchAll(/\b(?:quash_fail\w*|refuse|quash_mcp_unknown|quash_mcp_put_error)\(([^;{]*);|return ("[A-Za-z]\w* [^"]*");|content\.text = ("[^"]*");/g)];
	return calls.flatMap(([, call, returned, assigned]) => {
		const code = /\b(QUASH_[A-Z_]+)\b/.exec(call ?? '')?.[1];
		return [...expand(call ?? returned ?? assigned).matchAll(/"([^"]+)"/g)].map(([, words]) => ({ words, code }));
	});
}

test('docs/codes.md has the other words of errors', () => {
	const found = wordsIn([...textsBelow('src/mcp', 'src/acp', 'src/lsp'), read('src/core/step.c')]);
	const wire = plainRows('Errors on the wire');
	const rows = tableOf('Errors with other words').filter(([, text]) => text.startsWith('`')).map((row) => row.map(plain));
	const numbers = Object.fromEntries(wire.map(([code, name]) => [name, code]));
	assert.ok(found.length > 25, `${found.length} texts`);
	assert.deepEqual(repeated(rows.map(([, text]) => text)), []);
	assert.deepEqual(found.filter(({ words }) => ![...rows.map(([, text]) => text), ...wire.map(([, , text]) => text)].includes(words)).map(({ words }) => words), [], 'missing');
	assert.deepEqual(rows.filter(([, text]) => !found.some(({ words }) => words === text)).map(([, text]) => text), [], 'unknown');
	const differ = rows.filter(([code, text]) => found.some((entry) => entry.words === text && entry.code && numbers[entry.code] !== code));
	assert.deepEqual(differ.map(([code, text]) => `${code} ${text}`), []);
	assert.ok(ofParts.every((name) => found.some(({ words }) => words === wire.find(([, constant]) => constant === name)[2])));
	assert.deepEqual(wordsIn(['static const char words_e[] = "e f";\nquash_fail_literal(r, QUASH_BUSY, words_e);']), [{ words: 'e f', code: 'QUASH_BUSY' }]);
	assert.deepEqual(wordsIn(['#define AA "b/"\n#define CC AA "d"\nquash_fail(r, QUASH_BUSY,\n\t"No " CC " is");\nreturn "a b";']),
		[{ words: 'No b/d is', code: 'QUASH_BUSY' }, { words: 'a b', code: undefined }]);
});

test('each reason of docs/codes.md comes with the code and the counters that it has there', () => {
	const brought = linesOf(compile('reasons', ['tests/readme/reasons.c'])).map((line) => line.split(' '));
	const rows = tableOf('Reasons in the trace').map(([, name, code, counters]) => [plain(name), code.replace('its own', '-5'), ...namesIn(counters).sort()]);
	assert.deepEqual(brought.map(([name, code, ...counters]) => [name, code, ...counters.sort()]), rows);
});

/* --- Buffers */

const isIn = (text) => (name) => new RegExp(`\\b${name}\\b`).test(text);
const wordsOf = (texts) => texts.flatMap((text) => text.match(/[A-Za-z_]\w*/g) ?? []);

test('docs/buffers.md and its picture have each array of a config', () => {
	const [, members] = /typedef struct quash_config \{([^]*?)\n\} quash_config;/.exec(withoutComments(read('include/quash/objects.h')));
	const arrays = [...members.matchAll(/^\t(?:uint8_t|quash_request|quash_word|void|char|quash_counters) \*(\w+);/gm)].map(([, name]) => name).filter((name) => name !== 'context');
	assert.ok(arrays.length === 10, arrays.join(' '));
	const buffers = rowsOf(read('docs/buffers.md')).flatMap(([buffer]) => namesIn(buffer));
	assert.deepEqual(arrays.filter((name) => !buffers.includes(name)), []);
	const svg = read('docs/buffers.svg');
	const code = [...svg.matchAll(/<text[^>]*font-family="monospace"[^>]*>([^<]*)</g)].map(([, text]) => text);
	assert.deepEqual(arrays.filter((name) => !wordsOf(code).includes(name)), []);

	const all = headers.map(read).join('\n');
	const named = wordsOf([...code, ...namesIn(read('docs/buffers.md'))]);
	assert.ok(named.length > 30, named.join(' '));
	assert.deepEqual(named.filter((name) => !isIn(all)(name)), []);
});

test('each box and line of docs/buffers.svg has a label', () => {
	const svg = read('docs/buffers.svg');
	const groups = [...svg.matchAll(/<g class="(box|line)">\n([^]*?)<\/g>/g)];
	const boxes = groups.filter(([, kind]) => kind === 'box'), lines = groups.filter(([, kind]) => kind === 'line');
	assert.deepEqual(groups.filter(([, , inner]) => !/<text[^>]*>[^<]/.test(inner)).map(([, , inner]) => inner), []);
	assert.equal(boxes.length, svg.match(/<rect /g).length - 1, 'each but the ground is in a group');
	assert.equal(2 * lines.length, svg.match(/<path /g).length, 'a line and its heads');
	assert.ok(boxes.length > 14 && lines.length > 8);
	assert.match(svg, /^<svg[^>]*>\n(?:<title>.*\n|<desc>.*\n)*<rect x="0.5" y="0.5" [^>]*fill="#/, 'it has a ground of its own, for dark pages');
});
