/* SPDX-License-Identifier: MIT */

import { execFileSync } from 'node:child_process';
import { root } from './program.mjs';

/** The version, as include/quash/version.h names it. */
export const version = execFileSync('sh', ['port/package/version.sh'], { cwd: root, encoding: 'utf8' }).trim();

/** The text of include/quash/version.h for another patch version. */
export const withPatch = (header, patch) => header.replace(/(QUASH_VERSION_PATCH) \d+/, `$1 ${patch}`);
