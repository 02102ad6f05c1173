/* SPDX-License-Identifier: MIT
 * `make install` and `make uninstall` in the archive of the tree: which files come, that they work where they are, also when
 * they are moved, and that nothing of them stays. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from '../common/runner.mjs';
import { told } from '../common/start.mjs';
import { linked, version } from '../common/version.mjs';
import { block } from '../readme/blocks.mjs';
import { helpOf, optionsOf } from '../readme/help.mjs';
import { emptyFolder, filesIn, forTheRun, run, unpack } from './archives.mjs';
import { autoFlavour, clientTestWith } from './client.mjs';
import { turnsAndStops } from './device.mjs';
import { testWith } from './tools.mjs';

const clientTest = clientTestWith('cmake', 'pkgconf', 'pkg-config');

/* One tree for all tests: what it has built once it installs many times. */
let unpacked;
const tree = () => (unpacked ??= unpack('source', emptyFolder(forTheRun)));
const make = (...args) => run('make', ['-s', '-j2', 'CFLAGS=-O0', ...args], { cwd: tree() });

const installedIn = (folder) => filesIn(folder).map((name) => `/${name}`);
const headersIn = (folder) => readdirSync(join(tree(), folder)).filter((name) => name.endsWith('.h'));
const under = (folder, names) => names.map((name) => `${folder}/${name}`);

/** All that `make install` puts, by the places of its variables. */
const listOf = ({ bin, lib, include, man, data }) => [
	...under(bin, ['quash-bridge', 'quash-inspect']),
	...under(`${data}/bash-completion/completions`, ['quash-bridge', 'quash-inspect']),
	`${data}/licenses/quash/LICENSE`,
	...under(`${man}/man1`, ['quash-bridge.1', 'quash-inspect.1']),
	...under(lib, ['libquash.a', 'libquash-port.a', 'libquash-posix.a']),
	...under(`${lib}/pkgconfig`, ['quash.pc', 'quash-port.pc', 'quash-posix.pc']),
	...under(`${lib}/cmake/quash`, ['quashConfig.cmake', 'quashConfigVersion.cmake', 'quashTargets.cmake']),
	`${include}/quash.h`,
	`${include}/quash_tools.h`,
	...under(`${include}/quash`, headersIn('include/quash')),
	...under(`${include}/quash/port`, ['console.h', 'port_ring.h', 'port_serve.h', 'usb/usb.h']),
	...['http', 'posix', 'uart'].flatMap((port) => under(`${include}/quash/port/${port}`, headersIn(`port/${port}`))),
].sort();

const usual = { bin: '/usr/local/bin', lib: '/usr/local/lib', include: '/usr/local/include', man: '/usr/local/share/man', data: '/usr/local/share' };

/* The first one: the tree has built nothing yet. */
test('behind make, an installation builds nothing', (t) => {
	const folder = emptyFolder(t);
	const stands = () => run('sh', ['-c', 'find build -printf "%p %T@\\n" | sort'], { cwd: tree() });
	make();
	const before = stands();
	make('install', `DESTDIR=${folder}`);
	assert.equal(stands(), before);
});

test('what install puts is on the list, and uninstall takes that away and nothing else', (t) => {
	const folder = emptyFolder(t);
	const here = `DESTDIR=${folder}`;
	make('install', here);
	assert.deepEqual(installedIn(folder), listOf(usual));
	const modes = (name) => statSync(folder + name).mode & 0o777;
	for (const name of listOf(usual)) assert.equal(modes(name), name.startsWith(usual.bin) ? 0o755 : 0o644, name);
	make('install', here);

	const others = [`${usual.bin}/another`, `${usual.include}/quash/another.h`];
	for (const name of others) writeFileSync(folder + name, '');
	make('uninstall', here);
	assert.deepEqual(installedIn(folder), others);
	run('rm', [folder + others[1]]);
	make('install', here);
	make('uninstall', here);
	make('uninstall', here);
	assert.deepEqual(installedIn(folder), others.slice(0, 1));
	assert.deepEqual(readdirSync(folder, { recursive: true }).filter((name) => name.includes('quash')), [], 'folders of its own');
});

test('places and the program that installs are those of the variables', (t) => {
	const folder = emptyFolder(t);
	const recorder = join(folder, 'recorder');
	writeFileSync(recorder, `echo "$@" >> '${folder}/log'\nexec install "$@"\n`);
	make('install', `DESTDIR=${folder}/root`, 'PREFIX=/opt/q', 'BINDIR=/b', 'LIBDIR=/usr/lib/arm', 'INCLUDEDIR=/h', 'MANDIR=/m', `INSTALL=sh ${recorder}`);
	const places = listOf({ bin: '/b', lib: '/usr/lib/arm', include: '/h', man: '/m', data: '/opt/q/share' });
	assert.deepEqual(installedIn(join(folder, 'root')), places);
	const log = readFileSync(join(folder, 'log'), 'utf8');
	for (const name of places) assert.ok(log.includes(` ${folder}/root${name}\n`), name);
});

test('the programs run, the manuals are there to read', (t) => {
	const folder = emptyFolder(t);
	make('install', `PREFIX=${folder}`);
	for (const name of ['quash-bridge', 'quash-inspect']) {
		assert.equal(run(join(folder, 'bin', name), ['--version']).trim(), `${name} ${version}`);
		assert.match(readFileSync(join(folder, `share/man/man1/${name}.1`), 'utf8'), new RegExp(`^\\.Nm ${name}$`, 'm'));
	}
	const config = run(join(folder, 'bin/quash-bridge'), ['--tty', '/dev/ttyACM0', '--print-config', 'claude-code']);
	assert.equal(JSON.parse(config).mcpServers.device.command, join(folder, 'bin/quash-bridge'));
});

/** The page of CMake, from the tree that is installed. */
const page = () => join(tree(), 'port/package/cmake/README.md');

function ownFolder(folder) {
	mkdirSync(join(folder, 'own'));
	writeFileSync(join(folder, 'own/device.c'), block(page(), 'c', 'int main'));
	return join(folder, 'own');
}

for (const [name, lib, ...options] of [['usual places', 'lib'], ['places of another system', 'lib/x86_64-linux-gnu', 'INCLUDEDIR=$(PREFIX)/include/c']]) {
	clientTest(`${name}: pkg-config and CMake find them, also when they were moved`, async (t) => {
		const folder = emptyFolder(t);
		make('install', `PREFIX=${folder}/first`, `LIBDIR=$(PREFIX)/${lib}`, ...options);
		renameSync(join(folder, 'first'), join(folder, 'moved'));
		const env = { ...process.env, PKG_CONFIG_PATH: join(folder, 'moved', lib, 'pkgconfig'), CMAKE_PREFIX_PATH: join(folder, 'moved') };
		const own = ownFolder(folder);
		for (const one of ['quash', 'quash-port', 'quash-posix']) {
			run('pkgconf', ['--validate', one], { env });
			assert.equal(run('pkg-config', ['--modversion', one], { env }).trim(), version);
		}
		run('sh', ['-ec', block(page(), 'sh', 'pkg-config')], { cwd: own, env });
		await turnsAndStops(t, autoFlavour, join(own, 'device'));

		writeFileSync(join(own, 'CMakeLists.txt'), `cmake_minimum_required(VERSION 3.14)\nproject(device LANGUAGES C)\n${block(page(), 'cmake', 'find_package(quash')}`);
		run('sh', ['-ec', block(page(), 'sh', 'cmake -S . -B build')], { cwd: own, env });
		await turnsAndStops(t, autoFlavour, join(own, 'build/device'));
	});
}

testWith('cmake', 'ninja')('CMake and make put the same headers, libraries and files for pkg-config', (t) => {
	const folder = emptyFolder(t);
	make('install', `PREFIX=${folder}/made`);
	run('cmake', ['-G', 'Ninja', '-S', join(tree(), 'port/package/cmake'), '-B', join(folder, 'build'), `-DCMAKE_INSTALL_PREFIX=${folder}/cmade`, '-DCMAKE_INSTALL_LIBDIR=lib']);
	run('cmake', ['--build', join(folder, 'build')]);
	run('cmake', ['--install', join(folder, 'build')]);
	const both = installedIn(join(folder, 'made')).filter((name) => !/^\/(bin|share\/(man|bash-completion))\//.test(name));
	assert.deepEqual(installedIn(join(folder, 'cmade')).filter((name) => !name.endsWith('/quashTargets-noconfig.cmake')), both);
	for (const name of both.filter((one) => !/\.a$|quashTargets/.test(one)))
		assert.equal(readFileSync(join(folder, 'cmade', name), 'utf8'), readFileSync(join(folder, 'made', name), 'utf8'), name);
});

testWith('pkg-config')('another QUASH_SIZE_BITS is handed on to those who link the library', (t) => {
	const folder = emptyFolder(t);
	make('install', `PREFIX=${folder}`);
	make('install', `PREFIX=${folder}`, 'CFLAGS=-O0 -DQUASH_SIZE_BITS=16', 'INSTALLED='); /* of what stands there, which has 32 */
	const env = { ...process.env, PKG_CONFIG_PATH: join(folder, 'lib/pkgconfig') };
	const own = ownFolder(folder);
	const { status, stderr } = told('sh', ['-ec', block(page(), 'sh', 'pkg-config')], { cwd: own, env });
	assert.notEqual(status, 0);
	assert.match(stderr, new RegExp(`undefined reference to .posix_stdio_serve_${linked}_size16\\b`));
	assert.match(readFileSync(join(folder, 'lib/cmake/quash/quashTargets.cmake'), 'utf8'), /INTERFACE_COMPILE_DEFINITIONS "QUASH_SIZE_BITS=16"/);
});

testWith('pkg-config')('pkg-config refuses a library and a port of two versions', (t) => {
	const folder = emptyFolder(t);
	make('install', `PREFIX=${folder}`);
	const asked = () => told('pkg-config', ['--cflags', '--libs', 'quash-posix'], { env: { ...process.env, PKG_CONFIG_PATH: join(folder, 'lib/pkgconfig') } });
	assert.equal(asked().status, 0);
	for (const one of ['quash', 'quash-port']) {
		const path = join(folder, `lib/pkgconfig/${one}.pc`), text = readFileSync(path, 'utf8');
		assert.ok(text.includes(`\nVersion: ${version}\n`));
		for (const other of ['0.3.0', '99.0.0']) {
			writeFileSync(path, text.replace(`\nVersion: ${version}\n`, `\nVersion: ${other}\n`));
			const { status, stderr } = asked();
			assert.notEqual(status, 0, `${one} ${other}`);
			assert.ok(stderr.includes(`'${other}'`) && stderr.includes(`= ${version}'`), stderr);
		}
		writeFileSync(path, text);
	}
});

test('the headers compile alone where they are, without a warning', (t) => {
	const folder = emptyFolder(t);
	make('install', `PREFIX=${folder}`);
	const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Werror', '-fsyntax-only', `-I${folder}/include`, `-I${folder}/include/quash/port`];
	const headers = filesIn(join(folder, 'include')).filter((name) => !name.endsWith('uart_avr.h')).map((name) => name.replace(/^quash\/port\//, ''));
	assert.ok(headers.includes('quash.h') && headers.includes('posix/posix_stdio.h'));
	for (const [compiler, standard, suffix] of [['gcc', 'c99', 'c'], ['gcc', 'c11', 'c'], ['g++', 'c++11', 'cpp'], ['g++', 'c++20', 'cpp']]) {
		const sources = headers.map((name, i) => [join(folder, `${i}.${suffix}`), `#include "${name}"\nint a_unit_is_not_empty_${i};\n`]);
		for (const [path, text] of sources) writeFileSync(path, text);
		run(compiler, [`-std=${standard}`, ...strict, ...sources.map(([path]) => path)]);
	}
});

testWith('arm-none-eabi-gcc')('the libraries of a board come beside those of the host', (t) => {
	const folder = emptyFolder(t);
	const names = under('/lib/quash/microbit', ['libquash-port.a', 'libquash.a']);
	make('install', 'BOARD=microbit', `PREFIX=${folder}`);
	assert.deepEqual(installedIn(folder), names);
	assert.match(run('arm-none-eabi-nm', [folder + names[1]]), / T quash_init_\d+_\d+_\d+(?:_dev)?_size16\n/);
	make('uninstall', 'BOARD=microbit', `PREFIX=${folder}`);
	assert.deepEqual([installedIn(folder), existsSync(join(folder, 'lib/quash'))], [[], false]);
});

/* --- Completion */

const script = `. "$1"; shift; PATH=$1:$PATH; shift
COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=()
_quash "$1" "\${COMP_WORDS[COMP_CWORD]}" "\${COMP_WORDS[COMP_CWORD - 1]}"
printf '%s\\n' "\${COMPREPLY[@]}"
complete -p "\${1##*/}"`;

/** What bash offers for the last of these words. */
function offered(prefix, ...words) {
	const lines = run('bash', ['--norc', '-c', script, 'bash', join(prefix, 'share/bash-completion/completions', basename(words[0])), join(prefix, 'bin'), ...words],
		{ cwd: tree(), env: { ...process.env, HOME: prefix } }).trimEnd().split('\n');
	assert.equal(lines.pop(), `complete -F _quash ${basename(words[0])}`);
	return lines.filter((line) => line).sort();
}

testWith('bash')('completion offers every option of --help, and the values of each', (t) => {
	const folder = emptyFolder(t);
	make('install', `PREFIX=${folder}`);
	for (const name of ['quash-bridge', 'quash-inspect']) {
		const program = join(folder, 'bin', name);
		assert.deepEqual(offered(folder, name, ''), ['--', ...optionsOf(program)]);
		assert.deepEqual(offered(folder, name, '--tt'), ['--tty']);
		assert.deepEqual(offered(folder, `~/bin/${name}`, '--tt'), ['--tty'], 'a program by its path');
		assert.deepEqual(offered(folder, name, '--baud', ''), [], 'a number');
		assert.deepEqual(offered(folder, name, '--reset', '--tc'), ['--tcp'], 'it has no value');
		assert.deepEqual(offered(folder, name, '--token-file', 'LIC'), ['LICENSE']);
		assert.deepEqual(offered(folder, name, '--', './Make'), ['./Makefile'], 'a command');
		for (const [, option, values] of helpOf(program).matchAll(/(--[a-z-]+) ([a-z]+(?:\|[a-z]+)+)/g))
			assert.deepEqual(offered(folder, name, option, ''), values.split('|').sort(), option);
	}
	assert.deepEqual(offered(folder, 'quash-bridge', '--system', ''), ['linux', 'macos', 'windows']);
	assert.deepEqual(offered(folder, 'quash-bridge', '--print-config', 'c'), ['claude', 'claude-code', 'codex', 'copilot', 'cursor']);
	assert.deepEqual(offered(folder, 'quash-inspect', '--json', '--permission', 'al'), ['allow']);
});
