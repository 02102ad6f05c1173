/* SPDX-License-Identifier: MIT
 * Every global symbol of src/ and port/ begins with a name of the library, so that firmware may carry any SDK beside it. Each
 * source is compiled by itself, and nm is asked; those of a processor by its cross compiler, those of an SDK against the headers
 * that state it. Examples are programs, and no part of another one. */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skip, test } from '../common/runner.mjs';
import { isThere, printed, root } from '../common/start.mjs';

const build = join(root, 'build/names');
rmSync(build, { recursive: true, force: true });
mkdirSync(build, { recursive: true });

const prefixes = ['quash_', 'posix_', 'lwip_', 'rtos_', 'console_', 'port_', 'arduino_'];
/* What C++ makes of a class is its name behind the length: that of the Arduino library begins so. */
const ours = new RegExp(`^(${prefixes.join('|')}|_ZN\\d+Quash|_ZNK\\d+Quash)`);

const c = ['gcc', '-std=c11'];
const stated = (...folders) => [...c, '-D_DEFAULT_SOURCE', ...folders.map((folder) => `-I${folder}`)];
const rtos = (name) => [new RegExp(`^port/rtos/rtos_${name}(_usb)?\\.c$`), stated(`tests/rtos/${name}`)];

/* What TinyUSB calls by this name. */
const callback = 'tud_cdc_line_state_cb';

/* Which compiler takes a source: the first that fits. */
const compilers = [
	[/^port\/uart\/uart_avr\.c$/, ['avr-gcc', '-std=c11', '-mmcu=atmega328p']],
	rtos('freertos'), rtos('zephyr'), rtos('cmsis2'),
	[/^port\/lwip\//, [...stated(), '-isystem', '/usr/include/lwip']],
	[/^port\/esp-idf\//, stated('tests/packages/esp-idf/stated', 'tests/packages/esp-idf/newlib', 'tests/packages/platformio/sdkconfig').concat('-DCONFIG_FREERTOS_HZ=100')],
	[/^port\/(usb\/usb_tinyusb|pico\/quash_pico)\.c$/, stated('include', 'port', 'tests/packages/pico/stated', 'port/pico/examples/motor')],
	[/^port\/arduino\/.*\.cpp$/, ['g++', '-std=c++11', '-Iinclude', '-Itests/packages/arduino', '-Itests/packages/arduino/tree']],
	[/^port\/package\/check\//, stated('include').concat('-Dmain=quash_pc_main')], // a program of the PC
	[/\.c$/, stated()],
];

const sourcesIn = (folder) => readdirSync(join(root, folder), { recursive: true })
	.filter((name) => /\.(c|cpp)$/.test(name) && !/(examples|samples|tests)\//.test(name)).map((name) => `${folder}/${name}`).sort();

const compilerOf = (source) => compilers.find(([of]) => of.test(source))[1];

/** The names that a source gives to every program it is linked into, and that are not the library's. */
function strangersIn(source, [compiler, ...flags]) {
	const object = join(build, 'one.o');
	printed(compiler, [...flags, '-c', source, '-o', object], { stdio: ['ignore', 'pipe', 'pipe'] });
	const text = printed('nm', ['-g', '--defined-only', '-P', object]);
	const names = text.split('\n').filter(Boolean).map((line) => line.split(' ')[0]);
	assert.ok(names.length > 0, `${source} gives no name`);
	return names.filter((name) => !ours.test(name) && name !== callback);
}

const sources = [...sourcesIn('src'), ...sourcesIn('port')];

test('there are sources of every port', () => {
	for (const part of ['uart', 'rtos', 'posix', 'lwip', 'esp-idf', 'arduino/src', 'usb', 'pico'])
		assert.ok(sources.some((source) => source.startsWith(`port/${part}/`)), part);
});

for (const folder of [...new Set(sources.map((source) => source.split('/').slice(0, -1).join('/')))]) {
	const own = sources.filter((source) => source.startsWith(`${folder}/`) && !source.slice(folder.length + 1).includes('/'));
	const missing = own.map((source) => compilerOf(source)[0]).find((tool) => !isThere(tool));
	if (missing) skip(`the names of ${folder}`, `${missing} is missing`);
	else test(`all global symbols of ${folder} are named as the library's`, () => {
		assert.deepEqual(own.flatMap((source) => strangersIn(source, compilerOf(source)).map((name) => `${source}: ${name}`)), []);
	});
}

for (const [what, text, name] of [['a function', 'void uart_init(void);\nvoid uart_init(void) {}', 'uart_init'],
	['a variable', 'int port;', 'port'], ['a constant', 'extern const int ring;\nconst int ring = 1;', 'ring'],
	['a weak one', 'void start(void);\n__attribute__((weak)) void start(void) {}', 'start']])
	test(`${what} with a name of its own is seen`, () => {
		const source = join(build, 'stranger.c');
		writeFileSync(source, `${text}\nvoid quash_known(void);\nvoid quash_known(void) {}\n`);
		assert.deepEqual(strangersIn(source, c), [name]);
	});
