/* SPDX-License-Identifier: MIT
 * *Where things are*, and those of the bridge, in docs/design.md is true: each row names files that are there, and of each of them a
 * function or table that stands in it; every source of the core has a row. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { bare, functionsOf } from '../layers/source.mjs';

const core = 'Where things are';
const ofBridge = 'Where things of the bridge are';

/* The rows below a heading: what happens, the files, the names. */
function rowsOf(text, heading) {
	const section = new RegExp(`^### ${heading}\n([^]*?)(?=^#|$(?![^]))`, 'm').exec(text)[1];
	return section.split('\n').filter((line) => /^\| (?!what happens)/.test(line)).map((line) => {
		const [what, files, names] = line.slice(2, -2).split(' | ');
		return { what, files: [...files.matchAll(/\]\(\.\.\/([^)#]+)\)/g)].map(([, path]) => path), names: (names ?? '').match(/(?<=`)\w+(?=`)/g) ?? [] };
	});
}

/* What a file defines: functions, tables, macros. */
const definedIn = (text) => new Set([...functionsOf(text).map(({ name }) => name),
	...[...bare(text).matchAll(/\b(\w+)(?:\[[^\]]*\])*\s*=\s*\{|^[ \t]*#[ \t]*define[ \t]+(\w+)/gm)].map(([, table, macro]) => table ?? macro)]);

/** What is wrong with the rows, a line each; `read` gives a file's text, or null where there is none. */
export function wrongRows(text, read, sources, heading = core) {
	const rows = rowsOf(text, heading);
	const named = new Set(rows.flatMap(({ files }) => files));
	const wrong = rows.flatMap(({ what, files, names }) => {
		const texts = files.map((path) => ({ path, text: read(path) }));
		const defined = texts.map(({ path, text }) => ({ path, its: definedIn(text ?? '') }));
		return [...files.length === 0 ? [`${what}: no file`] : [], ...texts.filter(({ text }) => text === null).map(({ path }) => `${what}: ${path} is not there`),
			...names.filter((name) => !defined.some(({ its }) => its.has(name))).map((name) => `${what}: ${name} does not stand there`),
			...defined.filter(({ its }) => !names.some((name) => its.has(name))).map(({ path }) => `${what}: nothing is named of ${path}`)];
	});
	return [...wrong, ...sources.filter((path) => !named.has(path)).map((path) => `${path} has no row`)];
}

const sources = readdirSync(join(root, 'src/core')).filter((name) => name.endsWith('.c')).map((name) => `src/core/${name}`);

function textOf(path) {
	try {
		return readFileSync(join(root, path), 'utf8');
	} catch {
		return null;
	}
}

test('things are where docs/design.md has them', () => {
	const text = readFileSync(join(root, 'docs/design.md'), 'utf8');
	for (const [heading, all] of [[core, sources], [ofBridge, []]]) {
		assert.ok(rowsOf(text, heading).length > 15);
		assert.deepEqual(wrongRows(text, textOf, all, heading), []);
	}
});

test('a row that leads nowhere is found', () => {
	const files = { 'src/core/one.c': 'static int run(void)\n{\n}\n', 'src/core/two.c': 'static const int table[] = {\n\t1\n};\n/* void gone(void) */\n' };
	const page = (...rows) => `### Where things are\n\n| what happens | file | there |\n|---|---|---|\n${rows.map((row) => `| ${row} |\n`).join('')}`;
	const wrong = (...rows) => wrongRows(page(...rows), (path) => files[path] ?? null, Object.keys(files));
	const link = (name) => `[\`src/core/${name}.c\`](../src/core/${name}.c)`;
	assert.deepEqual(wrong(`it runs | ${link('one')} | \`run\``, `it stands | ${link('two')} | \`table\``), []);
	assert.deepEqual(wrong(`it runs | ${link('one')}, ${link('two')} | \`run\`, \`table\``), []);
	assert.deepEqual(wrong(`it runs | ${link('one')} | \`run\``), ['src/core/two.c has no row']);
	assert.deepEqual(wrong(`it runs | ${link('one')}, ${link('two')} | \`run\``), ['it runs: nothing is named of src/core/two.c']);
	assert.deepEqual(wrong(`it runs | ${link('one')}, ${link('two')} | \`run\`, \`gone\``),
		['it runs: gone does not stand there', 'it runs: nothing is named of src/core/two.c']);
	assert.deepEqual(wrong(`it runs | ${link('one')}, ${link('two')}, ${link('six')} | \`run\`, \`table\``),
		['it runs: src/core/six.c is not there', 'it runs: nothing is named of src/core/six.c']);
	assert.deepEqual(wrong(`it runs | ${link('one')}, ${link('two')} |`), ['it runs: nothing is named of src/core/one.c', 'it runs: nothing is named of src/core/two.c']);
});
