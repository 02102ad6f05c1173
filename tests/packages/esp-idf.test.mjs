/* SPDX-License-Identifier: MIT
 * The ESP-IDF component, from its archive alone. No ESP-IDF is here: CMake and Kconfig are real, ESP-IDF's CMake functions and
 * idf.py are stubs, the headers state what is used. The UART driver and FreeRTOS are fakes on the host; for lwIP's BSD sockets
 * those of POSIX stand in. */

import assert from 'node:assert/strict';
import { copyFileSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { Program, hostProgram, root } from '../host/program.mjs';
import { sleep, test, until } from '../host/runner.mjs';
import { legacyFlavour, modernFlavour } from '../interop/flavours.mjs';
import { Session } from '../interop/session.mjs';
import { archiveOf, copied, emptyFolder, run, unpack } from './archives.mjs';

const stubs = join(root, 'tests/packages/esp-idf');
const environment = { ...process.env, PATH: `${join(stubs, 'bin')}:${process.env.PATH}` };
const idf = (project, words, version = '5.5') =>
	run('idf.py', words, { cwd: project, env: { ...environment, STUB_IDF_VERSION: version } });
const python = (script, ...args) => run('/usr/bin/python3', [join(stubs, script), ...args]);

const projectOf = (component, example) => join(component, 'examples', example);

/* Settings in place of those that the project has, or beside them. */
function settings(project, ...lines) {
	const path = join(project, 'sdkconfig.defaults');
	const keyOf = (line) => line.split('=')[0];
	const kept = readFileSync(path, 'utf8').split('\n').filter((line) => !lines.some((other) => keyOf(other) === keyOf(line)));
	writeFileSync(path, [...kept, ...lines, ''].join('\n'));
}

function edited(path, from, to) {
	const text = readFileSync(path, 'utf8');
	assert.ok(text.includes(from), `${path} has ${from}`);
	writeFileSync(path, text.replace(from, to));
}

/* --- Manifest and configuration */

const problemsOf = (component) => python('manifest.py', component).trim().split('\n').filter(Boolean);

test('esp-idf: the manifest keeps the rules of the registry and of esp-idf-sbom', (t) => {
	assert.deepEqual(problemsOf(unpack('esp-idf', emptyFolder(t))), []);
});

test('esp-idf: what breaks these rules is found', (t) => {
	const component = unpack('esp-idf', emptyFolder(t));
	for (const [from, to, problem] of [['tags:', 'keywords:', 'unknown'], ['path: examples/uart', 'path: examples/none', 'examples'],
		['Organization: ', '', 'sbom: supplier'], ['version: "', 'version: "v', 'version'], ['cpe:2.3:a:', 'cpe:/a:', 'CPE'],
		['idf: ', 'idf__x: ', 'is no name'], ['.git"', '"', 'repository']]) {
		const path = join(component, 'idf_component.yml');
		const whole = readFileSync(path, 'utf8');
		edited(path, from, to);
		assert.ok(problemsOf(component).some((line) => line.includes(problem)), problem);
		writeFileSync(path, whole);
	}
});

test('esp-idf: each setting has a prompt, help and a range, stands on the page, and is used', (t) => {
	const component = unpack('esp-idf', emptyFolder(t));
	const { warnings, symbols } = JSON.parse(python('kconfig.py', join(component, 'Kconfig')));
	const used = ['CMakeLists.txt', 'port/esp-idf/quash_esp_config.h']
		.map((file) => readFileSync(join(component, file), 'utf8')).join('');
	const page = readFileSync(join(component, 'README.md'), 'utf8');
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

/* The lines of the page's first block of shell. */
const quickStartOf = (component) => /^```sh\n([^]*?)^```$/m.exec(readFileSync(join(component, 'README.md'), 'utf8'))[1];

test('esp-idf: the quick start of the page builds for RISC-V', (t) => {
	const commands = quickStartOf(unpack('esp-idf', emptyFolder(t)));
	const folder = emptyFolder(t);
	copyFileSync(archiveOf('esp-idf'), join(folder, archiveOf('esp-idf').split('/').at(-1)));
	assert.equal(commands.trim().split('\n').length, 3);
	const output = run('sh', ['-ec', commands], { cwd: folder, env: environment });
	assert.match(output, /STUB: component quash: 1\d\d sources/);
	const library = join(folder, 'quash/examples/uart/build/esp-idf/quash/lib__idf_quash.a');
	assert.match(run('riscv64-unknown-elf-objdump', ['-f', library]), /quash_esp_uart\.c\.obj[^]*elf32-littleriscv/);
}, { seconds: 120 });

test('esp-idf: the socket example builds for Xtensa; with large buffers library and program have sizes of 32 bits', (t) => {
	const project = projectOf(unpack('esp-idf', emptyFolder(t)), 'socket');
	settings(project, 'CONFIG_QUASH_LARGE_BUFFERS=y', 'CONFIG_QUASH_ARENA_SIZE=100000');
	idf(project, ['set-target', 'esp32', 'build']);
	const library = (part) => join(project, `build/esp-idf/${part}/lib__idf_${part}.a`);
	const symbols = (part) => run('xtensa-lx106-elf-nm', [library(part)]);
	assert.match(run('xtensa-lx106-elf-objdump', ['-f', library('main')]), /tools\.c\.obj[^]*elf32-xtensa-le/);
	assert.match(symbols('quash'), / T quash_init_\w*_size32\n/);
	assert.match(symbols('main'), / U quash_init_\w*_size32\n/);
}, { seconds: 120 });

test('esp-idf: the components that it requires are those of each version', (t) => {
	const project = projectOf(unpack('esp-idf', emptyFolder(t)), 'uart');
	for (const [version, uart] of [['5.0', 'driver'], ['5.2', 'driver'], ['5.3', 'esp_driver_uart'], ['6.0', 'esp_driver_uart']]) {
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
	rmSync(join(component, 'src/lsp'), { recursive: true });
	refuses(/no folder src\/lsp/);
});

const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Wvla', '-Werror', '-fsyntax-only', '-D_GNU_SOURCE'];

test('esp-idf: the ports compile with all warnings, as C99 and C11; their headers alone, as C++ too', (t) => {
	const component = unpack('esp-idf', emptyFolder(t));
	const project = projectOf(component, 'uart');
	const folder = join(component, 'port/esp-idf');
	idf(project, ['set-target', 'linux', 'reconfigure']);
	const files = readdirSync(folder), headers = files.filter((file) => file.endsWith('.h')), sources = files.filter((file) => file.endsWith('.c'));
	assert.ok(headers.length === 4 && sources.length === 2);
	const options = [...strict, `-I${join(component, 'include')}`, '-I.', `-I${join(stubs, 'stated')}`, `-I${join(project, 'build/config')}`];
	for (const compiler of ['gcc', 'clang'])
		for (const standard of ['c99', 'c11']) run(compiler, [`-std=${standard}`, ...options, ...sources], { cwd: folder });
	for (const header of headers) {
		writeFileSync(join(folder, 'alone.cc'), `#include "${header}"\nint a_unit_is_not_empty;\n`);
		for (const language of [['-xc', '-std=c99'], ['-xc++', '-std=c++11']]) run('g++', [...language, ...options, 'alone.cc'], { cwd: folder });
	}
});

/* --- Running on the host */

const loopback = ['CONFIG_QUASH_TCP_ADDRESS="127.0.0.1"', 'CONFIG_QUASH_TCP_PORT=0'];
const programs = new Map();
let built = null;

/* Builds a copy of the example once for all tests, with `main` in place of its server's file if given. */
function programOf(name, { example, main, lines = [] }) {
	built ??= unpack('esp-idf', emptyFolder({ after: (remove) => process.on('exit', remove) }));
	if (programs.has(name)) return programs.get(name);
	const project = join(dirname(projectOf(built, example)), name);
	copied(projectOf(built, example), project);
	if (main) writeFileSync(join(project, `main/${example}_server.c`), main);
	settings(project, ...lines);
	idf(project, ['set-target', 'linux', 'build']);
	programs.set(name, join(project, `build/quash_${example}.elf`));
	return programs.get(name);
}

const uartExample = () => programOf('uart-run', { example: 'uart' });
const socketExample = () => programOf('socket-run', { example: 'socket', lines: loopback });
const benchProgram = () => programOf('uart-bench', { example: 'uart', main: readFileSync(join(stubs, 'bench.c')), lines: loopback });

const MOTOR = 4, LED = 2;
const turning = { ms: 60000 };

/* The levels that a pin has had, from what the fake writes of it. */
const levelsOf = (log, pin) => [...log.matchAll(new RegExp(`^gpio ${pin} (\\d)$`, 'gm'))].map(([, level]) => Number(level));

/** Turns, cancels, and looks at the pin and at the wire. `log` gives what the device has written. */
async function cancelStopsMotor(session, log) {
	const { tools } = await session.client.listTools();
	assert.deepEqual(tools.map(({ name }) => name), ['led', 'turn']);
	assert.equal((await session.call('led', { on: true })).content[0].text, 'on');
	const run = await session.start('turn', turning);
	await until('progress', () => session.wire.progressOf(run.id).length > 1);
	assert.equal((await session.call('turn', turning)).content[0].text, 'the motor is busy');
	assert.deepEqual(levelsOf(log(), MOTOR), [1]);
	run.cancel();
	await until('the motor to stop', () => levelsOf(log(), MOTOR).length === 2);
	assert.equal((await session.call('turn', { ms: 150 })).content[0].text, 'turned');
	assert.deepEqual(levelsOf(log(), MOTOR), [1, 0, 1, 0]);
	assert.deepEqual(levelsOf(log(), LED), [1]);
	assert.deepEqual(session.wire.answersTo(run.id), [], 'a cancelled call is not answered');
}

for (const flavour of [legacyFlavour, modernFlavour])
	test(`esp-idf: ${flavour.name} cancels a call over the UART port`, async (t) => {
		const log = join(emptyFolder(t), 'log');
		const program = ['sh', '-c', 'exec "$0" 2>"$1"', uartExample(), log];
		const session = await Session.open(t, { ...flavour, uart: true }, { program });
		await cancelStopsMotor(session, () => readFileSync(log, 'utf8'));
		await session.close();
	}, { seconds: 90 });

test('esp-idf: the whole program of the page answers an official client', async (t) => {
	const [, main] = /^```c\n([^]*?)^```$/m.exec(readFileSync(join(unpack('esp-idf', emptyFolder(t)), 'README.md'), 'utf8'));
	const log = join(emptyFolder(t), 'log');
	const program = ['sh', '-c', 'exec "$0" 2>"$1"', programOf('uart-page', { example: 'uart', main }), log];
	const session = await Session.open(t, { ...legacyFlavour, uart: true }, { program });
	assert.equal((await session.call('lamp', { on: true })).content[0].text, 'done');
	assert.deepEqual(levelsOf(readFileSync(log, 'utf8'), LED), [1]);
	await session.close();
}, { seconds: 90 });

/* A device on TCP; `number` is its port's. */
async function listening(t, device) {
	const [, number] = await until('the device to listen', () => /listens at 127\.0\.0\.1:(\d+)/.exec(device.stderr));
	return { device, number: Number(number), log: () => device.stderr };
}

const socketDevice = (t) => listening(t, Program.start(t, socketExample()));

const bridgeTo = (number) => [hostProgram('quash-bridge'), '--log', 'warning', '--tcp', `127.0.0.1:${number}`];

test(`esp-idf: ${legacyFlavour.name} cancels a call over the TCP port, through quash-bridge`, async (t) => {
	const { number, log } = await socketDevice(t);
	const session = await Session.open(t, { ...legacyFlavour, uart: true }, { program: bridgeTo(number) });
	await cancelStopsMotor(session, log);
	await session.close();
}, { seconds: 90 });

/* A client without a bridge: it transmits what it likes. */
async function plainClient(t, number) {
	const socket = createConnection(number, '127.0.0.1');
	const client = { socket, text: '', closed: false, ask: (message) => socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`) };
	t.after(() => socket.destroy());
	socket.setEncoding('utf8').on('data', (text) => { client.text += text; });
	socket.on('error', () => {}).on('close', () => { client.closed = true; });
	await until('the connection', () => !socket.connecting);
	return client;
}

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
}, { seconds: 90 });

test('esp-idf: the motor stops when its client on TCP dies', async (t) => {
	const { number, log } = await socketDevice(t);
	(await turningClient(t, number)).socket.resetAndDestroy();
	await until('the motor to stop', () => levelsOf(log(), MOTOR).length === 2);
	await turningClient(t, number); /* and the next one is served */
}, { seconds: 90 });

test('esp-idf: the motor stops when its client on TCP has ended its transmission, and dies while nothing is written', async (t) => {
	const { number, log } = await socketDevice(t);
	const client = await plainClient(t, number);
	client.ask(initialize);
	client.ask({ id: 1, method: 'tools/call', params: { name: 'turn', arguments: turning } });
	client.socket.end();
	await until('the motor to run', () => levelsOf(log(), MOTOR).length === 1);
	await sleep(100);
	assert.deepEqual(levelsOf(log(), MOTOR), [1]);
	client.socket.resetAndDestroy();
	await until('the motor to stop', () => levelsOf(log(), MOTOR).length === 2);
}, { seconds: 90 });

test('esp-idf: a client on TCP that has ended its transmission still gets its answer, then the connection is closed', async (t) => {
	const { number } = await socketDevice(t);
	const client = await plainClient(t, number);
	client.ask(initialize);
	client.ask({ id: 1, method: 'tools/call', params: { name: 'turn', arguments: { ms: 300 } } });
	client.socket.end();
	await until('the end', () => client.closed);
	assert.match(client.text, /"id":1,"result":.*turned/);
}, { seconds: 90 });

/* --- The bench: one program for both ports */

const benchWith = (t, variable) => Program.start(t, 'sh', ['-c', `${variable}=1 exec "$0"`, benchProgram()]);

function onUart(t, variable = 'BENCH_UART') {
	const program = benchWith(t, variable);
	return { ask: (message) => program.send({ jsonrpc: '2.0', ...message }), answers: () => program.messages.map((text) => JSON.parse(text)), program };
}

async function onTcp(t) {
	const { number, device } = await listening(t, benchWith(t, 'BENCH_TCP'));
	const client = await plainClient(t, number);
	return { ask: client.ask, answers: () => client.text.split('\n').slice(0, -1).map((line) => JSON.parse(line)), program: device };
}

async function answerTo({ answers }, id) {
	return until(`the answer to ${id}`, () => answers().find((message) => message.id === id));
}

for (const [name, open] of [['the UART port', onUart], ['the TCP port', onTcp]]) {
	test(`esp-idf: ${name}: a cancel reaches a handler that stays busy`, async (t) => {
		const device = await open(t);
		device.ask({ id: 1, method: 'busy' });
		await sleep(100);
		device.ask({ id: 2, method: 'echo', params: [1] });
		device.ask({ method: '$/cancel_request', params: { requestId: 1 } });
		assert.equal((await answerTo(device, 1)).error.code, -32800);
		assert.deepEqual((await answerTo(device, 2)).result, [1]);
	}, { seconds: 90 });

	test(`esp-idf: ${name}: another task cancels and wakes, and the owner notices`, async (t) => {
		const device = await open(t);
		for (const [id, how] of [[1, {}], [2, { isr: 1 }]]) {
			device.ask({ id, method: 'hold', params: how });
			assert.equal((await answerTo(device, id)).error.code, -32800);
			device.ask({ id: id + 10, method: 'hold', params: { ...how, wake: 1 } });
			assert.equal((await answerTo(device, id + 10)).result, 'woken');
		}
	}, { seconds: 90 });

	test(`esp-idf: ${name}: what comes while a step runs is not slept over`, async (t) => {
		const device = await open(t);
		device.ask({ method: 'stall_in_silence' }); /* no answer leaves, so nothing else ends the sleep */
		await sleep(200);
		device.ask({ id: 1, method: 'echo', params: [] });
		await answerTo(device, 1);
	}, { seconds: 90 });

	test(`esp-idf: ${name}: a flood is answered without a loss`, async (t) => {
		const device = await open(t);
		for (let id = 1; id <= 200; id++) device.ask({ id, method: 'echo', params: ['more bytes than the buffers hold', id] });
		for (let id = 1; id <= 200; id++) assert.equal((await answerTo(device, id)).result[1], id);
		device.ask({ id: 'counts', method: 'counts' });
		assert.deepEqual((await answerTo(device, 'counts')).result, { lost: 0, junk: 0 });
	}, { seconds: 90 });

	test(`esp-idf: ${name}: the task sleeps while there is nothing to do`, async (t) => {
		const device = await open(t);
		device.ask({ id: 1, method: 'echo', params: [] });
		await answerTo(device, 1);
		const ticks = () => readFileSync(`/proc/${device.program.pid}/stat`, 'utf8').split(' ').slice(13, 15).reduce((sum, n) => sum + Number(n), 0);
		const before = ticks();
		await sleep(500);
		assert.ok(ticks() - before <= 2, `${ticks() - before} of 50 ticks of the processor`);
	}, { seconds: 90 });
}

test('esp-idf: the UART port does not start without a baud rate', async (t) => {
	const program = benchWith(t, 'BENCH_NO_BAUD');
	await until('its end', () => program.ended);
	assert.equal(program.ended.code, 2);
	assert.match(program.stderr, /quash_esp_uart_start.*: error -1/);
}, { seconds: 90 });

test('esp-idf: the UART port shows a gap in its place', async (t) => {
	const device = onUart(t);
	device.ask({ id: 1, method: 'echo', params: [] });
	await answerTo(device, 1);
	device.program.sendBytes(Buffer.from('{"jsonrpc":"2.0","id":2,"method":"echo",\x18"params":[]}\n'));
	await sleep(100);
	device.ask({ id: 3, method: 'echo', params: [] }); /* what is behind a gap is skipped up to a line end */
	device.ask({ id: 4, method: 'counts' });
	assert.deepEqual((await answerTo(device, 4)).result, { lost: 1, junk: 0 });
	assert.ok(device.answers().every(({ id }) => id !== 2), 'halves of two messages are no message');
}, { seconds: 90 });

test('esp-idf: the UART port: a queue of events that was full counts as a gap, once', async (t) => {
	const device = onUart(t, 'BENCH_RING');
	device.ask({ id: 1, method: 'stall' });
	await sleep(100);
	for (let n = 0; n < 60; n++) device.ask({ id: `n${n}`, method: 'echo', params: ['x'.repeat(100)] }); /* each is an event and more */
	assert.equal((await answerTo(device, 1)).result, true);
	device.ask({ id: 2, method: 'echo', params: [] });
	device.ask({ id: 3, method: 'counts' });
	assert.deepEqual((await answerTo(device, 3)).result, { lost: 1, junk: 0 });
}, { seconds: 90 });

test('esp-idf: the UART port: a queue that was full while the task was being woken counts as a gap', async (t) => {
	const device = onUart(t, 'BENCH_LATE');
	device.ask({ id: 1, method: 'echo', params: [] });
	await answerTo(device, 1);
	await sleep(500); /* it sleeps */
	const events = '\n'.repeat(60 * 120); /* more than its queue holds */
	device.program.sendBytes(Buffer.from(`${events}{"jsonrpc":"2.0","id":2,"method":"echo",\x18"params":[]}\n`));
	await sleep(500);
	device.ask({ id: 3, method: 'echo', params: [] });
	device.ask({ id: 4, method: 'counts' });
	assert.deepEqual((await answerTo(device, 4)).result, { lost: 1, junk: 0 });
	assert.ok(device.answers().every(({ id }) => id !== 2), 'halves of two messages are no message');
}, { seconds: 90 });

test('esp-idf: the UART port: what comes while a handler stays busy is answered once', async (t) => {
	const device = onUart(t);
	device.ask({ id: 1, method: 'busy' });
	for (let id = 2; id < 100; id++) device.ask({ id, method: 'echo', params: [id] });
	device.ask({ method: '$/cancel_request', params: { requestId: 1 } });
	for (let id = 1; id < 100; id++) await answerTo(device, id);
	assert.equal(device.answers().length, 99);
}, { seconds: 90 });
