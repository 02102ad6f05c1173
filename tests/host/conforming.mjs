/* SPDX-License-Identifier: MIT
 * tests/boards/conformance.mjs with firmware that is neither a toolbox nor a testee: what it has is tried, what it lacks is told. */

import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { hostProgram, root } from '../common/program.mjs';
import { test as testOf } from '../common/runner.mjs';
import { scripted } from './inspect-program.mjs';

const test = (name, body) => testOf(`conformance.mjs: ${name}`, body, { together: true });

/* Its lines, and its exit code. It mostly waits. */
function tried(t, words, command) {
	const child = spawn(process.execPath, [join(root, 'tests/boards/conformance.mjs'), ...words, '--', ...command], { stdio: ['ignore', 'pipe', 'inherit'] });
	t.after(() => child.kill());
	let text = '';
	child.stdout.on('data', (more) => { text += more; });
	return new Promise((resolve) => child.on('close', (code) => resolve({ lines: text.split('\n'), code })));
}

/* How many there are of each, and that the reasons are those of what is missing. */
async function judged(t, words, command, [passed, lacking], reasons) {
	const { lines, code } = await tried(t, words, command);
	assert.equal(code, 0, lines.join('\n'));
	assert.ok(lines.includes(`${passed} passed, 0 failed, 0 skipped`), lines.join('\n'));
	assert.equal(lines.filter((line) => line.startsWith('n/a ')).length, lacking, lines.join('\n'));
	for (const reason of reasons) assert.ok(lines.some((line) => line.startsWith('n/a ') && line.includes(reason)), reason);
}

test('tools of its own, of which none is named', (t) =>
	judged(t, [], [hostProgram('conformance')], [5, 10], ['--echo NAME:MEMBER names it', '--slow NAME names it', '--reports NAME names it', '--timed NAME:MEMBER names it', '--stats NAME names them']));

test('tools of its own that are named', (t) =>
	judged(t, ['--reports', 'test_tool_with_progress'], [hostProgram('conformance')], [6, 9], ['--echo NAME:MEMBER names it']));

test('methods of its own', (t) => judged(t, ['--dialect', 'jsonrpc', '--slow', 'turn'], [hostProgram('tests/host/motor')], [8, 7], ['--echo NAME:MEMBER names it']));

/* One that has no limit, and codes of its own. */
const limitless = `
	const answer = (more) => process.stdout.write(JSON.stringify({ jsonrpc: '2.0', ...more }) + '\\n');
	let text = '';
	process.stdin.setEncoding('utf8').on('data', (data) => {
		const lines = (text + data).split('\\n');
		text = lines.pop();
		for (const line of lines.filter((one) => one.trim())) serve(line);
	});
	function serve(line) {
		let message;
		try { message = JSON.parse(line); } catch { return answer({ id: null, error: { code: -32700, message: 'Parse error' } }); }
		const { id, method, params } = message;
		if (method === 'say') answer({ id, result: params });
		else if (id !== undefined) answer({ id, error: { code: -32601, message: 'Method not found' } });
	}`;

test('firmware without a limit', (t) => judged(t, ['--dialect', 'jsonrpc', '--echo', 'say:text'], [process.execPath, '-e', limitless], [8, 7], []));

test('a language server, an agent', async (t) => {
	await judged(t, ['--dialect', 'lsp', '--slow', 'test/slow', '--slow-args', '{"ms":600000}', '--echo', 'test/echo:text', '--timed', 'test/slow:ms'], [hostProgram('langserver')], [11, 4], []);
	await judged(t, ['--dialect', 'acp'], [hostProgram('agent')], [5, 10], []);
});

test('who answers what is cancelled fails', async (t) => {
	const { lines, code } = await tried(t, ['--slow', 'work', '--slow-args', '{"steps":1}'], scripted('disobedient'));
	assert.equal(code, 1);
	assert.ok(lines.some((line) => /^FAIL .*is cancelled by what stands right behind the request/.test(line)), lines.join('\n'));
});
