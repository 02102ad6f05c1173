/* SPDX-License-Identifier: MIT
 * docs/upgrading.md, row by row: what of 0.3.0 does not compile any more gives one error, which names the new word, with gcc and clang, in
 * C and in C++; `name_its_members` is the word for a table of named members. Of a member that is gone the first error names the old word: no
 * compiler knows more. Rows that have it *in the compiler's words* give errors, of which one has a word of the row. Rows that are marked
 * **Compiles**, or tell what is as before, and tables of programs, are left out. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skip, test } from '../common/runner.mjs';
import { isThere, root, told } from '../common/start.mjs';
import { examples } from './upgrading-examples.mjs';

const build = join(root, 'build/readme/upgrading');

/* Where a line of each kind stands. */
const placed = {
	tool: (line) => `static const quash_mcp_tool tools[] = { ${line.startsWith('.') ? `{ .name = "turn", .call = turn, ${line} }` : line} };`,
	method: (line) => `static const quash_method methods[] = { ${line.startsWith('.') ? `{ .name = "turn", .handler = turn, ${line} }` : line} };`,
	server: (line) => `static const quash_mcp_server made = ${line};`,
	cxx: (line) => `static constexpr auto made = quash::mcp_tool("turn", "Turns", turn)${line};`,
	body: (line) => 'void body(const quash_method *method, const quash_mcp_tool *tool, quash_request *request, quash_writer *w);\n'
		+ `void body(const quash_method *method, const quash_mcp_tool *tool, quash_request *request, quash_writer *w)\n{\n\t(void)method, (void)tool, (void)request, (void)w;\n\t${line};\n}`,
	file: (line) => line,
};

const around = (text) => `#include "quash.h"
int32_t turn(quash_request *request), off(quash_request *request);
void put(quash_writer *w, const quash_request *request);
extern quash_group arm, motor, bus;
extern const quash_params turn_params;
extern const quash_lsp_method method[1];
struct turn { int32_t ms; };
extern quash_mcp_session session;
${text}
`;

/** The rows of the tables under `| VERSION | now |`: what was, what is, and the words that are new. */
export function rowsIn(page, version) {
	const tables = [...page.matchAll(new RegExp(`^\\| ${version.replaceAll('.', '\\.')} \\| now \\|\\n\\|[-|]+\\|\\n((?:\\|.*\\n)*)`, 'gm'))];
	return tables.flatMap(([, text]) => text.trimEnd().split('\n')).map((row) => {
		const [, before, now] = /^\| (.*?) \| (.*) \|$/.exec(row);
		const words = (cell) => [...cell.matchAll(/`([^`]+)`/g)].flatMap(([, code]) => code.match(/[A-Za-z_]\w{3,}/g) ?? []);
		return { before, inOwnWords: /\b[Ii]n the compiler's words\b/.test(now), compiles: /\*\*Compiles\*\*|\bas before\b/.test(now), codes: [...before.matchAll(/`([^`]+)`/g)].map(([, code]) => code),
			words: [...words(now).filter((word) => !words(before).includes(word)), .../`\{ \.\w+ = /.test(now) ? ['name_its_members'] : []] };
	});
}

/* Of a line that stands on the page as it is written: the first that fits. */
const kinds = [
	['tool', /^(\.(call|args|end|deadline|lease|group|marks|busy|hints) =|QUASH_MCP_TOOL\w*\()/],
	['method', /^(\.(handler|state_size) =|QUASH_(METHOD\w*|LSP_ENTRY)\()/],
	['server', /^QUASH_MCP_SERVER\w*\(/],
	['cxx', /^\.\w+\(/],
	['body', /^(method|tool)->\w+$/],
];
const kindOf = (code) => kinds.find(([, form]) => form.test(code))?.[0];

/** The lines of a row, each with the place where it stands: those of `given`, or the page's. */
export function linesOf(row, given) {
	const listed = given[row.codes[0]];
	if (listed) return listed;
	return row.codes.map((code) => ({ line: code.replace('(name, ', '("turn", ').replace(/^(method|tool)->/, '(void)$&'), in: kindOf(code) })).filter((line) => line.in !== undefined);
}

const flags = ['-fsyntax-only', '-Iinclude', '-Iport', '-Wall', '-Wextra', '-Werror', '-Wno-unused-parameter', '-Wno-unused-variable', '-Wno-unused-const-variable',
	'-Wno-missing-field-initializers'];
const compilers = [['gcc', '-std=c11'], ['clang', '-std=c11'], ['g++', '-std=c++20'], ['clang++', '-std=c++20']];

/* Members by their names are C, and C++20; what the classes of cxx.h have is C++. */
const takes = (compiler, { in: kind, language }) => (/\+\+/.test(compiler) ? language !== 'c' : kind !== 'cxx' && language !== 'c++');

/** The errors of a line, with the notes to each. What is said twice of one place is one. */
export function errorsOf([compiler, standard], { line, in: kind, first }, more = []) {
	const path = join(build, `line-${compiler}.${/\+\+/.test(compiler) ? 'cpp' : 'c'}`);
	mkdirSync(build, { recursive: true });
	writeFileSync(path, (first ?? '') + around(placed[kind](line)));
	const { stderr } = told(compiler, [standard, ...flags, ...more, path], { env: { ...process.env, LC_ALL: 'C' } });
	const heads = new Map(stderr.split(/\n(?=\S+: (?:fatal )?error: )/).map((text) => [/^\S+: (?:fatal )?error: .*/m.exec(text)?.[0], text]).reverse());
	heads.delete(undefined);
	return [...heads].reverse().map(([head, text]) => text.slice(text.indexOf(head)).replace(/^\S+: (fatal )?error: /, ''));
}

/** What is wrong with the errors of a row. */
export function faultsOf(row, lines, compiler, more) {
	if (lines.length === 0) return ['no line of it can be compiled: give it one in tests/readme/upgrading-examples.mjs'];
	return lines.filter((line) => takes(compiler[0], line)).flatMap((line) => {
		const errors = errorsOf(compiler, line, more);
		const isNamedIn = (said) => row.words.some((word) => said.replace(/\w*_is_gone_/g, '').includes(word));
		if (row.inOwnWords) return isNamedIn(errors.join('\n')) ? [] : [`${line.line}: nothing new is in its ${errors.length} errors`];
		const firsts = errors.map((error) => error.split('\n', 1)[0]);
		const members = (line.line.match(/(\.|->)\w+/g) ?? []).map((member) => member.replace(/^\W+/, ''));
		const isOfMember = (error = '') => /no (?:non-static data )?member named|does not refer to any field/.test(error) && members.some((member) => error.includes(member));
		if (firsts.some(isOfMember) && (isOfMember(firsts[0]) || isNamedIn(firsts[0]))) return [];
		if (errors.length !== 1) return [`${line.line}: ${errors.length} errors: ${firsts.join('; ')}`];
		const said = line.notes ? errors[0] : firsts[0]; /* the compiler's own words stand in its notes */
		return isNamedIn(said) ? [] : [`${line.line}: names nothing new: ${firsts[0]}`];
	});
}

const page = readFileSync(join(root, 'docs/upgrading.md'), 'utf8');
const rows = rowsIn(page, '0.3.0').filter(({ compiles }) => !compiles);

for (const compiler of compilers) {
	const check = isThere(compiler[0]) ? test : (name) => skip(name, `${compiler[0]} is missing`);
	check(`what of 0.3.0 does not compile gives one error, which names the new word: ${compiler[0]}`, () => {
		assert.deepEqual(rows.flatMap((row) => faultsOf(row, linesOf(row, examples), compiler).map((fault) => `${row.codes[0] ?? row.before}: ${fault}`)), []);
	});
}

test('each listed line belongs to a row', () => {
	assert.deepEqual(Object.keys(examples).filter((code) => !rows.some((row) => row.codes[0] === code)), []);
});

test('errors that name nothing new, or are more than one, are found; and so is a row without a line', () => {
	const planted = join(build, 'planted.h');
	mkdirSync(build, { recursive: true });
	writeFileSync(planted, `#define GONE_(words) _Pragma(#words)
#define QUASH_MCP_MOVES_OLD(...) GONE_(GCC error "QUASH_MCP_MOVES_OLD is gone: .motion") .busy = 0
#define QUASH_MCP_TOOL_OLD(...) GONE_(GCC error "QUASH_MCP_TOOL_OLD is gone") { 0 }
#define QUASH_MCP_TOOL_BARE(...) { somewhere_is_gone_name_its_members }
`);
	const table = `| 0.3.0 | now |
|---|---|
| \`QUASH_MCP_MOVES_OLD(off, 1)\` | \`.motion = { .end = off }\` |
| \`QUASH_MCP_TOOL_OLD("turn")\` | \`.busier\` |
| \`.deadliner = 3\`, \`.end\` | \`.motion\` |
| \`quash_old\` | \`quash_new\` |
| \`quash_older\` | the same. **Compiles** |
| \`QUASH_MCP_TOOL_BARE("turn")\` | \`{ .name = "turn" }\` |
| \`.nowhere = 3\` | \`.somewhere\`, in the compiler's words |
`;
	const [good, silent, cascade, bare, same, named, own] = rowsIn(table, '0.3.0');
	const faults = (row) => faultsOf(row, linesOf(row, { '.deadliner = 3': [{ line: '.busy = 3, .title = 4', in: 'tool' }] }), compilers[0], ['-include', planted]);
	assert.deepEqual(faults({ ...good, codes: ['.args = NULL, QUASH_MCP_MOVES_OLD(off, 1)'] }), []);
	assert.match(faults(silent)[0], /names nothing new: QUASH_MCP_TOOL_OLD is gone/);
	assert.match(faults(cascade)[0], /2 errors/);
	assert.match(faults(bare)[0], /no line of it/);
	assert.ok(same.compiles);
	assert.deepEqual(faults(named), []);
	assert.match(faults({ ...named, words: ['somewhere'] })[0], /names nothing new/);
	assert.match(faultsOf(own, [{ line: '.nowhere = 3', in: 'tool' }], compilers[0])[0], /nothing new is in its [1-9] errors/);
	assert.match(faultsOf(own, [{ line: '.busy = NULL', in: 'tool' }], compilers[0])[0], /nothing new is in its 0 errors/);
});

/* --- Members that are gone, with other compilers too */

const members = { end: 'off', deadline: '5000', lease: '2000', group: '&motor' };
const tables = (member, value) => [`const quash_method methods[] = { { .name = "turn", .handler = turn, .${member} = ${value} } };`,
	`const quash_mcp_tool tools[] = { { .name = "turn", .call = turn, .${member} = ${value} } };`];
const chains = (member, value) => [`constexpr quash_method methods[] = { quash::method("turn", turn).${member}(${value}) };`,
	`constexpr quash_mcp_tool tools[] = { quash::mcp_tool("turn", "Turns", turn).${member}(${value}) };`];
const told03 = [
	['gcc', ['-std=c11'], tables, "has no member named 'deadline'"],
	['avr-gcc', ['-std=gnu99', '-mmcu=atmega2560'], tables, "unknown field 'deadline' specified in initializer"],
	['arm-none-eabi-gcc', ['-std=c11', '-mcpu=cortex-m0plus', '-mthumb'], tables, "has no member named 'deadline'"],
	['riscv64-unknown-elf-gcc', ['-std=c11', '-march=rv32imc', '-mabi=ilp32', '-ffreestanding'], tables, "has no member named 'deadline'"],
	['clang', ['-std=c11'], tables, "field designator 'deadline' does not refer to any field in type"],
	['g++', ['-std=c++11'], chains, "has no member named 'deadline'"],
	['avr-g++', ['-std=gnu++11', '-mmcu=atmega2560'], chains, "has no member named 'deadline'"],
	['clang++', ['-std=c++11'], chains, "no member named 'deadline' in 'quash::method'"],
];

for (const [compiler, options, linesWith, words] of told03) {
	(isThere(compiler) ? test : (name) => skip(name, `${compiler} is missing`))(`${compiler} says of a member that is gone what the page has`, () => {
		assert.ok(readFileSync(join(root, 'docs/upgrading.md'), 'utf8').replace(/\s+/g, ' ').includes(words), 'the page does not have it');
		for (const [member, value] of Object.entries(members)) {
			for (const line of linesWith(member, value)) {
				const { status, stderr } = told(compiler, [...options, '-fsyntax-only', '-w', '-Iinclude', '-x', linesWith === tables ? 'c' : 'c++', '-'],
					{ cwd: root, input: around(line), env: { ...process.env, LC_ALL: 'C' } });
				const errors = stderr.split('\n').filter((text) => / error: /.test(text));
				const expected = words.replace('deadline', member).replace('quash::method', line.includes('mcp_tool') ? 'quash::mcp_tool' : 'quash::method');
				assert.notEqual(status, 0);
				assert.equal(errors.length, 1, stderr);
				assert.ok(errors[0].includes(expected), stderr);
			}
		}
	});
}
