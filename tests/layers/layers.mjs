/* SPDX-License-Identifier: MIT
 * The house keeps its rules, and every rule can tell: each is shown planted violations in a copy of the tree. */

import assert from 'node:assert/strict';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../host/program.mjs';
import { test } from '../host/runner.mjs';
import { compile, sourcesOf, toolchain } from '../size/objects.mjs';
import { parseFloors } from './floors.mjs';
import { plants } from './plants.mjs';
import * as rules from './rules.mjs';
import { readTree } from './source.mjs';

const build = join(root, 'build/layers');
const tools = toolchain();
const floors = parseFloors(readFileSync(join(root, 'tests/layers/floors'), 'utf8'));

const objectsIn = (folder) => ({ objects: join(folder, 'small'), plainObjects: join(folder, 'plain') });

/* What a package lays out in its own way is tested from its archive. */
const isPacked = (from, path) => existsSync(join(from, dirname(path).split('/').slice(0, 2).join('/'), 'pack.sh'));

/** The tree at `from`; `sources` are compiled into `folder`, which may hold the other objects already. */
function treeAt(from, folder, sources) {
	const { objects, plainObjects } = objectsIn(folder);
	compile(tools, from, objects, sources, '-Os');
	compile(tools, from, plainObjects, sources, '-O0');
	const [files, ports, programs] = [['src', 'include'], ['port'], ['boards/host']].map((folders) => readTree(from, folders));
	for (const path of [...ports.keys()].filter((name) => isPacked(from, name))) ports.delete(path);
	return { root: from, files, ports, programs, floors, tools, objects, plainObjects };
}

const needsObjects = new Set([rules.floorsOfCalls, rules.dataInObjects, rules.publicNames,
	rules.nothingElseFromOutside, rules.noRecursion]);

const folders = ['src', 'include', 'port', 'boards/host'];
const needed = new Map([[rules.placesOfMutants, ['tests/mutants']], [rules.suitesAreRun, ['tests/suite.sh', 'tests/tests.mk']]]);

/** Copies the tree, adds texts to files, and compiles those again that are sources, if the rule looks at objects. */
function plantedTree(rule, edits) {
	const copy = join(build, 'planted');
	rmSync(copy, { recursive: true, force: true });
	mkdirSync(copy, { recursive: true });
	for (const path of [...folders, ...needed.get(rule) ?? []]) cpSync(join(root, path), join(copy, path), { recursive: true });
	if (needsObjects.has(rule)) cpSync(join(build, 'objects'), join(copy, 'build'), { recursive: true });
	for (const [path, text] of edits) {
		mkdirSync(dirname(join(copy, path)), { recursive: true });
		appendFileSync(join(copy, path), `${text}\n`);
	}
	const touched = edits.map(([path]) => path).filter((path) => path.endsWith('.c'));
	return treeAt(copy, join(copy, 'build'), needsObjects.has(rule) ? touched : []);
}

rmSync(build, { recursive: true, force: true });
const house = treeAt(root, join(build, 'objects'), sourcesOf(root));

for (const [name, rule] of Object.entries(rules))
	test(`the rule ${name} is kept`, () => assert.equal(rule(house).join('\n'), ''));

for (const [rule, wrong, ...edits] of plants(tools.prefix !== ''))
	test(`${rule.name} sees ${wrong}`, () => {
		const pairs = edits.length > 2 ? [edits.slice(0, 2), edits.slice(2)] : [edits];
		assert.equal(rule(plantedTree(rule, pairs)).length - rule(house).length > 0, true, 'the violation was not seen');
	}, { seconds: 60 });

test('every rule is shown a violation', () => {
	const shown = new Set(plants(true).map(([rule]) => rule));
	assert.deepEqual(Object.keys(rules).filter((name) => !shown.has(rules[name])), []);
});
