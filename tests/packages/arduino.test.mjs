/* SPDX-License-Identifier: MIT
 * The Arduino library, from its archive alone: examples compile without a warning of ours, run in simavr, and answer
 * official clients over their serial lines. */

import assert from 'node:assert/strict';
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostProgram, root } from '../common/program.mjs';
import { asking, begun, refusals } from '../host/hosts-messages.mjs';
import { oneTool, programs } from '../host/hosts-page.mjs';
import { until } from '../common/runner.mjs';
import { told } from '../common/start.mjs';
import { version } from '../common/version.mjs';
import { block, textsOf } from '../readme/blocks.mjs';
import { inCxx, server } from '../readme/server.mjs';
import { emptyFolder, forTheRun, pageOf, putArchive, run } from './archives.mjs';
import { boardOf, boards, compiled, connected, librariesFolder, plugged, warningsIn } from './arduino.mjs';
import { autoFlavour, clientTestWith, modernFlavour, sdkFlavour, textOf } from './client.mjs';
import { faultAtStart, withoutSessions } from './refused.mjs';
import { testWith } from './tools.mjs';

const builder = { name: 'arduino-builder', command: 'arduino-builder', args: ['-version'] };
const simulator = { name: 'libsimavr-dev', command: 'sh', args: ['-c', 'echo "#include <simavr/sim_elf.h>" | gcc -E -'] };
const test = testWith(builder);
const clientTest = clientTestWith(builder, simulator);

for (const program of ['tests/host/ptys', 'quash-bridge'].map(hostProgram)) run('make', ['-s', program.slice(root.length).replace(/^\//, '')], { cwd: root });

/* --- What is published */

const properties = (text) => Object.fromEntries(text.trim().split('\n').map((line) => line.match(/^([^=]+)=(.*)$/).slice(1)));

test('library.properties follows the published rules', (t) => {
	const { library } = librariesFolder(t);
	const home = readFileSync(join(root, 'port/package/home'), 'utf8').trim();
	const p = properties(readFileSync(join(library, 'library.properties'), 'utf8'));
	assert.match(p.name, /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,15}$/);
	assert.doesNotMatch(p.name, /arduino|library/i);
	assert.equal(p.version, version);
	assert.match(p.version, /^\d+\.\d+\.\d+(-dev)?$/);
	for (const name of ['author', 'maintainer', 'sentence', 'paragraph']) assert.ok(p[name]?.length > 0, name);
	assert.doesNotMatch(p.maintainer, /^arduino/i);
	assert.ok(!p.paragraph.startsWith(p.sentence), 'the paragraph goes on, and repeats nothing');
	assert.equal(p.category, 'Communication');
	assert.equal(p.url ?? '', home);
	assert.equal(p.architectures, '*');
	for (const header of p.includes.split(',')) assert.ok(existsSync(join(library, 'src', header)), header);
	const known = ['name', 'version', 'author', 'maintainer', 'sentence', 'paragraph', 'category', ...home ? ['url'] : [], 'architectures', 'includes', 'dot_a_linkage'];
	assert.deepEqual(Object.keys(p), known);
});

test('the archive is laid out as the specification demands', (t) => {
	const { library } = librariesFolder(t);
	assert.deepEqual(readdirSync(library).sort(), ['LICENSE', 'README.md', 'examples', 'extras', 'keywords.txt', 'library.properties', 'src']);
	for (const name of readdirSync(join(library, 'examples')))
		assert.ok(existsSync(join(library, 'examples', name, `${name}.ino`)), `a sketch is named as its folder: ${name}`);
	for (const entry of readdirSync(library, { recursive: true, withFileTypes: true })) {
		assert.ok(!entry.isSymbolicLink() && !/\.exe$/i.test(entry.name), entry.name);
		assert.match(entry.name, /^[a-zA-Z0-9][a-zA-Z0-9_.-]{0,62}$/);
	}
	assert.doesNotMatch(readFileSync(pageOf(library), 'utf8'), /@VERSION@/);
});

test('every keyword stands in a header', (t) => {
	const { library } = librariesFolder(t);
	const source = ['quash_tools.h', 'quash.h', 'quash_stream.h', 'quash_usb.h'].map((name) => readFileSync(join(library, 'src', name), 'utf8')).join('\n');
	const words = new Set(source.replace(/\/\*[^]*?\*\//g, '').match(/\w+/g));
	const rows = readFileSync(join(library, 'keywords.txt'), 'utf8').split('\n').filter((line) => line && !line.startsWith('#'));
	for (const row of rows) {
		assert.match(row, /^\w+\t(KEYWORD1|KEYWORD2|LITERAL1)$/);
		assert.ok(words.has(row.split('\t')[0]), row);
	}
	for (const row of ['QuashStream\tKEYWORD1', 'quash_mcp_tool\tKEYWORD1', 'quash_pump\tKEYWORD2', 'serve\tKEYWORD2', 'QUASH_MCP_TOOL\tLITERAL1'])
		assert.ok(rows.includes(row), row);
	assert.equal(new Set(rows.map((row) => row.split('\t')[0])).size, rows.length, 'each once');
});

/* --- What is compiled */

const stub = join(root, 'tests/packages/arduino');

const images = new Map();

const exampleOf = (library, name) => readFileSync(join(library, `examples/${name}/${name}.ino`), 'utf8');

/* `OneTool` with the motor of the README in place of its LED, lease and descriptions too. */
function motorOfReadme(oneTool) {
	const [, tool] = inCxx(server, block('README.md', 'cpp', 'quash::mcp_tool')).match(/^(struct turn [^]*)^QUASH_MCP_DEVICE/m);
	const pins = tool.replace(/fputs\("motor (on|off)\\n", stderr\);/g, (_, to) => `digitalWrite(LED_BUILTIN, ${to === 'on' ? 'HIGH' : 'LOW'});`);
	return oneTool.replace(/^\/\* The argument of the tool[^]*?(?=^static quash_mcp_session)/m, '').replace(/^static quash_group[^]*?^};\n/m, () => pins)
		.replace('.leases(nullptr)', '').replace('struct blink', 'struct turn');
}

/* Sketches that are made of examples: name -> the example, and what makes its text another. */
const shorter = (sketch) => sketch.replace('PUMP_LONGEST_MS = 25000', 'PUMP_LONGEST_MS = 1000').replace('MINUTE_MS = 60000', 'MINUTE_MS = 1000');
const inWords = (sketch) => sketch.replace(/return quash_mcp_textf\(.*\);/, 'return analogRead(PROBE_PIN) > 500 ? quash_mcp_text(request, "wet") : quash_mcp_text(request, "dry");')
	.replace('.token_size(NUMBER_SIZE)', '').replace('NUMBER_SIZE = 4', 'NUMBER_SIZE = 0');
const made = { Turn: ['OneTool', motorOfReadme], Short: ['Greenhouse', shorter], Words: ['Greenhouse', inWords] };

function sketchOf(library, folder, name) {
	const [example, change] = made[name] ?? [name];
	const from = join(library, 'examples', example), to = join(folder, 'sketch', name);
	cpSync(from, to, { recursive: true });
	const text = exampleOf(library, example), changed = change?.(text) ?? text;
	assert.ok(!change || changed !== text, name);
	writeFileSync(join(to, `${name}.ino`), changed);
	if (name !== example) rmSync(join(to, `${example}.ino`));
	return join(to, `${name}.ino`);
}

/* What the page has for less flash. */
function boardNamed(library, name) {
	const [board, less] = name.split(', ');
	const [, link] = readFileSync(pageOf(library), 'utf8').match(/^compiler\.c\.elf\.extra_flags=(-.*)$/m);
	return { ...boards[board], ...less && { link } };
}

/* The image of an example, or of what is made of one, compiled once. */
function imageOf(name, board) {
	const key = `${name} ${board}`;
	if (!images.has(key)) {
		const { folder, library } = librariesFolder(forTheRun);
		images.set(key, compiled(forTheRun, folder, sketchOf(library, emptyFolder(forTheRun), name), boardNamed(library, board)));
	}
	return images.get(key);
}

const sizes = (text) => text.match(/uses? (\d+) bytes/g).map((words) => Number(words.match(/\d+/)[0]));

/* An Uno, and what the page has for less flash. */
const small = 'uno, small';

for (const [name, board] of [['OneTool', 'uno'], ['OneTool', 'mega'], ['Turn', 'uno'], ['Turn', small], ['Greenhouse', small], ['Words', 'uno'],
	['Motor', 'mega'], ['SecondPort', 'mega']]) {
	test(`${name} compiles for the ${board} without a warning of ours`, () => {
		const { text } = imageOf(name, board);
		assert.deepEqual(warningsIn(text), []);
		const [flash, ram] = sizes(text);
		console.log(`        ${name} on ${board}: ${flash} bytes of flash, ${ram} of RAM`);
		const { flash: most, ram: all } = boards[board.split(', ')[0]];
		assert.ok(flash < most && ram < all);
	});
}

test('the motor of the README leaves 2 KB of an Uno\'s flash with what the page has for less', () => {
	const [flash] = sizes(imageOf('Turn', small).text);
	assert.ok(boards.uno.flash - flash >= 2048, `${boards.uno.flash - flash} bytes`);
});

test('without that an Uno has no room for the greenhouse', () => {
	assert.throws(() => imageOf('Greenhouse', 'uno'), /will not fit|too big|overflowed/);
});

/* Against a stub of Arduino.h: as strict as cores of newer processors, which have no -fpermissive. */
test('port and examples compile as C++11 and C++20 without a warning', (t) => {
	const { folder, library } = librariesFolder(t);
	const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', '-c', '-o', '/dev/null', '-I', stub, '-I', join(library, 'src')];
	const sources = readdirSync(join(library, 'examples')).map((name) => join(library, 'examples', name, `${name}.ino`));
	for (const standard of ['c++11', 'c++20']) for (const source of [join(library, 'src/quash_stream.cpp'), join(library, 'src/quash_usb.cpp'), ...sources]) {
		const unit = join(folder, 'unit.cpp');
		writeFileSync(unit, `#include <Arduino.h>\n${readFileSync(source, 'utf8')}`);
		run('g++', [`-std=${standard}`, ...strict, unit]);
	}
});

/* Its Uno has no room for the checks of quash_init. */
const faultsOfOneTool = [['moves(led_off, ', 'moves(nullptr, ', 'motion_end_is_missing'], ['30000, 0, &one_led', '30000, 2000, &one_led', 'leases_is_needed'],
	['sizeof(struct blink)), 192', '0), 192', 'state_size_is_too_small'], ['QUASH_MCP_LEGACY(&server), ', '', 'initialize_is_missing'],
	['192, 64);', '192, 63);', 'tx_size_is_too_small'], ['store, 2, 24', 'store, 0, 24', 'slot_count_is_too_small']];

const faultsOfGreenhouse = [['moves(pump_off, ', 'moves(nullptr, ', 'motion_end_is_missing'], ['LEASE_MS, &pump', '3000000000, &pump', 'motion_lease_is_too_large'],
	['.token_size(NUMBER_SIZE)', '.token_size(NUMBER_SIZE).leases(nullptr)', 'leases_is_needed'], ['fan_end, QUASH_NO_LIMIT, ', 'fan_end, 0, ', 'motion_longest_is_0'],
	['quash::largest(tools)', '0', 'state_size_is_too_small'], ['arena[192], tx[64]', 'arena[192], tx[63]', 'tx_size_is_too_small']];

for (const [name, faults] of [['OneTool', faultsOfOneTool], ['Greenhouse', faultsOfGreenhouse]]) test(`what is wrong in ${name} does not compile, and the error names it`, (t) => {
	const { folder, library } = librariesFolder(t);
	const sketch = `#include <Arduino.h>\n${exampleOf(library, name)}`;
	const unit = join(folder, 'unit.cpp');
	for (const [right, wrong, word] of faults) {
		assert.equal(sketch.split(right).length, 2, right);
		writeFileSync(unit, sketch.replace(right, wrong));
		const { status, stderr } = told('g++', ['-std=c++11', '-fsyntax-only', '-I', stub, '-I', join(library, 'src'), unit]);
		assert.notEqual(status, 0, wrong);
		assert.match(stderr, new RegExp(word), wrong);
	}
});

test('QuashStream and QuashUsb keep the contract of ports', (t) => {
	const { folder, library } = librariesFolder(t);
	const src = join(library, 'src');
	for (const part of ['quash', 'quash_port_usb']) run('gcc', ['-c', '-o', join(folder, `${part}.o`), join(src, `${part}.c`)]);
	run('g++', ['-std=c++11', '-Wall', '-Wextra', '-Werror', '-fsanitize=undefined', '-I', stub, '-I', src, '-o', join(folder, 'stream'),
		join(stub, 'stream.cpp'), join(src, 'quash_stream.cpp'), join(src, 'quash_usb.cpp'), join(folder, 'quash.o'), join(folder, 'quash_port_usb.o')]);
	run(join(folder, 'stream'), []);
});

/* The initial values of variables, as they are copied to RAM. */
function dataOf(t, image) {
	const file = join(emptyFolder(t), 'data');
	run('avr-objcopy', ['-O', 'binary', '-j', '.data', image, file]);
	return readFileSync(file, 'latin1');
}

test('on the Uno no literal of the library is in RAM, but for the method names of the sketch', (t) => {
	const { library } = librariesFolder(t);
	const data = dataOf(t, imageOf('OneTool', 'uno').image);
	const source = readFileSync(join(library, 'src/quash.c'), 'latin1').replace(/\/\*[^]*?\*\//g, '');
	const texts = [...source.matchAll(/"((?:\\.|[^"\\\n])+)"/g)].map(([, text]) => text.replaceAll('\\"', '"')).filter((text) => text.length > 2);
	assert.ok(texts.length > 500, `${texts.length} literals`);
	const found = new Set(texts.filter((text) => data.split(`${text}\0`).slice(0, -1).some((before) => !/[\w/]$/.test(before))));
	assert.deepEqual([...found].sort(), ['initialize', 'tools/list']);
});

/* What code before `main` fills stands in .bss. */
test('the tables of the examples are constant data', () => {
	for (const [name, board, tables] of [['OneTool', 'uno', ['tools', 'server', 'methods', 'one_tool']],
		['Greenhouse', small, ['tools', 'server', 'methods', 'greenhouse']],
		['Motor', 'mega', ['tools', 'config_server', 'config_methods', 'config']], ['SecondPort', 'mega', ['tools', 'server', 'methods', 'config']]]) {
		const symbols = run('avr-nm', [imageOf(name, board).image]);
		for (const table of tables) assert.match(symbols, new RegExp(` d (_ZL\\d+)?${table}(\\.|$)`, 'mi'), `${table} of ${name}`);
	}
});

/* --- What runs */

/* The variables of the Uno and its deepest stack leave so many bytes for the sketch of a user. */
const spare = 250;

async function useBlink(client, call, board) {
	const { tools } = await client.listTools();
	assert.deepEqual(tools.map(({ name, description }) => [name, description]), [['blink', 'Blinks with the LED of the board']]);
	assert.deepEqual(tools[0].inputSchema.properties.times, { type: 'integer', minimum: 1, maximum: 100, description: 'how often' });
	assert.equal(textOf(await call('blink', { times: 3 })), 'blinked');
	const { toggles } = await board.reports('the LED', (now) => now.toggles >= 6);
	assert.equal(toggles, 6, 'three times on and off');
}

async function cancelBlink(call, board) {
	const { toggles } = await board.reports('the LED');
	const stop = new AbortController();
	const long = call('blink', { times: 100 }, { signal: stop.signal });
	await board.reports('the LED to blink', (now) => now.toggles >= toggles + 3);
	const second = await call('blink', { times: 1 });
	assert.deepEqual([second.isError, textOf(second)], [true, 'blink is busy']);
	stop.abort();
	await assert.rejects(long);
	await until('the next call', async () => textOf(await call('blink', { times: 1 })) === 'blinked');
	await standsStill(board);
	assert.equal((await board.reports('the LED')).toggles % 2, 0, 'it is off');
}

async function askWrongly(client, call) {
	const wrong = await call('blink', { times: 101 });
	assert.deepEqual([wrong.isError, textOf(wrong)], [true, 'times: must be an integer from 1 to 100']);
	await assert.rejects(call('drill', {}), /Unknown tool/);
	await assert.rejects(call('blink', { times: 'x'.repeat(400) }), { code: -32011 });
	await client.ping();
}

for (const flavour of [sdkFlavour, autoFlavour]) {
	clientTest(`an Uno with one tool answers the official client, which cancels it, ${flavour.name}`, async (t) => {
		const board = boardOf(t, imageOf('OneTool', 'uno').image, boards.uno);
		const { client, call } = await connected(t, flavour, ['--', ...board.command]);
		await useBlink(client, call, board);
		await cancelBlink(call, board);
		await askWrongly(client, call);
		const { free } = await board.reports('its memory');
		console.log(`        OneTool on uno: ${free} bytes of RAM never touched`);
		assert.ok(free >= spare, `${free} bytes of RAM were never touched`);
	});
}

/* --- The greenhouse: its pump is at pin 7 (D7), its fan at pin 8 (B0) */

const greenhouseOf = (t, pin, name = 'Greenhouse') => boardOf(t, imageOf(name, small).image, boards.uno, { pin });
const isOn = (board) => board.reports('the pin to rise', ({ level }) => level === 1);
const isOff = (board) => board.reports('the pin to fall', ({ level }) => level === 0);

for (const flavour of [sdkFlavour, autoFlavour]) clientTest(`an Uno waters, answers with a number, and stops its pump on a cancel, ${flavour.name}`, async (t) => {
	const board = greenhouseOf(t, 'D7');
	const { client, call } = await connected(t, flavour, ['--', ...board.command]);
	const { tools } = await client.listTools();
	assert.deepEqual(tools.map(({ name, description }) => [name, description]), [['water', 'Pumps water to the plants; a cancel stops it'],
		['fan_on', 'Switches the fan on, and answers at once'], ['fan_off', 'Switches the fan off'], ['soil', 'How wet the soil is, from 0 to 1023']]);
	assert.deepEqual(tools[0].inputSchema.properties.seconds, { type: 'integer', minimum: 1, maximum: 20, description: 'for how many seconds' });
	assert.match(textOf(await call('soil', {})), /^wet: \d{1,4}$/);
	assert.equal(textOf(await call('water', { seconds: 1 })), 'watered');
	await isOff(board);
	const stop = new AbortController();
	const long = call('water', { seconds: 20 }, { signal: stop.signal });
	long.catch(() => {});
	await isOn(board);
	assert.equal(textOf(await call('water', { seconds: 1 })), 'water is busy');
	assert.match(textOf(await call('soil', {})), /^wet: /, 'while it pumps');
	const { ms } = await board.reports('its time');
	stop.abort();
	await assert.rejects(long);
	const off = await isOff(board);
	assert.ok(off.ms < ms + 15000, 'it stops before its time');
	assert.equal(off.rises, 2);
	assert.equal(textOf(await call('water', { seconds: 21 })), 'seconds: must be an integer from 1 to 20');
	const { free } = await board.reports('its memory');
	console.log(`        Greenhouse on uno: ${free} bytes of RAM never touched`);
	assert.ok(free >= 100, `${free} bytes of RAM were never touched`);
});

clientTest('the pump of an Uno goes off when its bridge is killed', async (t) => {
	const board = greenhouseOf(t, 'D7');
	const link = await plugged(t, board);
	const { call, transport } = await connected(t, sdkFlavour, ['--tty', link, '--baud', '115200']);
	call('water', { seconds: 20 }).catch(() => {});
	const { ms } = await isOn(board);
	process.kill(transport.pid, 'SIGKILL');
	const off = await isOff(board);
	assert.ok(off.ms < ms + 15000, 'it stops before its time');
	const again = await connected(t, sdkFlavour, ['--tty', link, '--baud', '115200']);
	assert.equal(textOf(await again.call('water', { seconds: 1 })), 'watered');
});

clientTest('the pump of an Uno goes off when its longest time is up, and the model reads that', async (t) => {
	const board = greenhouseOf(t, 'D7', 'Short');
	const { call } = await connected(t, sdkFlavour, ['--', ...board.command]);
	const late = await call('water', { seconds: 20 });
	assert.deepEqual([late.isError, textOf(late)], [true, 'water: stopped, its longest time of 1000 ms is up']);
	await isOff(board);
});

clientTest('the fan of an Uno stays on behind its call, while the pump runs and stops, until it is switched off', async (t) => {
	const board = greenhouseOf(t, 'B0');
	const { call } = await connected(t, sdkFlavour, ['--', ...board.command]);
	assert.equal(textOf(await call('fan_on', { minutes: 240 })), 'the fan is on');
	await isOn(board);
	assert.equal(textOf(await call('fan_on', { minutes: 1 })), 'fan_on is busy');
	assert.equal(textOf(await call('water', { seconds: 1 })), 'watered');
	const { ms } = await board.reports('its time');
	const later = await board.reports('three seconds', (now) => now.ms > ms + 3000);
	assert.deepEqual([later.level, later.toggles], [1, 1], 'on, behind its call and the lease');
	assert.equal(textOf(await call('fan_off', {})), 'the fan goes off');
	await isOff(board);
	assert.equal(textOf(await call('fan_on', { minutes: 1 })), 'the fan is on');
	await isOn(board);
});

clientTest('the fan of an Uno goes off when its time is over, and a client that is gone does not end it', async (t) => {
	const board = greenhouseOf(t, 'B0', 'Short');
	const link = await plugged(t, board);
	const { call, transport } = await connected(t, sdkFlavour, ['--tty', link, '--baud', '115200']);
	const { ms } = await board.reports('its time');
	assert.equal(textOf(await call('fan_on', { minutes: 6 })), 'the fan is on');
	await isOn(board);
	process.kill(transport.pid, 'SIGKILL');
	const off = await isOff(board);
	assert.ok(off.ms >= ms + 5990, `off after ${off.ms - ms} ms`);
	assert.equal(off.rises, 1);
});

/* A motor that runs, with its place. */
const motorOf = (t) => boardOf(t, imageOf('Motor', 'mega').image, boards.mega, { pin: 'E4' });

const whereIs = async (call) => (await call('where', {})).structuredContent;

async function standsStill(board) {
	const { toggles, ms } = await board.reports('the motor');
	const later = await board.reports('time to pass', (now) => now.ms > ms + 200);
	assert.equal(later.toggles, toggles, 'no step in 200 ms');
}

clientTest('a Mega turns its motor to the place, with progress', async (t) => {
	const board = motorOf(t);
	const { call } = await connected(t, sdkFlavour, ['--', ...board.command]);
	const seen = [];
	const turn = await call('move', { to: 120 }, { onprogress: ({ progress, total }) => seen.push([progress, total]) });
	assert.equal(textOf(turn), 'there');
	assert.deepEqual(seen, [[50, 120], [100, 120]]);
	await until('the motor to rest', async () => (await whereIs(call)).stops === 1);
	assert.deepEqual(await whereIs(call), { position: 120, stops: 1, driven: false });
	const { toggles } = await board.reports('its steps');
	assert.equal(toggles, 2 * 120, 'each step is a pulse');
});

for (const flavour of [sdkFlavour, autoFlavour]) {
	clientTest(`a cancel stops the running motor of a Mega, ${flavour.name}`, async (t) => {
		const board = motorOf(t);
		const { call } = await connected(t, flavour, ['--', ...board.command]);
		const stop = new AbortController();
		let steps = 0;
		const turn = call('move', { to: 20000 }, { signal: stop.signal, onprogress: ({ progress }) => { steps = progress; } });
		turn.catch(() => {});
		await until('100 steps', () => steps >= 100);
		const second = await call('move', { to: 0 });
		assert.equal(second.isError, true);
		assert.equal(textOf(second), 'the motor is moving');
		assert.equal((await whereIs(call)).driven, true);
		stop.abort();
		await assert.rejects(turn);
		const { position } = await until('the motor to rest', async () => {
			const now = await whereIs(call);
			return now.stops === 1 && now;
		});
		await standsStill(board);
		assert.deepEqual(await whereIs(call), { position, stops: 1, driven: false });
		assert.ok(position < 5000, `${position} steps`);
	});
}

clientTest('a motor whose bridge is killed stops when its lease has run out', async (t) => {
	const board = motorOf(t);
	const link = await plugged(t, board);
	const { call, transport } = await connected(t, sdkFlavour, ['--tty', link, '--baud', '115200']);
	let steps = 0;
	call('move', { to: 20000 }, { onprogress: ({ progress }) => { steps = progress; } }).catch(() => {});
	await until('100 steps', () => steps >= 100);
	process.kill(transport.pid, 'SIGKILL');
	const { ms } = await board.reports('its time');
	await board.reports('the lease to run out', (now) => now.ms > ms + 2500);
	await standsStill(board);
	const again = await connected(t, sdkFlavour, ['--tty', link, '--baud', '115200']);
	const { position, stops, driven } = await whereIs(again.call);
	assert.ok(position > 100 && position < 5000, `${position} steps`);
	assert.deepEqual({ stops, driven }, { stops: 1, driven: false });
});

clientTest('an agent on the second serial port, beside prints on the first', async (t) => {
	const board = boardOf(t, imageOf('SecondPort', 'mega').image, boards.mega, { uart: 1 });
	const { call } = await connected(t, sdkFlavour, ['--', ...board.command]);
	for (let pin = 0; pin < 6; pin++) assert.match(textOf(await call('measure', { pin })), /^\d+ mV$/);
	await assert.rejects(call('drill', {}), /Unknown tool/);
	await until('the prints', () => board.console().includes('A5: '));
	const lines = board.console().split('\r\n');
	assert.equal(lines[0], 'The agent may connect to Serial1.');
	assert.equal(lines.filter((line) => /^A\d: \d+ mV$/.test(line)).length, 6);
	assert.ok(lines.filter((line) => line === 'started').length > 6, 'events in words');
	assert.ok(lines.every((line) => !line.includes('jsonrpc')), 'nothing of the agent on the console');
});

/* --- Hosts of agents */

for (const [name, board, tool, args, page] of [['OneTool', 'uno', 'blink', { times: 1 }, oneTool], ['Greenhouse', small, 'water', { seconds: 1 }, oneTool],
	['Motor', 'mega', 'move', { to: 0 }, programs],
	['SecondPort', 'mega', 'measure', { pin: 1 }, programs]])
	clientTest(`agent hosts call the tool of ${name} on the ${board}, but those that docs/hosts.md names`, async (t) => {
		const { command: [path, ...words] } = boardOf(t, imageOf(name, board).image, boards[board.split(', ')[0]], { uart: name === 'SecondPort' ? 1 : 0 });
		const { program, ask } = asking(t, path, words);
		await begun(program);
		assert.deepEqual(await refusals(ask, tool, args), page.refused);
	});

/* --- The page */

const page = (library) => readFileSync(pageOf(library), 'utf8');
const commandsIn = (block) => block.replaceAll('\\\n', ' ').trim().split('\n');
const wordsIn = (line) => line.trim().split(/\s+/);

clientTest('from an empty folder, with the archive and the commands of the page: a sketch for the Mega answers the official client', async (t) => {
	const folder = emptyFolder(t);
	putArchive('arduino', folder);
	const { library } = librariesFolder(t);
	const [[block], [sketch]] = ['sh', 'cpp'].map((language) => textsOf(pageOf(library), language));
	const commands = commandsIn(block);
	const [flash, bridge] = commands.slice(-2).map(wordsIn);
	mkdirSync(join(folder, 'Lamp'));
	writeFileSync(join(folder, 'Lamp/Lamp.ino'), sketch);
	for (const command of commands.slice(0, -2)) run('sh', ['-c', command], { cwd: folder });
	const hex = flash.at(-1).match(/^flash:w:(.*):i$/)[1];
	assert.ok(flash[0] === 'avrdude' && existsSync(join(folder, hex)), hex);
	const board = boardOf(t, join(folder, hex.replace(/hex$/, 'elf')), boards.mega, { pin: 'B7' });
	const link = await plugged(t, board);
	assert.equal(bridge[0], 'quash-bridge');
	assert.ok(bridge.includes('/dev/ttyACM0'));
	const { client, call } = await connected(t, sdkFlavour, bridge.slice(1).map((word) => (word === '/dev/ttyACM0' ? link : word)));
	assert.deepEqual((await client.listTools()).tools.map(({ name }) => name), ['blink']);
	assert.equal(textOf(await call('blink', { times: 2 })), 'blinked');
	const stop = new AbortController();
	await assert.rejects(call('blink', { times: 100 }, { signal: stop.signal, onprogress: () => stop.abort() }));
	await until('its end', async () => textOf(await call('blink', { times: 1 })) === 'blinked');
	await standsStill(board);
});

testWith(builder, simulator)('the sketch of the page prints what is wrong with its config, and answers so', async (t) => {
	const { folder, library } = librariesFolder(t);
	const [sketch] = textsOf(pageOf(library), 'cpp');
	mkdirSync(join(folder, 'Lamp'));
	writeFileSync(join(folder, 'Lamp/Lamp.ino'), withoutSessions(sketch));
	const { command: [path, ...words] } = boardOf(t, compiled(t, folder, join(folder, 'Lamp/Lamp.ino'), boards.mega).image, boards.mega);
	const { program } = asking(t, path, words);
	assert.equal(await program.nextText(), `${faultAtStart}\r`);
	program.send({ jsonrpc: '2.0', id: 1, method: 'ping' });
	assert.deepEqual((await program.next()).error, { code: -32603, message: faultAtStart });
});

/* A library that waits, and the tool of the page that uses it. */
const waiting = `static class {
public:
	void requestTemperatures() { delay(750); }
	float getTempCByIndex(uint8_t) { return 20; }
} sensors;
`;

/** The page's sketch with that tool, and with what the page has for it or without. */
function waitingSketch(library, pumps) {
	const [sketch, measure, yields] = textsOf(pageOf(library), 'cpp');
	return sketch.replace('static quash_group one_led;', () => `${waiting}${measure}static quash_group one_led;`)
		.replace('tools[] = {\n', (text) => `${text}\tquash::mcp_tool("measure", "Measures", measure),\n`)
		.replace('void setup()', () => `${pumps ? yields : ''}void setup()`);
}

for (const pumps of [true, false])
	testWith(builder, simulator)(`requests while a library delays are ${pumps ? 'answered with what the page has for it' : 'lost without it'}`, async (t) => {
		const { folder, library } = librariesFolder(t);
		mkdirSync(join(folder, 'Waits'));
		writeFileSync(join(folder, 'Waits/Waits.ino'), waitingSketch(library, pumps));
		const { command: [path, ...words] } = boardOf(t, compiled(t, folder, join(folder, 'Waits/Waits.ino'), boards.mega).image, boards.mega);
		const { program } = asking(t, path, words);
		await begun(program);
		const { result } = await program.asks('initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'waits', version: '1' } });
		assert.equal(result.serverInfo.name, 'lamp');
		const first = program.ask('tools/call', { name: 'measure', arguments: {} });
		const others = [1, 2, 3].map(() => program.ask('ping', { _meta: { note: 'x'.repeat(100) } }));
		assert.equal((await program.answerTo(first)).result.content[0].text, 'fine');
		program.sendBytes('\n'); /* behind what a loss has left of a line */
		await program.asks('ping');
		const answered = others.filter((id) => program.answersTo(id).length > 0);
		assert.deepEqual(answered, pumps ? others : [], 'what is answered');
	});

clientTest('with what the page names, a Mega serves the revision 2026-07-28 too', async (t) => {
	const { folder, library } = librariesFolder(t);
	const example = readFileSync(join(library, 'examples/OneTool/OneTool.ino'), 'utf8');
	const [, server] = page(library).match(/`(\.tools\(tools\)[^`]*)`/);
	const [, methods] = page(library).match(/`(QUASH_MCP_METHODS[^`]*)`/);
	const sketch = example.replace('.tools(tools).leases(nullptr);', server).replace('QUASH_MCP_LEGACY(&server), QUASH_MCP_TOOLS(&server)', methods);
	mkdirSync(join(folder, 'Both'));
	writeFileSync(join(folder, 'Both/Both.ino'), sketch);
	cpSync(join(library, 'examples/OneTool/library.c'), join(folder, 'Both/library.c'));
	const { image } = compiled(t, folder, join(folder, 'Both/Both.ino'), boards.mega);
	const board = boardOf(t, image, boards.mega, { pin: 'B7' });
	const { client, call } = await connected(t, modernFlavour, ['--', ...board.command]);
	assert.equal(client.getProtocolEra(), 'modern');
	await useBlink(client, call, board);
	await cancelBlink(call, board);
	const { free } = await board.reports('its memory');
	console.log(`        OneTool for both eras on mega: ${free} bytes of RAM never touched`);
	assert.ok(free >= 210, `${free} bytes of RAM were never touched`);
});

test('the sizes on the page are those of the images', (t) => {
	const rows = [...page(librariesFolder(t).library).matchAll(/^\| `(\w+)`[^|]* \| ([\w, ]+) \| (\d+)[^|]*\| (\d+)/gm)];
	assert.equal(rows.length, 8);
	for (const [, name, board, ...figures] of rows) {
		const is = sizes(imageOf(name, board.toLowerCase()).text);
		for (const i of [0, 1]) assert.ok(Math.abs(is[i] - figures[i]) <= 0.03 * figures[i], `${name} on ${board}: ${is}, on the page ${figures}`);
	}
});

/* --- What was done to quash.c */

/* These look at a dialect's names, or at paths of a profile, by themselves, which no program does. */
const lookers = /test_dialect|test_mcp_keep|cancel-malformed/;

test('its named literals do what literals do: transcripts and unit tests, where one that is not read as such is a fault', () => {
	const build = join(root, 'build/arduino/named');
	const filesIn = (folder, expression) => readdirSync(join(root, folder)).filter((file) => expression.test(file) && !lookers.test(file)).map((file) => `${folder}/${file}`);
	const units = ['core', 'json', 'params', 'mcp'].flatMap((part) => filesIn(`tests/unit/${part}`, /^test_\w+\.c$/)).map((file) => `${build}/host/${file.slice(0, -2)}`);
	run('port/package/join.sh', [build], { cwd: root });
	writeFileSync(join(build, 'named.c'), run('node', ['port/package/arduino/literals.mjs', build], { cwd: root }));
	run('make', ['-s', '-j2', `BUILD=${build}`, `SOURCES=${build}/named.c`, 'CFLAGS=-O0 -DQUASH_TEXTS_TRIED', 'talk', ...units], { cwd: root });
	const talk = (mode) => run(`${build}/host/tests/talk/talk`, ['--mode', mode, ...filesIn('tests/talk', /\.talk$/)], { cwd: root });
	for (const text of [talk('whole'), talk('bytes'), run('tests/unit/run.sh', [`${build}/host`], { cwd: root })]) {
		const [, passed, failed, skipped] = text.match(/(\d+) passed, (\d+) failed, (\d+) skipped\s*$/);
		assert.ok(passed > 300, text);
		assert.deepEqual([failed, skipped], ['0', '0']);
	}
});
