/* SPDX-License-Identifier: MIT
 * The MCP server that stands in the README, as a program. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printed, root } from '../common/start.mjs';
import { textsOf } from './blocks.mjs';

/** What it is made of beside its own text. */
export const port = 'build/host/libquash-posix.a';

const build = join(root, 'build/readme');

/** Its text. */
export const server = textsOf('README.md', 'c')[0] ?? '';

/* What a statement defines: a variable, or what a macro makes. */
const definedBy = (statement) => (/^(QUASH_\w+\(\w+)/m.exec(statement) ?? /(\w+)(?:\[\])? = /.exec(statement) ?? [])[1];
const statementsOf = (text) => text.split(/(?<=[;}](?: \/\*.*\*\/)?\n)/);

/** A program in C++: each statement of `changes` in the place of the one that defines the same. */
export const inCxx = (program, changes) => statementsOf(changes).reduce((text, statement) => {
	const replaced = statementsOf(text).filter((other) => /^(static const quash|QUASH)/m.test(other) && definedBy(other) === definedBy(statement));
	if (replaced.length !== 1) throw new Error(`${replaced.length} statements define ${definedBy(statement)}`);
	return text.replace(replaced[0], () => statement);
}, program);

let program = null;

/** The path of the program, compiled once a run. */
export function compiled() {
	if (program) return program;
	mkdirSync(build, { recursive: true });
	program = join(build, 'server');
	writeFileSync(`${program}.c`, server);
	printed('gcc', ['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror', '-Iinclude', '-Iport', `${program}.c`, port,
		'build/host/libquash.a', '-o', program]);
	return program;
}
