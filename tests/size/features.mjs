/* SPDX-License-Identifier: MIT
 * node features.mjs [TARGET]
 *
 * What each feature costs a program whose config is known: it is left out, and the flash that this saves is printed. Content-Length
 * takes the place of lines, as batches stand in lines only. */

import { join } from 'node:path';
import { root } from '../common/start.mjs';
import { bytesOfUnit } from './objects.mjs';
import { number, table } from './page.mjs';
import { features, refusedPrograms, without } from './programs.mjs';
import { goalsOf } from './tables.mjs';
import { isThere, targets } from './targets.mjs';

const target = targets.find(({ name }) => name === (process.argv[2] ?? goalsOf));
if (!target || !isThere(target)) throw new Error(`no compiler for ${process.argv[2] ?? goalsOf}; known: ${targets.map(({ name }) => name).join(' ')}`);

const refused = refusedPrograms();
if (refused.length > 0) throw new Error(refused.join('\n'));
const folder = join(root, 'build/size/features', target.name);
const bytes = (...options) => bytesOfUnit(target, root, folder, 'tests/size/features.c', ['-DQUASH_THE_CONFIG=device', '-Ibuild/size/one-file', ...options]);

const all = bytes(), none = bytes(...features.map(without));
console.log(table(['left out', `bytes of flash, ${target.name}`], [
	...features.map((feature) => [feature, number(all - bytes(without(feature)))]),
	['Content-Length', number(bytes('-DCONTENT_LENGTH', without('batches')) - bytes(without('batches')))],
	['all of them', number(all - none)],
	['the program with all but Content-Length', number(all)],
]));
