/* SPDX-License-Identifier: MIT
 * The archives of `make packages`, unpacked outside of the tree: what a user has, and nothing else. */

import assert from 'node:assert/strict';
import { cpSync, lstatSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { printed, root } from '../common/start.mjs';
import { version } from '../common/version.mjs';

const packages = join(root, 'build/packages');
const made = new Set();

/** Runs a command and returns what it printed on standard output; when it fails, the error has all that it printed. */
export function run(command, args, options = {}) {
	try {
		return printed(command, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
	} catch (error) {
		throw new Error(`${command} ${args.join(' ')}: ${error.message}\n${error.stdout ?? ''}\n${error.stderr ?? ''}`);
	}
}

/** An empty folder outside of the tree, removed with the test. */
export function emptyFolder(t) {
	const folder = mkdtempSync(join(tmpdir(), 'quash-package-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	return folder;
}

const afterRun = [];
process.once('exit', () => afterRun.forEach((cleanup) => cleanup()));

/** In place of a test, for what stays until all tests have run. */
export const forTheRun = { after: (cleanup) => afterRun.push(cleanup) };

/** The path of a package's archive, which is made once a run. */
export function archiveOf(name) {
	if (!made.has(name)) run('make', ['-s', 'packages', `PACKAGES=${name}`], { cwd: root });
	made.add(name);
	const start = name === 'source' ? `quash-${version}.` : `quash-${name}-${version}.`;
	const file = readdirSync(packages).find((other) => other.startsWith(start));
	assert.ok(file, `an archive of ${name} in build/packages`);
	return join(packages, file);
}

/** Unpacks an archive into a folder; returns the path of the one folder that is in it. */
export function unpack(name, folder) {
	const archive = archiveOf(name);
	const before = new Set(readdirSync(folder));
	if (archive.endsWith('.zip')) run('unzip', ['-q', archive, '-d', folder]);
	else run('tar', ['-xzf', archive, '-C', folder]);
	const tops = readdirSync(folder).filter((top) => !before.has(top));
	assert.equal(tops.length, 1, `one folder in ${archive}`);
	return join(folder, tops[0]);
}

/** Copies an archive into a folder, as somebody has downloaded it. */
export const putArchive = (name, folder) => cpSync(archiveOf(name), join(folder, basename(archiveOf(name))));

/** The paths of all files below a folder, from there. */
export const filesIn = (folder) => readdirSync(folder, { recursive: true })
	.filter((name) => !lstatSync(join(folder, name)).isDirectory()).sort();

/** The page of a package's folder. */
export const pageOf = (folder) => join(folder, 'README.md');
