/* SPDX-License-Identifier: MIT
 * The index of functions and the table of codes have all that there is, and nothing else. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { root } from '../host/program.mjs';
import { test } from '../host/runner.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const rowsOf = (page) => read(page).split('\n').filter((line) => /^\| /.test(line)).map((line) => line.split(' | ').map((cell) => cell.replace(/^\| | \|$/g, '')));
const namesIn = (cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, name]) => name);

/* --- Functions */

const headers = [...readdirSync(join(root, 'include/quash')).map((name) => join('include/quash', name)), 'port/port_serve.h', 'port/posix/posix_serve.h', 'port/console.h'];
const withoutComments = (text) => text.replace(/\/\*[^]*?\*\//g, '');

/* What macros stand for, what a table's macro names by itself, and what belongs to versions and to one known config. */
const inside = /_$|_literal(_data)?$|_or_nowhere$|_reply_constant$|_start_with$|_(tools|prompts|resources|prompt|subscriptions)_(end|released)$|^quash_lsp_released$|LINKED$|EXPAND_QUOTE|QUOTE_NUMBERS|is_other_config|the_config$|^(PORT_SERVE_INLINE|QUASH_FLASH|QUASH_NOINLINE|QUASH_OUTLINED)$/;

function publicNames(path) {
	const text = withoutComments(read(path));
	const functions = [...text.matchAll(/^(?!typedef|extern|#|\s)(?:[\w* ]+?[ *])((?:quash|posix|port|console)_\w+)\(/gm)].map(([, name]) => name);
	const macros = [...text.matchAll(/^#define ((?:quash|QUASH)_\w+)\(/gm)].map(([, name]) => name);
	const classes = [...text.matchAll(/^class (\w+) \{/gm)].map(([, name]) => `quash::${name}`);
	return [...new Set([...functions, ...macros, ...classes])].filter((name) => !inside.test(name));
}

test('docs/functions.md has each public function once, with its header', () => {
	const declared = new Map(headers.flatMap((path) => publicNames(path).map((name) => [name, basename(path)])));
	assert.ok(declared.size > 200, `${declared.size} functions`);
	const rows = rowsOf('docs/functions.md').filter(([to]) => to !== 'to' && !/^-+$/.test(to));
	const named = rows.flatMap(([, names, where]) => namesIn(names).map((name) => ({ name, where: namesIn(where) })));
	const ofPorts = /^(rtos|quash_esp|port_ring)_|^quash::largest$/;
	const twice = named.map(({ name }) => name).filter((name, i, all) => all.indexOf(name) !== i);
	assert.deepEqual(twice, []);
	assert.deepEqual([...declared.keys()].filter((name) => !named.some((entry) => entry.name === name)), [], 'missing');
	assert.deepEqual(named.filter(({ name }) => !declared.has(name) && !ofPorts.test(name)).map(({ name }) => name), [], 'unknown');
	assert.deepEqual(named.filter(({ name, where }) => declared.has(name) && !where.includes(declared.get(name))).map(({ name }) => name), [], 'elsewhere');
	const ports = readdirSync(join(root, 'port'), { recursive: true }).filter((path) => path.endsWith('.h')).map((path) => join('port', path));
	for (const { name, where } of named.filter((entry) => ofPorts.test(entry.name) && !entry.name.includes('::')))
		assert.ok(ports.some((path) => where.includes(basename(path)) && read(path).includes(`${name}(`)), `${name} in ${where}`);
});

/* --- Codes */

/* The rows of the table below a heading: names and texts in code, cell by cell. */
function tableOf(heading) {
	const [, part] = read('docs/codes.md').split(`\n## ${heading}\n`);
	return part.split('\n## ')[0].split('\n').filter((line) => /^\| (?!code|cause|reason|event|value)[^-:]|^\| -3/.test(line))
		.map((line) => line.slice(2, -2).split(' | ').map((cell) => cell.replaceAll('`', '')));
}

/* The enumerators of a header with their numbers, and what a function of the library returns for each. */
function enumerators(header, prefix, last, textOf) {
	const names = [...withoutComments(read(header)).matchAll(new RegExp(`^\\t(${prefix}\\w+)(?=,| = |$)`, 'gm'))].map(([, name]) => name);
	const program = join(root, 'build/readme/texts');
	mkdirSync(join(root, 'build/readme'), { recursive: true });
	const lines = names.filter((name) => name !== last).map((name) => `	printf("%s\\t%d\\t%s\\n", "${name}", (int)${name}, ${textOf ? `${textOf}(${name})` : '""'});`);
	writeFileSync(`${program}.c`, `#include "${header.replace(/^(include|port)\//, '')}"\n#include "posix/posix_serve.h"\n#include <stdio.h>\nint main(void)\n{\n${lines.join('\n')}\n\treturn 0;\n}\n`);
	execFileSync('gcc', ['-Iinclude', '-Iport', `${program}.c`, 'build/host/libquash.a', '-o', program], { cwd: root });
	return execFileSync(program, { encoding: 'utf8' }).trimEnd().split('\n').map((line) => line.split('\t'));
}

test('docs/codes.md has every code, cause, reason, event and fault', () => {
	const defined = headers.flatMap((path) => [...read(path).matchAll(/^#define (QUASH_\w+)\s+\(\(int32_t\)(-\d+)\)/gm)].map(([, name, code]) => [code, name].join(' ')));
	const codes = tableOf('Errors on the wire');
	assert.ok(defined.length > 14);
	assert.deepEqual(codes.map(([code, name]) => `${code} ${name}`).sort(), defined.sort());
	const sources = readdirSync(join(root, 'src'), { recursive: true }).filter((path) => path.endsWith('.c')).map((path) => read(join('src', path))).join('\n');
	assert.deepEqual(codes.filter(([, , text]) => text !== '' && !sources.includes(`"${text}"`)).map(([code]) => code), []);

	const whys = enumerators('include/quash/why.h', 'QUASH_WHY', 'QUASH_WHYS', 'quash_why_text');
	assert.deepEqual(tableOf('Reasons in the trace').map(([text, name]) => [name, text]), whys.slice(1).map(([name, , text]) => [name, text]));
	const faults = enumerators('include/quash/fault.h', 'QUASH_FAULT', 'QUASH_FAULTS', 'quash_fault_text');
	assert.deepEqual(tableOf('Faults of a config').map(([text, name]) => [name, text]), faults.slice(1).map(([name, , text]) => [name, text]));
	const events = enumerators('include/quash/objects.h', 'QUASH_(?!WORD)', 'QUASH_EVENTS', 'quash_event_text');
	assert.ok(events.length > 10);
	assert.deepEqual(tableOf('Events in the trace').map(([text, name]) => [name, text]), events.map(([name, , text]) => [name, text]));
	const causes = enumerators('include/quash/method.h', 'QUASH_(?:BY|NOT_CANC)', 'QUASH_CAUSES');
	assert.deepEqual(tableOf('Causes of a cancel').map(([name]) => name), causes.map(([name]) => name));
	const exits = enumerators('port/posix/posix_serve.h', 'POSIX_SERVE', '');
	assert.deepEqual(tableOf('What a program on a PC returns').map(([value, name]) => [name, value]), exits.map(([name, value]) => [name, value]));
}, { seconds: 60 });

/* --- Buffers */

test('docs/buffers.md and its picture have each array of a config', () => {
	const [, members] = /typedef struct quash_config \{([^]*?)\n\} quash_config;/.exec(withoutComments(read('include/quash/objects.h')));
	const arrays = [...members.matchAll(/^\t(?:uint8_t|quash_request|quash_word|void|char|quash_counters) \*(\w+);/gm)].map(([, name]) => name).filter((name) => name !== 'context');
	assert.ok(arrays.length === 9, arrays.join(' '));
	const rows = rowsOf('docs/buffers.md').flatMap(([buffer]) => namesIn(buffer));
	assert.deepEqual(arrays.filter((name) => !rows.includes(name)), []);
	const drawn = [...read('docs/buffers.svg').matchAll(/<text[^>]*>([^<]*)</g)].map(([, text]) => text).join(' ');
	assert.deepEqual(arrays.filter((name) => name !== 'reason' && !new RegExp(`\\b${name}\\b`).test(drawn)), []);
	const called = [...`${drawn} ${read('docs/buffers.md')}`.matchAll(/\bquash_[a-z_]+[a-z](?=\b)(?!_?\.\.\.)/g)].map(([name]) => name);
	const all = headers.map(read).join('\n');
	assert.deepEqual(called.filter((name) => !all.includes(name)), []);
});
