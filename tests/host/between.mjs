/* SPDX-License-Identifier: MIT
 * node between.mjs INPUT COMMAND [ARG...]
 *
 * Starts a command that reads this descriptor, and writes where this program does, and ends with it: a host that is about to die, or, with
 * descriptor 0, what stands between host and command and only waits, as npx does. */

import { spawn } from 'node:child_process';

const [input, program, ...words] = process.argv.slice(2);
spawn(program, words, { stdio: [Number(input), 'inherit', 'inherit'] }).on('exit', (code) => process.exit(code ?? 1));
