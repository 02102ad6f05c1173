/* SPDX-License-Identifier: MIT
 * `node tests/packages/run.mjs NAME...`: the tests of these packages, or of all of them. */

import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('.', import.meta.url));
const all = readdirSync(folder).filter((file) => file.endsWith('.test.mjs')).map((file) => file.slice(0, -9));
const names = process.argv.length > 2 ? process.argv.slice(2) : all;
for (const name of names) await import(`./${name}.test.mjs`);
