/* SPDX-License-Identifier: MIT
 * inspect with servers that behave badly, with ACP agents and with LSP servers. */

import assert from 'node:assert/strict';
import { test } from '../common/runner.mjs';
import { hostProgram } from '../common/program.mjs';
import { Inspect, clockOf, hasty, lines, run, scripted, tool } from './inspect-program.mjs';
import { sick } from './sick.mjs';

/* -------------------------------------------------------------------------------------- the other side fails */

for (const [what, options, behaviour, code, printed, ...patterns] of [
	['a server that never answers the greeting', ['--timeout', '100'], 'mute', 3, '', /^timeout: no answer to initialize within 100 ms$/m],
	['a server that dies', tool('x'), 'dying', 3, '', /^link lost: no answer to tools\/call will come$/m, /^note: .* exited with 3$/m],
	['a server that closes its stdout and lives', tool('x'), 'silencing', 3, '', /^link lost: no answer to tools\/call will come$/m],
	['a server that writes junk', tool('x'), 'junk', 0, 'still here\n', /^note: messages that are no JSON: 4; the first: Server starting up!$/m],
	['a server that answers twice', tool('x'), 'twice', 0, 'first\n', /^note: answers that came too late or twice: 1$/m],
	['an answer that is none', tool('x'), 'malformed', 3, '', /^malformed: /m],
	['a version that nobody knows', [], 'foreign', 1, '', /^it speaks MCP 1999-01-01, which quash-inspect does not$/m],
	['a result that does not fit', ['--arena', '100000', ...tool('x')], 'huge', 3, '', /^too large: the answer to tools\/call does not fit/m],
])
	test(`inspect: ${what}`, async (t) => {
		const { shown, said } = await run(t, options, scripted(behaviour), code);
		assert.equal(shown, printed);
		for (const pattern of patterns) assert.match(said, pattern);
	});

test('inspect: a server that never answers the call', async (t) => {
	const clock = clockOf(t);
	const inspect = Inspect.start(t, ['--trace', '--timeout', '1000', ...tool('x')], scripted('obedient'), { clock });
	await inspect.says(/^progress 1/m);
	clock.passes(0);
	const { said } = await inspect.exits(3);
	assert.match(said, /^timeout: no answer to tools\/call within 1000 ms$/m);
	assert.match(said, /^-> .*notifications\/cancelled/m, 'what is given up is cancelled');
});

test('inspect: a server that dies and leaves its pipe to somebody else', async (t) => {
	const inspect = Inspect.start(t, tool('x'), scripted('orphaning'));
	t.after(async () => process.kill((await inspect.says(/^orphan (\d+)$/m))[1], 'SIGKILL'));
	const { said } = await inspect.exits(3); /* nobody waits for the other one */
	assert.match(said, /^link lost:/m);
});

test('inspect: a command that is no server at all', async (t) => {
	assert.match((await run(t, [], ['true'], 3)).said, /^link lost: no answer to initialize will come$/m);
	assert.match((await run(t, [], ['cat'], 1)).said, /^error -32601: /m, 'what we refuse ourselves comes back');
});

test('inspect: answers to nothing: why', async (t) => {
	const why = async (ailment) => /^note: answers to nothing: (.*)$/m.exec((await run(t, [], sick(ailment), 0)).said)[1];
	assert.equal(await why('straying'), '1; their ids are of no request');
	assert.equal(await why('muttering'), '1; the first error has no id, for what was transmitted could not be read: {"code":-32700,"message":"Parse error"}');
});

test('inspect: a result of three million characters', async (t) => {
	const { shown } = await run(t, tool('x'), scripted('huge'), 0);
	assert.equal(shown.length, 3000001);
});

test('inspect: 5000 notifications at once: none is lost', async (t) => {
	const { shown, said } = await run(t, tool('x'), scripted('flood'), 0);
	assert.equal(shown, 'flooded\n');
	assert.equal(lines(said).filter((line) => line.startsWith('progress ')).length, 5000);
});

test('inspect: a server that does not want to end is killed', async (t) => {
	const { shown, said } = await run(t, tool('x'), scripted('undying'), 0);
	assert.throws(() => process.kill(Number(shown), 0), { code: 'ESRCH' });
	assert.match(said, /was ended by signal 9$/m);
});

/* --------------------------------------------------------------------------------------------- ACP and LSP */

const acp = ['--protocol', 'acp'];
const lsp = ['--protocol', 'lsp'];

test('inspect: acp: what the agent says of itself', async (t) => {
	assert.deepEqual(JSON.parse((await run(t, acp, scripted('good', 'acp'), 0)).shown), { protocolVersion: 1 });
});

test('inspect: acp: a prompt', async (t) => {
	const { shown, said } = await run(t, [...acp, '--prompt', 'hi'], scripted('good', 'acp'), 0);
	assert.equal(shown, 'Hello, world\n');
	assert.match(said, /^stopped: end_turn$/m);
});

test('inspect: acp: a prompt is cancelled by its session', async (t) => {
	const inspect = Inspect.start(t, [...acp, '--prompt', 'hi'], scripted('prompt', 'acp'));
	await inspect.says(/working/);
	await inspect.interrupted();
	assert.equal(inspect.shown, 'working s1\n');
	assert.match(inspect.said, /^cancelled: answered with a result after \d+ ms$/m);
	assert.match(inspect.said, /^stopped: cancelled$/m);
});

test('inspect: acp: a prompt is cancelled by its id', async (t) => {
	const { said } = await run(t, [...acp, '--prompt', 'hi', '--cancel-by', 'request', '--cancel-after', '100'], scripted('prompt', 'acp'), 130);
	assert.match(said, /^cancelled: answered -32800 after \d+ ms/m);
});

for (const [how, outcome] of [['allow', { outcome: 'selected', optionId: 'yes-id' }], ['reject', { outcome: 'selected', optionId: 'no-id' }]])
	test(`inspect: acp: --permission ${how}`, async (t) => {
		const { shown, said } = await run(t, [...acp, '--prompt', 'hi', '--permission', how], scripted('permission', 'acp'), 0);
		assert.deepEqual(JSON.parse(shown), outcome);
		assert.match(said, /^tool_call Remove all pending$/m);
		assert.match(said, /^permission: Remove all: (Yes|No)$/m);
	});

test('inspect: acp: without a terminal and without --permission it is rejected', async (t) => {
	const { shown } = await run(t, [...acp, '--prompt', 'hi'], scripted('permission', 'acp'), 0);
	assert.equal(JSON.parse(shown).optionId, 'no-id');
});

test('inspect: acp: --permission ask asks until it understands', async (t) => {
	const inspect = Inspect.start(t, [...acp, '--prompt', 'hi', '--permission', 'ask'], scripted('permission', 'acp'), { input: 'pipe' });
	await inspect.says(/^choose 1 to 2:$/m);
	inspect.child.stdin.write('7\n');
	await inspect.says(/^choose 1 to 2:\nchoose 1 to 2:$/m);
	inspect.child.stdin.write('1\n');
	await inspect.exits(0);
	assert.equal(JSON.parse(inspect.shown).optionId, 'yes-id');
});

test('inspect: acp: --permission ask and nobody there', async (t) => {
	const { shown } = await run(t, [...acp, '--prompt', 'hi', '--permission', 'ask'], scripted('permission', 'acp'), 0);
	assert.deepEqual(JSON.parse(shown), { outcome: 'cancelled' });
});

test('inspect: acp: a permission that hangs is cancelled with the session', async (t) => {
	const inspect = Inspect.start(t, [...acp, '--prompt', 'hi', '--permission', 'hang'], scripted('permission', 'acp'));
	await inspect.says(/^permission: left open$/m);
	await inspect.interrupted();
	assert.match(inspect.shown, /^\{"outcome":"cancelled"\}$/m);
});

test('inspect: acp: a permission that hangs is cancelled by the agent', async (t) => {
	const inspect = Inspect.start(t, [...acp, '--prompt', 'hi', '--permission', 'hang', '--cancel-by', 'request'], scripted('permission', 'acp'));
	await inspect.says(/^permission: left open$/m);
	await inspect.interrupted();
	assert.match(inspect.shown, /-32800/);
	assert.match(inspect.said, /^permission: the agent does not want it any more$/m);
});

test('inspect: lsp: what the server says of itself, and its whole life', async (t) => {
	const { shown, said } = await run(t, ['--trace', ...lsp], scripted('good', 'lsp'), 0);
	assert.deepEqual(JSON.parse(shown), { capabilities: { hoverProvider: true } });
	const sent = lines(said).filter((line) => line.startsWith('-> ')).map((line) => JSON.parse(line.slice(3)).method);
	assert.deepEqual(sent, ['initialize', 'shutdown', 'exit']);
	assert.doesNotMatch(said, /^note/m);
});

test('inspect: lsp: any method, its progress', async (t) => {
	const { shown } = await run(t, [...lsp, '--method', 'work', '--params', '{ "a" : "b c" }'], scripted('echoing', 'lsp'), 0);
	assert.equal(shown, '{"a":"b c"}\n');
	const { said } = await run(t, [...lsp, '--method', 'work', '--cancel-after', '50'], scripted('cancellable', 'lsp'), 130);
	assert.match(said, /^progress 7: half$/m);
});

test('inspect: lsp: the langserver, its partial results, a cancel', async (t) => {
	const langserver = [hostProgram('langserver')];
	assert.equal(JSON.parse((await run(t, lsp, langserver, 0)).shown).serverInfo.name, 'quash-langserver');
	const partial = '{"ms":200,"partialResultToken":"p"}';
	const { shown, said } = await run(t, [...lsp, '--method', 'test/slow', '--params', partial], hasty(t, ...langserver), 0);
	assert.deepEqual(JSON.parse(shown), { slept: 200 });
	assert.match(said, /^progress p: \{"slept":100\}$/m);
	const cancelled = await run(t, [...lsp, '--method', 'test/slow', '--params', '{"ms":600000}', '--cancel-after', '50', '--grace', '10m'], langserver, 130);
	assert.match(cancelled.said, /^cancelled: answered -32800 after \d+ ms \(Request cancelled\)$/m);
	assert.doesNotMatch(cancelled.said, /^note/m, 'it ended as it should');
});
