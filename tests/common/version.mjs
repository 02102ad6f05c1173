/* SPDX-License-Identifier: MIT */

import { printed } from './start.mjs';

/** The version, as include/quash/version.h names it. */
export const version = printed('sh', ['port/package/version.sh']).trim();

/** Without the mark of a version between releases; and as names of the linker have it. */
export const numbers = version.replace(/-dev$/, '');
export const linked = version.replaceAll(/[.-]/g, '_');

/** The text of include/quash/version.h for another patch version. */
export const withPatch = (header, patch) => header.replace(/(QUASH_VERSION_PATCH) \d+/, `$1 ${patch}`);
