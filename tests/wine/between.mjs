/* SPDX-License-Identifier: MIT
 * node.exe between.mjs COMMAND [ARG...]
 *
 * Starts a command with its own stdin, stdout and stderr, and ends with it. The command is detached: else Windows ends it with a
 * parent that is Node, as libuv wishes, and nothing would be left to see. */

import { spawn } from 'node:child_process';

const [program, ...words] = process.argv.slice(2);
spawn(program, words, { stdio: 'inherit', detached: true }).on('exit', (code) => process.exit(code ?? 1));
