/* SPDX-License-Identifier: MIT
 * The README is true: its C example compiles without a warning and runs, and its conversation, if it shows one, is what
 * the example really says. A conversation is a block of lines `-> said` and `<- answered`. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/program.mjs';
import { test } from '../host/runner.mjs';

const build = join(root, 'build/readme');
const program = join(build, 'example');
const readme = readFileSync(join(root, 'README.md'), 'utf8');
const blocks = [...readme.matchAll(/^```(\w*)\n([^]*?)^```$/gm)].map(([, language, text]) => ({ language, text }));
const example = blocks.find(({ language }) => language === 'c')?.text;
const conversation = blocks.find(({ text }) => /^-> /m.test(text))?.text ?? '';

const linesOf = (arrow) => conversation.split('\n').filter((line) => line.startsWith(`${arrow} `))
	.map((line) => `${line.slice(3)}\n`).join('');

test('the example is there and compiles', () => {
	assert.ok(example, 'a block of C');
	mkdirSync(build, { recursive: true });
	writeFileSync(join(build, 'example.c'), example);
	execFileSync('gcc', ['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Werror', '-Iinclude', '-Iport',
		join(build, 'example.c'), 'port/posix/posix_stdio.c', 'build/host/libquash.a', '-o', program], { cwd: root });
});

test('the example does what is said of it', () => {
	const said = execFileSync(program, { input: linesOf('->'), timeout: 5000, encoding: 'utf8' });
	assert.equal(said, linesOf('<-'));
});

test('the version is that of the header', () => {
	const version = /QUASH_VERSION "([^"]+)"/.exec(readFileSync(join(root, 'include/quash.h'), 'utf8'))[1];
	assert.ok(readFileSync(join(root, 'CHANGELOG.md'), 'utf8').includes(`## [${version}]`), `${version} in CHANGELOG.md`);
});
