/* SPDX-License-Identifier: MIT
 * The table of floors, see the file `floors`. */

import { basename, dirname } from 'node:path';

const words = (text = '') => text.split(/\s+/).filter(Boolean);
const plainName = (path) => basename(path).replace(/\.[ch]$/, '');

/** Reads the table: on which line the folder of a file in src/, or a public header, stands, and what place a file has among
 * those of its folder, or a public header among all (-1: none). */
export function parseFloors(text) {
	const lines = text.split('\n').filter((line) => line.trim() && !line.startsWith('#'))
		.map((line) => line.split(':').map(words));
	const orders = new Map(lines.filter(([names]) => names[1] === 'order').map(([[folder], files]) => [folder, files]));
	const floors = lines.filter(([names]) => names[1] !== 'order').map(([folders, headers]) => ({ folders, headers }));
	const order = floors.flatMap(({ headers }) => headers);
	const folderOf = (path) => /^src\/(\w+)\/[^/]+$/.exec(path)?.[1];
	return {
		folderOf,
		ofFile: (path) => floors.findIndex(({ folders }) => folders.includes(folderOf(path))),
		inFolder(path) {
			const files = orders.get(basename(dirname(path)));
			return files ? files.indexOf(plainName(path)) : 0;
		},
		ofHeader: (name) => floors.findIndex(({ headers }) => headers.includes(name)),
		order: (name) => order.indexOf(name),
	};
}
