/* SPDX-License-Identifier: MIT
 * The npm packages, as install.sh installs them from the lock file. */

import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { root } from '../common/program.mjs';

export const folder = resolve(process.env.INTEROP_MODULES ?? join(root, 'build/interop'));
const require = createRequire(join(folder, 'package.json'));

export const installed = existsSync(join(folder, 'node_modules'));
export const whyMissing = `the npm packages are not installed under ${folder}: tests/interop/install.sh does it, with a network`;

/** A module of an installed package; empty when nothing is installed, for every test is skipped then. */
export const load = (name) => (installed ? require(name) : {});

export const pathOf = (name) => require.resolve(name);

const partOf = (name, path) => join(folder, 'node_modules', name, path);
const manifestOf = (name) => JSON.parse(readFileSync(partOf(name, 'package.json'), 'utf8'));

/** The path of a package's program, which has the package's name. */
export const programOf = (name) => partOf(name, manifestOf(name).bin[name]);

/** The same for a package that can only be imported: its main entry, or another one. */
export async function loadModern(name, entry = '.') {
	if (!installed) return {};
	const { import: path } = manifestOf(name).exports[entry];
	return import(pathToFileURL(partOf(name, path.default ?? path)).href);
}
