/* SPDX-License-Identifier: MIT
 * Code of pages and headers that handles interrupts, or is a loop, does what its page says wherever an interrupt comes: the text itself
 * is compiled, with a point behind each of its statements, and driven by a model of the hardware (driven/model.h). */

import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../common/runner.mjs';
import { make, printed, root, told } from '../common/start.mjs';
import { blockOf, instrumented, written } from './code.mjs';

const build = join(root, 'build/readme');
const driven = 'tests/readme/driven';
const usual = ['-std=c11', '-O1', '-Wall', '-Wextra', '-Werror', '-Wno-unused', '-Wno-return-type', '-Wno-unknown-pragmas', '-Wno-misleading-indentation', '-Iinclude', '-Iport', '-I.', `-I${driven}`, '-Itests/readme/around'];

/** What a program around a text says: nothing, or what is wrong. */
function verdictOn(name, program, text, objects, options = []) {
	const page = written({ path: name, number: 1, language: 'c' }, instrumented(text), '-points');
	const path = join(build, `driven-${name}`);
	printed('gcc', [...usual, ...options, `-DPAGE="${page}"`, program, ...objects, 'build/host/libquash.a', '-o', path]);
	const { status, stdout } = told(path, [], { timeout: 60000 });
	return status === 0 ? '' : stdout.trim() || `ends with ${status}`;
}

/* Compiles what does not change from text to text. */
function objectsOf(sources, options = []) {
	return sources.map((source) => {
		const path = join(build, `${source.replaceAll('/', '-')}.o`);
		printed('gcc', [...usual, ...options, '-c', source, '-o', path]);
		return path;
	});
}

/* Of a text, which has it once: what is to be replaced. */
function replaced(text, from, to) {
	assert.equal(text.split(from).length, 2, `${from} in the text`);
	return text.replace(from, () => to);
}

mkdirSync(build, { recursive: true });
make('build/host/libquash.a');
const model = objectsOf([`${driven}/model.c`]);

/* --- FreeRTOS */

const kernel = ['-Itests/rtos', '-Itests/rtos/freertos', '-Itests/common'];
const ported = [...model, ...objectsOf(['port/rtos/rtos_freertos.c', 'port/rtos/rtos.c', 'tests/rtos/freertos/buffers.c', 'tests/common/check.c'], kernel)];
const freertos = (name, text) => verdictOn(name, `${driven}/freertos.c`, text, ported, kernel);
const [receive, transmit, task] = [2, 3, 4].map((number) => blockOf('docs/rtos.md', number).text);

/* What the page has for interrupts that come only when something happens, in `kick` and `resume`. On other hardware it does nothing. */
const pending = 'NVIC_SetPendingIRQ(UART_IRQn);';
const pended = (text) => replaced(text, 'taskEXIT_CRITICAL();', `taskEXIT_CRITICAL();\n\t${pending}`);
/* Buffers that hold less than a message, too. */
const sizes = ['in[256], out[256]', 'in[12], out[6]'];
const whole = (first, second, size) => [pended(first), pended(second), replaced(task, sizes[0], size)].join('\n');

for (const size of sizes)
	test(`docs/rtos.md: the interrupts for FreeRTOS, with buffers ${size}`, () => assert.equal(freertos('rtos', whole(receive, transmit, size)), ''));

/* What stood there, and what is easily written in its place. */
const faults = [
	['is deaf', 'the interrupt is off for a byte that came behind the loop', replaced(receive, receive.slice(receive.indexOf('\tfor (;;)'), receive.indexOf('\trtos_freertos_interrupted')), `	if (UART_WAS_OVERRUN())
		rtos_freertos_overrun(&uart_link);
	while (UART_HAS_BYTE() && rtos_freertos_wants(&uart_link))
		rtos_freertos_received(&uart_link, UART_BYTE(), &woken);
	if (UART_HAS_BYTE())
		UART_RX_INTERRUPT_OFF();
`)],
	['is called for ever', 'an interrupt without room stays on', replaced(receive, 'UART_RX_INTERRUPT_OFF();', ';'), transmit, sizes[1]],
	['is called for ever', 'the transmit interrupt stays on', receive, replaced(transmit, 'UART_TX_INTERRUPT_OFF();', ';')],
	['loses bytes in silence', 'nobody asks for an overrun', replaced(receive, 'UART_WAS_OVERRUN()', 'false')],
	['joins what stood around a loss', 'an overrun is asked for once', replaced(receive, '\tfor (;;) {\n', '\tfor (bool was = UART_WAS_OVERRUN();; was = false) {\n').replace('UART_WAS_OVERRUN()) /*', 'was) /*')],
	['writes upon a byte', 'a byte is put without room', receive, replaced(transmit, 'while (UART_HAS_ROOM()) {', 'for (;;) {')],
];

for (const [said, title, first, second = transmit, size = sizes[0]] of faults)
	test(`docs/rtos.md: a fault is found: ${title}`, () => assert.match(freertos('seed', whole(first, second, size)), new RegExp(`it ${said}`)));

test('port/rtos/rtos_freertos.h: its interrupt, with what docs/rtos.md has beside it', () => {
	const resume = receive.slice(receive.indexOf('static void resume'));
	assert.equal(freertos('header', whole(`${blockOf('port/rtos/rtos_freertos.h', 1).text}\n${resume}`, transmit, sizes[1])), '');
});
