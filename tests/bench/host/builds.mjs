/* SPDX-License-Identifier: MIT
 * How the host's toolbox is built, for each of its figures. */

import { join } from 'node:path';
import { hostProgram, root } from '../../common/program.mjs';

/** `name` is that of the server, where it is measured as one; `most` are the instructions that a ping is to take at most. */
export const builds = [
	{ words: 'compiled separately', name: 'quash', program: hostProgram('toolbox'), most: 8400 },
	{ words: 'config known', name: 'quash, config known', program: join(root, 'build/bench/known/host/tests/bench/host/known'), most: 6700 },
	{ words: '-flto', program: join(root, 'build/bench/lto/host/toolbox'), most: 6700 },
];

/** Those that are measured beside other servers. */
export const served = builds.filter(({ name }) => name);
