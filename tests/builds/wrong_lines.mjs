/* SPDX-License-Identifier: MIT
 * What quash_init says of wrong tables in C, of which one program has all, and how C++ words it. As a command: writes both into
 * docs/checking.md. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { printed, root } from '../common/start.mjs';
import { writePlace } from '../size/page.mjs';
import { found } from './wrong_cases.mjs';

export const build = join(root, 'build/wrong');
mkdirSync(build, { recursive: true });

export const prelude = `#include "quash.h"
struct turn { int32_t ms, other; double number; uint8_t mood; char text[4]; };
struct large { char text[2 * sizeof(struct turn)]; };
struct other { char before[sizeof(struct turn)]; int32_t far; };
`;

/** The names of the tables. */
export const words = Object.keys(found);

const inC = `#include <stdio.h>
${prelude}static const quash_param turn_list[] = { QUASH_ARG_INT(struct turn, ms, 1, 9, "a") };
static const quash_params turn_params = QUASH_PARAMS(struct turn, turn_list);
static const char *const moods[] = { "glad", "gloomy", NULL };
static const quash_range half = { 0, 1, 2 };
static quash_group arm;
static int32_t handler(quash_request *request) { (void)request; return QUASH_DONE; }
static int32_t off(quash_request *request) { (void)request; return QUASH_DONE; }
static void show(const quash_config *config)
{
	static quash_peer peer;
	quash_fault fault;
	char line[400] = "nothing";
	if (!quash_init(&peer, config, &fault))
		quash_fault_line(&fault, line, sizeof line);
	puts(line);
}
${words.map((name, i) => `static void case_${i}(void)\n{\n${found[name].c}\nshow(&config);\n}`).join('\n')}
int main(void)
{
	(void)turn_params, (void)moods, (void)half, (void)arm, (void)off;
${words.map((_, i) => `\tcase_${i}();`).join('\n')}
	return 0;
}
`;

/** The lines of quash_init, by case. */
export function linesOfC() {
	writeFileSync(join(build, 'wrong.c'), inC);
	printed('gcc', ['-std=c11', '-Wno-override-init', '-Iinclude', join(build, 'wrong.c'), 'build/host/libquash.a', '-o', join(build, 'wrong')]);
	return printed(join(build, 'wrong'), []).trimEnd().split('\n');
}

const tables = ['config', 'methods', 'tools', 'server', 'prompts', 'resources'];

/** As C++ has it: a table of params has the name of its tool in C. */
export function inWords(line) {
	const [, table, member] = /^(\w*)(?:\[\d+\])?.*?: (.*)$/.exec(line);
	const size = /^(\w[\w.]*) \d+, (needs|at most) \d+$/.exec(member);
	const text = size ? `${size[1]} is too ${size[2] === 'needs' ? 'small' : 'large'}` : member;
	return tables.includes(table) ? `${table}::${text.replace(/\W+/g, '_')}` : `params: ${text}`;
}

/* --- On docs/checking.md */

/* What a reader writes in words is short; a name of a hundred letters is not. */
const cell = (text) => `\`${text.replace(/(\w)\1{20,}/g, '$1...')}\``;

/** Side by side: what a config of C hears of quash_init, and a table of C++11 of its compiler. */
export const sideBySide = (lines = linesOfC()) => ['| wrong | `quash_init` in C | the error of C++11 |', '|---|---|---|',
	...lines.map((line, i) => `| ${words[i]} | ${cell(line)} | ${cell(inWords(line))} |`)].join('\n');

if (process.argv[1] === fileURLToPath(import.meta.url)) writePlace('docs/checking.md', 'wrong-tables', sideBySide());
