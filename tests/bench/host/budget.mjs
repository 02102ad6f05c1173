/* SPDX-License-Identifier: MIT
 * What instructions on the host may cost: the file `budget`, which `make bench` writes and `make test` holds. */

import { join } from 'node:path';
import { root } from '../../common/program.mjs';
import { compare, writeBudget } from '../../size/budget.mjs';
import { compilerVersion } from '../../size/targets.mjs';

const file = join(root, 'tests/bench/host/budget');

const figuresOf = ({ pings, peers }) => new Map([['host', { compiler: compilerVersion({ prefix: '' }), figures: new Map([
	...pings.map(({ words, instructions }) => [`toolbox, ${words}: a ping`, instructions]),
	['peers: a message', Math.max(...peers.map(({ instructions }) => instructions))],
]) }]]);

export function writeHostBudget(made) {
	writeBudget(file, ['Instructions by callgrind. Each figure may grow by 2 % before `make test` fails; then either the code gets faster, or',
		'`make bench` says that the growth is meant.'], figuresOf(made));
}

/** { passed, failed, skipped, notes } */
export const compareHost = (made) => compare(file, figuresOf(made), []);
