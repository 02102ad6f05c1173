/* SPDX-License-Identifier: MIT
 * The recipes of the check: firmware is built when its config is right. When it is not, its builder reads why, and there is no
 * firmware. */

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skip, test } from '../common/runner.mjs';
import { folderFor, isThere, root, told } from '../common/start.mjs';
import { right } from './planted.mjs';

const includes = [join(root, 'include'), join(root, 'tests/check')];
const made = join(root, 'build/check');
const tables = right.mcp.replace('static const quash_config device', 'extern const quash_config device;\nconst quash_config device');
const wrong = tables.replace('"look"', '"turn"');
const says = /tables\.c: config device: tools\[1\] turn: name stands twice/;
const firmware = `#include "handlers.h"
#include "quash_checked_device.h"
extern const quash_config device;
int begin(quash_peer *peer);
int begin(quash_peer *peer) { quash_start(peer, device); return quash_live_count(peer); }
`;
const known = firmware.replace('#include', '#define QUASH_THE_CONFIG device\n#include').replace('(peer, device)', '(peer)');

function project(t, files) {
	const folder = folderFor(t);
	writeFileSync(join(folder, 'tables.c'), tables);
	writeFileSync(join(folder, 'firmware.c'), firmware);
	for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
	return folder;
}

/* The library of another check, as it takes seconds to make. */
function lend(folder) {
	mkdirSync(folder, { recursive: true });
	for (const name of readdirSync(made).filter((name) => /^library-16-\d+$/.test(name))) cpSync(join(made, name), join(folder, name), { recursive: true, preserveTimestamps: true });
}

/* Builds, plants, builds, mends, builds. */
function holds(folder, build, object) {
	const first = build();
	assert.equal(first.status, 0, first.stderr + first.stdout);
	assert.ok(existsSync(join(folder, object)));
	writeFileSync(join(folder, 'tables.c'), wrong);
	rmSync(join(folder, object));
	const second = build();
	assert.notEqual(second.status, 0, 'firmware with a wrong config is built');
	assert.match(second.stderr + second.stdout, says);
	assert.ok(!existsSync(join(folder, object)));
	writeFileSync(join(folder, 'tables.c'), tables);
	const third = build();
	assert.equal(third.status, 0, third.stderr + third.stdout);
}

for (const compiler of ['gcc', 'clang', 'g++']) {
	if (!isThere(compiler)) {
		skip(`${compiler}: the unchecked start needs the header`, `${compiler} is missing`);
		continue;
	}
	test(`${compiler}: the unchecked start needs the header`, (t) => {
		const compiled = (text) => {
			const folder = project(t, { 'start.c': text });
			writeFileSync(join(folder, 'quash_checked_device.h'), 'enum { quash_checked_device };\n');
			return told(compiler, ['-fsyntax-only', '-Wall', '-Wextra', '-Werror', ...includes.map((folder) => `-I${folder}`), join(folder, 'start.c')]);
		};
		for (const text of [firmware, known]) {
			assert.equal(compiled(text).stderr, '');
			const { status, stderr } = compiled(text.replace('#include "quash_checked_device.h"\n', ''));
			assert.notEqual(status, 0, 'it compiles');
			assert.match(stderr, /quash_checked_device/);
		}
	});
}

test('make: one line, and there is no firmware with a wrong config', (t) => {
	const folder = project(t, { Makefile: `include ${root}/port/package/check/check.mk
CPPFLAGS = -DQUASH_SIZE_BITS=16 ${includes.map((folder) => `-I${folder}`).join(' ')}
all: firmware.o
$(eval $(call quash_check,device,tables.c,firmware.o))
` });
	lend(join(folder, 'quash-checked'));
	holds(folder, () => told('make', ['all'], { cwd: folder, env: { ...process.env, MAKEFLAGS: '' } }), 'firmware.o');
});

const lists = `cmake_minimum_required(VERSION 3.14)
project(firmware LANGUAGES C)
include(${root}/port/package/check/check.cmake)
add_library(firmware STATIC firmware.c tables.c)
target_compile_definitions(firmware PRIVATE QUASH_SIZE_BITS=16)
target_include_directories(firmware PRIVATE ${includes.join(' ')})
quash_check(firmware device tables.c)
`;
if (isThere('cmake')) {
	test('CMake: one line, and there is no firmware with a wrong config', (t) => {
		const folder = project(t, { 'CMakeLists.txt': lists });
		lend(join(folder, 'build/quash-checked'));
		const generated = told('cmake', ['-S', '.', '-B', 'build'], { cwd: folder });
		assert.equal(generated.status, 0, generated.stderr);
		holds(folder, () => told('cmake', ['--build', 'build'], { cwd: folder }), 'build/libfirmware.a');
	});
} else skip('CMake: one line, and there is no firmware with a wrong config', 'cmake is missing');
