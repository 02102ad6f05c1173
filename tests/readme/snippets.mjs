/* SPDX-License-Identifier: MIT
 * Every block of C and C++ on a page, and every example in a header's comment, compiles: as a unit of its own, or in the surroundings
 * that its page takes for granted, a file in `around`. Those that run have tests of their own besides: pages.mjs, driven.mjs, loops.mjs,
 * and the suites packages and headers. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../common/runner.mjs';
import { printed, root, told } from '../common/start.mjs';
import { pagesOf, withoutBlocks } from './blocks.mjs';
import { allBlocks, examplesIn, nameOf, written } from './code.mjs';

const build = join(root, 'build/readme');
const around = join(root, 'tests/readme/around');
const joined = join(build, 'joined');
const stated = ['tests/readme/around', 'tests/rtos/freertos', 'tests/rtos/cmsis2', 'tests/rtos/zephyr', 'tests/packages/zephyr/include', 'port/zephyr/zephyr/include',
	'tests/packages/esp-idf/stated', 'port/esp-idf', 'tests/packages/platformio/sdkconfig', 'tests/packages/arduino', 'port/arduino/src', 'tests/packages/arduino/tree'];
const options = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Werror', '-Wno-unused', '-Wno-misleading-indentation', '-fsyntax-only',
	...['include', 'port', '.', 'boards/apps', ...stated].map((folder) => `-I${folder}`)];
const compilers = { c: ['gcc', '-std=c11', '-Wshadow', '-fno-builtin', '-x', 'c'], cpp: ['g++', '-std=c++11', '-x', 'c++'] };

const surroundingsOf = (path) => join(around, `${nameOf(path)}.c`);

/* A unit that takes nothing for granted but the library. */
const alone = join(build, 'alone.c');
const library = ['-include', 'quash.h'];

function complaintOf(block) {
	const file = written(block, block.text);
	const unit = existsSync(surroundingsOf(block.path)) ? [surroundingsOf(block.path)] : /quash\.h/.test(block.text) ? [alone] : [...library, alone];
	const [compiler, ...words] = compilers[block.language];
	/* One that names its config includes the library as one file. */
	const first = block.text.includes('QUASH_THE_CONFIG') ? [`-I${joined}`] : [];
	const { status, stderr } = told(compiler, [...words, ...first, ...options, `-DNUMBER=${block.number}`, `-DBLOCK="${file}"`, ...unit]);
	return status === 0 ? '' : stderr;
}

mkdirSync(joined, { recursive: true });
writeFileSync(alone, '#include BLOCK\nextern int a_unit_is_not_empty;\n');
printed('sh', ['port/package/join.sh', joined]);

const blocks = allBlocks();

for (const path of new Set(blocks.map((block) => block.path)))
	test(`the code of ${path} compiles`, () => {
		for (const block of blocks.filter((other) => other.path === path))
			assert.equal(complaintOf(block), '', `block ${block.number}`);
	});

test('what does not compile is found', () => {
	const block = { path: 'docs/none.md', number: 1, language: 'c', text: '#include "quash.h"\nstatic int32_t wrong(quash_request *request) { return quash_send(request); }' };
	assert.match(complaintOf(block), /quash_send/);
});

test('examples are found in comments, and code nowhere but in blocks', () => {
	assert.deepEqual(examplesIn('/** It is used so:\n *\n *     one(1);\n *\n *         two(2);\n *\n * @param a  more\n *           of it */\n'), ['one(1);\n\n    two(2);\n']);
	const indented = pagesOf(root).filter((page) => /^ {4,}.*\(.*[;{]$/m.test(withoutBlocks(readFileSync(join(root, page), 'utf8'))));
	assert.deepEqual(indented, []);
	const paths = blocks.map(({ path }) => `${nameOf(path)}.c`);
	assert.deepEqual(readdirSync(around).filter((name) => name.endsWith('.c') && !paths.includes(name)), [], 'surroundings of nothing');
});
