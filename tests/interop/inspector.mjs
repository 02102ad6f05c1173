/* SPDX-License-Identifier: MIT
 * The Inspector's command line, as a process of its own. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { until } from '../common/runner.mjs';
import { pathOf } from './modules.mjs';
import { Tap } from './session.mjs';

/** The path of its program. */
export const inspector = () => pathOf('@modelcontextprotocol/inspector/cli/build/cli.js');

/** The Inspector starts processes of its own: they form one group, which is ended by its pid. */
export function endGroup(child) {
	try {
		process.kill(-child.pid, 'SIGKILL');
	} catch (error) {
		if (error.code !== 'ESRCH') throw error;
	}
}

function gather(stream) {
	const all = { text: '' };
	stream.setEncoding('utf8').on('data', (text) => { all.text += text; });
	return all;
}

/** Runs it on a server, see Tap. */
export async function inspect(t, server, ...words) {
	const tap = Tap.open(t, server);
	const args = [inspector(), '--cli', tap.command, ...tap.args, ...words];
	const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'], detached: true });
	t.after(() => endGroup(child));
	const [stdout, stderr] = [gather(child.stdout), gather(child.stderr)];
	const code = await new Promise((resolve) => child.on('close', resolve));
	const exit = await until('the end of the server', () => tap.wires()[0]?.exit);
	assert.deepEqual([exit.code, exit.signal], [0, null], 'the server ends with its input');
	return { code, stdout: stdout.text, said: stdout.text + stderr.text };
}

/** What it prints. */
export async function inspected(t, server, ...words) {
	const { code, stdout, said } = await inspect(t, server, ...words);
	assert.equal(code, 0, said);
	return JSON.parse(stdout);
}

export const call = (tool, ...pairs) => ['--method', 'tools/call', '--tool-name', tool, ...pairs.flatMap((pair) => ['--tool-arg', pair])];
