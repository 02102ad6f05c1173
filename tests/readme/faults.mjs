/* SPDX-License-Identifier: MIT
 * A program that calls quash_init, on a page or among the examples of a package, shows in words why its config is refused; one
 * that traces shows events so. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { pagesOf } from './blocks.mjs';

const read = (path) => readFileSync(join(root, path), 'utf8');

const examples = readdirSync(join(root, 'port'), { recursive: true }).map((path) => join('port', path))
	.filter((path) => /\/(?:examples|samples)\/.*\.(?:c|ino)$/.test(path)).map((path) => ({ path, text: read(path) }));
const programs = pagesOf(root).flatMap((path) => [...read(path).matchAll(/^```c(?:pp)?\b.*\n([^]*?)^```$/gm)].map(([, text]) => ({ path, text })));

/* An unchecked start needs what has checked: the header that the check on the PC writes, or tables of C++ that the compiler looks at. */
const isUnchecked = (text) => /\bquash_start\(/.test(text) && !/^#include "quash_checked_\w+\.h"$/m.test(text) && !/\.mcp\(\w+, \w+\)/.test(text);

const isMute = (text) => /\bquash_init\(/.test(text) && !/\b(?:quash_fault_line|posix_serve_explain)\(/.test(text) ||
	/\bquash_event event\b/.test(text) && !/\bquash_event_text\(/.test(text);

test('programs on pages and examples show faults and events in words', () => {
	const all = [...examples, ...programs];
	assert.ok(all.filter(({ text }) => /\bquash_init\(/.test(text)).length > 12);
	assert.deepEqual(all.filter(({ text }) => isMute(text)).map(({ path }) => path), []);
	assert.ok(isMute('quash_init(&peer, &config, NULL);') && isMute('void trace(quash_peer *peer, quash_event event)'));
});

test('what a program on a page or an example starts unchecked was checked before', () => {
	assert.deepEqual([...examples, ...programs].filter(({ text }) => isUnchecked(text)).map(({ path }) => path), []);
	assert.ok(isUnchecked('enum { quash_checked_config };\nquash_start(&peer, config);'));
	assert.ok(!isUnchecked('#include "quash_checked_config.h"\nquash_start(&peer, config);'));
});
