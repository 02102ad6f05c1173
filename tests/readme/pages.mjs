/* SPDX-License-Identifier: MIT
 * Pages that say what code does: the table of docs/cancellation.md is that of quash_decide; the scenes that docs name are
 * there; the handlers of docs/handlers.md and docs/upgrading.md compile, and do what stands behind them. */

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../common/runner.mjs';
import { printed, root, told } from '../common/start.mjs';
import { linked, numbers as released, withPatch } from '../common/version.mjs';
import { blocksOf, withoutBlocks } from './blocks.mjs';

const build = join(root, 'build/readme');
const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror'];
const page = (name) => readFileSync(join(root, 'docs', name), 'utf8');

/** The path of a program in C with the library, compiled without a warning. */
export function compile(name, sources, options = []) {
	const program = join(build, name);
	mkdirSync(build, { recursive: true });
	printed('gcc', ['-std=c11', ...warnings, '-Iinclude', ...options, ...sources, 'build/host/libquash.a', '-o', program]);
	return program;
}

test('the table of docs/cancellation.md is that of quash_decide', () => {
	const table = printed(compile('decide', ['tests/readme/decide.c']));
	const [found] = page('cancellation.md').match(/^\| the request \|[^]*?\n(?!\|)/m);
	assert.equal(found, table);
});

/* The titles of each transcript's scenes. */
const scenes = new Map(readdirSync(join(root, 'tests/talk')).filter((name) => name.endsWith('.talk'))
	.map((name) => [name.slice(0, -5), [...readFileSync(join(root, 'tests/talk', name), 'utf8').matchAll(/^scene (.*)$/gm)].map(([, title]) => title)]));

/* `file` *title*, *title*: paragraph by paragraph, a table row by row, a list item by item. */
export function missingScenes(text) {
	const named = [], missing = [];
	for (const part of withoutBlocks(text).split(/\n\n|\n(?=\||- )/)) {
		let file = null;
		for (const [, code, title] of part.replace(/\s+/g, ' ').matchAll(/`([^`]+)`(?= \*[^*])|(?<!\*)\*([^*]+)\*(?!\*)/g)) {
			if (code !== undefined) {
				file = code;
				continue;
			}
			if (file === null || file === 'file' || /^[a-z]*_/.test(file)) continue; /* how they are named; no transcript */
			named.push(title);
			if (!scenes.get(file)?.some((scene) => scene.startsWith(title))) missing.push(`${file}: ${title}`);
		}
	}
	return { named, missing };
}

test('the scenes that docs name are there', () => {
	const all = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md')).map((name) => ({ name, ...missingScenes(page(name)) }));
	assert.ok(all.find(({ name }) => name === 'cancellation.md').named.length > 60, 'docs/cancellation.md names scenes');
	assert.deepEqual(all.flatMap(({ name, missing }) => missing.map((scene) => `${name}: ${scene}`)), []);
	assert.deepEqual(missingScenes('`cancel` *No such scene*').missing, ['cancel: No such scene']);
	assert.deepEqual(missingScenes('`nofile` *Finished*').missing, ['nofile: Finished']);
});

/* The blocks of a page: those of C, and its conversations, as lines that are received (`->`), and what follows each. */
function shownOn(name) {
	const blocks = blocksOf(`docs/${name}`);
	return { code: blocks.filter(({ language }) => language === 'c').map(({ text }) => text),
		conversations: blocks.filter(({ text }) => text.startsWith('-> ')).map(({ text }) => text) };
}

/* Compiles the code of a page with the program that runs it. */
function programOf(name, code, options = []) {
	mkdirSync(build, { recursive: true });
	writeFileSync(join(build, `${name}_page.h`), code.join('\n'));
	return compile(name, [`tests/readme/${name}.c`], [...options, `-I${build}`]);
}

const linesOf = (arrow, conversation) => conversation.split('\n').filter((line) => line.startsWith(`${arrow} `)).map((line) => `${line.slice(3)}\n`).join('');
const received = (conversation) => linesOf('->', conversation);
const transmitted = (conversation) => linesOf('<-', conversation);

const play = (program, input) => printed(program, [], { input });

const isWhole = (text) => text.includes('int main(void)');

/* What serves it. */
const posix = ['port/posix/posix_serve.c', 'port/posix/posix_stdio.c', 'port/posix/posix_parent.c'];

test('the handlers of docs/handlers.md compile and do what stands behind them', () => {
	const { code, conversations } = shownOn('handlers.md');
	const program = programOf('handlers', code.filter((text) => !isWhole(text)), ['-pthread', '-Iport']);
	assert.equal(conversations.length, 7);
	for (const conversation of conversations.slice(0, -1))
		assert.equal(play(program, received(conversation)), conversation);
});

test('the whole program of docs/handlers.md compiles and does what stands behind it', () => {
	const { code, conversations } = shownOn('handlers.md');
	const [text, ...others] = code.filter(isWhole);
	assert.equal(others.length, 0);
	writeFileSync(join(build, 'whole.c'), text);
	const program = compile('whole', [join(build, 'whole.c'), ...posix], ['-Iport']);
	assert.equal(play(program, received(conversations.at(-1))), transmitted(conversations.at(-1)));
});

/* The page leaves out how a client of MCP begins. */
const greeting = `${JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'readme', version: '1' } } })}\n`;

test('the lift and the fan of docs/actuators.md do what stands behind them', () => {
	const { code: [lift, fan], conversations } = shownOn('actuators.md');
	assert.equal(conversations.length, 2);
	const program = programOf('actuators', [lift, fan]);
	for (const [which, conversation] of conversations.entries()) {
		const [, answered, ...lines] = printed(program, which === 0 ? [] : ['fan'], { input: greeting + received(conversation) }).split('\n');
		assert.match(answered, /"quash\/lifeSign":\{"ms":2000\}/, 'the lease is announced');
		assert.equal(lines.join('\n'), conversation);
	}
});

/* The program of docs/upgrading.md; that of docs/handlers.md has the loop around it. Gives its path. */
function writeUpgraded() {
	const whole = shownOn('handlers.md').code.find(isWhole);
	const [after, ...others] = shownOn('upgrading.md').code;
	assert.equal(others.length, 0);
	const path = join(build, 'upgraded.c');
	mkdirSync(build, { recursive: true });
	writeFileSync(path, `#include "quash.h"\n#include "posix/posix_serve.h"\n${after}${whole.slice(whole.indexOf('int main(void)'))}`);
	return path;
}

test('the handler of docs/upgrading.md compiles, and answers as that of docs/handlers.md', () => {
	const program = compile('upgraded', [writeUpgraded(), ...posix], ['-Iport']);
	const conversation = shownOn('handlers.md').conversations.at(-1);
	assert.equal(play(program, received(conversation)), transmitted(conversation));
});

/* A program that is compiled with headers of another patch version, and with these options. */
function linkWith(patch, ...options) {
	const headers = join(build, 'other');
	rmSync(headers, { recursive: true, force: true });
	cpSync(join(root, 'include'), headers, { recursive: true });
	const path = join(headers, 'quash/version.h');
	writeFileSync(path, withPatch(readFileSync(path, 'utf8'), patch));
	return told('gcc', ['-std=c11', ...options, `-I${headers}`, '-Iport', writeUpgraded(), 'build/host/libquash-posix.a', 'build/host/libquash.a', '-o',
		join(build, 'mixed')]);
}

test('headers of another version or of other widths do not link, and docs/upgrading.md has what the linker names', () => {
	const [named, numbers] = /posix_stdio_serve_(\d+_\d+_\d+(?:_dev)?)_size16/.exec(page('upgrading.md'));
	assert.equal(numbers, linked);
	const patch = Number(released.split('.')[2]);
	assert.equal(linkWith(patch).status, 0, 'the same version links');
	for (const [stderr, missing] of [[linkWith(patch, '-DQUASH_SIZE_BITS=16').stderr, named], [linkWith(99).stderr, '_99(_dev)?_size'],
		[linkWith(patch, '-DQUASH_SIZE_BITS=16', '-DQUASH_COUNT_BITS=16').stderr, `${named}_count16`]])
		assert.match(stderr, new RegExp(`undefined reference to .(\\w+_\\d+_\\d+)?${missing}`));
});
