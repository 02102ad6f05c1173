/* SPDX-License-Identifier: MIT
 * The kinds of lines to devices. Each file kind-NAME.mjs beside this one has one, and is all that knows of it:
 *
 *     export const kind = { name, rank, open(device, line) };
 *
 * `name` is that of the options: `tty:`, `tcp:`, `unix:` or `exec:`. Of several with one name the highest `rank` is taken. `open` gives its
 * line a link, as line.mjs has it, now or later; whatever it throws is why it could not. */

import { readdir } from 'node:fs/promises';

const here = new URL('.', import.meta.url);

/** By name. */
export async function findKinds() {
	const files = (await readdir(here)).filter((file) => /^kind-.*\.mjs$/.test(file));
	const all = await Promise.all(files.map(async (file) => (await import(new URL(file, here))).kind));
	return new Map(all.sort((a, b) => a.rank - b.rank).map((kind) => [kind.name, kind]));
}
