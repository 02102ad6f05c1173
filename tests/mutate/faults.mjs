/* SPDX-License-Identifier: MIT
 * Faults that the changelog has mended, each put back by a patch in faults/. Its first line names the entry. */
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

export const patchesIn = (folder) => readdirSync(folder).filter((name) => name.endsWith('.patch')).sort().map((name) => join(folder, name));

/** The files that a patch changes. */
export const pathsIn = (patch) => [...readFileSync(patch, 'utf8').matchAll(/^\+\+\+ b\/(\S+)$/gm)].map(([, path]) => path);

/** What a patch makes of the tree at `root`, path -> text; throws if it does not apply. */
export function patched(root, patch) {
	const paths = pathsIn(patch);
	const made = join(root, 'build/worth');
	mkdirSync(made, { recursive: true });
	const folder = mkdtempSync(join(made, 'patched-'));
	try {
		for (const path of paths) {
			mkdirSync(dirname(join(folder, path)), { recursive: true });
			copyFileSync(join(root, path), join(folder, path));
		}
		const { status, stderr } = spawnSync('git', ['apply', `--directory=${relative(root, folder)}`, patch], { cwd: root, encoding: 'utf8' });
		if (status !== 0) throw new Error(`${patch} does not apply: ${stderr}`);
		return new Map(paths.map((path) => [path, readFileSync(join(folder, path), 'utf8')]));
	} finally {
		rmSync(folder, { recursive: true, force: true });
	}
}
