/* SPDX-License-Identifier: MIT
 * The ESP-IDF component, from its archive alone. No ESP-IDF is here: CMake and Kconfig are real, ESP-IDF's CMake functions and
 * idf.py are stubs, the headers state what is used. The UART driver and FreeRTOS are fakes on the host; for lwIP's BSD sockets
 * those of POSIX stand in. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program, patientBridge } from '../common/program.mjs';
import { asking, begun, refusals } from '../host/hosts-messages.mjs';
import { programs } from '../host/hosts-page.mjs';
import { sleep, until } from '../common/runner.mjs';
import { textsOf } from '../readme/blocks.mjs';
import { emptyFolder, filesIn, pageOf, putArchive, run, unpack } from './archives.mjs';
import { clientTestWith, legacyFlavour, logged, modernFlavour, Session, textOf } from './client.mjs';
import { environment, idf, listening, loopback, plainClient, programOf, projectOf, settings, stubs, tools } from './esp-idf.mjs';
import { namesItsFault, withWrongName } from './refused.mjs';
import { python, pythonModule, testWith } from './tools.mjs';

const test = testWith(...tools);
const clientTest = clientTestWith(...tools);

const scripted = (script, ...args) => run(python, [join(stubs, script), ...args]);

function edited(path, from, to) {
	const text = readFileSync(path, 'utf8');
	assert.ok(text.includes(from), `${path} has ${from}`);
	writeFileSync(path, text.replace(from, to));
}

/* --- Manifest and configuration */

const problemsOf = (component) => scripted('manifest.py', component).trim().split('\n').filter(Boolean);

testWith(pythonModule('yaml'))('esp-idf: the manifest keeps the rules of the registry and of esp-idf-sbom', (t) => {
	assert.deepEqual(problemsOf(unpack('esp-idf', emptyFolder(t))), []);
});

testWith(pythonModule('yaml'))('esp-idf: what breaks these rules is found', (t) => {
	const component = unpack('esp-idf', emptyFolder(t));
	for (const [from, to, problem] of [['tags:', 'keywords:', 'unknown'], ['tags:', 'files:\n  omit:\n    - docs\ntags:', 'files'], ['Organization: ', 'Firm: ', 'sbom: supplier'], ['supplier:', 'vendor:', 'sbom: unknown'], ['license: ', 'sbom:\n  name: quash\nlicense: ', 'sbom'], ['path: examples/uart', 'path: examples/none', 'examples'],
		['Organization: ', '', 'sbom: supplier'], ['version: "', 'version: "v', 'version'], ['cpe:2.3:a:', 'cpe:/a:', 'CPE'],
		['idf: ', 'idf__x: ', 'is no name'], ['license: ', 'repository: "https://esp.invalid/a"\nlicense: ', 'repository']]) {
		const path = join(component, /^(Organization|supplier|cpe)/.test(from) ? 'sbom.yml' : 'idf_component.yml');
		const whole = readFileSync(path, 'utf8');
		edited(path, from, to);
		assert.ok(problemsOf(component).some((line) => line.includes(problem)), problem);
		writeFileSync(path, whole);
	}
});

test('esp-idf: each setting has a prompt, help and a range, stands on the page, and is used', (t) => {
	const component = unpack('esp-idf', emptyFolder(t));
	const { warnings, symbols } = JSON.parse(scripted('kconfig.py', join(component, 'Kconfig')));
	const used = ['CMakeLists.txt', 'port/esp-idf/quash_esp_config.h', 'port/esp-idf/quash_esp_usb.h']
		.map((file) => readFileSync(join(component, file), 'utf8')).join('');
	const page = readFileSync(pageOf(component), 'utf8');
	assert.deepEqual(warnings, []);
	assert.ok(Object.keys(symbols).length > 15);
	for (const [name, { type, value, ranges, prompt, help }] of Object.entries(symbols)) {
		assert.ok(prompt && help.length > 20, `${name} is explained`);
		assert.ok(type !== 'int' || ranges > 0, `${name} has a range`);
		assert.match(used, new RegExp(`\\bCONFIG_${name}\\b`));
		assert.ok(page.includes(`| \`${name}\` | ${type === 'string' ? `\`${value}\`` : value} |`), `${name} ${value} is on the page`);
	}
});

/* --- Building */

testWith(...tools, 'riscv64-unknown-elf-gcc')('esp-idf: the quick start of the page builds for RISC-V', (t) => {
	const [commands] = textsOf(pageOf(unpack('esp-idf', emptyFolder(t))), 'sh');
	const folder = emptyFolder(t);
	putArchive('esp-idf', folder);
	assert.equal(commands.trim().split('\n').length, 3);
	const output = run('sh', ['-ec', commands], { cwd: folder, env: environment });
	assert.ok(Number(/STUB: component quash: (\d+) sources/.exec(output)?.[1]) > 50, output);
	const library = join(folder, 'quash/examples/uart/build/esp-idf/quash/lib__idf_quash.a');
	assert.match(run('riscv64-unknown-elf-objdump', ['-f', library]), /quash_esp_uart\.c\.obj[^]*elf32-littleriscv/);
});

testWith(...tools, 'xtensa-lx106-elf-gcc')('esp-idf: the socket example builds for Xtensa; with large buffers library and program have sizes of 32 bits', (t) => {
	const project = projectOf(unpack('esp-idf', emptyFolder(t)), 'socket');
	settings(project, 'CONFIG_QUASH_LARGE_BUFFERS=y', 'CONFIG_QUASH_ARENA_SIZE=100000');
	idf(project, ['set-target', 'esp32', 'build']);
	const library = (part) => join(project, `build/esp-idf/${part}/lib__idf_${part}.a`);
	const symbols = (part) => run('xtensa-lx106-elf-nm', [library(part)]);
	assert.match(run('xtensa-lx106-elf-objdump', ['-f', library('main')]), /tools\.c\.obj[^]*elf32-xtensa-le/);
	assert.match(symbols('quash'), / T quash_init_\w*_size32\n/);
	assert.match(symbols('main'), / U quash_init_\w*_size32\n/);
});

test('esp-idf: the components that it requires are those of each version', (t) => {
	const project = projectOf(unpack('esp-idf', emptyFolder(t)), 'uart');
	for (const [version, uart] of [['5.0', 'driver'], ['5.2', 'driver'], ['5.3', 'esp_driver_uart;esp_driver_usb_serial_jtag'], ['6.0', 'esp_driver_uart;esp_driver_usb_serial_jtag']]) {
		rmSync(join(project, 'build'), { recursive: true, force: true });
		assert.match(idf(project, ['set-target', 'linux', 'reconfigure'], version), new RegExp(`quash: \\d+ sources, requires ${uart} `));
	}
});

test('esp-idf: a folder that is not there, and a setting that nobody knows, are found', (t) => {
	const component = unpack('esp-idf', emptyFolder(t));
	const project = projectOf(component, 'uart');
	const refuses = (why) => assert.throws(() => idf(project, ['set-target', 'linux', 'reconfigure']), why);
	settings(project, 'CONFIG_QUASH_NONSENSE=1');
	refuses(/QUASH_NONSENSE/);
	edited(join(project, 'sdkconfig.defaults'), 'CONFIG_QUASH_NONSENSE=1', '');
	rmSync(join(component, 'port/rtos'), { recursive: true });
	refuses(/port\/rtos\/rtos\.c/);
});

test('esp-idf: the build file names every source, and the package has each include of them', (t) => {
	const component = unpack('esp-idf', emptyFolder(t));
	const build = readFileSync(join(component, 'CMakeLists.txt'), 'utf8');
	assert.doesNotMatch(build, /GLOB|SRC_DIRS|@/);
	const sources = filesIn(component).filter((file) => file.endsWith('.c') && !file.startsWith('examples/'));
	assert.deepEqual([...build.matchAll(/"(\S+\.c)"/g)].map(([, name]) => name).sort(), sources.sort());
});

test('esp-idf: settings of the USB-Serial-JTAG are those of chips that have one', (t) => {
	const project = projectOf(unpack('esp-idf', emptyFolder(t)), 'uart');
	const configOf = (target) => {
		idf(project, ['set-target', target, 'reconfigure']);
		return readFileSync(join(project, 'build/config/sdkconfig.h'), 'utf8');
	};
	assert.match(configOf('linux'), /CONFIG_QUASH_USB_RX_SIZE 1024/);
	rmSync(join(project, 'build'), { recursive: true });
	assert.doesNotMatch(configOf('esp32'), /CONFIG_QUASH_USB/);
});

for (const [version, has] of [['5, 1, 9', false], ['5, 2, 0', true], ['6, 0, 0', true]])
	test(`esp-idf: ESP-IDF ${version.replaceAll(', ', '.')} ${has ? 'has the USB port' : 'has no USB port, as its driver drops what it says it has taken'}`, (t) => {
		const component = unpack('esp-idf', emptyFolder(t));
		const project = projectOf(component, 'usb');
		idf(project, ['set-target', 'linux', 'reconfigure']);
		const object = join(component, 'usb.o');
		run('gcc', ['-std=c11', ...strict.filter((word) => word !== '-fsyntax-only'), `-DESP_IDF_VERSION=ESP_IDF_VERSION_VAL(${version})`, `-I${join(component, 'include')}`,
			`-I${join(stubs, 'stated')}`, `-I${join(project, 'build/config')}`, '-c', join(component, 'port/esp-idf/quash_esp_usb.c'), '-o', object]);
		assert.equal(run('nm', [object]).includes(' T quash_esp_usb_serve'), has);
	});

const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Wvla', '-Werror', '-fsyntax-only', '-D_GNU_SOURCE'];

testWith(...tools, 'clang')('esp-idf: the ports compile with all warnings, as C99 and C11; their headers alone, as C++ too', (t) => {
	const component = unpack('esp-idf', emptyFolder(t));
	const project = projectOf(component, 'uart');
	const folder = join(component, 'port/esp-idf');
	idf(project, ['set-target', 'linux', 'reconfigure']);
	const files = readdirSync(folder), headers = files.filter((file) => file.endsWith('.h')), sources = files.filter((file) => file.endsWith('.c'));
	assert.ok(headers.length === 5 && sources.length === 3);
	const options = [...strict, `-I${join(component, 'include')}`, '-I.', `-I${join(stubs, 'stated')}`, `-I${join(project, 'build/config')}`];
	for (const compiler of ['gcc', 'clang'])
		for (const standard of ['c99', 'c11']) run(compiler, [`-std=${standard}`, ...options, ...sources], { cwd: folder });
	for (const header of headers) {
		writeFileSync(join(folder, 'alone.cc'), `#include "${header}"\nint a_unit_is_not_empty;\n`);
		for (const language of [['-xc', '-std=c99'], ['-xc++', '-std=c++11']]) run('g++', [...language, ...options, 'alone.cc'], { cwd: folder });
	}
});

/* --- Running on the host */

const uartExample = () => programOf('uart-run', { example: 'uart' });
const usbExample = () => programOf('usb-run', { example: 'usb' });
const socketExample = () => programOf('socket-run', { example: 'socket', lines: loopback });

const MOTOR = 4, LED = 2;
const turning = { ms: 60000 };

/* The levels that a pin has had, from what the fake writes of it. */
const levelsOf = (log, pin) => [...log.matchAll(new RegExp(`^gpio ${pin} (\\d)$`, 'gm'))].map(([, level]) => Number(level));

/** Turns, cancels, and looks at the pin and at the wire. `log` gives what the device has written. */
async function cancelStopsMotor(session, log) {
	const { tools } = await session.client.listTools();
	assert.deepEqual(tools.map(({ name }) => name), ['led', 'turn']);
	assert.equal(textOf(await session.call('led', { on: true })), 'on');
	const run = await session.start('turn', turning);
	await until('progress', () => session.wire.progressOf(run.id).length > 1);
	assert.equal(textOf(await session.call('turn', turning)), 'the motor is busy');
	assert.deepEqual(levelsOf(log(), MOTOR), [1]);
	run.cancel();
	await until('the motor to stop', () => levelsOf(log(), MOTOR).length === 2);
	assert.equal(textOf(await session.call('turn', { ms: 150 })), 'turned');
	assert.deepEqual(levelsOf(log(), MOTOR), [1, 0, 1, 0]);
	assert.deepEqual(levelsOf(log(), LED), [1]);
	assert.deepEqual(session.wire.answersTo(run.id), [], 'a cancelled call is not answered');
}

for (const flavour of [legacyFlavour, modernFlavour])
	clientTest(`esp-idf: ${flavour.name} cancels a call over the UART port`, async (t) => {
		const { program, log } = logged(t, uartExample());
		const session = await Session.open(t, { ...flavour, uart: true }, { program });
		await cancelStopsMotor(session, log);
		await session.close();
	});

clientTest(`esp-idf: ${legacyFlavour.name} cancels a call over the USB port`, async (t) => {
	const { program, log } = logged(t, usbExample());
	const session = await Session.open(t, { ...legacyFlavour, uart: true }, { program });
	await cancelStopsMotor(session, log);
	await session.close();
});

test('esp-idf: a pulled USB cable stops the motor, and the next client gets nothing of the last one', async (t) => {
	const [PULLED, PLUGGED] = ['\x19', '\x1a'];
	const program = Program.start(t, usbExample());
	program.send({ jsonrpc: '2.0', ...initialize }, { jsonrpc: '2.0', ...turn });
	await until('the motor', () => levelsOf(program.stderr, MOTOR).length === 1);
	program.sendBytes(PULLED);
	await until('the motor to stop', () => levelsOf(program.stderr, MOTOR).length === 2);
	await sleep(200); /* a host that is away for less stays */
	program.sendBytes(PLUGGED);
	program.send({ jsonrpc: '2.0', ...initialize, id: 5 });
	assert.equal((await program.answerTo(5)).result.serverInfo.name, 'esp32');
	assert.deepEqual(program.messages.map(({ id }) => id).filter(Boolean), [5]);
	assert.deepEqual(levelsOf(program.stderr, MOTOR), [1, 0]);
});

clientTest('esp-idf: the whole program of the page answers an official client', async (t) => {
	const [main] = textsOf(pageOf(unpack('esp-idf', emptyFolder(t))), 'c');
	const { program, log } = logged(t, programOf('uart-page', { example: 'uart', main }));
	const session = await Session.open(t, { ...legacyFlavour, uart: true }, { program });
	assert.equal(textOf(await session.call('lamp', { on: true })), 'done');
	assert.deepEqual(levelsOf(log(), LED), [1]);
	await session.close();
});

test('esp-idf: the whole program of the page names what is wrong with its config', (t) => {
	const [main] = textsOf(pageOf(unpack('esp-idf', emptyFolder(t))), 'c');
	return namesItsFault(t, [programOf('uart-refused', { example: 'uart', main: withWrongName(main, 'lamp') })]);
});

const socketDevice = (t) => listening(t, Program.start(t, socketExample()));

const bridgeTo = (number) => [...patientBridge, '--log', 'warning', '--tcp', `127.0.0.1:${number}`];

clientTest(`esp-idf: ${legacyFlavour.name} cancels a call over the TCP port, through quash-bridge`, async (t) => {
	const { number, log } = await socketDevice(t);
	const session = await Session.open(t, { ...legacyFlavour, uart: true }, { program: bridgeTo(number) });
	await cancelStopsMotor(session, log);
	await session.close();
});

const initialize = { id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } } };
const turn = { id: 1, method: 'tools/call', params: { name: 'turn', arguments: turning, _meta: { progressToken: 1 } } };

async function turningClient(t, number) {
	const client = await plainClient(t, number);
	client.ask(initialize);
	client.ask(turn);
	await until('progress', () => client.text.includes('"progress":200'));
	return client;
}

test('esp-idf: a new client on TCP ends the last one, and its motor stops', async (t) => {
	const { number, log } = await socketDevice(t);
	const first = await turningClient(t, number);
	const second = await turningClient(t, number);
	await until('the first one to be closed', () => first.closed);
	assert.deepEqual(levelsOf(log(), MOTOR), [1, 0, 1]);
	second.ask({ method: 'notifications/cancelled', params: { requestId: 1 } });
	await until('the motor to stop', () => levelsOf(log(), MOTOR).length === 4);
	second.ask({ id: 2, method: 'ping' });
	await until('an answer', () => second.text.includes('{"jsonrpc":"2.0","id":2,"result":{}}'));
});

test('esp-idf: the motor stops when its client on TCP dies', async (t) => {
	const { number, log } = await socketDevice(t);
	(await turningClient(t, number)).socket.resetAndDestroy();
	await until('the motor to stop', () => levelsOf(log(), MOTOR).length === 2);
	await turningClient(t, number); /* and the next one is served */
});

test('esp-idf: the motor stops when its client on TCP ends its transmission, which gets its other answers', async (t) => {
	const { number, log } = await socketDevice(t);
	const client = await turningClient(t, number);
	client.ask({ id: 2, method: 'ping' });
	client.socket.end();
	await until('the motor to stop', () => levelsOf(log(), MOTOR).length === 2);
	await until('the end', () => client.closed);
	assert.match(client.text, /"id":2,"result":{}/);
	assert.doesNotMatch(client.text, /turned/);
	await turningClient(t, number); /* and the next one is served */
});

/* What does not move: the tool without its lease. */
const withoutLease = (project) => edited(join(project, 'main/tools.c'), 'LEASE_MS = 2000', 'LEASE_MS = 0');
const patientDevice = (t) => listening(t, Program.start(t, programOf('socket-patient', { example: 'socket', lines: loopback, edit: withoutLease })));

test('esp-idf: what has no lease stops when its client on TCP has ended its transmission, and dies while nothing is written', async (t) => {
	const { number, log } = await patientDevice(t);
	const client = await plainClient(t, number);
	client.ask(initialize);
	client.ask({ id: 1, method: 'tools/call', params: { name: 'turn', arguments: turning } });
	client.socket.end();
	await until('it to run', () => levelsOf(log(), MOTOR).length === 1);
	await sleep(100);
	assert.deepEqual(levelsOf(log(), MOTOR), [1]);
	client.socket.resetAndDestroy();
	await until('it to stop', () => levelsOf(log(), MOTOR).length === 2);
});

test('esp-idf: a client on TCP that has ended its transmission still gets its answer, then the connection is closed', async (t) => {
	const { number } = await patientDevice(t);
	const client = await plainClient(t, number);
	client.ask(initialize);
	client.ask({ id: 1, method: 'tools/call', params: { name: 'turn', arguments: { ms: 300 } } });
	client.socket.end();
	await until('the end', () => client.closed);
	assert.match(client.text, /"id":1,"result":.*turned/);
});

/* --- Agent hosts */

test('esp-idf: agent hosts call a tool over the UART', async (t) => {
	const { program, ask } = asking(t, uartExample());
	await begun(program);
	assert.deepEqual(await refusals(ask, 'led', { on: true }), programs.refused);
});
