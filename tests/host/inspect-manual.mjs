/* SPDX-License-Identifier: MIT
 * The help of inspect, its manual and its page have the same options and exit codes. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostProgram } from '../common/program.mjs';
import { skip, test } from '../common/runner.mjs';
import { printed, root, told } from '../common/start.mjs';

const manual = join(root, 'boards/host/inspect/quash-inspect.1');
const text = readFileSync(manual, 'utf8');
const page = readFileSync(join(root, 'docs/inspect.md'), 'utf8');
const found = (where, pattern) => [...new Set([...where.matchAll(pattern)].map(([, name]) => name))].sort();

test('inspect: help and manual have the same options, and the page has no other', () => {
	const help = printed(hostProgram('quash-inspect'), ['--help']);
	const options = found(help, /^ {2}(?:--help, )?--([a-z][a-z-]*)/gm);
	assert.ok(options.length > 20, help);
	assert.deepEqual(found(text, /^\.It Fl -([a-z][a-z-]*)/gm).filter((option) => option !== 'help'), options);
	assert.deepEqual(found(page.replaceAll('quash-bridge --record', ''), /`--([a-z][a-z-]*)/g)
		.filter((option) => !options.includes(option) && option !== 'help'), []);
});

test('inspect: manual and page have the same exit codes', () => {
	const [statuses] = /\.Sh EXIT STATUS\n[^]*?\.El/.exec(text);
	const codes = [...page.slice(page.indexOf('## Exit codes')).matchAll(/^\| (\d+) \|/gm)].map(([, code]) => code);
	assert.deepEqual([...statuses.matchAll(/^\.It (\d+)$/gm)].map(([, code]) => code), codes);
	assert.deepEqual(codes, ['0', '1', '2', '3', '4', '130']);
});

const formatted = told('groff', ['-mandoc', '-ww', '-Tutf8', manual]);
if (formatted.error) skip('inspect: groff reads the manual without a complaint', 'groff is missing');
else test('inspect: groff reads the manual without a complaint', () => {
	assert.deepEqual([formatted.status, formatted.stderr], [0, '']);
	assert.match(formatted.stdout, /make a request of a device/);
});
