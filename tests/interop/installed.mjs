/* SPDX-License-Identifier: MIT
 * The npm packages, as install.sh installs them from the lock file. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../host/program.mjs';

export const folder = resolve(process.env.INTEROP_MODULES ?? join(root, 'build/interop'));
const require = createRequire(join(folder, 'package.json'));

export const installed = existsSync(join(folder, 'node_modules'));
export const whyMissing = `the npm packages are not installed under ${folder}: tests/interop/install.sh does it, with a network`;

/** A module of an installed package; empty when nothing is installed, for every test is skipped then. */
export const load = (name) => (installed ? require(name) : {});

export const pathOf = (name) => require.resolve(name);

/** The same for a package that can only be imported: its main entry. */
export async function loadModern(name) {
	if (!installed) return {};
	const directory = join(folder, 'node_modules', name);
	const { exports } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
	return import(pathToFileURL(join(directory, exports['.'].import)).href);
}
