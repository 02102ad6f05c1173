/* SPDX-License-Identifier: MIT
 * The component in projects of ESP-IDF: how stubs build them, and how a test reaches what they run. */

import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { createConnection } from 'node:net';
import { dirname, join } from 'node:path';
import { root } from '../common/program.mjs';
import { until } from '../common/runner.mjs';
import { emptyFolder, forTheRun, run, unpack } from './archives.mjs';
import { pythonModule } from './tools.mjs';

export const tools = ['cmake', pythonModule('kconfiglib')];

export const stubs = join(root, 'tests/packages/esp-idf');
export const environment = { ...process.env, PATH: `${join(stubs, 'bin')}:${process.env.PATH}` };
export const idf = (project, words, version = '5.5') =>
	run('idf.py', words, { cwd: project, env: { ...environment, STUB_IDF_VERSION: version } });
export const projectOf = (component, example) => join(component, 'examples', example);

/** Settings in place of those that the project has, or beside them. */
export function settings(project, ...lines) {
	const path = join(project, 'sdkconfig.defaults');
	const keyOf = (line) => line.split('=')[0];
	const kept = readFileSync(path, 'utf8').split('\n').filter((line) => !lines.some((other) => keyOf(other) === keyOf(line)));
	writeFileSync(path, [...kept, ...lines, ''].join('\n'));
}

export const loopback = ['CONFIG_QUASH_TCP_ADDRESS="127.0.0.1"', 'CONFIG_QUASH_TCP_PORT=0'];
const programs = new Map();
let built = null;

/** Builds a copy of the example once for all tests, with `main` in place of its server's file if given, and as `edit` has
 * changed it. */
export function programOf(name, { example, main, lines = [], edit = () => {} }) {
	built ??= unpack('esp-idf', emptyFolder(forTheRun));
	if (programs.has(name)) return programs.get(name);
	const project = join(dirname(projectOf(built, example)), name);
	cpSync(projectOf(built, example), project, { recursive: true });
	edit(project);
	if (main) writeFileSync(join(project, `main/${example}_server.c`), main);
	settings(project, ...lines);
	idf(project, ['set-target', 'linux', 'build']);
	programs.set(name, join(project, `build/quash_${example}.elf`));
	return programs.get(name);
}

/** A device on TCP; `number` is its port's. */
export async function listening(t, device) {
	const [, number] = await until('the device to listen', () => /listens at 127\.0\.0\.1:(\d+)/.exec(device.stderr));
	return { device, number: Number(number), log: () => device.stderr };
}

/** A client without a bridge: it transmits what it likes. */
export async function plainClient(t, number) {
	const socket = createConnection(number, '127.0.0.1');
	const client = { socket, text: '', closed: false, ask: (message) => socket.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`) };
	t.after(() => socket.destroy());
	socket.setEncoding('utf8').on('data', (text) => { client.text += text; });
	socket.on('error', () => {}).on('close', () => { client.closed = true; });
	await until('the connection', () => !socket.connecting);
	return client;
}
