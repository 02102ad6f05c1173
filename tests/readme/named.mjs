/* SPDX-License-Identifier: MIT
 * Code to be copied names its members: no struct in it has more than four values whose names only their order tells. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/program.mjs';
import { test } from '../host/runner.mjs';
import { blocksIn } from './blocks.mjs';
import { pagesOf } from './prose.mjs';

const withoutTexts = (code) => code.replace(/\/\*[^]*?\*\/|\/\/.*/g, '').replace(/"(?:[^"\\\n]|\\.)*"/g, '""').replace(/'(?:[^'\\\n]|\\.)+'/g, '0');

/* Arrays of names and numbers, and enumerators, are no structs. */
const isPlain = (value) => /^(""|-?\w+|\w+ = .*|NULL)?$/.test(value);

/* The values of the innermost braces, those in parentheses with what they stand in. */
const valuesOf = (list) => list.replace(/\([^()]*\)/g, '').replace(/\([^()]*\)/g, '').split(',').map((value) => value.trim()).filter(Boolean);

/* Macros that stand for such a struct. */
const long = /\b(QUASH_MCP_TOOL_MOTION|QUASH_METHOD_MOTION|QUASH_MCP_TOOL_STRUCT|QUASH_MCP_SERVER|QUASH_MCP_SERVER_PARTS)\(/g;

/** What stands by position only. */
export function positional(code) {
	const text = withoutTexts(code);
	const literals = [...text.matchAll(/\{([^{};]*)\}/g)].map(([, list]) => valuesOf(list))
		.filter((values) => values.filter((value) => !value.startsWith('.')).length > 4 && !values.every(isPlain));
	return [...literals.map((values) => values.join(', ')), ...[...text.matchAll(long)].map(([, name]) => name)];
}

const ofOlderVersions = ['docs/upgrading.md', 'CHANGELOG.md'];
const below = (folder, ending) => readdirSync(join(root, folder), { recursive: true }).filter((path) => ending.test(path)).map((path) => join(folder, path));

const texts = new Map([
	...pagesOf(root).filter((page) => !ofOlderVersions.includes(page)).map((page) => [page,
		blocksIn(readFileSync(join(root, page), 'utf8')).filter(({ language }) => /^c(pp)?$/.test(language)).map(({ text }) => text).join('\n')]),
	...['port', 'boards/apps/examples'].flatMap((folder) => below(folder, /(^examples|\/examples\/.*|\/samples\/.*|^[a-z]+)\.(c|cpp|ino)$/))
		.map((path) => [path, readFileSync(join(root, path), 'utf8')]),
]);

test('what pages, examples and samples let one copy names its members', () => {
	assert.ok(texts.has('port/arduino/examples/Motor/Motor.ino') && texts.has('boards/apps/examples/relay.c') && texts.get('README.md').includes('quash_group'));
	const found = [...texts].flatMap(([path, code]) => positional(code).map((literal) => `${path}: ${literal}`));
	assert.deepEqual(found, []);
});

test('values by position are found', () => {
	const tool = '{ "move", NULL, "Turns the motor", &params, NULL, NULL, move, end, NULL, "moves", LONGEST_MS, LEASE_MS, &one, HINTS, QUASH_DROPS }';
	assert.equal(positional(`static const quash_mcp_tool tools[] = {\n\t${tool},\n};`).length, 1);
	assert.equal(positional('static const quash_config config = { QUASH_STORED(store), &quash_mcp, methods, 1, 0, 0, false, 0 };').length, 1);
	assert.equal(positional('QUASH_MCP_TOOL_MOTION("turn", "Turns", &params, turn, off, "busy", 70000, 2000, &motor, 0)').length, 1);
	for (const fine of ['enum { A, B, C, D, E, F = 3 };', 'const char *names[] = { "a", "b", "c", "d", "e", NULL };', '{ .a = f(1, 2, 3, 4, 5), .b = 2, .c = 3, .d = 4, .e = 5 }',
		'{ peek, take, write_some, &now }'])
		assert.deepEqual(positional(fine), [], fine);
});
