/* SPDX-License-Identifier: MIT
 * The options of quash-bridge stand in its help, on its page and in its manual; what a peer gives as a reason stands on the
 * page for those whose program does not work. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostProgram, root } from '../host/program.mjs';
import { skip, test } from '../host/runner.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');
const sorted = (words) => [...new Set(words)].sort();
const manual = 'boards/host/bridge/quash-bridge.1';

test('help, page and manual of quash-bridge have the same options', () => {
	const help = execFileSync(hostProgram('quash-bridge'), ['--help'], { timeout: 5000, encoding: 'utf8' }).replace(/quash-inspect --\w+/, '');
	const helped = sorted([...help.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option));
	assert.ok(helped.length > 18, help);
	const tables = read('docs/bridge.md').split('\n').filter((line) => line.startsWith('| `--')).join('\n').replace(/^(\| [^|]* \|).*$/gm, '$1');
	assert.deepEqual(sorted([...tables.matchAll(/`(--[a-z-]+)/g)].map(([, option]) => option)), helped);
	assert.deepEqual(sorted([...read(manual).matchAll(/^\.It Fl -([a-z-]+)/gm)].map(([, option]) => `--${option}`)), helped);
});

test('page and manual of quash-bridge have the same exit codes', () => {
	const [codes] = /## Exit codes\n[^]*?\n## /.exec(read('docs/bridge.md'));
	const [statuses] = /\.Sh EXIT STATUS\n[^]*?\.El/.exec(read(manual));
	const listed = [...codes.matchAll(/^\| ([\dn +]+) \|/gm)].map(([, code]) => code.replaceAll(' ', ''));
	assert.deepEqual([...statuses.matchAll(/^\.It (\S+)/gm)].map(([, code]) => code), listed);
	assert.equal(listed.length, 5);
});

const formatted = spawnSync('groff', ['-mandoc', '-ww', '-Tutf8', join(root, manual)], { encoding: 'utf8' });
if (formatted.error) skip('groff reads the manual without a complaint', 'groff is missing');
else test('groff reads the manual without a complaint', () => {
	assert.deepEqual([formatted.status, formatted.stderr], [0, '']);
	assert.match(formatted.stdout, /join clients to a device/);
});

test('docs/trouble.md has every reason of the trace', () => {
	const texts = [...read('src/core/why.c').matchAll(/^\t\t"([^"]+)",$/gm)].map(([, text]) => text);
	assert.ok(texts.length > 20);
	const page = read('docs/trouble.md');
	assert.deepEqual(texts.filter((text) => !page.includes(`\`${text}\``)), []);
});

test('the counters that docs/trouble.md names are there', () => {
	const counters = [...read('boards/apps/counters.c').matchAll(/COUNTER\((\w+)\)|CANCELLED_BY\("(\w+)"|"(\w+_ms)"/g)]
		.map(([, counter, cause, time]) => counter ?? time ?? `cancelled_by_${cause}`);
	const named = [...read('docs/trouble.md').matchAll(/`((?:\w+_)?\w+)`(?= (?:grows|counts|is the longest))/g)].map(([, counter]) => counter);
	assert.ok(named.length > 10, named.join(' '));
	assert.deepEqual(sorted(named.filter((counter) => !counters.includes(counter))), []);
});
