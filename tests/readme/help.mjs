/* SPDX-License-Identifier: MIT
 * The options that a program's --help names. */

import assert from 'node:assert/strict';
import { printed } from '../common/start.mjs';

/** Its help without what it has of another program's. */
export const helpOf = (program) => printed(program, ['--help']).replace(/quash-\w+ --\w+/g, '');

/** The options in it, sorted. */
export function optionsOf(program) {
	const help = helpOf(program);
	const options = [...new Set([...help.matchAll(/(?<![\w-])--[a-z][a-z-]*/g)].map(([option]) => option))].sort();
	assert.ok(options.length > 15, help);
	return options;
}
