/* SPDX-License-Identifier: MIT
 * The engine links without the system: with everything that its door leads to, it needs no functions but those listed here, and neither
 * it nor what it shares with other programs has memory of its own that changes. The build looks at the engine's own objects alone, and
 * fails at a violation. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from '../common/runner.mjs';
import { make, printed, root, told } from '../common/start.mjs';

/** Functions of the C library that need no system. */
const allowed = new Set(`memchr memcmp memcpy memmove memset strchr strcmp strcspn strlen strncmp strpbrk strrchr strspn strstr
	strcasecmp strncasecmp strcpy`.split(/\s+/));

const build = join(root, 'build/links');
mkdirSync(build, { recursive: true });

const objectsOf = (folder) => readdirSync(join(root, folder)).filter((file) => file.endsWith('.c')).map((file) => `build/host/${folder}/${basename(file, '.c')}.o`);

make('build/host/quash-bridge');
const engine = objectsOf('boards/host/engine');
const common = objectsOf('boards/host/common');
const others = ['build/host/port/http/http.o', 'build/host/libquash.a'];
const flags = ['-std=c11', '-O2', '-ffunction-sections', '-fdata-sections', '-Iinclude', '-Iport', '-Iboards/host', '-Iboards/host/common', '-Iboards/host/engine'];

function compiled(name, text) {
	const source = join(build, `${name}.c`), object = join(build, `${name}.o`);
	writeFileSync(source, text);
	printed('gcc', [...flags, '-c', source, '-o', object]);
	return object;
}

/* A program that calls all of the door, and nothing else. */
const door = new Set(readFileSync(join(root, 'boards/host/engine/bridge.h'), 'utf8').replaceAll(/\/\*.*?\*\//gs, '').match(/\bbridge_\w+(?=\()/g));
const caller = compiled('caller', `#include "bridge.h"\nvoid *volatile door[] = { ${[...door].join(', ')} };\nvoid start(void);\nvoid start(void) { door[0] = door[1]; }\n`);

/** Functions that are needed and not listed. */
function missing(objects) {
	const { stderr } = told('gcc', ['-nostdlib', '-static', '-Wl,--gc-sections,--no-demangle,-e,start', caller, ...objects, ...others, '-o', join(build, 'engine')],
		{ env: { ...process.env, LC_ALL: 'C' } });
	const needed = new Set([...stderr.matchAll(/undefined reference to `(\w+)'/g)].map(([, name]) => name));
	assert.ok(needed.has('memcpy'), stderr);
	return [...needed].filter((name) => !allowed.has(name));
}

/** What changes and belongs to no bridge. */
function globals(objects) {
	const rows = printed('nm', ['--format=sysv', '--defined-only', ...objects]).split('\n').map((row) => row.split('|').map((word) => word.trim()));
	return rows.filter(([, , , type, size, , section]) => type === 'OBJECT' && parseInt(size, 16) > 0 && /^(\.bss|\.data(?!\.rel\.ro)|\.tbss|\.tdata|\*COM\*)/.test(section))
		.map(([name]) => name);
}

test('the engine needs nothing of the system', () => {
	assert.ok(door.size >= 25, `${door.size} functions of the door`);
	assert.deepEqual(missing([...engine, ...common]), []);
});

test('neither the engine nor what it shares with other programs has memory of its own', () => assert.deepEqual(globals([...engine, ...common]), []));

/* What the build says with this in place of the object of that file. */
function planted(name, before, statement) {
	const text = readFileSync(join(root, 'boards/host/engine/bridge_run.c'), 'utf8');
	const with_ = text.replace('\nvoid bridge_tick(struct bridge *b, uint32_t now)\n{\n', `\n${before}$&\t${statement}\n`);
	assert.notEqual(with_, text, 'bridge_tick is there');
	return alone([compiled(name, with_), ...engine.filter((object) => !object.endsWith('/bridge_run.o'))]);
}

/* The step of the build that looks at the engine's objects. */
function alone(objects) {
	const { status, stderr } = told('sh', ['boards/host/engine/alone.sh', ...objects, '--', ...common, ...others]);
	assert.equal(status, stderr === '' ? 0 : 1);
	return stderr;
}

test('sizes of 16 bits are refused, and do not become 0', () => {
	const { status, stderr } = told('gcc', [...flags, '-DQUASH_SIZE_BITS=16', '-fsyntax-only', 'boards/host/engine/bridge_memory.c']);
	assert.notEqual(status, 0);
	assert.match(stderr, /static assertion failed: "a message may have more than 64 KiB/);
});

test('a planted sleep fails the build', () => {
	assert.equal(alone(engine), '');
	assert.equal(planted('sleeps', 'unsigned sleep(unsigned);\n', 'sleep(1);'), 'the engine needs sleep\n');
});

test('a planted read of a clock fails the build', () => {
	assert.equal(planted('reads_clock', '#include <time.h>\n', 'now = (uint32_t)time(NULL);'), 'the engine needs time\n');
});

/* The engine as other compilers and C libraries make it: with their names for what it needs. */
function renamed(name, ...args) {
	const folder = join(build, name);
	mkdirSync(folder, { recursive: true });
	return engine.map((object) => (printed('objcopy', [...args, object, join(folder, basename(object))]), join(folder, basename(object))));
}

test('names of other compilers and C libraries for what it may need are known, and for what it may not are not', () => {
	const of = (to) => Object.entries(to).flatMap(([name, other]) => ['--redefine-sym', `${name}=${other}`]);
	assert.equal(alone(renamed('fortified', ...of({ memcpy: '__memcpy_chk', strcpy: '__strcpy_chk', memmove: '__aeabi_memmove', memset: '__udivdi3' }))), '');
	assert.equal(alone(renamed('checked', ...of({ memcpy: '__snprintf_chk' }))).split('\n')[0], 'the engine needs __snprintf_chk');
	assert.equal(alone(renamed('timed', ...of({ memcpy: '__clock_gettime64' }))).split('\n')[0], 'the engine needs __clock_gettime64');
});

test('a planted global fails the build', () => {
	assert.match(planted('keeps', '', 'static unsigned turns; turns += b->turns; b->turns = turns;'), /^the engine keeps turns(\.\d+)?\n$/);
});
