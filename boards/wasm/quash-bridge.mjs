#!/usr/bin/env node
/* SPDX-License-Identifier: MIT
 * quash-bridge over Node: the same command line as the native program, but for what README.md names. Hosts find whatever Node stands in
 * their PATH, so this file is read by old ones too: bridge.mjs has what they do not know. */

const least = 20, exits = 2;

if (Number(process.versions.node.split('.')[0]) >= least) {
	import('./bridge.mjs').then(({ main }) => main(process.argv.slice(2)));
} else {
	process.stderr.write(`quash-bridge needs Node ${least} or newer; ${process.execPath} is ${process.version}\n`);
	process.exitCode = exits;
}
