/* SPDX-License-Identifier: MIT
 * The package of npm as `make npm` has made it. */

import { cpSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { root } from '../common/start.mjs';
import { version } from '../common/version.mjs';

export const made = join(root, 'build/npm');
export const tarball = join(made, `quash-bridge-${version}.tgz`);
export const program = join(made, 'quash-bridge.mjs');
const laid = join(made, 'package');

/** The program of a copy of the package that lacks these files, or folders. It goes with the test. */
export function without(t, ...paths) {
	const folder = mkdtempSync(join(tmpdir(), 'quash-'));
	t.after(() => rmSync(folder, { recursive: true, force: true }));
	cpSync(laid, folder, { recursive: true });
	for (const path of paths) rmSync(join(folder, path), { recursive: true });
	return join(folder, 'quash-bridge.mjs');
}

/** One in which serial devices are opened by the addon, as on Windows: kinds of lines are files, and that of `stty` is not there. */
export function byAddon(t) {
	if (!existsSync(join(laid, 'node_modules/@serialport/bindings-cpp'))) throw new Error('the addon is missing: `make npm` fetches it');
	return without(t, 'kind-tty.mjs');
}
