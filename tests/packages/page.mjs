/* SPDX-License-Identifier: MIT
 * A package's page: its commands and programs, as a reader takes them out of it. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The blocks of a page: language and text, and the file's name if that stands before it. */
export const blocksOf = (page) => [...readFileSync(page, 'utf8').matchAll(/(?:^`([\w./]+)`[^\n]*:\n\n)?^```(\w*)\n([^]*?)^```$/gm)]
	.map(([, file, language, text]) => ({ file, language, text }));

/** The texts of those in a language, on the page of an unpacked archive. */
export const blocksIn = (folder, language) =>
	blocksOf(join(folder, 'README.md')).filter((block) => block.language === language).map(({ text }) => text);
