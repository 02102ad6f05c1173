/* SPDX-License-Identifier: MIT
 * The archive for Meson, alone in an empty folder: what its page shows is built as the page has it, and each program answers
 * the official client. */

import assert from 'node:assert/strict';
import { cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { told } from '../common/start.mjs';
import { block } from '../readme/blocks.mjs';
import { emptyFolder, pageOf, putArchive, run, unpack } from './archives.mjs';
import { autoFlavour, clientTestWith, legacyFlavour, modernFlavour } from './client.mjs';
import { turnsAndStops } from './device.mjs';
import { servesHosts } from './hosts-served.mjs';
import { motorStops } from './motors.mjs';
import { testWith } from './tools.mjs';

const tools = ['meson', 'ninja', 'pkg-config'];
const clientTest = clientTestWith(...tools);
const shell = (folder, text) => run('sh', ['-ec', text], { cwd: folder, env: { ...process.env, PKG_CONFIG_LIBDIR: folder } });

const three = (page) => block(page, 'meson', "'device.c'");
const inCxx = (page) => block(page, 'meson', "'device.cpp'");
const commands = (page) => block(page, 'sh', 'meson setup');

/** A project of the user's own with the archive in subprojects/, and its page. */
function withSubproject(t) {
	const folder = emptyFolder(t);
	mkdirSync(join(folder, 'subprojects'));
	return { folder, page: pageOf(unpack('meson', join(folder, 'subprojects'))) };
}

/** The same with nothing but a wrap file, and what Meson itself unpacks. */
function withWrap(t, pattern, archive) {
	const folder = emptyFolder(t);
	const unpacked = unpack('meson', emptyFolder(t));
	const page = pageOf(unpacked);
	mkdirSync(join(folder, 'subprojects/packagefiles'), { recursive: true });
	putArchive(archive, join(folder, 'subprojects/packagefiles'));
	writeFileSync(join(folder, 'subprojects/quash.wrap'), block(page, 'ini', pattern));
	return { folder, page, example: join(unpacked, 'example') };
}

clientTest('a subproject: the page\'s C program turns and stops a motor for the official client', async (t) => {
	const { folder, page } = withSubproject(t);
	assert.equal(three(page).trim().split('\n').length, 3);
	writeFileSync(join(folder, 'meson.build'), three(page));
	shell(folder, commands(page));
	await turnsAndStops(t, autoFlavour, join(folder, 'build/device'));
	await motorStops(t, [join(folder, 'build/device')], 'turn', { steps: 100000 });
	await servesHosts(t, [join(folder, 'build/device')], 'turn', { steps: 3 });
});

clientTest('a wrap file: the C++ program does so too', async (t) => {
	const { folder, page, example } = withWrap(t, 'quash-meson-', 'meson');
	writeFileSync(join(folder, 'meson.build'), inCxx(page).replace(", fallback: 'quash'", ''));
	cpSync(join(example, 'device.cpp'), join(folder, 'device.cpp'));
	shell(folder, commands(page).replace(/^cp .*\n/, ''));
	await turnsAndStops(t, modernFlavour, join(folder, 'build/device'));
	await motorStops(t, [join(folder, 'build/device')], 'turn', { steps: 100000 });
});

clientTest('a wrap file for the whole tree, with buffers of 16 bits: program and library agree', async (t) => {
	const { folder, page, example } = withWrap(t, 'patch_directory', 'source');
	const patch = join(folder, 'subprojects/packagefiles/quash');
	const tree = unpack('source', emptyFolder(t));
	for (const file of ['meson.build', 'meson_options.txt']) cpSync(join(tree, 'port/package/meson', file), join(patch, file));
	writeFileSync(join(folder, 'meson.build'), three(page).replace(", fallback: 'quash'", ''));
	cpSync(join(example, 'device.c'), join(folder, 'device.c'));
	shell(folder, commands(page).replace(/^cp .*\n/, '').replace('setup build', 'setup build -Dquash:size_bits=16'));
	await turnsAndStops(t, legacyFlavour, join(folder, 'build/device'));
	assert.match(run('nm', ['build/device'], { cwd: folder }), / T quash_init_\d+_\d+_\d+(?:_dev)?_size16\n/);
});

testWith(...tools)('an installed quash of another minor version is not taken', (t) => {
	const { folder, page } = withSubproject(t);
	writeFileSync(join(folder, 'meson.build'), three(page).replace(", fallback: 'quash'", ''));
	for (const other of ['0.3.0', '0.5.0']) {
		writeFileSync(join(folder, 'quash-posix.pc'), `Name: quash-posix\nDescription: another one\nVersion: ${other}\n`);
		const { status, stdout } = told('meson', ['setup', `build-${other}`], { cwd: folder, env: { ...process.env, PKG_CONFIG_LIBDIR: folder } });
		assert.notEqual(status, 0);
		assert.match(stdout, new RegExp(`Invalid version, need 'quash-posix' \\[.*\\] found '${other}'`));
	}
});

const crossFile = `[binaries]
c = 'arm-none-eabi-gcc'
ar = 'arm-none-eabi-ar'
[built-in options]
c_args = ['-mcpu=cortex-m0plus', '-mthumb']
c_link_args = ['-mcpu=cortex-m0plus', '-mthumb', '--specs=nosys.specs', '-Wl,--gc-sections']
[host_machine]
system = 'none'
cpu_family = 'arm'
cpu = 'cortex-m0plus'
endian = 'little'
`;

testWith(...tools, 'arm-none-eabi-gcc')('for an Arm: the library is compiled and linked, and there is no quash-posix', (t) => {
	const { folder } = withSubproject(t);
	writeFileSync(join(folder, 'arm.ini'), crossFile);
	writeFileSync(join(folder, 'meson.build'), `project('firmware', 'c')
quash = dependency('quash-port', fallback: 'quash')
assert(not dependency('quash-posix', required: false).found(), 'quash-posix')
executable('firmware', 'firmware.c', dependencies: quash)
`);
	writeFileSync(join(folder, 'firmware.c'), `#include "quash.h"
#include "uart/uart.h"
static const quash_config config;
int main(void) { static quash_peer peer; return quash_init(&peer, &config, NULL); }
`);
	shell(folder, 'meson setup build --cross-file arm.ini && meson compile -C build');
	const names = run('arm-none-eabi-nm', [join(folder, 'build', readdirSync(join(folder, 'build')).find((name) => name.startsWith('firmware') && !name.endsWith('.p')))]);
	assert.match(names, / T quash_init_\d+_\d+_\d+(?:_dev)?_size16\n/);
	assert.doesNotMatch(names, / quash_(acp|lsp|mcp)_/, 'what it does not call is not linked');
});
