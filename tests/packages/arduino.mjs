/* SPDX-License-Identifier: MIT
 * Sketches of the Arduino package: compiled by Debian's builder, run in simavr, called by official clients. */

import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { cable } from '../common/cable.mjs';
import { patientBridge, root } from '../common/program.mjs';
import { until } from '../common/runner.mjs';
import { emptyFolder, run, unpack } from './archives.mjs';


export const boards = {
	uno: { fqbn: 'arduino:avr:uno', mcu: 'atmega328p', flash: 32256, ram: 2048 },
	mega: { fqbn: 'arduino:avr:mega:cpu=atmega2560', mcu: 'atmega2560', flash: 253952, ram: 8192 },
};

/** A folder for libraries with ours in it, as a user has it. */
export function librariesFolder(t) {
	const folder = emptyFolder(t);
	return { folder, library: unpack('arduino', folder) };
}

const hardware = ['-hardware', '/usr/share/arduino/hardware', '-hardware', '/usr/share/arduino-builder', '-tools', '/usr/bin'];
const preferences = {
	'runtime.tools.ctags.path': '/usr/bin',
	'runtime.tools.avr-gcc.path': '/usr',
	'compiler.cpp.extra_flags': '-DDECIMAL_DIG=__DECIMAL_DIG__', // Debian's core needs that of its compiler
};

/** Compiles a sketch with all warnings: what was printed, the image, and the words of the builder about its size. `link` are words for the
 * compiler as it links. */
export function compiled(t, libraries, sketch, { fqbn, link = '' }) {
	const out = emptyFolder(t);
	const words = { ...preferences, 'compiler.c.elf.extra_flags': link };
	const text = run('sh', ['-c', 'exec "$0" "$@" 2>&1', 'arduino-builder', '-compile', ...hardware, '-libraries', libraries, '-fqbn', fqbn,
		'-build-path', out, '-warnings', 'all', ...Object.entries(words).flatMap(([name, value]) => ['-prefs', `${name}=${value}`]), sketch]);
	return { text, image: join(out, `${basename(sketch)}.elf`) };
}

/** The warnings that are not about the core of Debian's package. */
export const warningsIn = (text) => text.split('\n').filter((line) => /(warning|error):/.test(line) && !/^\/usr\/share\/arduino\//.test(line));

let runner = null;

/** The simulated board, compiled once. */
function boardProgram() {
	if (runner) return runner;
	runner = join(root, 'build/arduino/board');
	mkdirSync(join(root, 'build/arduino'), { recursive: true });
	run('gcc', ['-std=c11', '-O2', '-Wall', '-Wextra', '-o', runner, join(root, 'tests/packages/arduino/board.c'), '-lsimavr']);
	return runner;
}

/** A board with that image; `command` starts it, and the rest looks at it. */
export function boardOf(t, image, { mcu }, { uart = 0, pin = 'B5' } = {}) {
	const file = join(emptyFolder(t), 'report');
	const report = () => Object.fromEntries([...readFileSync(file, 'utf8').matchAll(/(\w+) (\d+)/g)].map(([, name, n]) => [name, Number(n)]));
	return {
		command: [boardProgram(), mcu, image, String(uart), pin, file],
		/** What it reports once `good` holds for it. */
		reports: (what, good = () => true) => until(what, () => existsSync(file) && good(report()) && report()),
		console: () => readFileSync(`${file}.console`, 'latin1'),
	};
}

/** The same at the end of a cable: a serial device. */
export const plugged = async (t, { command }) => (await cable(t, { command })).link;

/** An official client, connected through the bridge; `how` are the words that name the device. */
export async function connected(t, flavour, how) {
	const client = flavour.newClient();
	const transport = flavour.newTransport({ command: patientBridge[0], args: [...patientBridge.slice(1), '--log', 'warning', ...how], stderr: 'ignore' });
	t.after(() => client.close());
	await client.connect(transport);
	return {
		client, transport,
		call: (name, args, options) => flavour.callTool(client, { name, arguments: args }, options),
	};
}
