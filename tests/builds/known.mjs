/* SPDX-License-Identifier: MIT
 * A program that has the library in its own unit: what it exports, what it may name, and that it has one config. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skip, test } from '../common/runner.mjs';
import { isThere, make, printed, root, told } from '../common/start.mjs';

const folder = join(root, 'build/known-programs');
rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
make('one-file');

const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Wvla', '-Werror'];
const compilers = [['gcc'], ['clang'], ['avr-gcc', '-mmcu=atmega328p']];

/* Its names are those of things in the library. */
const head = `#include "quash.h"
struct extent { int32_t state; };
enum state { START, NAME, BODY };
#define LIFE_FREE 1
static int32_t start(quash_request *request) { (void)request; return START; }
static void put_params(quash_writer *w, const quash_request *request) { (void)request; quash_put_int(w, LIFE_FREE); }
static int32_t handler(quash_request *request) { return start(request) == BODY ? QUASH_DONE : quash_reply(request, put_params); }
static const quash_method methods[] = { { .name = "method", .handler = handler } };
QUASH_STORAGE(store, 2, 24, 0, 64, 64);
`;
const config = 'const quash_config lamp = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };\n';
const other = 'static const quash_config other = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };\n';
const main = (body) => `static quash_peer peer;\nint main(void) { ${body} }\n`;
const library = '#include "quash.c"\n';
const known = '#define QUASH_THE_CONFIG lamp\n';

let count = 0;

/* { object, status, stderr } */
function compiled([compiler, ...options], text, more = []) {
	const object = join(folder, `${count++}.o`);
	writeFileSync(`${object}.c`, text);
	const { status, stderr } = told(compiler, [...options, ...warnings, ...more, `-I${join(root, 'build')}`, '-c', `${object}.c`, '-o', object]);
	return { object, status, stderr };
}

function built(compiler, text, more) {
	const { object, status, stderr } = compiled(compiler, text, more);
	assert.equal(status, 0, stderr);
	return object;
}

function refused(compiler, text, reason) {
	const { status, stderr } = compiled(compiler, text);
	assert.notEqual(status, 0, 'it compiles');
	assert.match(stderr, reason);
}

const exported = (object) => [...printed('nm', ['-g', '--defined-only', object]).matchAll(/\b([TDBR]) (\w+)/g)]
	.map(([, kind, name]) => ({ kind, name }));

/* What it prints. */
function outputOf(object) {
	const program = object.replace(/o$/, 'run');
	printed('gcc', [object, '-o', program]);
	return printed(program);
}

/* Those of the program that nothing is wrong with, by compiler. Only gcc and its kin warn of more when they optimize. */
const objects = new Map();

for (const compiler of compilers) {
	const [name] = compiler;
	if (!isThere(compiler[0])) {
		skip(`${name}: programs with their config known`, `${name} is missing`);
		continue;
	}
	const begins = main('return quash_init(&peer, &lamp, NULL);');
	test(`${name}: a program may name things as it likes, in C11 and C99`, () => {
		objects.set(name, built(compiler, known + head + config + begins + library, ['-std=c11', name === 'clang' ? '-O0' : '-Os']));
		built(compiler, known + head + library + config + begins, ['-std=c99', '-ffreestanding', '-fsyntax-only']);
		built(compiler, `#define QUASH_API QUASH_STATIC\n${head}${config}${begins}${library}`, ['-std=c99', '-fsyntax-only']);
	});
	test(`${name}: another config does not compile with quash_start, nor does one that is static`, () => {
		built(compiler, known + head + config + main('quash_start_with_(&peer, &lamp); return 0;') + library, ['-fsyntax-only']);
		refused(compiler, known + head + config + other + main('quash_start(&peer, &other); return 0;') + library, /quash_start|macro|argument/);
		refused(compiler, known + head + config.replace('const', 'static const') + begins + library, /lamp/);
	});
}

test('no function but main is exported', () => {
	const names = exported(objects.get('gcc'));
	assert.ok(names.some(({ name }) => name === 'lamp'));
	assert.deepEqual(names.filter(({ kind }) => kind === 'T').map(({ name }) => name), ['main']);
});

const shows = main(`quash_fault fault = { 0 };
	const bool first = quash_init(&peer, &lamp, &fault), second = quash_init(&peer, &other, &fault);
	printf("%d %d %s\\n", first, second, second ? "" : fault.member);
	return 0;`);

for (const compiler of compilers.filter(([name]) => ['gcc', 'clang'].includes(name) && isThere(name))) {
	test(`${compiler[0]}: quash_init refuses another config`, () =>
		assert.equal(outputOf(built(compiler, `#include <stdio.h>\n${known}${head}${config}${other}${shows}${library}`)), '1 0 QUASH_THE_CONFIG\n'));
	test(`${compiler[0]}: where none is named, any config will do`, () =>
		assert.equal(outputOf(built(compiler, `#include <stdio.h>\n#define QUASH_API QUASH_STATIC\n${head}${config}${other}${shows}${library}`)),
			'1 1 \n'));
}

test('what the config does not name is not there, and what it names is', () => {
	const traced = `static volatile int noted;
static void note(quash_peer *p, quash_event e, const quash_request *r, int32_t d, quash_why w) { (void)p; (void)r; noted = (int)e + (int)w + (int)d; }
`;
	const runs = main('static const uint8_t byte = 123; (void)quash_init(&peer, &lamp, NULL); return quash_feed(&peer, &byte, 1) > 0 && quash_step(&peer);');
	const made = (text) => built(['gcc', '-O1'], known + head + text + runs + library);
	const bytes = (object) => Number(printed('size', [object]).split('\n')[1].trim().split(/\s+/)[0]);
	const members = `.slot_count = 2, .id_size = 24, .word_size = QUASH_WORD, .arena_size = 64, .tx_size = 64, .slots = store.slots, .word = &store.word,
		.ids = store.ids, .arena = store.arena, .tx = store.tx, .methods = methods, .method_count = 1`;
	const withMembers = (more) => `const quash_config lamp = { ${members}, ${more} };\n`;
	const plain = made(withMembers('.dialect = &quash_acp'));
	for (const [more, before] of [['.counters = &store.counters', ''], ['.trace = note', traced], ['.calls = &quash_calls', '']])
		assert.ok(bytes(made(before + withMembers(`.dialect = &quash_acp, ${more}`))) > bytes(plain) + 150, more);
	for (const [object, there] of [[plain, false], [made(withMembers('.dialect = &quash_acp, .faults = &quash_faults')), true]])
		assert.equal(readFileSync(object, 'latin1').includes('has no such value'), there);
});
