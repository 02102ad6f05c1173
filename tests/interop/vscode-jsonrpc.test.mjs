/* SPDX-License-Identifier: MIT
 * The langserver of the host, driven by vscode-jsonrpc; and what a process says with its exit code. */

import assert from 'node:assert/strict';
import { hostProgram } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { Editor } from './editor.mjs';
import { testLspScenarios } from './lsp-scenarios.mjs';

const how = { command: [hostProgram('langserver')] };
const name = (text) => `vscode-jsonrpc 10.0.0: ${text}`;

testLspScenarios('', how);

test(name('exit without shutdown: code 1'), async (t) => {
	const editor = await Editor.open(t, how);
	await editor.connection.sendNotification('exit');
	assert.equal((await editor.program.exit()).code, 1);
});

test(name('end of input without shutdown: code 1'), async (t) => {
	const editor = await Editor.open(t, how);
	editor.connection.end();
	assert.equal((await editor.program.exit()).code, 1);
});

test(name('end of input behind shutdown: code 0'), async (t) => {
	const editor = await Editor.open(t, how);
	assert.equal(await editor.ask('shutdown'), null);
	editor.connection.end();
	assert.equal((await editor.program.exit()).code, 0);
});

test(name('end of input while a request runs: it is answered, code 1'), async (t) => {
	const editor = await Editor.open(t, how);
	const slow = editor.ask('test/slow', { ms: 200, partialResultToken: 1 });
	await until('it runs', () => editor.progressOf(1).length > 0);
	editor.connection.end();
	assert.deepEqual(await slow, { slept: 200 });
	assert.equal((await editor.program.exit()).code, 1);
});
