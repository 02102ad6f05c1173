/* SPDX-License-Identifier: MIT
 * Code to be copied names its members: no struct in it has more than four values whose names only their order tells. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { blocksIn, pagesOf, withoutBlocks } from './blocks.mjs';

const withoutTexts = (code) => code.replace(/"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)+'|\/\*[^]*?\*\/|\/\/.*/g,
	(text) => ({ '"': '""', "'": '0' })[text[0]] ?? '');

/* What parentheses and brackets hold belongs to what they stand in. */
function valuesOf(list) {
	for (let before = null; before !== list;) [before, list] = [list, list.replace(/\([^()]*\)|\[[^[\]]*\]/g, '')];
	return list.split(',').map((value) => value.trim()).filter(Boolean);
}

/* Arrays and enumerators are no structs. */
const isList = (before) => /(\[\w*\]\)?\s*=?|\benum\b[^;{}()=]*)\s*$/.test(before);
const isPlain = (values) => [/^(""|NULL|nullptr)$/, /^-?\d\w*$/].some((kind) => values.every((value) => kind.test(value)));

/* Members of JSON have their names too. */
const isNamed = (value) => /^(\.|""\s*:)/.test(value);

/** The structs of more than four values by position, from the innermost braces outwards. Braces with a `;` in them are code. */
function literalsIn(code) {
	const found = [];
	let text = withoutTexts(code);
	for (let braces; (braces = /\{([^{}]*)\}/.exec(text));) {
		const [before, behind] = [text.slice(0, braces.index), text.slice(braces.index + braces[0].length)];
		const values = valuesOf(braces[1]);
		if (!/;/.test(braces[1]) && values.filter((value) => !isNamed(value)).length > 4 && !isList(before) && !isPlain(values)) found.push(values.join(', '));
		text = `${before}@${behind}`;
	}
	return found;
}

/* Macros that stand for such a struct. */
const long = /\b(QUASH_MCP_TOOL(?:_MOTION|_STRUCT)?|QUASH_METHOD_(?:STATE|MOTION|DATA)|QUASH_MCP_SERVER(?:_PARTS)?)\(/g;

/** What stands by position only. */
export const positional = (code) => [...literalsIn(code), ...[...withoutTexts(code).matchAll(long)].map(([, name]) => name)];

const positionalOn = (page) => [
	...blocksIn(page).filter(({ language }) => /^c(pp)?$/.test(language)).flatMap(({ text }) => positional(text)),
	...[...withoutBlocks(page).matchAll(/`([^`\n]+)`/g)].flatMap(([, text]) => literalsIn(text)),
];

const ofOlderVersions = ['docs/upgrading.md', 'CHANGELOG.md'];
const read = (path) => readFileSync(join(root, path), 'utf8');
const below = (folder, ending) => readdirSync(join(root, folder), { recursive: true }).filter((path) => ending.test(path)).map((path) => join(folder, path));

const found = new Map([
	...pagesOf(root).filter((page) => !ofOlderVersions.includes(page)).map((page) => [page, positionalOn(read(page))]),
	...['port', 'boards/apps/examples'].flatMap((folder) => below(folder, /(^examples|\/examples\/.*|\/samples\/.*|^[a-z]+)\.(c|cpp|h|ino)$/))
		.map((path) => [path, positional(read(path))]),
]);

test('what pages, examples and samples let one copy names its members', () => {
	for (const path of ['README.md', 'port/arduino/README.md', 'port/arduino/examples/Motor/Motor.ino', 'boards/apps/examples/relay.c'])
		assert.ok(found.has(path), path);
	assert.deepEqual([...found].flatMap(([path, literals]) => literals.map((literal) => `${path}: ${literal}`)), []);
});

test('values by position are found', () => {
	const motor = `static const quash_mcp_tool tools[] = {
	{ "move", NULL, "Turns the motor to a step; a cancel slows it down and stops it", &move_params, NULL, NULL, move,
	  move_end, NULL, "the motor is moving", DEADLINE_MS, LEASE_MS, &one_motor, QUASH_MCP_IDEMPOTENT, QUASH_DROPS },
	QUASH_MCP_TOOL_STRUCT("where", "Where the motor is", &where_params, &where_result, where, QUASH_MCP_READ_ONLY),
};
static const quash_mcp_server server = QUASH_MCP_SERVER("motor", "1.0", &session, tools, 40);`;
	assert.deepEqual(positional(motor).map((literal) => literal.split(',')[0]), ['""', 'QUASH_MCP_TOOL_STRUCT', 'QUASH_MCP_SERVER']);
	for (const wrong of ['static const quash_config config = { QUASH_STORED(store), &quash_mcp, methods, 1, 0, 0, false, 0 };',
		'QUASH_MCP_TOOL_MOTION("turn", "Turns", &params, turn, off, "busy", 70000, 2000, &motor, 0)',
		'const quash_mcp_tool look = { "look", NULL, "Looks", NULL, NULL, NULL, look, NULL, NULL };',
		'x[] = { { "http://a", { b, c }, f(g(1, 2), 3), &d, [](int) { return 1; } } };',
		'const quash_port port = { peek, take, write_some, now, NULL };',
		'{ "a", &b, &c, &d, &e, .f = 6 }'])
		assert.equal(positional(wrong).length, 1, wrong);
	for (const fine of ['enum { A, B, C, D, E, F = 3 };', 'enum names : int { A, B, C, D, E };', 'const char *names[] = { "a", "b", "c", "d", "e", NULL };',
		'{ .a = f(1, 2, 3, 4, 5), .b = { 1, 2, 3, 4, 5 }, .c = 3, .d = 4, .e = 5 }', '{ peek, take, write_some, &now }',
		'const quash_mcp_part *const parts[] = { &a, &b, &c, &d, &e, NULL };', '(const char *const[]){ a, b, c, d, e }',
		'struct place { int32_t a, b, c, d, e; };', '{ f(a, b, c, d, e); }', '/* { "a", b, c, d, e } */', '{"a":1,"b":2,"c":3,"d":4,"e":5}'])
		assert.deepEqual(positional(fine), [], fine);
});
