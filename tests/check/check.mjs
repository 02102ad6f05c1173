/* SPDX-License-Identifier: MIT
 * The check of a config before it is on a device: each fault of quash_init is found on the PC, in words, and what is wrong on
 * the device alone is found by the device's compiler. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skipAll, test } from '../common/runner.mjs';
import { isThere, printed, root, told } from '../common/start.mjs';
import { onDevices, planted, right } from './planted.mjs';

const folder = join(root, 'build/check');
mkdirSync(folder, { recursive: true });
for (const name of readdirSync(folder)) if (!name.startsWith('library-')) rmSync(join(folder, name), { recursive: true });

const devices = [
	['M0+', ['arm-none-eabi-gcc', '-mcpu=cortex-m0plus', '-mthumb']],
	['AVR', ['avr-gcc', '-mmcu=atmega2560']],
	['RISC-V', ['riscv64-unknown-elf-gcc', '-march=rv32imc', '-mabi=ilp32', '-ffreestanding']],
];
if (!devices.every(([, [compiler]]) => isThere(compiler))) skipAll('a compiler of a device is missing');
const here = join(root, 'tests/check');
const header = join(folder, 'quash_checked_device.h');

/* Checks tables for a compiler: { status, stderr }. */
function checked(tables, device = ['gcc']) {
	writeFileSync(join(folder, 'tables.c'), tables);
	return told('sh', [join(root, 'port/package/check/check.sh'), '.', 'device', 'tables.c', '--', ...device, `-I${here}`], { cwd: folder });
}

function passes(tables, device) {
	const { status, stderr } = checked(tables, device);
	assert.equal(stderr, '');
	assert.equal(status, 0);
	assert.ok(existsSync(header));
}

/* The words behind the file's and the config's name. */
function refused(tables, device) {
	const { status, stderr } = checked(tables, device);
	assert.notEqual(status, 0, 'it passes');
	assert.ok(!existsSync(header), 'a header is there');
	const [, words] = stderr.match(/tables\.c: config device: (.*)/) ?? [];
	assert.ok(words !== undefined, stderr);
	return words;
}

/* A file with a change that is one. */
function changed(file, from, to, more = '') {
	const text = right[file].replace(from, () => to);
	assert.notEqual(text, right[file], `${file} has no ${from}`);
	return text.replace('#include "handlers.h"\n', (line) => line + more);
}

const matches = (is, words) => (typeof words === 'string' ? assert.equal(is, words) : assert.match(is, words));

/* --- All planted files, in one program with the library that the check has made */

const at = join(folder, 'planted');
const sources = [...Object.keys(right).map((file) => [file, right[file]]),
	...[...planted, ...onDevices.map(([, ...plant]) => plant)].map(([file, from, to, , more]) => [file, changed(file, from, to, more)])];
const firstPlanted = Object.keys(right).length;
const firstOnDevice = firstPlanted + planted.length;

/* A key is drawn at random when a device starts. */
const unit = (text, index) => `extern unsigned char planted_key[];\n${text.replaceAll('QUASH_MCP_INPUT(key,', 'QUASH_MCP_INPUT(planted_key,')}
extern const quash_config *const planted_${index};\nconst quash_config *const planted_${index} = &device;\n`;

function builtOfAll() {
	mkdirSync(at, { recursive: true });
	sources.forEach(([, text], index) => writeFileSync(join(at, `${index}.c`), unit(text, index)));
	writeFileSync(join(at, 'planted.h'), sources.map((_, index) => `PLANTED(${index})\n`).join(''));
	const library = join(folder, readdirSync(folder).find((name) => /^library-16-\d+$/.test(name)));
	const objects = readdirSync(library).filter((name) => name.endsWith('.o') && name !== 'pc_check.o');
	printed('gcc', ['-O0', '-w', '-DQUASH_SIZE_BITS=16', '-I.', `-I${here}`, `-I${join(root, 'include')}`, ...sources.map((_, index) => `${index}.c`),
		join(here, 'all.c'), ...objects.map((name) => join(library, name)), '-o', 'all'], { cwd: at });
}

/* What a device's compiler says to the tables with that index: "" if it takes them. */
function toldBy(device, index) {
	writeFileSync(join(at, 'numbers.h'), printed(join(at, 'all'), [`${index}`]));
	writeFileSync(join(at, 'device.c'), `${sources[index][1]}\n#include "${join(root, 'port/package/check/pc_device.h')}"
#define quash_check_the_config device\n#include "numbers.h"\nvoid checked(void);\nvoid checked(void) { quash_check_device(); }\n`);
	const { status, stderr } = told(device[0], [...device.slice(1), '-I.', `-I${here}`, `-I${join(root, 'include')}`, '-Werror=overflow', '-Os', '-c',
		'device.c', '-o', 'device.o'], { cwd: at });
	assert.equal(status !== 0, stderr !== '', stderr);
	return stderr;
}

let said = [];

/* --- What is right */

test('M0+: the check passes tables, and writes a header', () => passes(right.mcp, devices[0][1]));

test('all planted files are built', () => {
	builtOfAll();
	said = printed(join(at, 'all')).split('\n');
	assert.equal(said.length, sources.length + 1);
});

Object.keys(right).forEach((file, index) => test(`${file} is right on the PC and on each device`, () => {
	assert.equal(said[index], '');
	for (const [, device] of devices) assert.equal(toldBy(device, index), '');
	if (file === 'mcp' && isThere('clang')) assert.equal(toldBy(['clang'], index), '');
}));

/* --- Each fault, on the PC */

planted.forEach(([file, , , words], index) =>
	test(`${file}: ${String(words).slice(0, 80)}`, () => matches(said[firstPlanted + index], words)));

test('the check says so, and leaves no header', () => {
	passes(right.mcp, devices[0][1]);
	assert.equal(refused(changed('mcp', '"look"', '"turn"'), devices[0][1]), 'tools[1] turn: name stands twice');
});

/* Its firmware has no flash for the check. A lease that nobody announces is silent there. */
test('a config that names no check is checked all the same', () => {
	const unchecked = (file) => right[file].replace(/\.check = \w+(, )?/, '');
	for (const file of ['mcp', 'lsp', 'acp']) passes(unchecked(file));
	const own = '{ .name = "halt", .handler = halt, .motion = { .end = motor_off, .longest = 9000, .lease = 2000 } }';
	const leased = (text) => text.replace('{ .name = "halt", .handler = halt }', own);
	passes(leased(unchecked('mcp')));
	assert.equal(refused(leased(unchecked('mcp')).replace('&quash_mcp_leases', 'NULL').replace('.lease = 2000, .group', '.group')),
		'server[0] motor: leases is needed and not named');
	assert.equal(refused(unchecked('lsp').replace('"1.0"', 'NULL')), 'server[0] words: version is missing');
	assert.equal(refused(unchecked('acp').replace('"1.0"', 'NULL')), 'agent[0] agent: version is missing');
});

test('the check says what the device\'s compiler has found, and leaves no header', () => {
	passes(right.mcp, devices[0][1]);
	assert.match(refused(changed('mcp', '.token_size = 40', '.token_size = 5 * sizeof(void *)'), devices[0][1]),
		/^server: token_size is 40 on the PC, and another number on the device/);
});

/* What a check can name stands as a literal in functions whose name says so. */
function namedBy(source) {
	return [...source.matchAll(/^[^\n;]*\b\w*(?:wrong|check|refuse)\w*\([^;{]*\)\n\{\n([^]*?)^\}/gm)]
		.flatMap(([, body]) => [...body.matchAll(/"([A-Za-z_]+)"/g)].map(([, word]) => word));
}

test('each member that a check can name was named', () => {
	const files = readdirSync(join(root, 'src'), { recursive: true }).filter((name) => name.endsWith('.c'));
	const words = new Set(files.flatMap((name) => namedBy(readFileSync(join(root, 'src', name), 'utf8'))));
	words.delete('QUASH_THE_CONFIG'); // tests/builds/known.mjs has it
	assert.ok(words.size > 50, [...words].join());
	const all = said.join('\n');
	assert.deepEqual([...words].filter((word) => !new RegExp(`\\b${word}\\b`).test(all)), []);
});

test('each reason was given', () => {
	const [, list] = /^static const char fault_texts\[\] = ([^;]*);/m.exec(readFileSync(join(root, 'src/core/faults.c'), 'utf8'));
	const texts = [...list.matchAll(/^\t"(.*)\\0"/gm)].map(([, text]) => text);
	assert.ok(texts.length > 20);
	const all = said.join('\n');
	const numbers = ['is too small']; // told by numbers
	assert.deepEqual(texts.filter((text) => !all.includes(text) && !numbers.includes(text)), []);
});

/* --- What is right on the PC and wrong on a device */

onDevices.forEach(([names, , , , words], index) => test(`${names.join(', ')}, not the PC: ${words}`, () => {
	assert.equal(said[firstOnDevice + index], '');
	for (const [name, device] of devices) {
		const is = toldBy(device, firstOnDevice + index);
		if (names.includes(name)) assert.ok(is.includes(words), is || `${name} takes it`);
		else assert.equal(is, '');
	}
}));
