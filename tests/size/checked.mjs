/* SPDX-License-Identifier: MIT
 * node checked.mjs [--write]
 *
 * What the programs of the goals weigh on a Cortex-M0+ when their config is checked on the device, and when it was checked on the PC
 * (docs/checking.md): with the library's files apart, with the config known, and that with three options of gcc more. Prints Markdown;
 * with --write docs/measured.md is made anew. */

import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { printed, root } from '../common/start.mjs';
import { bytesOfProgram, bytesOfUnit, compile, linkedSections, sourcesOf } from './objects.mjs';
import { number, table, writePlace } from './page.mjs';
import { programs } from './programs.mjs';
import { goalsOf } from './tables.mjs';
import { compilerVersion, targets } from './targets.mjs';

/** What takes less flash behind `-Os` on these programs. */
const options = ['-fno-ipa-cp', '-fno-partial-inlining', '-fno-move-loop-invariants'];

const target = targets.find(({ name }) => name === goalsOf);
const folder = join(root, 'build/size/checked');

const sum = (sections) => sections.reduce((total, { bytes }) => total + bytes, 0);

const apart = (source, words) => sum(linkedSections(target, root, folder, source, words));

/* The library as one file is in the program's unit; what the program itself takes beside it is taken off. */
function inUnit(source, words, more) {
	const tools = { ...target, flags: [...target.flags, ...more] };
	const whole = bytesOfUnit(tools, root, join(folder, 'unit'), source, [...words, '-DQUASH_THE_CONFIG=device', '-Ibuild/size/one-file']);
	return whole - bytesOfProgram(target, root, folder, source, words);
}

/* On the device, then on the PC. */
const both = (bytes) => [[], ['-DUNCHECKED']].map((words) => number(bytes(words)));

function rowOf({ way, source, options: own }) {
	const row = (bytes) => both((words) => bytes(source, [...own, ...words]));
	return [way, ...row(apart), ...row((of, words) => inUnit(of, words, [])), ...row((of, words) => inUnit(of, words, options))];
}

rmSync(folder, { recursive: true, force: true });
mkdirSync(folder, { recursive: true });
printed('port/package/join.sh', ['build/size/one-file']);
compile(target, root, folder, sourcesOf(root));
const page = table([goalsOf, 'checked on the device', 'on the PC', 'known, on the device', 'on the PC', 'with the options, on the device', 'on the PC'], programs.map(rowOf));
console.log(`Made by ${compilerVersion(target)}, at \`-Os\`; the options are ${options.map((word) => `\`${word}\``).join(' ')}.\n\n${page}`);
if (process.argv.includes('--write')) writePlace('docs/measured.md', 'checked', page);
