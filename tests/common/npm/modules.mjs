/* SPDX-License-Identifier: MIT
 * The npm packages, as install.sh installs them from the lock file. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const folder = fileURLToPath(new URL('../../../build/npm', import.meta.url));
const require = createRequire(join(folder, 'package.json'));

/** The path of a file of a package, or of the package. */
export const partOf = (name, path = '') => join(folder, 'node_modules', name, path);

export const isInstalled = (name) => existsSync(partOf(name, 'package.json'));

export const installed = existsSync(join(folder, 'node_modules'));
export const whyMissing = `the npm packages are not installed under ${folder}: tests/common/npm/install.sh does it, with a network`;

/** A module of an installed package; empty when nothing is installed, for every test is skipped then. */
export const load = (name) => (installed ? require(name) : {});

export const pathOf = (name) => require.resolve(name);

export const manifestOf = (name) => JSON.parse(readFileSync(partOf(name, 'package.json'), 'utf8'));

/** The path of a package's program, which has the package's name. */
export const programOf = (name) => partOf(name, manifestOf(name).bin[name]);

/** The same for a package that can only be imported: its main entry, or another one. */
export async function loadModern(name, entry = '.') {
	if (!installed) return {};
	const { import: path } = manifestOf(name).exports[entry];
	return import(pathToFileURL(partOf(name, path.default ?? path)).href);
}
