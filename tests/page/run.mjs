/* SPDX-License-Identifier: MIT
 * Tests of the page in Chromium: node run.mjs [NAME...]
 *
 * Each file *.test.mjs beside this one has a subject of its own. */

import { readdirSync } from 'node:fs';
import { isInstalled, whyMissing } from '../common/npm/modules.mjs';
import { skipAll, test } from '../common/runner.mjs';
import { closeBrowser } from './browser.mjs';

const found = readdirSync(new URL('.', import.meta.url)).filter((name) => name.endsWith('.test.mjs')).map((name) => name.replace('.test.mjs', ''));
const names = process.argv.length > 2 ? process.argv.slice(2) : found;

if (!isInstalled('playwright-core')) skipAll(whyMissing);
for (const name of names) await import(`./${name}.test.mjs`);
test('page: the browser ends', closeBrowser);
