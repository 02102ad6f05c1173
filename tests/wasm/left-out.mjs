/* SPDX-License-Identifier: MIT
 * node left-out.mjs
 *
 * Prints what WITHOUT is for black-box tests of the bridge with the shell of Node: the words of the table in boards/wasm/README.md. */

import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/start.mjs';

const page = readFileSync(join(root, 'boards/wasm/README.md'), 'utf8');

/** The words of the table: what tests need that the shell of Node does not do. */
export const leftOut = [...page.matchAll(/^\| `([a-z-]+)` \| [^|]+ \| [^|]+ \|$/gm)].map(([, word]) => word);

/** What tests of the bridge are marked with, once each. */
export function marks() {
	const folder = join(root, 'tests/host'), files = readdirSync(folder).filter((file) => /^bridge-.*\.mjs$/.test(file));
	const all = files.flatMap((file) => [...readFileSync(join(folder, file), 'utf8').matchAll(/needs: \[([^\]]*)\]/g)]);
	return [...new Set(all.flatMap(([, one]) => [...one.matchAll(/'([a-z-]+)'/g)].map(([, word]) => word)))];
}

if (process.argv[1] === import.meta.filename) console.log(leftOut.join(' '));
