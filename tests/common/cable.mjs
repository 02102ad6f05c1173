/* SPDX-License-Identifier: MIT
 * A device on a cable that can be pulled: a program behind a serial device. */

import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { Program, hostProgram } from './program.mjs';
import { folderFor } from './start.mjs';
import { until } from './waits.mjs';

/** The serial device is `link`, which is there soon; `process` holds the other end, and `words` are for it. Without a test whoever has
 * it ends it. */
export function cableOf(t, { words = [], command = [hostProgram('toolbox')], plugged = true, link = join(folderFor(t), 'tty') } = {}) {
	const process = Program.start(t, hostProgram('tests/host/ptys'), [...words, ...(plugged ? [] : ['--unplugged']), link, '--', ...command], { endBy: 'SIGTERM' });
	const isThere = (there) => until(`${link} ${there}`, () => existsSync(link) === there);
	return { link, process, isThere,
		unplug: () => { process.signal('SIGUSR1'); return isThere(false); },
		plug: () => { process.signal('SIGUSR2'); return isThere(true); } };
}

/** The same, once it is there. */
export async function cable(t, how = {}) {
	const line = cableOf(t, how);
	await line.isThere(how.plugged ?? true);
	return line;
}
