/* SPDX-License-Identifier: MIT
 * The PlatformIO library, from its archive alone. No PlatformIO is here: a stub of pio compiles the library and the examples
 * as library.json and platformio.ini have it, with Debian's compilers. The native example is run. */

import assert from 'node:assert/strict';
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { until } from '../common/runner.mjs';
import { version } from '../common/version.mjs';
import { textsOf } from '../readme/blocks.mjs';
import { emptyFolder, filesIn, forTheRun, pageOf, putArchive, run, unpack } from './archives.mjs';
import { clientTestWith, legacyFlavour, logged, modernFlavour, Session, textOf } from './client.mjs';
import { servesHosts } from './hosts-served.mjs';
import { motorStops } from './motors.mjs';
import { python, testWith } from './tools.mjs';

const test = testWith(python);
const clientTest = clientTestWith(python);
const avrTest = testWith(python, 'avr-gcc', { name: 'arduino-core-avr', command: 'test', args: ['-d', '/usr/share/arduino/hardware/arduino/avr'] });

const environment = { ...process.env, PATH: `${join(root, 'tests/packages/platformio/bin')}:${process.env.PATH}` };
const exampleOf = (library, name) => join(library, 'examples', name);

/** Builds an example with the stub; returns the path of its program. */
function build(project, name, program) {
	run('pio', ['run'], { cwd: project, env: environment });
	return join(project, '.pio/build', name, program);
}

/* --- The manifest */

const isAddress = (text) => /^https?:\/\/\S+$/.test(text) && text.length <= 255;
const words = (value) => (Array.isArray(value) ? value : String(value ?? '').split(',')).map((word) => word.trim());
const compatible = (value) => words(value).every((word) => /^([a-z\d_-]+|\*)$/.test(word));

/** What PlatformIO's rules do not allow, a word each; for files that are in `folder`. */
function problemsOf(m, folder) {
	const holds = {
		name: /^(?=.{1,50}$)[A-Za-z0-9]+(-[A-Za-z0-9]+)*$/.test(m.name),
		version: /^\d+\.\d+\.\d+(-dev)?$/.test(m.version) && m.version.length <= 20,
		description: m.description?.length > 0 && m.description.length <= 255,
		keywords: words(m.keywords).every((word) => /^[a-z\d+. -]{1,50}$/.test(word)) && words(m.keywords).length > 0,
		repository: !m.repository || ['git', 'hg', 'svn'].includes(m.repository?.type) && isAddress(m.repository.url),
		homepage: !m.homepage || isAddress(m.homepage),
		authors: m.authors?.length > 0 && m.authors.every(({ name, url }) => name.length <= 50 && (!url || isAddress(url))),
		license: m.license === 'MIT' && existsSync(join(folder, 'LICENSE')),
		frameworks: compatible(m.frameworks),
		platforms: compatible(m.platforms),
		headers: words(m.headers).every((header) => existsSync(join(folder, m.build.includeDir, header))),
		examples: m.examples.every(({ name, base, files }) => /^[a-zA-Z\d_/-]{1,100}$/.test(name) && files.length > 0 &&
			files.every((file) => existsSync(join(folder, base, file)))),
		build: existsSync(join(folder, m.build.srcDir)) && m.build.srcFilter.every((part) => /^[+-]<[^<>]+>$/.test(part)),
		keys: Object.keys(m).every((key) => key in known),
		inner: Object.entries(inner).every(([key, allowed]) => [m[key] ?? []].flat().every((part) => Object.keys(part).every((name) => allowed.includes(name)))),
	};
	return Object.keys(holds).filter((key) => !holds[key]);
}

const known = Object.fromEntries(['$schema', 'name', 'version', 'description', 'keywords', 'homepage', 'repository', 'authors', 'license',
	'frameworks', 'platforms', 'headers', 'examples', 'dependencies', 'export', 'scripts', 'build'].map((key) => [key, true]));

/* What PlatformIO reads of the objects in it. It passes over a key that it does not know. */
const inner = {
	repository: ['type', 'url', 'branch'],
	authors: ['name', 'email', 'url', 'maintainer'],
	examples: ['name', 'base', 'files'],
	export: ['include', 'exclude'],
	build: ['flags', 'unflags', 'includeDir', 'srcDir', 'srcFilter', 'extraScript', 'libArchive', 'libLDFMode', 'libCompatMode', 'builder'],
};

const manifestOf = (library) => JSON.parse(readFileSync(join(library, 'library.json'), 'utf8'));

test('platformio: the manifest keeps the rules, and names every example', (t) => {
	const library = unpack('platformio', emptyFolder(t));
	const manifest = manifestOf(library);
	assert.deepEqual(problemsOf(manifest, library), []);
	assert.equal(manifest.version, version);
	assert.deepEqual(manifest.examples.map(({ name }) => name).sort(), readdirSync(join(library, 'examples')).sort());
	for (const { base, files } of manifest.examples) assert.deepEqual([...files].sort(), filesIn(join(library, base)));
});

test('platformio: what breaks the rules is found', (t) => {
	const library = unpack('platformio', emptyFolder(t));
	const manifest = manifestOf(library);
	for (const [key, value] of [['name', 'a name'], ['version', '1'], ['description', 'x'.repeat(256)], ['keywords', ['A']],
		['repository', { type: 'cvs', url: 'https://example.org/a' }], ['homepage', 'example.org'], ['authors', []], ['license', 'free'],
		['frameworks', ['ESP IDF']], ['headers', ['none.h']], ['examples', [{ name: 'none', base: 'examples/none', files: ['a'] }]],
		['build', { ...manifest.build, srcDir: 'none' }]])
		assert.deepEqual(problemsOf({ ...manifest, [key]: value }, library), [key]);
	assert.deepEqual(problemsOf({ ...manifest, tags: [] }, library), ['keys']);
	assert.deepEqual(problemsOf({ ...manifest, build: { ...manifest.build, sourceDir: 'src' } }, library), ['inner']);
	assert.deepEqual(problemsOf({ ...manifest, export: { omit: ['.git'] } }, library), ['inner']);
});

/* --- Building */

avrTest('platformio: the quick start of the page builds the motor for a Mega', (t) => {
	const [commands] = textsOf(pageOf(unpack('platformio', emptyFolder(t))), 'sh');
	const folder = emptyFolder(t);
	putArchive('platformio', folder);
	assert.equal(commands.trim().split('\n').length, 3);
	const output = run('sh', ['-ec', commands], { cwd: folder, env: environment });
	assert.match(output, /STUB: nothing is uploaded/);
	assert.match(run('avr-readelf', ['-h', join(folder, 'quash/examples/mega/.pio/build/mega/firmware.elf')]), /Machine: +Atmel AVR/);
});

/* Of a program for an AVR: bytes of flash and of RAM. */
function sizesOf(program) {
	const [text, data, bss] = run('avr-size', [program]).split('\n')[1].trim().split(/\s+/).map(Number);
	return { flash: text + data, ram: data + bss };
}

avrTest('platformio: the example for the Uno fits', (t) => {
	const { flash, ram } = sizesOf(build(exampleOf(unpack('platformio', emptyFolder(t)), 'uno'), 'uno', 'firmware.elf'));
	assert.ok(flash <= 32256 && ram <= 2048 - 392, `${flash} bytes of flash, ${ram} of RAM`);
});

avrTest('platformio: the whole program of the page builds for a Mega', (t) => {
	const library = unpack('platformio', emptyFolder(t));
	const [main] = textsOf(pageOf(library), 'cpp');
	const project = exampleOf(library, 'mega');
	rmSync(join(project, 'src'), { recursive: true });
	mkdirSync(join(project, 'src'));
	writeFileSync(join(project, 'src/main.cpp'), main);
	const { ram } = sizesOf(build(project, 'mega', 'firmware.elf'));
	assert.equal(Math.round(ram / 100) * 100, Number(/about ([\d,]+) of 8,192 bytes of RAM/.exec(readFileSync(pageOf(library), 'utf8'))[1].replace(',', '')), `${ram} bytes of RAM`);
});

testWith(python, 'xtensa-lx106-elf-gcc')('platformio: the example for ESP-IDF compiles for Xtensa, and the port is in it', (t) => {
	const project = exampleOf(unpack('platformio', emptyFolder(t)), 'espidf');
	build(project, 'esp32', '');
	const folder = join(project, '.pio/build/esp32');
	const objects = readdirSync(folder).map((name) => join(folder, name));
	const symbols = run('xtensa-lx106-elf-nm', objects);
	for (const name of ['app_main', 'quash_esp_uart_serve', 'quash_esp_usb_serve', 'quash_esp_tcp_serve', 'rtos_nap']) assert.match(symbols, new RegExp(` T ${name}\n`));
	assert.doesNotMatch(symbols, /posix_stdio_open/);
});

const compilers = [['arm-none-eabi-gcc', '-mcpu=cortex-m0plus', '-mthumb'], ['xtensa-lx106-elf-gcc', '-mlongcalls', '-ffreestanding'],
	['riscv64-unknown-elf-gcc', '-march=rv32imac', '-mabi=ilp32', '-ffreestanding'], ['avr-gcc', '-mmcu=atmega328p'], ['clang']];

testWith(...compilers.map(([compiler]) => compiler))('platformio: the sources compile without a warning where no framework is', (t) => {
	const library = unpack('platformio', emptyFolder(t));
	const sources = filesIn(join(library, 'src')).filter((file) => file.endsWith('.c') && (!file.includes('posix')));
	assert.ok(sources.includes('quash.c') && sources.length === 6, sources.join(' '));
	for (const [compiler, ...options] of compilers)
		run(compiler, [...options, '-Os', '-Wall', '-Wextra', '-Werror', '-fsyntax-only', ...sources], { cwd: join(library, 'src') });
});

/* --- Running */

let native = null;

function nativeExample() {
	if (native) return native;
	const library = unpack('platformio', emptyFolder(forTheRun));
	native = build(exampleOf(library, 'native'), 'native', 'program');
	return native;
}

for (const flavour of [legacyFlavour, modernFlavour])
	clientTest(`platformio: ${flavour.name} cancels a call of the native example`, async (t) => {
		const { program, log } = logged(t, nativeExample());
		const session = await Session.open(t, flavour, { program });
		const motor = () => log().trim().split('\n').map((line) => line.replace('motor ', ''));
		const turn = await session.start('turn', { ms: 60000 });
		await until('progress', () => session.wire.progressOf(turn.id).length > 1);
		assert.deepEqual(motor(), ['on']);
		turn.cancel();
		await until('the motor to stop', () => motor().length === 2);
		assert.equal(textOf(await session.call('turn', { ms: 150 })), 'turned');
		assert.deepEqual(motor(), ['on', 'off', 'on', 'off']);
		assert.deepEqual(session.wire.answersTo(turn.id), []);
		await session.close();
	});

test('platformio: the motor of the native example stops at the end of input, by signals, and when its client is killed', (t) =>
	motorStops(t, [nativeExample()], 'turn', { ms: 60000 }));

test('platformio: agent hosts call the tool of the native example', (t) => servesHosts(t, [nativeExample()], 'turn', { ms: 10 }));

clientTest('platformio: the motor of the native example stops when its client goes', async (t) => {
	const { program, log } = logged(t, nativeExample());
	const session = await Session.open(t, legacyFlavour, { program });
	const turn = await session.start('turn', { ms: 60000 });
	await until('progress', () => session.wire.progressOf(turn.id).length > 1);
	await session.client.close();
	await until('the motor to stop', () => /motor off/.test(log()));
});
