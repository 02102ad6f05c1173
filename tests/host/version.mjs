/* SPDX-License-Identifier: MIT */

import { execFileSync } from 'node:child_process';
import { root } from './program.mjs';

/** The version, as include/quash/version.h names it. */
export const version = execFileSync('sh', ['port/package/version.sh'], { cwd: root, encoding: 'utf8' }).trim();
