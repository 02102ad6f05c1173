/* SPDX-License-Identifier: MIT */

/** Program and version of these files, which are those of the module. port/package/version.sh writes it. */
export const program = 'quash-bridge 0.4.0-dev';
