/* SPDX-License-Identifier: MIT
 * Code of pages and headers that handles interrupts, or is a loop, does what its page says wherever an interrupt comes: the text itself
 * is compiled, with a point behind each of its statements, and driven by a model of the hardware (driven/model.h). */

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../common/runner.mjs';
import { make, printed, root, told } from '../common/start.mjs';
import { allBlocks, blockOf, instrumented, written } from './code.mjs';

const build = join(root, 'build/readme');
const driven = 'tests/readme/driven';
const usual = ['-O0', '-Wall', '-Wextra', '-Werror', '-Wno-unused', '-Wno-return-type', '-Wno-unknown-pragmas', '-Wno-misleading-indentation', '-Iinclude', '-Iport', '-I.', `-I${driven}`, '-Itests/readme/around'];

/** What a program around a text says: nothing, or what is wrong. */
function verdictOn(name, program, text, objects, options = []) {
	const [compiler, standard, language] = program.endsWith('.cpp') ? ['g++', '-std=c++11', 'cpp'] : ['gcc', '-std=c11', 'c'];
	const page = written({ path: name, number: 1, language }, text, '-points');
	const path = join(build, `driven-${name}`);
	printed(compiler, [standard, ...usual, ...options, `-DPAGE="${page}"`, program, ...objects, ...libraries, '-o', path]);
	const { status, stdout } = told(path, [], { timeout: 60000 });
	return status === 0 ? '' : stdout.trim() || `ends with ${status}`;
}

/* Compiles what does not change from text to text. */
function objectsOf(sources, options = []) {
	return sources.map((source) => {
		const path = join(build, `${source.replaceAll('/', '-')}.o`);
		const [compiler, standard] = source.endsWith('.cpp') ? ['g++', '-std=c++11'] : ['gcc', '-std=c11'];
		printed(compiler, [standard, ...usual, ...options, '-c', source, '-o', path]);
		return path;
	});
}

/* Of a text, which has it once: what is to be replaced. */
function replaced(text, from, to) {
	assert.equal(text.split(from).length, 2, `${from} in the text`);
	return text.replace(from, () => to);
}

mkdirSync(build, { recursive: true });
const libraries = ['build/host/libquash-port.a', 'build/host/libquash.a'];
make(...libraries);
const model = objectsOf([`${driven}/model.c`]);

/* --- FreeRTOS */

const kernel = ['-Itests/rtos', '-Itests/rtos/freertos', '-Itests/common'];
const ported = [...model, ...objectsOf(['port/rtos/rtos_freertos.c', 'port/rtos/rtos.c', 'tests/rtos/freertos/buffers.c', 'tests/common/check.c'], kernel)];
const freertos = (name, text) => verdictOn(name, `${driven}/freertos.c`, instrumented(text), ported, kernel);
const [receive, transmit, task] = [2, 3, 4].map((number) => blockOf('docs/rtos.md', number).text);

/* What the page has for interrupts that come only when something happens, in `kick` and `resume`. On other hardware it does nothing. */
const pending = 'NVIC_SetPendingIRQ(UART_IRQn);';
const pended = (text) => replaced(text, 'taskEXIT_CRITICAL();', `taskEXIT_CRITICAL();\n\t${pending}`);
/* Buffers that hold less than a message, too. */
const sizes = ['in[256], out[256]', 'in[6], out[4]'];
const whole = (first, second, size) => [pended(first), pended(second), replaced(task, sizes[0], size)].join('\n');

for (const size of sizes)
	test(`docs/rtos.md: the interrupts for FreeRTOS, with buffers ${size}`, () => assert.equal(freertos('rtos', whole(receive, transmit, size)), ''));

/* What stood there, and what is easily written in its place. */
const faults = [
	['is deaf', 'the interrupt is off for a byte that came behind the loop', replaced(receive, receive.slice(receive.indexOf('\tbool lost'), receive.indexOf('\trtos_freertos_interrupted')), `	if (UART_WAS_OVERRUN())
		rtos_freertos_overrun(&uart_link);
	while (UART_HAS_BYTE() && rtos_freertos_wants(&uart_link))
		rtos_freertos_received(&uart_link, UART_BYTE(), &woken);
	if (UART_HAS_BYTE())
		UART_RX_INTERRUPT_OFF();
`)],
	['is called for ever', 'an interrupt without room stays on', replaced(receive, 'UART_RX_INTERRUPT_OFF();', ';'), transmit, sizes[1]],
	['is called for ever', 'the transmit interrupt stays on', receive, replaced(transmit, 'UART_TX_INTERRUPT_OFF();', ';')],
	['loses bytes in silence', 'nobody asks for an overrun', replaced(receive, 'UART_WAS_OVERRUN()', 'false')],
	['joins what stood around a loss', 'an overrun is asked for once', replaced(receive, '\tfor (;;) {\n', '\tfor (bool was = UART_WAS_OVERRUN();; was = lost = false) {\n').replace('UART_WAS_OVERRUN()) {', 'was) {')],
	['joins what stood around a loss', 'what stood in the hardware is taken behind the gap', replaced(receive, '\t\t\tlost = true;\n', '')],
	['writes upon a byte', 'a byte is put without room', receive, replaced(transmit, 'while (UART_HAS_ROOM()) {', 'for (;;) {')],
];

for (const [said, title, first, second = transmit, size = sizes[0]] of faults)
	test(`docs/rtos.md: a fault is found: ${title}`, () => assert.match(freertos('seed', whole(first, second, size)), new RegExp(`it ${said}`)));

test('port/rtos/rtos_freertos.h: its interrupt, with what docs/rtos.md has beside it', () => {
	const resume = receive.slice(receive.indexOf('static void resume'));
	assert.equal(freertos('header', whole(`${blockOf('port/rtos/rtos_freertos.h', 1).text}\n${resume}`, transmit, sizes[0])), '');
});

/* --- HTTP */

const http = (text) => verdictOn('http', `${driven}/http.c`, text, []);
const reading = blockOf('port/http/http.h', 1).text;

test('port/http/http.h: its loop reads requests to their end, however they are cut', () => assert.equal(http(reading), ''));

test('port/http/http.h: a loop that ends with the last byte is found', () => {
	assert.match(http(replaced(reading, 'for (size_t at = 0;;)', 'for (size_t at = 0; at < n;)').replace(/\n\}\n$/, '\n    return true;\n}\n')), /it sees type:<c> answered:\/a type:text\/x<ab>., cut/);
});

/* --- Loops, over a board that sleeps until an interrupt comes */

const parts = [...model, ...objectsOf(['port/rtos/rtos_uart.c']), ...objectsOf(['port/rtos/rtos_cmsis2.c'], ['-Itests/rtos/cmsis2']), ...ported.filter((path) => path.endsWith('-rtos.c.o'))];
const board = [join(build, 'driven-board.a')]; /* of which each loop takes what it needs */
printed('ar', ['rcs', ...board, ...parts]);
const sleeping = blockOf('docs/porting.md', 4).text;

/* Of statements that stand in a function. */
const within = (text) => instrumented(`void within(void) {${text}}`).replace(/^[^{]*\{([^]*)\}$/, '$1');

function loop(name, kinds, text, sleep = sleeping) {
	const file = written({ path: name, number: 2, language: 'c' }, within(sleep), '-points');
	return verdictOn(name, `${driven}/loop.c`, text, board, [...kinds.map((kind) => `-DLOOP_${kind}`), `-DSLEEP="${file}"`, '-Itests/rtos/cmsis2']);
}

const usb = blockOf('port/usb/usb.h', 1).text, turning = blockOf('docs/porting.md', 1).text;
const loops = {
	'docs/porting.md': [['PORTING'], within(turning)],
	'port/port_serve.h': [['SERVE'], instrumented(blockOf('port/port_serve.h', 1).text)],
	'port/usb/usb.h': [['USB'], instrumented(usb)],
	'port/lwip/README.md': [['LWIP'], instrumented(blockOf('port/lwip/README.md', 2).text)],
	'port/lwip/lwip_tcp.h': [['LWIP', 'LWIP_HEADER'], within(blockOf('port/lwip/lwip_tcp.h', 1).text)],
	'port/zephyr/README.md': [['ZEPHYR'], within(blockOf('port/zephyr/README.md', 2).text)],
	'docs/forwarding.md': [['FORWARDING'], within(blockOf('docs/forwarding.md', 2).text)],
	'port/rtos/rtos_cmsis2.h': [['CMSIS2'], instrumented(blockOf('port/rtos/rtos_cmsis2.h', 1).text)],
};
for (const [path, [kinds, text]] of Object.entries(loops))
	test(`${path}: its loop serves whatever comes, whenever it comes`, () => assert.equal(loop('loop', kinds, text), ''));

const slept = [
	['a sleep that is asked for with interrupts let in', 'docs/porting.md', turning, sleeping.replaceAll(/__\w+able_irq\(\);/g, ';')],
	['a loop that never writes what a step has answered', 'docs/porting.md', replaced(turning, 'worked ? 0 : quash_idle_ms(&peer)', 'UINT32_MAX'), sleeping.replace(/if \(.*\)/, '')],
];
for (const [title, path, text, sleep] of slept)
	test(`${path}: a fault is found: ${title}`, () => assert.match(loop('seed', loops[path][0], within(text), sleep), /it sleeps over what has come|it is deaf/));

test('port/usb/usb.h: a fault is found: a stack that does its work in front of the sleep', () => {
	const old = replaced(usb, usb.slice(usb.indexOf('__disable_irq'), usb.indexOf('tud_task();\n    return')), 'tud_task();\n    if (ms > 0) board_wait(ms);\n    ');
	assert.match(loop('seed', ['USB'], instrumented(old)), /it sleeps over what has come/);
});

/* --- Sketches of Arduino */

const arduino = [`-I${driven}/arduino`, '-Iport/arduino/src', '-Itests/packages/arduino/tree'];
const [sketch, measure, yields] = [1, 2, 3].map((number) => blockOf('port/arduino/README.md', number).text);
const library = [...model, ...objectsOf(['port/arduino/src/quash_stream.cpp', 'port/arduino/src/quash_usb.cpp'], arduino)];
const sketches = {
	'port/arduino/README.md': [['NO_YIELD'], sketch],
	'port/arduino/README.md, with a library that waits': [[], replaced(`${measure}${sketch}`, 'void setup()', `${yields}void setup()`)],
	'port/package/platformio/README.md': [['NO_YIELD'], blockOf('port/package/platformio/README.md', 1).text],
	'port/arduino/src/quash_stream.h': [['NO_YIELD', 'NO_SETUP'], blockOf('port/arduino/src/quash_stream.h', 1).text],
	'port/arduino/src/quash_usb.h': [['NO_YIELD', 'NO_SETUP', 'USB'], blockOf('port/arduino/src/quash_usb.h', 1).text],
};
for (const [path, [has, text]] of Object.entries(sketches))
	test(`${path}: its sketch serves whatever comes, whenever it comes`, () => {
		assert.equal(verdictOn('sketch', `${driven}/arduino.cpp`, instrumented(text), library, [...arduino, ...has.map((name) => `-D${name}`)]), '');
	});

/* --- All of them */

const here = ['docs/rtos.md 2', 'docs/rtos.md 3', 'docs/rtos.md 4', 'port/rtos/rtos_freertos.h 1', 'port/http/http.h 1', 'docs/porting.md 1', 'docs/porting.md 4', 'port/port_serve.h 1',
	'port/usb/usb.h 1', 'port/lwip/README.md 2', 'port/lwip/lwip_tcp.h 1', 'port/zephyr/README.md 2', 'docs/forwarding.md 2', 'port/rtos/rtos_cmsis2.h 1', 'port/arduino/README.md 1',
	'port/arduino/README.md 3', 'port/package/platformio/README.md 1', 'port/arduino/src/quash_stream.h 1', 'port/arduino/src/quash_usb.h 1'];

/* Which of them are run elsewhere, or have no loop and no interrupt of their own. */
const elsewhere = {
	'README.md 1': 'loops.mjs: each way out', 'docs/handlers.md 10': 'loops.mjs', 'docs/porting.md 2': 'loops.mjs', 'port/package/cmake/README.md 1': 'loops.mjs', 'port/package/cmake/README.md 2': 'loops.mjs',
	'port/package/pair/README.md 1': 'loops.mjs',
	'docs/handlers.md 5': 'pages.mjs: a thread, which may take as long as it likes',
	'include/quash/mcp_device.h 1': 'the loop is posix_stdio_serve', 'port/posix/posix_serve.h 1': 'the loop is posix_stdio_serve',
	'port/rtos/rtos_zephyr.h 1': 'the loop is rtos_zephyr_serve', 'port/zephyr/README.md 1': 'the loop is rtos_zephyr_serve', 'port/esp-idf/README.md 1': 'the loop is quash_esp_uart_serve',
	'port/usb/usb_tinyusb.h 1': 'the stack calls it on the thread of the loop; the suite packages has it in a program for the Pico',
};
const handles = /\b\w+_(?:Handler|cb)\(|\bISR\(|\bfor \([^;]*;;\)|\bwhile \((?!quash_next)|\bvoid (?:loop|yield|app_main)\(|_irq\(|\bint main\(|\brest\(uint32_t|_serve\(/;

test('each block that handles an interrupt, or is a loop, is driven, or runs elsewhere', () => {
	const found = allBlocks().filter(({ text }) => handles.test(text)).map(({ path, number }) => `${path} ${number}`);
	assert.deepEqual(found.filter((block) => !here.includes(block) && !(block in elsewhere)), []);
	assert.deepEqual([...here, ...Object.keys(elsewhere)].filter((block) => !found.includes(block)), [], 'there is no such block');
});
