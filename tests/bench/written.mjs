/* SPDX-License-Identifier: MIT
 * `count.mjs --write`, for tests/interop/run.sh, which installs the emulator of the pico but hands no option on. */

process.argv.push('--write');
await import('./count.mjs');
