/* SPDX-License-Identifier: MIT
 * Programs whose input stays open, held by the test, while whoever started them ends. */

import { execFileSync } from 'node:child_process';
import { closeSync, constants, createWriteStream, openSync } from 'node:fs';
import { join } from 'node:path';
import { greet } from '../common/client.mjs';
import { Program } from '../common/program.mjs';
import { folderFor } from '../common/start.mjs';

const between = join(import.meta.dirname, 'between.mjs');

/** The words that start a command which reads this descriptor, and wait for it. */
export const startedBy = (command, input = 0) => [process.execPath, between, String(input), ...command];

/** A shell between, which waits, and says on stderr how the command has ended. */
export const throughShell = (command) => ['sh', '-c', '"$@"; echo "exit code $?" >&2', 'sh', ...command];

function pipeFor(t) {
	const path = join(folderFor(t), 'pipe');
	execFileSync('mkfifo', [path]);
	const reads = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK), writes = createWriteStream(null, { fd: openSync(path, constants.O_WRONLY) });
	t.after(() => new Promise((resolve) => { writes.close(resolve); }));
	return { reads, writes };
}

/** Starts a command whose client is the test, and which gets its input as descriptor 0, or as 3 and its output as 4. All that it starts
 * ends with the test. */
export function holding(t, [path, ...words], { dialect = 'mcp', at = 0 } = {}) {
	const { reads, writes } = pipeFor(t), stdio = at === 0 ? [reads, 'pipe', 'pipe'] : ['pipe', 'pipe', 'pipe', reads, 'pipe'];
	const program = Program.start(t, path, words, { dialect, group: true, stdio });
	closeSync(reads);
	if (at !== 0) program.readsFrom(program.child.stdio[4]);
	program.output = writes;
	return program;
}

/** Kills what `holding` has started while a call runs at the device: the bridge sees it, cancels and ends. */
export async function endsWithItsHost(client, device) {
	await greet(client);
	const line = await device.ready();
	client.ask('tools/call', { name: 'work' });
	await line.takes('tools/call');
	client.child.kill('SIGKILL');
	await line.takes('notifications/cancelled');
	await client.says(/^quash-bridge: info: the program that has started the bridge has ended$/m);
	await line.closes();
}
