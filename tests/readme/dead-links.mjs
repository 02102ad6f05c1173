/* SPDX-License-Identifier: MIT
 * Links that lead neither to a public address, nor to a file that is there, nor to a heading that it has. */

import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { withoutBlocks } from './blocks.mjs';

/* What a link has behind its `#` for a heading. */
const anchorOf = (heading) => heading.trim().toLowerCase().replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
	.replace(/[^\p{L}\p{N}\- _]/gu, '').replaceAll(' ', '-');

const anchorsOf = (text) => [...withoutBlocks(text).matchAll(/^#+ (.*)$/gm)].map(([, heading]) => anchorOf(heading));

/** The links of a text at `page` in a folder that lead nowhere in it. */
export function deadLinks(folder, page, text) {
	const targets = [...withoutBlocks(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, target]) => target).filter((target) => !/^https?:/.test(target));
	return targets.filter((target) => {
		const [path, anchor] = target.split('#');
		const file = path ? join(folder, dirname(page), path) : join(folder, page);
		if (!existsSync(file)) return true;
		return anchor !== undefined && !anchorsOf(path ? readFileSync(file, 'utf8') : text).includes(anchor);
	});
}
