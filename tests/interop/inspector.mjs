/* SPDX-License-Identifier: MIT
 * The Inspector's command line, as a process of its own. */

import assert from 'node:assert/strict';
import { until } from '../common/runner.mjs';
import { started } from '../common/start.mjs';
import { pathOf } from './modules.mjs';
import { Tap } from './session.mjs';

/** The path of its program. */
export const inspector = () => pathOf('@modelcontextprotocol/inspector/cli/build/cli.js');

/** Runs it on a server, see Tap. It starts processes of its own. */
export async function inspect(t, server, ...words) {
	const tap = Tap.open(t, server);
	const args = [inspector(), '--cli', tap.command, ...tap.args, ...words];
	const child = started(t, [process.execPath, ...args], { stdio: ['ignore', 'pipe', 'pipe'], group: true });
	const code = await child.ended;
	const exit = await until('the end of the server', () => tap.wires()[0]?.exit);
	assert.deepEqual([exit.code, exit.signal], [0, null], 'the server ends with its input');
	return { code, stdout: child.said, said: child.said + child.errors };
}

/** What it prints. */
export async function inspected(t, server, ...words) {
	const { code, stdout, said } = await inspect(t, server, ...words);
	assert.equal(code, 0, said);
	return JSON.parse(stdout);
}

export const call = (tool, ...pairs) => ['--method', 'tools/call', '--tool-name', tool, ...pairs.flatMap((pair) => ['--tool-arg', pair])];
