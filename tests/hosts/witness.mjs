/* SPDX-License-Identifier: MIT
 * What `make hosts` goes by, tried without any host: the witness at the motor, what it is judged by, the terminal, the model. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { childrenOf, commandOf, lives } from '../common/process.mjs';
import { Program, root } from '../common/program.mjs';
import { test, until } from '../common/runner.mjs';
import { folderFor } from '../common/start.mjs';
import { readPlace } from '../size/page.mjs';
import { assertRest, longest, ways } from './cases.mjs';
import { agents, hosts } from './hosts.mjs';
import { Model } from './model.mjs';
import { hasMoved, motionsOf, readMotions } from './motor.mjs';
import { Terminal } from './terminal.mjs';

/* A client whose motor moves, and the log of its witness. */
async function moving(t, way, ms = longest) {
	const home = folderFor(t), log = join(home, 'motor.log');
	const { command, args } = await ways[way](t, home, log, ms);
	const client = Program.start(t, command, args, { dialect: 'mcp' });
	client.send({ jsonrpc: '2.0', id: 1, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } } },
		{ jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'stepper', arguments: { steps: 60000 } } });
	await until('the motor to move', () => hasMoved(log, 0));
	return { client, log };
}

async function causeAt(log) {
	await until('the motor to rest', () => readMotions(log)[0].off !== null);
	return readMotions(log)[0].cause;
}

const ends = {
	'cancel': (client) => client.send({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 2 } }),
	'end of input': (client) => client.end(),
	'SIGTERM': (client) => process.kill(client.pid, 'SIGTERM'),
};

for (const [cause, end] of Object.entries(ends))
	test(`hosts, the witness at a motor: ${cause}`, async (t) => {
		const { client, log } = await moving(t, 'stdio');
		end(client);
		assert.equal(await causeAt(log), cause);
	});

test('hosts, the witness at a motor: longest time', async (t) => {
	const { log } = await moving(t, 'stdio', 300);
	assert.equal(await causeAt(log), 'longest time');
	const [{ on, last }] = readMotions(log);
	assert.ok(last - on > 0.2, `${last - on}`);
});

test('hosts, the witness at a motor: lease', async (t) => {
	const { client, log } = await moving(t, 'bridge');
	client.kill();
	assert.equal(await causeAt(log), 'lease');
});

const motion = (from, to, last = 'off') => `${from} on\n${from + 0.001} moves\n${to} moves\n${to + 0.001} flagged tools/call by its lease\n${to + 0.002} ${last}\n`;

test('hosts: a motor that turns too long, starts again or does not rest is no pass', () => {
	const judge = (...motions) => assertRest(motionsOf(motions.join('')));
	assert.equal(judge(motion(1, 2), motion(3, 8.9)).cause, 'lease');
	assert.throws(() => judge(motion(1, 2), motion(3, 9.3)), /turned for 6300/);
	assert.throws(() => judge(motion(1, 2), motion(3, 4), motion(5, 6)), /stays at rest/);
	assert.throws(() => judge(motion(1, 2), motion(3, 4, 'flagged tools/call by its lease')), /has not come to rest/);
});

test('hosts: a terminal ends what its program has left behind', async (t) => {
	const terminal = await Terminal.start(t, ['sh', '-c', 'echo words; sleep 1000 & (setsid sleep 1001 &); kill -9 $$'], {});
	await until('its end', () => terminal.code !== null);
	assert.equal(terminal.code, 137);
	await until('what it shows', () => terminal.shown.includes('words'));
	const left = await until('what is left', () => {
		const children = childrenOf(terminal.child.pid).filter((pid) => commandOf(pid) === 'sleep');
		return children.length === 2 && children;
	});
	assert.ok(left.every(lives));
	await terminal.close();
	assert.ok(!left.some(lives));
});

const ask = async (model, path, body) => (await fetch(`${model.url}${path}`, { method: 'POST', body: JSON.stringify(body) })).text();
const args = { steps: 3 }, shown = JSON.stringify(args);

test('hosts: the model calls a tool in each of its dialects', async (t) => {
	const model = await Model.start(t, Array(4).fill({ tool: 'stepper', args }));
	const responses = await ask(model, '/v1/responses', { stream: true, tools: [{ type: 'namespace', name: 'mcp__device', tools: [{ type: 'function', name: 'stepper' }] }] });
	assert.match(responses, /^event: response\.completed$/m);
	assert.ok(responses.includes(`"name":"stepper","namespace":"mcp__device","arguments":${JSON.stringify(shown)}`), responses);
	const gemini = await ask(model, '/v1beta/models/m:streamGenerateContent', { tools: [{ functionDeclarations: [{ name: 'mcp_device_stepper' }] }] });
	assert.ok(gemini.includes(`"name":"mcp_device_stepper","args":${shown}`), gemini);
	const chat = await ask(model, '/v1/chat/completions', { stream: true, tools: [{ type: 'function', function: { name: 'device_stepper' } }] });
	assert.ok(chat.includes(`"name":"device_stepper","arguments":${JSON.stringify(shown)}`) && chat.endsWith('data: [DONE]\n\n'), chat);
	const whole = JSON.parse(await ask(model, '/v1/chat/completions', { tools: [{ type: 'function', function: { name: 'device_stepper' } }] }));
	assert.equal(whole.choices[0].message.tool_calls[0].function.arguments, shown);
	assert.match(await ask(model, '/v1/chat/completions', { tools: [{ type: 'function', function: { name: 'device_stepper' } }] }), /"content":"done"/);
});

test('hosts: the model finds a tool that a host hides', async (t) => {
	const model = await Model.start(t, [{ tool: 'stepper', args }]);
	const tools = ['tool_search', 'tool_call'].map((name) => ({ type: 'function', function: { name } }));
	const messages = [{ role: 'user', content: 'there is mcp__device__stepper' }];
	const turn = async () => JSON.parse(await ask(model, '/v1/chat/completions', { tools, messages })).choices[0].message;
	const looks = await turn();
	assert.deepEqual(looks.tool_calls[0].function, { name: 'tool_search', arguments: '{"query":"stepper"}' });
	messages.push(looks);
	assert.deepEqual((await turn()).tool_calls[0].function, { name: 'tool_call', arguments: `{"name":"mcp__device__stepper","arguments":${shown}}` });
});

test('docs/hosts.md has what make hosts has found, of the versions that are installed', () => {
	const { devDependencies: pinned } = JSON.parse(readFileSync(join(root, 'tests/common/npm/package.json'), 'utf8'));
	for (const [place, list] of [['hosts', hosts], ['hosts acp', agents]]) {
		const text = readPlace('docs/hosts.md', place);
		const named = [...text.matchAll(/^\| ([^|]+) (\d+\.\d+\.\d+) \|/gm)].map(([, name, version]) => [name, version]);
		assert.deepEqual(named, list.map((host) => [host.name, pinned[host.package]]));
		assert.doesNotMatch(text, /failed/);
	}
});
