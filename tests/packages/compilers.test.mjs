/* SPDX-License-Identifier: MIT
 * What is packed compiles without a warning by everything that the pages promise: the pair, as C and in C++ programs; the
 * separate files of src. It links without any library but the compiler's own. */

import assert from 'node:assert/strict';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { textsOf } from '../readme/blocks.mjs';
import { inCxx } from '../readme/server.mjs';
import { emptyFolder, pageOf, run, unpack } from './archives.mjs';
import { testWith } from './tools.mjs';

const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror'];
const sections = ['-ffunction-sections', '-fdata-sections'];

/* --- C on the host */

for (const compiler of ['gcc', 'clang', 'gcc-11', 'clang-13']) {
	testWith(compiler)(`the pair compiles with ${compiler} as C99, C11, C17 and C23, and with wide sizes`, (t) => {
		const folder = unpack('pair', emptyFolder(t));
		run(compiler, ['-std=c99', '-O2', ...warnings, '-c', 'quash.c'], { cwd: folder });
		for (const flags of [['-std=c11'], ['-std=c17'], ['-std=c2x'], ['-std=c99', '-DQUASH_SIZE_BITS=32', '-ffreestanding']])
			run(compiler, [...flags, ...warnings, '-fsyntax-only', 'quash.c'], { cwd: folder });
	});
}

/* --- C for targets. `bare`: its toolchain has no C library here, so it compiles as freestanding only. */

const arm = (cpu) => ({ name: cpu, compiler: 'arm-none-eabi-gcc', flags: [`-mcpu=${cpu}`, '-mthumb'] });
const riscv = (arch, abi) => ({ name: arch, compiler: 'riscv64-unknown-elf-gcc', bare: true,
	flags: [`-march=${arch}`, `-mabi=${abi}`, '-mcmodel=medany'] });
const avr = (mcu) => ({ name: mcu, compiler: 'avr-gcc', flags: [`-mmcu=${mcu}`] });

const targets = [
	avr('atmega328p'), avr('atmega2560'),
	arm('cortex-m0plus'), arm('cortex-m3'), arm('cortex-m4'), arm('cortex-m33'),
	riscv('rv32imc', 'ilp32'), riscv('rv32imac', 'ilp32'), riscv('rv64imac', 'lp64'),
	{ name: 'lx106', compiler: 'xtensa-lx106-elf-gcc', bare: true, flags: [] },
	{ name: 'big-endian PowerPC', compiler: 'powerpc-linux-gnu-gcc', flags: ['-fno-stack-protector'], links: ['-static', '-no-pie'] },
];

/* What compilers call by themselves; each is linked where the compiler does. */
const memory = `#include <stddef.h>
void *memcpy(void *to, const void *from, size_t n);
void *memset(void *to, int value, size_t n);
void *memcpy(void *to, const void *from, size_t n)
{
	for (volatile size_t i = 0; i < n; i++)
		((char *)to)[i] = ((const char *)from)[i];
	return to;
}
void *memset(void *to, int value, size_t n)
{
	for (volatile size_t i = 0; i < n; i++)
		((char *)to)[i] = (char)value;
	return to;
}
`;

for (const target of targets) {
	const { name, compiler } = target;
	testWith(compiler)(`the pair compiles with ${compiler} for ${name}, and a program links with nothing but libgcc, memcpy and memset`, (t) => {
		const folder = unpack('pair', emptyFolder(t));
		const options = [...target.flags, '-std=c99', '-Os', ...sections, '-I.'];
		run(compiler, [...options, '-ffreestanding', ...warnings, '-c', 'quash.c'], { cwd: folder });
		if (!target.bare) run(compiler, [...options, ...warnings, '-fsyntax-only', 'quash.c'], { cwd: folder });
		writeFileSync(join(folder, 'memory.c'), memory);
		run(compiler, [...options, '-ffreestanding', '-DASKS', join(root, 'tests/size/two_way.c'), 'memory.c', 'quash.o',
			...(target.links ?? []), '-nostdlib', '-lgcc', '-Wl,--gc-sections', '-Wl,-e,main', '-o', 'image'], { cwd: folder });
	});
}

/* --- The separate files, as a package has them. The suite `headers` has other compilers for them. */

for (const [compiler, ...flags] of [['gcc-11', '-std=c99'], ['clang-13', '-std=c11'], ['xtensa-lx106-elf-gcc', '-std=c11', '-ffreestanding'],
	['riscv64-unknown-elf-gcc', '-std=c11', '-ffreestanding', '-march=rv32imc', '-mabi=ilp32'], ['powerpc-linux-gnu-gcc', '-std=c99']]) {
	testWith(compiler)(`the files of src compile with ${compiler}`, (t) => {
		const folder = unpack('zephyr', emptyFolder(t));
		const sources = readdirSync(join(folder, 'src'), { recursive: true }).filter((file) => file.endsWith('.c'));
		assert.ok(sources.length > 50, `${sources.length} sources`);
		run(compiler, [...flags, ...warnings, '-Iinclude', '-fsyntax-only', ...sources.map((file) => join('src', file))], { cwd: folder });
	});
}

/* --- C++. avr-gcc 5.4 knows no C++20. */

const standards = ['c++11', 'c++14', 'c++17', 'c++20'];
for (const [compiler, flags, known] of [
	['g++', [], standards], ['clang++', [], standards], ['avr-g++', ['-mmcu=atmega2560'], standards.slice(0, 3)],
	['xtensa-lx106-elf-g++', ['-ffreestanding'], standards], ['arm-none-eabi-g++', ['-mcpu=cortex-m0plus', '-mthumb'], standards]]) {
	testWith(compiler)(`tables of all kinds, and the page's tool, compile with ${compiler} as ${known.join(', ')}`, (t) => {
		const folder = unpack('pair', emptyFolder(t));
		const tables = readFileSync(join(root, 'tests/packages/tables.cpp'), 'utf8');
		writeFileSync(join(folder, 'tables.cpp'), tables);
		writeFileSync(join(folder, 'tool.cpp'), `${inCxx(textsOf(pageOf(folder), 'c')[0], textsOf(pageOf(folder), 'cpp')[0]).replace(/^\/\* --- The port[^]*/m, '')}extern const quash_config *const the;\nconst quash_config *const the = &config;\n`);
		for (const standard of known)
			for (const source of ['tables.cpp', 'tool.cpp'])
				run(compiler, [...flags, `-std=${standard}`, ...warnings, '-I.', '-c', source], { cwd: folder });
	});
}

for (const [compiler, c] of [['g++', 'gcc'], ['clang++', 'clang']]) {
	testWith(compiler)(`tables of all kinds that ${compiler} has compiled are right for a library that ${c} has`, (t) => {
		const folder = unpack('pair', emptyFolder(t));
		run(c, ['-Os', '-c', 'quash.c'], { cwd: folder });
		run(compiler, ['-std=c++11', '-I.', join(root, 'tests/packages/tables.cpp'), 'quash.o', '-o', 'tables'], { cwd: folder });
		run('./tables', [], { cwd: folder });
	});
}
