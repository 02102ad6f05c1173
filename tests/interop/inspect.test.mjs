/* SPDX-License-Identifier: MIT
 * The other way round: inspect, a client made of this library, drives servers made of the official libraries, and
 * cancels what they do. */

import assert from 'node:assert/strict';
import { fileURLToPath } from 'node:url';
import { test } from '../common/runner.mjs';
import { Inspect, lines, run, tool } from '../host/inspect-program.mjs';
import { pathOf } from './modules.mjs';

const node = (path, ...words) => [process.execPath, path, ...words];
const beside = (name) => fileURLToPath(new URL(name, import.meta.url));

/* The examples that come with the MCP library. */
const example = (name) => node(pathOf(`@modelcontextprotocol/sdk/examples/server/${name}.js`));
const agent = () => node(beside('acp-agent.mjs'), pathOf('@agentclientprotocol/sdk'));
const langserver = () => node(beside('lsp-server.mjs'), pathOf('vscode-jsonrpc/node'));

const testServer = (name, body) => test(`inspect: ${name}`, body);
const sent = ({ said }) => lines(said).filter((line) => line.startsWith('-> ')).map((line) => JSON.parse(line.slice(3)));
const heard = ({ said }) => lines(said).filter((line) => line.startsWith('<- ')).map((line) => JSON.parse(line.slice(3)));

/* ----------------------------------------------------------------------------------- servers of the MCP SDK 1.32.2 */

testServer('progressExample: the list of tools', async (t) => {
	const { shown, said } = await run(t, [], example('progressExample'), 0);
	assert.equal(shown, 'count: Count to N with progress updates\n    n (required, integer, at least 1, at most 100)\n');
	assert.match(said, /^progress-example 1\.0\.0 speaks MCP 2025-11-25$/m);
	assert.doesNotMatch(said, /^note/m);
});

testServer('progressExample: a tool with progress', async (t) => {
	const { shown, said } = await run(t, tool('count', 'n=3'), example('progressExample'), 0);
	assert.equal(shown, 'Counted to 3\n');
	assert.deepEqual(lines(said).filter((line) => line.startsWith('progress ')),
		[1, 2, 3].map((n) => `progress ${n} of 3: Counting: ${n}/3`));
});

testServer('progressExample: Ctrl-C stops a tool that would take 10 s', async (t) => {
	const inspect = Inspect.start(t, ['--trace', ...tool('count', 'n=100')], example('progressExample'));
	await inspect.says(/^progress 3 of 100/m);
	await inspect.interrupted();
	assert.match(inspect.said, /^cancelled: no answer, as MCP demands; ping answered after \d+ ms; no progress in the 300 ms since$/m);
	const call = sent(inspect).find(({ method }) => method === 'tools/call');
	const cancels = sent(inspect).filter(({ method }) => method === 'notifications/cancelled');
	assert.deepEqual(cancels.map(({ params }) => params.requestId), [call.id], 'one cancel, of that request');
	assert.deepEqual(heard(inspect).filter(({ id }) => id === call.id), [], 'no answer to it');
});

testServer('progressExample: arguments that break the schema are told by the server', async (t) => {
	const { shown, said } = await run(t, tool('count', 'n=1000'), example('progressExample'), 1);
	assert.match(shown + said, /100/);
});

testServer('progressExample: an unknown tool and an unknown method', async (t) => {
	await run(t, tool('nonsense'), example('progressExample'), 1);
	assert.match((await run(t, ['--method', 'no/such'], example('progressExample'), 1)).said, /^error -32601: /m);
});

testServer('mcpServerOutputSchema: structured content', async (t) => {
	const { shown } = await run(t, ['--json', ...tool('get_weather', 'city=Bern', 'country=CH')], example('mcpServerOutputSchema'), 0);
	const { content, structuredContent } = JSON.parse(shown);
	assert.deepEqual(JSON.parse(content[0].text), structuredContent);
});

/* -------------------------------------------------------------------------------------- an agent of the ACP SDK 2.4.0 */

const prompt = ['--protocol', 'acp', '--prompt', 'count'];

testServer('an ACP agent: allowed, it counts; session/cancel ends the turn', async (t) => {
	const inspect = Inspect.start(t, [...prompt, '--permission', 'allow'], agent());
	await inspect.says(/1 2 3 /);
	await inspect.interrupted();
	assert.match(inspect.shown, /^1 2 3 [\d ]*\n$/);
	assert.match(inspect.said, /^cancelled: answered with a result after \d+ ms$/m);
	assert.match(inspect.said, /^stopped: cancelled$/m);
});

testServer('an ACP agent: $/cancel_request is answered with -32800', async (t) => {
	const inspect = Inspect.start(t, [...prompt, '--permission', 'allow', '--cancel-by', 'request'], agent());
	await inspect.says(/1 2 3 /);
	await inspect.interrupted();
	assert.match(inspect.said, /^cancelled: answered -32800 after \d+ ms/m);
});

testServer('an ACP agent: a rejected permission', async (t) => {
	assert.match((await run(t, [...prompt, '--permission', 'reject'], agent(), 0)).said, /^stopped: refusal$/m);
});

testServer('an ACP agent: the cancel of a prompt comes back as the cancel of its permission', async (t) => {
	const inspect = Inspect.start(t, ['--trace', ...prompt, '--permission', 'hang', '--cancel-by', 'request'], agent());
	await inspect.says(/^permission: left open$/m);
	await inspect.interrupted();
	assert.match(inspect.said, /^permission: the agent does not want it any more$/m);
	assert.match(inspect.said, /^cancelled: answered -32800 after \d+ ms/m);
	const question = heard(inspect).find(({ method }) => method === 'session/request_permission');
	assert.equal(sent(inspect).find((message) => message.id === question.id && message.error)?.error.code, -32800);
});

/* ------------------------------------------------------------------------------- a language server of vscode-jsonrpc 10 */

const lsp = ['--protocol', 'lsp', '--method'];

testServer('a language server: any request, and a whole life', async (t) => {
	const { shown, said } = await run(t, [...lsp, 'test/echo', '--params', '[1,{"a":"ü"}]'], langserver(), 0);
	assert.deepEqual(JSON.parse(shown), [1, { a: 'ü' }]);
	assert.doesNotMatch(said, /exited/, 'shutdown and exit were heard');
});

testServer('a language server: Ctrl-C is answered with -32800', async (t) => {
	const inspect = Inspect.start(t, [...lsp, 'test/count', '--params', '{"token":"t"}'], langserver());
	await inspect.says(/^progress t: 3$/m);
	await inspect.interrupted();
	assert.match(inspect.said, /^cancelled: answered -32800 after \d+ ms \(cancelled at \d+\)$/m);
	assert.doesNotMatch(inspect.said, /exited/);
});
