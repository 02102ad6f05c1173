/* SPDX-License-Identifier: MIT
 * The conversion of docs/upgrading.md: programs of 0.3.0 (released/0.3.0: the README's motor, the examples, and those of four ports)
 * are what port/package/upgrade.mjs writes, compile without a warning, and do what those of today do. */

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skip, test } from '../common/runner.mjs';
import { Program } from '../common/program.mjs';
import { isThere, printed, root, told } from '../common/start.mjs';

const build = join(root, 'build/readme/from-0.3.0');
const folder = join(root, 'tests/readme/released/0.3.0');
const strict = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', '-Iinclude', '-Iport'];

/* What is left to a reader: the rows of docs/upgrading.md for a group without an `end`. */
const byHand = {
	'strip.c': [
		['static quash_group one_strip;\n', ''],
		['static int32_t fade(', 'static quash_group one_strip;\n\nstatic int32_t fade('],
		['\tif (!f->begun)\n', '\tif (quash_cancelled(request) != QUASH_NOT_CANCELLED)\n\t\treturn QUASH_CANCELLED;\n'
			+ '\tif (!quash_hold(request, &one_strip))\n\t\treturn quash_mcp_failure(request, "the strip fades");\n\tif (!f->begun)\n'],
		['\t  .busy = "the strip fades",\n\t  .group = &one_strip,\n', ''],
		['\t  .hints = QUASH_MCP_IDEMPOTENT,\n\t  .marks = QUASH_DROPS },', '\t  .hints = QUASH_MCP_IDEMPOTENT },'],
	],
};

/** Writes them all as the program of the page does. Gives what it prints. */
function upgrade() {
	rmSync(build, { recursive: true, force: true });
	mkdirSync(build, { recursive: true });
	const names = readdirSync(folder);
	for (const name of names) copyFileSync(join(folder, name), join(build, name));
	const said = printed(process.execPath, ['port/package/upgrade.mjs', ...names.map((name) => join(build, name))]);
	for (const [name, changes] of Object.entries(byHand)) {
		const text = changes.reduce((code, [old, now]) => {
			assert.ok(code.includes(old), `${name}: ${old}`);
			return code.replace(old, now);
		}, readFileSync(join(build, name), 'utf8'));
		writeFileSync(join(build, name), text);
	}
	return said;
}

let said;
const written = (name) => {
	said ??= upgrade();
	return join(build, name);
};

const options = { examples: ['-Iboards/apps', '-Iboards/apps/examples'], native: ['-I.'],
	idf: ['-D_DEFAULT_SOURCE', '-Itests/packages/esp-idf/stated', '-Itests/packages/esp-idf/newlib', '-Itests/packages/platformio/sdkconfig', '-Iport/esp-idf/examples/common',
		'-Iport/esp-idf', '-DCONFIG_EXAMPLE_LED_PIN=2', '-DCONFIG_EXAMPLE_MOTOR_PIN=4', '-DCONFIG_QUASH_SLOTS=4', '-DCONFIG_QUASH_ID_SIZE=40',
		'-DCONFIG_QUASH_ARENA_SIZE=1024', '-DCONFIG_QUASH_TX_SIZE=512'],
	zephyr: ['-D_DEFAULT_SOURCE', '-Itests/rtos/zephyr', '-Itests/packages/zephyr/include', '-Iport/zephyr/zephyr/include', '-DCONFIG_QUASH_SLOTS=4',
		'-DCONFIG_QUASH_ID_SIZE=40', '-DCONFIG_QUASH_ARENA=1024', '-DCONFIG_QUASH_TX=512', '-DCONFIG_QUASH_UART_IN=64', '-DCONFIG_QUASH_UART_OUT=64',
		'-DCONFIG_QUASH_STACK_SIZE=2048', '-DCONFIG_QUASH_THREAD_PRIORITY=7'],
	arduino: ['-Itests/packages/arduino', '-Itests/packages/arduino/tree', '-Iport/arduino/src', '-include', 'Arduino.h'] };

const examples = ['dispenser', 'homing', 'logger', 'relay', 'sensor', 'strip'];
const sources = [...examples.map((name) => [`${name}.c`, options.examples]), ['motor.c', []], ['native_motor.c', options.native], ['tools.c', options.idf],
	['tool_server.c', options.zephyr], ['Motor.ino', options.arduino]];

test('each program of 0.3.0 that stands here is tried', () => {
	assert.deepEqual(sources.map(([name]) => name).sort(), readdirSync(folder).sort());
});

for (const [c, cxx] of [['gcc', 'g++'], ['clang', 'clang++']]) {
	const check = isThere(c) && isThere(cxx) ? test : (name) => skip(name, `${c} is missing`);
	check(`programs of 0.3.0 compile when they are converted: ${c}`, () => {
		for (const [name, more] of sources) {
			const language = name.endsWith('.ino') ? [cxx, '-std=c++11', '-x', 'c++'] : [c, '-std=c11'];
			const { status, stderr } = told(language[0], [...language.slice(1), ...strict, ...more, '-fsyntax-only', written(name)]);
			assert.equal(status, 0, `${name}: ${stderr}`);
		}
	});
}

test('what cannot be converted is named, and left', () => {
	written('strip.c');
	assert.match(said, /^\S+strip\.c: "fade" has no `end`: [^\n]+\n$/);
	const rest = join(build, 'rest.c');
	writeFileSync(rest, '{ .name = "a", .call = a, .deadline = 5 }, { .name = "b", .call = b, .end = off, .deadline = f(1, 2), .lease = 3, .group = &g, .marks = QUASH_DROPS }');
	assert.match(printed(process.execPath, ['port/package/upgrade.mjs', rest]), /rest\.c: "a" has no `end`/);
	assert.equal(readFileSync(rest, 'utf8'), '{ .name = "a", .call = a, .deadline = 5 }, '
		+ '{ .name = "b", .call = b, .motion = { .end = off, .longest = f(1, 2), .lease = 3, .group = &g } }');
});

test('entries by macros of 0.3.0 become entries by names', () => {
	const rest = join(build, 'macros.c');
	const become = (code, converted) => {
		writeFileSync(rest, code);
		assert.equal(printed(process.execPath, ['port/package/upgrade.mjs', rest]), '');
		assert.equal(readFileSync(rest, 'utf8'), converted);
	};
	become('QUASH_METHOD("echo", echo, 0),', '{ .name = "echo", .handler = echo },');
	become('QUASH_METHOD_STATE("x", turn, off, sizeof(struct turn), QUASH_SESSION)',
		'{ .name = "x", .handler = turn, .motion = { .end = off, .longest = QUASH_NO_LIMIT }, .state_size = sizeof(struct turn), .marks = QUASH_SESSION | QUASH_FINISHES }');
	become('QUASH_METHOD_MOTION("x", turn, off, 4, 60000, 2000, &arm)',
		'{ .name = "x", .handler = turn, .motion = { .end = off, .longest = 60000, .lease = 2000, .group = &arm }, .state_size = 4 }');
	become('QUASH_MCP_TOOL_MOTION("turn", "Turns, and stops", &p, turn, off, NULL, 70000, 0, NULL, 0)',
		'{ .name = "turn", .description = "Turns, and stops", .args = &p, .call = turn, .motion = { .end = off, .longest = 70000 } }');
	become('{ .name = "x", .read = r, .end = e, .marks = QUASH_DROPS }, { .name = "y", .read = r, .end = e }',
		'{ .name = "x", .read = r, .end = e }, { .name = "y", .read = r, .end = e, .marks = QUASH_FINISHES }');
});

/* --- What they do */

const posix = ['build/host/libquash-posix.a', 'build/host/libquash.a'];

const initialize = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'upgraded', version: '1' } };

test('the motor of the README of 0.3.0 answers a call, and a cancel stops it', async (t) => {
	const program = join(build, 'motor');
	printed('gcc', ['-std=c11', ...strict, written('motor.c'), ...posix, '-o', program]);
	const motor = Program.start(t, program, [], { dialect: 'mcp' });
	await motor.result('initialize', initialize);
	motor.send({ id: 'long', method: 'tools/call', params: { name: 'turn', arguments: { ms: 60000 } } });
	await motor.says(/motor on\n$/);
	motor.notify('notifications/cancelled', { requestId: 'long' });
	await motor.says(/motor on\nmotor off\n$/);
	const { content } = await motor.result('tools/call', { name: 'turn', arguments: { ms: 1 } });
	assert.deepEqual(content, [{ type: 'text', text: 'turned' }]);
	await motor.endsByInput();
	assert.equal(motor.stderr, 'motor on\nmotor off\nmotor on\nmotor off\n');
});

/** What a program answers to its first questions, as texts. */
const firstAnswers = (program) => printed(program, [], { stdio: ['pipe', 'pipe', 'ignore'], input: [
	{ jsonrpc: '2.0', id: 1, method: 'initialize', params: initialize }, { jsonrpc: '2.0', id: 2, method: 'tools/list' }, { jsonrpc: '2.0', id: 3, method: 'none' },
].map((message) => `${JSON.stringify(message)}\n`).join('') });

/* What `make all` has made for every program of the host, and what the examples have besides. */
const made = ['boards/host', 'boards/host/common'].flatMap((path) => readdirSync(join(root, path)).filter((name) => name.endsWith('.c'))
	.map((name) => `build/host/${path}/${name.slice(0, -2)}.o`)).concat('build/host/boards/apps/counters.o', 'build/host/port/http/http.o');
const beside = ['boards/apps/examples/pins.c', 'boards/host/examples/example.c'];

function linked(name, source) {
	const program = join(build, name);
	printed('gcc', ['-std=c11', '-Iinclude', '-Iport', '-Iboards/apps', '-Iboards/apps/examples', '-Iboards/host', source, ...beside, ...made, ...posix, '-o', program]);
	return program;
}

/* Of these the tool itself has got something since: what the logger counts. */
const asToday = (name, answers) => (name === 'logger' ? answers.replace(/{"name":"count",.*/, '') : answers);

for (const name of examples)
	test(`the example ${name} of 0.3.0 is the tool that it is today`, () => {
		const then = firstAnswers(linked(`${name}-then`, written(`${name}.c`))), now = firstAnswers(linked(`${name}-now`, join(root, `boards/apps/examples/${name}.c`)));
		assert.equal(then.split('\n').length, 4);
		assert.equal(asToday(name, then), asToday(name, now));
	});
