/* SPDX-License-Identifier: MIT
 * The options of quash-bridge stand in its help, on its page and in its manual; the counters that docs/trouble.md names are
 * there. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostProgram } from '../common/program.mjs';
import { skip, test } from '../common/runner.mjs';
import { root, told } from '../common/start.mjs';
import { optionsOf } from './help.mjs';
import { pagesOf } from './blocks.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const sorted = (words) => [...new Set(words)].sort();
const manual = 'boards/host/bridge/quash-bridge.1';

const optionsInHelp = (name) => optionsOf(hostProgram(name));

const optionsInManual = (path) => sorted([...read(path).matchAll(/^\.It Fl -([a-z-]+)/gm)].map(([, option]) => `--${option}`));

test('help, page and manual of quash-bridge have the same options', () => {
	const tables = read('docs/bridge.md').split('\n').filter((line) => line.startsWith('| `--')).join('\n').replace(/^(\| [^|]* \|).*$/gm, '$1');
	assert.deepEqual(sorted([...tables.matchAll(/`(--[a-z-]+)/g)].map(([, option]) => option)), optionsInHelp('quash-bridge'));
	assert.deepEqual(optionsInManual(manual), optionsInHelp('quash-bridge'));
});

test('help and manual of quash-inspect have the same options', () => {
	assert.deepEqual(optionsInManual('boards/host/inspect/quash-inspect.1'), optionsInHelp('quash-inspect'));
});

/* What stands behind a program's name in code, up to the command that it starts. */
const optionsUsed = (name, text) => sorted([...text.matchAll(new RegExp(`${name}((?: [^\\s\`|#]+)+)`, 'g'))]
	.flatMap(([, words]) => words.split(' -- ')[0].match(/(?<= )--[a-z][a-z-]*/g) ?? []));

test('pages use options that the programs have', () => {
	const pages = pagesOf(root).map(read).join('\n');
	for (const name of ['quash-bridge', 'quash-inspect']) {
		const used = optionsUsed(name, pages), known = optionsInHelp(name);
		assert.ok(used.length > 5, used.join(' '));
		assert.deepEqual(used.filter((option) => !known.includes(option)), [], name);
	}
	assert.deepEqual(optionsUsed('quash-inspect', 'x `quash-inspect --fly a -- toolbox --swim` --run'), ['--fly']);
});

test('the limits on the page of quash-bridge are those of its sources', () => {
	const page = (read('docs/bridge.md') + read('docs/network.md')).replace(/\s+/g, ' ');
	const limit = (file, name) => new RegExp(`\\b${name} (?:= )?([^,}/\\n]*[^,}/ \\n])`).exec(read(`boards/host/engine/${file}.h`))[1];
	for (const [text, file, name] of [['than * bytes are under way', 'bridge_window', 'WINDOW_BYTES'], ['at most *. LINE is', 'bridge_options', 'MOST_DEVICES'],
		['never more than * |', 'bridge_options', 'BRIDGE_LINES'],
		['at most * connections', 'bridge_http', 'HTTP_CONNECTIONS'], ['the last * of a session', 'bridge_http_stream', 'EVENTS_MOST'], ['at most * requests', 'bridge_http_stream', 'STREAM_REQUESTS']])
		assert.ok(page.includes(text.replace('*', limit(file, name))), `${name}: ${limit(file, name)}`);
	assert.match(read('boards/host/engine/bridge_http.c'), /MOST_STRANGE = MOST_CONNECTIONS \/ 4/);
	assert.ok(page.includes(`that have made none yet ${Number(limit('bridge_http', 'HTTP_CONNECTIONS')) / 4} stay`));
	assert.match(read('boards/host/common/cut.h'), /CUT_LONGEST \(16 << 20\)/);
	assert.match(read('boards/host/engine/bridge_memory.c'), /ARENA_MOST = CUT_MOST \/ 2/);
	assert.ok(page.includes('params and results of up to 8 MiB'));
	assert.match(read('boards/host/engine/bridge_queue.h'), /QUEUE_BYTES \(4 << 20\)[^]*QUEUE_MS = 30000/);
	assert.ok(page.includes('more than 4 MiB wait') && page.includes('taken nothing for 30 s'));
	assert.match(read('boards/host/engine/bridge_stranger.h'), /STRANGER_MS = 5000/);
	assert.match(read('boards/host/engine/bridge_options.h'), /MOST_STRANGERS = 8\b/);
	assert.ok(page.includes('It has 5 s') && page.includes('When a ninth comes'));
});

test('page and manual of quash-bridge have the same exit codes', () => {
	const [codes] = /## Exit codes\n[^]*?\n## /.exec(read('docs/bridge.md'));
	const [statuses] = /\.Sh EXIT STATUS\n[^]*?\.El/.exec(read(manual));
	const listed = [...codes.matchAll(/^\| ([\dn +]+) \|/gm)].map(([, code]) => code.replaceAll(' ', ''));
	assert.deepEqual([...statuses.matchAll(/^\.It (\S+)/gm)].map(([, code]) => code), listed);
	assert.equal(listed.length, 5);
});

const manuals = ['bridge', 'inspect'].map((name) => `boards/host/${name}/quash-${name}.1`);
const formatted = (path) => told('groff', ['-mandoc', '-ww', '-Tutf8', join(root, path)]);

if (formatted(manual).error) skip('groff reads the manuals without a complaint', 'groff is missing');
else test('groff reads the manuals without a complaint', () => {
	for (const path of manuals) {
		const { status, stdout, stderr } = formatted(path);
		assert.deepEqual([status, stderr], [0, ''], path);
		assert.match(stdout.replace(/.\x08/g, ''), /^SYNOPSIS$/m, path);
	}
});

test('the counters that docs/trouble.md names are there', () => {
	const counters = [...read('boards/apps/counters.c').matchAll(/COUNTER\((\w+)\)|CANCELLED_BY\("(\w+)"|"(\w+_ms)"/g)]
		.map(([, counter, cause, time]) => counter ?? time ?? `cancelled_by_${cause}`);
	const named = [...read('docs/trouble.md').matchAll(/`((?:\w+_)?\w+)`(?= (?:grows|counts|is the longest))/g)].map(([, counter]) => counter);
	assert.ok(named.length > 10, named.join(' '));
	assert.deepEqual(sorted(named.filter((counter) => !counters.includes(counter))), []);
});
