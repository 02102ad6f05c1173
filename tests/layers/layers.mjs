/* SPDX-License-Identifier: MIT
 * node layers.mjs [--rules]
 *
 * The house keeps its rules, and every rule can tell, but for those that measure: each is shown a violation in a copy of the tree. With
 * --rules the rules alone are checked, over the objects of the last time where nothing that they are made of has changed. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { appendFileSync, cpSync, existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { compile, sourcesOf, toolchain } from '../size/objects.mjs';
import { compilerVersion } from '../size/targets.mjs';
import { parseFloors } from './floors.mjs';
import { measures, plants } from './plants.mjs';
import * as rules from './rules.mjs';
import { readTree } from './source.mjs';

const rulesAlone = process.argv.includes('--rules');
/* Who runs this beside another one gives it a folder of its own: LAYERS_BUILD. */
const build = join(root, process.env.LAYERS_BUILD ?? (rulesAlone ? 'build/layers-rules' : 'build/layers'));
const tools = toolchain();
const floors = parseFloors(readFileSync(join(root, 'tests/layers/floors'), 'utf8'));

const objectsIn = (folder) => ({ objects: join(folder, 'small'), plainObjects: join(folder, 'plain') });

/* What a package lays out in its own way is tested from its archive: a port that has a recipe of its name, and what stands beside a recipe. */
const isPacked = (from, path) => existsSync(join(from, 'port/package', path.replace('port/package/', 'port/').split('/')[1], 'pack.sh'));

/** The tree at `from`; `sources` are compiled into `folder`, which may hold the other objects already. */
function treeAt(from, folder, sources) {
	const { objects, plainObjects } = objectsIn(folder);
	compile(tools, from, objects, sources, '-Os');
	compile(tools, from, plainObjects, sources, '-O0');
	const [files, ports, programs, wasm] = [['src', 'include'], ['port'], ['boards/host'], ['boards/wasm']].map((folders) => readTree(from, folders));
	for (const path of [...ports.keys()].filter((name) => isPacked(from, name))) ports.delete(path);
	return { root: from, files, ports, programs, wasm, floors, tools, objects, plainObjects };
}

const needsObjects = new Set([rules.floorsOfCalls, rules.dataInObjects, rules.publicNames,
	rules.nothingElseFromOutside, rules.noRecursion]);

const folders = ['src', 'include', 'port', 'boards/host', 'boards/wasm'];
const needed = new Map([[rules.placesOfMutants, ['tests/mutate/planted.txt', 'tests/unit', 'tests/talk', 'tests/host']], [rules.suitesAreRun, ['tests/suite.sh', 'tests/tests.mk']],
	[rules.packagesAreThere, ['tests/packages']]]);

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

/* --- The objects of the tree itself ---------------------------------------------------------------------- */

const kept = join(build, 'objects'), keptKeys = join(kept, 'keys');
const sumOf = (...texts) => texts.reduce((sum, text) => sum.update(text), createHash('sha256')).digest('hex');

/** Source -> a sum of all that its objects are made of: its text, every header, the compiler, and how it is called. */
function keysOf(sources) {
	const headers = ['src', 'include'].flatMap((folder) => readdirSync(join(root, folder), { recursive: true })
		.filter((path) => path.endsWith('.h')).sort().map((path) => join(folder, path)));
	const texts = [...headers, 'tests/size/objects.mjs'].flatMap((path) => [path, readFileSync(join(root, path))]);
	const common = sumOf(compilerVersion(tools), JSON.stringify(tools), ...texts);
	return new Map(sources.map((source) => [source, sumOf(common, readFileSync(join(root, source)))]));
}

/** Those whose objects are not there or of something else; objects of sources that have gone are removed. */
function staleOf(keys) {
	const made = new Map(existsSync(keptKeys) ? JSON.parse(readFileSync(keptKeys, 'utf8')) : []);
	const gone = [...made.keys()].filter((source) => !keys.has(source));
	for (const folder of Object.values(objectsIn(kept)))
		for (const kind of ['o', 'ci'])
			for (const source of gone) rmSync(join(folder, `${basename(source, '.c')}.${kind}`), { force: true });
	rmSync(keptKeys, { force: true });
	return [...keys].filter(([source, key]) => made.get(source) !== key).map(([source]) => source);
}

function houseTree() {
	const keys = keysOf(sourcesOf(root));
	const house = treeAt(root, kept, staleOf(keys));
	writeFileSync(keptKeys, JSON.stringify([...keys]));
	return house;
}

const house = houseTree();

for (const [name, rule] of Object.entries(rules))
	test(`the rule ${name} is kept`, () => assert.equal(rule(house).join('\n'), ''));

const shows = rulesAlone ? [] : plants;
for (const [rule, wrong, ...edits] of shows)
	test(`${rule.name} sees ${wrong}`, () => {
		const pairs = edits.length > 2 ? [edits.slice(0, 2), edits.slice(2)] : [edits];
		assert.equal(rule(plantedTree(rule, pairs)).length - rule(house).length > 0, true, 'the violation was not seen');
	});

test('every rule is shown a violation, or measures', () => {
	const shown = new Set([...plants.map(([rule]) => rule), ...measures]);
	assert.deepEqual(Object.keys(rules).filter((name) => !shown.has(rules[name])), []);
});
