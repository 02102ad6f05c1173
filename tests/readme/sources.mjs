/* SPDX-License-Identifier: MIT
 * Which files of port/ are to be compiled: each is in a library of `make install`, or a page says who needs it; and those that a page
 * names together call nothing else of port/. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from '../common/runner.mjs';
import { make, printed, root } from '../common/start.mjs';

const build = join(root, 'build/readme/sources');
const libraries = ['build/host/libquash-port.a', 'build/host/libquash-posix.a'];
/* A package has its own list of what it compiles, which its tests follow. */
const packed = ['arduino', 'esp-idf', 'package', 'pico', 'zephyr'];
const folders = ['', ...readdirSync(join(root, 'port'), { withFileTypes: true }).filter((entry) => entry.isDirectory() && !packed.includes(entry.name))
	.map(({ name }) => `${name}/`)];
const filesOf = (ending) => folders.flatMap((folder) => readdirSync(join(root, 'port', folder)).filter((name) => name.endsWith(ending)).map((name) => `${folder}${name}`));

/* What needs the headers of a system: where they are stated. lwIP's are not, and its port is one file. */
const elsewhere = { 'rtos/rtos.c': 'freertos', 'rtos/rtos_uart.c': 'freertos', 'rtos/rtos_freertos.c': 'freertos', 'rtos/rtos_cmsis2.c': 'cmsis2', 'rtos/rtos_zephyr.c': 'zephyr',
	'rtos/rtos_zephyr_usb.c': 'zephyr' };
const includes = (source) => (elsewhere[source] ? `tests/rtos/${elsewhere[source]}` : 'tests/packages/pico/stated');

mkdirSync(build, { recursive: true });
make(...libraries);

/* name: of an object; then what it defines, and what it wants. */
function symbolsOf(path) {
	const found = new Map();
	for (const [, name, kind, symbol] of printed('nm', ['-A', path]).matchAll(/^(?:[^ ]*[:/])?([\w.]+)\.o:[\da-f\s]*([A-Za-z]) (\w+)$/gm)) {
		if (!found.has(name)) found.set(name, { defines: [], wants: [] });
		if (kind === 'U') found.get(name).wants.push(symbol);
		else if (/[TDBRVW]/.test(kind)) found.get(name).defines.push(symbol);
	}
	return found;
}

const inLibraries = libraries.map((path) => symbolsOf(path));
const objects = new Map(inLibraries.flatMap((symbols) => [...symbols]));
const named = (source) => basename(source, '.c');

function compiled(source) {
	const path = join(build, `${named(source)}.o`);
	printed('gcc', ['-std=c11', '-Iinclude', '-Iport', '-Iport/pico/examples/motor', `-I${includes(source)}`, '-c', `port/${source}`, '-o', path]);
	return symbolsOf(path).get(named(source));
}
for (const source of [...Object.keys(elsewhere), 'usb/usb_tinyusb.c']) objects.set(named(source), compiled(source));

const rows = (page) => readFileSync(join(root, page), 'utf8').match(/## Which files to compile\n[^]*?\n## /)[0].split('\n').filter((line) => /^\| [^-]/.test(line)).slice(1)
	.map((line) => line.split(' | ').slice(0, 2));
const sourcesIn = (text) => [...text.matchAll(/`([\w/]+\.c)`/g)].map(([, source]) => source);

/* What is compiled together: by porting.md, and by rtos.md, where a row may go on with another. */
function groups() {
	const made = [];
	for (const [what, files] of [...rows('docs/porting.md'), ...rows('docs/rtos.md')]) {
		const before = /besides|these/.test(files) ? made.at(-1).sources : [];
		const headers = /^that file/.test(files) ? [...what.matchAll(/`([\w/]+)\.h`/g)].map(([, header]) => [`${header}.c`]) : [[]];
		if (!/^nothing|^\[/.test(files)) made.push(...headers.map((own) => ({ what, sources: [...before, ...own, ...sourcesIn(files)] })));
	}
	return made;
}

test('each source of a port is in a library, or a page says who compiles it', () => {
	const known = [...groups().flatMap(({ sources }) => sources), 'template.c', 'uart/uart_avr.c'];
	const missing = (all) => all.filter((source) => !inLibraries.some((symbols) => symbols.has(named(source))) && !known.includes(source));
	assert.deepEqual(missing(filesOf('.c')), []);
	assert.deepEqual(missing(['http/other.c']), ['http/other.c']);
});

test('what is compiled together calls nothing else of port/', () => {
	const theirs = new Set([...objects.values()].flatMap(({ defines }) => defines));
	for (const { what, sources } of groups().filter((group) => !group.sources.includes('lwip/lwip_tcp.c'))) {
		const parts = sources.map((source) => objects.get(named(source)) ?? assert.fail(`${what}: ${source} is in no library`));
		const defined = new Set(parts.flatMap(({ defines }) => defines));
		assert.deepEqual(parts.flatMap(({ wants }) => wants).filter((symbol) => theirs.has(symbol) && !defined.has(symbol)), [], what);
	}
});

test('what an installed header declares is in a library', () => {
	const script = readFileSync(join(root, 'port/package/install.sh'), 'utf8');
	const [, words] = /for header in (port\/[^;]*); do/.exec(script);
	const installed = printed('sh', ['-c', `ls ${words}`]).trim().split('\n').filter((path) => !/uart_avr|_inner|_system/.test(path));
	const defined = new Set([...objects.values()].flatMap(({ defines }) => defines));
	const declared = installed.flatMap((path) => [...readFileSync(join(root, path), 'utf8').replace(/\/\*[^]*?\*\//g, '')
		.matchAll(/^(?!static|typedef|PORT_SERVE_INLINE_|#|\s)[\w *]+?\b(\w+)\([^{};]*\);/gm)].map(([, name]) => name));
	assert.ok(declared.length > 60, `${declared.length} functions`);
	assert.deepEqual(declared.filter((name) => ![...defined].some((other) => other === name || other.startsWith(`${name}_`))), []);
});
