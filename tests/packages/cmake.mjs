/* SPDX-License-Identifier: MIT
 * What the tests of CMake share: the archive in an empty folder, its page, and projects of the user's own beside it. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { block } from '../readme/blocks.mjs';
import { emptyFolder, pageOf, run, unpack } from './archives.mjs';

export const tools = ['cmake', 'ninja', 'pkg-config'];
/* Ninja takes less of the processor than make. */
export const env = { ...process.env, CMAKE_BUILD_PARALLEL_LEVEL: '2', CMAKE_PREFIX_PATH: '', CMAKE_GENERATOR: 'Ninja' };
/* What the blocks of the page are known by. */
export const main = 'project(device LANGUAGES C)';
export const find = 'find_package(quash';

export const cmake = (folder, ...args) => run('cmake', args, { cwd: folder, env });
export const shell = (folder, text, more = {}) => run('sh', ['-ec', text], { cwd: folder, env: { ...env, HOME: folder, ...more } });

/** A folder with the archive unpacked in it; the path of its page, too. */
export function withArchive(t) {
	const folder = emptyFolder(t);
	return { folder, page: pageOf(unpack('cmake', folder)) };
}

/** A project of the user's own. */
export function project(folder, lists, sources = {}) {
	mkdirSync(folder, { recursive: true });
	writeFileSync(join(folder, 'CMakeLists.txt'), lists);
	for (const [name, text] of Object.entries(sources)) writeFileSync(join(folder, name), text);
	return folder;
}

/* The beginning of a file, the commands that build, and the program. */
export const begin = 'cmake_minimum_required(VERSION 3.14)\nproject(device LANGUAGES C)\n';
export const build = (page) => block(page, 'sh', 'cmake -S . -B build');
export const device = (page) => ({ 'device.c': block(page, 'c', 'int main') });
