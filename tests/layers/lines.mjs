/* SPDX-License-Identifier: MIT
 * node lines.mjs [COMMIT]
 *
 * How many lines the host's sources have, room by room, and the tests: of what git knows, now or in a commit. */

import { pathToFileURL } from 'node:url';
import { root } from '../common/program.mjs';
import { printed } from '../common/start.mjs';

const folder = 'boards/host/';

/* A room is a folder; what stands beside the folders is `boards/host` itself. */
const roomOf = (path) => (path.slice(folder.length).includes('/') ? path.slice(0, path.indexOf('/', folder.length)) : 'boards/host');

/** Room -> lines, those of `tests`, of all kinds of text, last. */
export function linesByRoom(tree, commit) {
	const counted = printed('git', ['grep', '-I', '-c', '', ...(commit ? [commit] : []), '--', 'boards/host', 'tests'], { cwd: tree });
	const files = [...counted.matchAll(/^(?:[^:\n]*:)?([^:\n]+):(\d+)$/gm)].map(([, path, lines]) => [path, Number(lines)]);
	const sources = files.filter(([path]) => path.startsWith(folder) && /\.[ch]$/.test(path));
	const rooms = new Map();
	for (const [path, lines] of sources) rooms.set(roomOf(path), (rooms.get(roomOf(path)) ?? 0) + lines);
	const sum = (list) => list.reduce((total, [, lines]) => total + lines, 0);
	return [...[...rooms].sort(), ['all of boards/host', sum(sources)], ['tests', sum(files.filter(([path]) => path.startsWith('tests/')))]];
}

if (import.meta.url === pathToFileURL(process.argv[1]).href)
	for (const [room, lines] of linesByRoom(root, process.argv[2])) console.log(`${room}: ${lines}`);
