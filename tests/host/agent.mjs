/* SPDX-License-Identifier: MIT
 * The host's agent as a real process: prompts, both ways of cancelling them, what it asks of its client, and the end. */

import assert from 'node:assert/strict';
import { sleep, test } from '../common/runner.mjs';
import { Program, framed, hostProgram } from '../common/program.mjs';

const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const notification = (method, params) => ({ jsonrpc: '2.0', method, params });
const cancelRequest = (requestId) => notification('$/cancel_request', { requestId });
const cancelSession = (sessionId) => notification('session/cancel', { sessionId });
const prompt = (id, text, sessionId = 's1') =>
	request(id, 'session/prompt', { sessionId, prompt: [{ type: 'text', text }] });
const result = (id, value) => ({ jsonrpc: '2.0', id, result: value });
const newSession = (id) => request(id, 'session/new', { cwd: '/', mcpServers: [] });
const stopped = (id, stopReason) => result(id, { stopReason });
const cancelled = (id) => stopped(id, 'cancelled');
const error = (id, code) => (message) => assert.deepEqual([message.id, message.error?.code], [id, code]);

const everything = { fs: { readTextFile: true, writeTextFile: true }, terminal: true };

/** An agent and its client by hand: updates are kept apart, everything else comes in its order. */
class Agent {
	static async start(t, { clientCapabilities = everything } = {}) {
		const agent = new Agent(Program.start(t, hostProgram('agent')));
		agent.send(request('init', 'initialize', { protocolVersion: 1, clientCapabilities }), newSession('new'));
		assert.equal((await agent.next()).result.protocolVersion, 1);
		assert.equal((await agent.next()).result.sessionId, 's1');
		return agent;
	}

	updates = [];

	constructor(program) {
		this.program = program;
	}

	send(...messages) {
		this.program.send(...messages);
	}

	/** The next message that is no update. */
	async next() {
		for (;;) {
			const message = await this.program.next();
			if (message.method !== 'session/update') return message;
			this.updates.push(message.params);
		}
	}

	/** The next update. */
	async update() {
		const message = await this.program.next();
		assert.equal(message.method, 'session/update');
		this.updates.push(message.params);
		return message.params.update;
	}

	kinds() {
		return this.updates.map(({ update }) => update.sessionUpdate);
	}

	/** What it has said in words. */
	said(sessionId = 's1') {
		return this.updates.filter((params) => params.sessionId === sessionId)
			.map(({ update }) => (update.sessionUpdate === 'agent_message_chunk' ? update.content.text : '')).join('');
	}

	/** Answers the next question, which must be of this method, and gives its params. */
	async answer(method, value) {
		const question = await this.next();
		assert.equal(question.method, method);
		this.send({ jsonrpc: '2.0', id: question.id, ...value });
		return question.params;
	}

	async close() {
		this.program.end();
		const { code, signal, rest } = await this.program.exit();
		assert.deepEqual([code, signal, rest], [0, null, []]);
	}
}

const selected = (optionId) => ({ result: { outcome: { outcome: 'selected', optionId } } });
const nothing = { result: {} };

/* ------------------------------------------------------------------------------------------------- turns */

test('agent: a prompt is echoed in chunks and ends', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'hello\nthere'));
	assert.deepEqual(await agent.next(), stopped(1, 'end_turn'));
	assert.equal(agent.said(), 'You said: hello\nthere');
	agent.send(request(2, 'session/prompt', { sessionId: 's1', prompt: [
		{ type: 'resource_link', uri: 'file:///a', name: 'a' }, { type: 'text', text: 'ü' }] }));
	assert.deepEqual(await agent.next(), stopped(2, 'end_turn'));
	assert.match(agent.said(), /You said: üfile:\/\/\/a$/);
	await agent.close();
});

test('agent: a long prompt comes back whole', async (t) => {
	const agent = await Agent.start(t);
	const text = 'äöü "quoted" \\ \u0001 '.repeat(120);
	agent.send(prompt(1, text));
	assert.deepEqual(await agent.next(), stopped(1, 'end_turn'));
	assert.equal(agent.said(), `You said: ${text}`);
	await agent.close();
});

test('agent: words make it think, plan, use a tool and change its mode', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'think plan tool mode'));
	assert.deepEqual(await agent.next(), stopped(1, 'end_turn'));
	assert.deepEqual(agent.kinds().slice(2),
		['agent_thought_chunk', 'plan', 'current_mode_update', 'tool_call', 'tool_call_update', 'plan']);
	assert.equal(agent.updates[4].update.currentModeId, 'act');
	agent.send(request(2, 'session/set_mode', { sessionId: 's1', modeId: 'ask' }), prompt(3, 'mode'));
	assert.deepEqual(await agent.next(), result(2, {}));
	await agent.next();
	assert.equal(agent.updates.at(-1).update.currentModeId, 'act');
	await agent.close();
});

test('agent: slow takes five seconds, in steps', async (t) => {
	const agent = await Agent.start(t);
	const start = Date.now();
	agent.send(prompt(1, 'slow'));
	assert.deepEqual(await agent.next(), stopped(1, 'end_turn'));
	const ms = Date.now() - start;
	assert.ok(ms >= 4950, `${ms} ms`);
	assert.equal(agent.said(), 'You said: slow..........');
	await agent.close();
});

test('agent: sessions are served side by side, one prompt at a time in each', async (t) => {
	const agent = await Agent.start(t);
	agent.send(newSession('b'), prompt(1, 'slow'));
	assert.equal((await agent.next()).result.sessionId, 's2');
	agent.send(prompt(2, 'x'), prompt(3, 'y', 's2'));
	error(2, -32600)(await agent.next());
	assert.deepEqual(await agent.next(), stopped(3, 'end_turn'));
	assert.equal(agent.said('s2'), 'You said: y');
	agent.send(cancelSession('s2'), cancelSession('s1'));
	assert.deepEqual(await agent.next(), cancelled(1));
	await agent.close();
});

test('agent: it has four sessions, and those that are closed again', async (t) => {
	const agent = await Agent.start(t);
	agent.send(newSession(2), newSession(3), newSession(4));
	for (const id of [2, 3, 4]) assert.equal((await agent.next()).result.sessionId, `s${id}`);
	agent.send(newSession(5));
	error(5, -32010)(await agent.next());
	agent.send(prompt(6, 'slow', 's2'), request(7, 'session/close', { sessionId: 's2' }));
	assert.deepEqual(await agent.next(), cancelled(6));
	assert.deepEqual(await agent.next(), result(7, {}));
	agent.send(newSession(8), prompt(9, 'x', 's2'));
	assert.equal((await agent.next()).result.sessionId, 's5');
	error(9, -32602)(await agent.next());
	await agent.close();
});

test('agent: what it does not offer is unknown, and nothing works before initialize', async (t) => {
	const program = Program.start(t, hostProgram('agent'));
	program.send(newSession(1), request(2, 'session/load', { sessionId: 's1', cwd: '/', mcpServers: [] }));
	error(2, -32601)(await program.next());
	error(1, -32600)(await program.next());
	program.send(request(3, 'initialize', { protocolVersion: 7 }));
	const { agentCapabilities, authMethods, protocolVersion } = (await program.next()).result;
	assert.deepEqual([agentCapabilities.loadSession ?? false, authMethods, protocolVersion], [false, [], 1]);
	program.send(request(4, 'authenticate', { methodId: 'x' }));
	error(4, -32602)(await program.next());
});

/* ----------------------------------------------------------------------------------------------- cancels */

const bothWays = [['$/cancel_request', cancelRequest(1)], ['session/cancel', cancelSession('s1')]];

for (const [name, cancel] of bothWays) {
	test(`agent: ${name} stops a slow turn at once, and nothing follows its answer`, async (t) => {
		const agent = await Agent.start(t);
		agent.send(prompt(1, 'slow'));
		await agent.update();
		agent.send(cancel, cancel);
		assert.deepEqual(await agent.next(), cancelled(1));
		await sleep(700); /* the next step would have come */
		assert.equal(agent.program.messages.length, 0);
		agent.send(prompt(2, 'x'));
		assert.deepEqual(await agent.next(), stopped(2, 'end_turn'));
		await agent.close();
	});

	test(`agent: ${name} right behind its prompt, in one write`, async (t) => {
		const agent = await Agent.start(t);
		agent.send(prompt(1, 'slow'), cancel);
		assert.deepEqual(await agent.next(), cancelled(1));
		await agent.close();
	});

	test(`agent: ${name} runs down to the permission that it asks for`, async (t) => {
		const agent = await Agent.start(t);
		agent.send(prompt(1, 'permission'));
		const question = await agent.next();
		agent.send(cancel);
		assert.deepEqual(await agent.next(), cancelRequest(question.id));
		assert.deepEqual(await agent.next(), cancelled(1));
		agent.send(result(question.id, { outcome: { outcome: 'cancelled' } }), prompt(2, 'x'));
		assert.deepEqual(await agent.next(), stopped(2, 'end_turn'));
		await agent.close();
	});
}

test('agent: the string twin of a number is another id', async (t) => {
	for (const [live, twin] of [['"3"', '3'], ['3', '"3"'], ['0', '""'], ['"a"', '"A"'], ['1', '"1.0"']]) {
		const agent = await Agent.start(t);
		const raw = (text) => agent.program.sendBytes(`${text}\n`);
		raw(`{"jsonrpc":"2.0","id":${live},"method":"session/prompt",` +
			'"params":{"sessionId":"s1","prompt":[{"type":"text","text":"permission"}]}}');
		const question = await agent.next();
		raw(`{"jsonrpc":"2.0","method":"$/cancel_request","params":{"requestId":${twin}}}`);
		raw(`{"jsonrpc":"2.0","id":"${question.id}","result":{"outcome":{"outcome":"selected","optionId":"reject"}}}`);
		agent.send(result(question.id, { outcome: { outcome: 'selected', optionId: 'allow' } }));
		assert.deepEqual(await agent.next(), stopped(JSON.parse(live), 'end_turn'), `${live} after a cancel of ${twin}`);
		assert.match(agent.said(), /Allowed\.$/);
		await agent.close();
	}
});

test('agent: a cancel that is a request, malformed or of nobody cancels nothing', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(50, 'permission'));
	const { id } = await agent.next();
	agent.send(request(9, '$/cancel_request', { requestId: 50 }), request(10, 'session/cancel', { sessionId: 's1' }),
		notification('$/cancel_request'), cancelRequest(null), cancelRequest([1]), cancelRequest('s1'),
		cancelSession('s2'), cancelSession(1), cancelSession('s1'.repeat(50)), notification('session/cancel', ['s1']));
	error(9, -32601)(await agent.next());
	error(10, -32601)(await agent.next());
	agent.send(cancelRequest(id));
	agent.send({ jsonrpc: '2.0', id, ...selected('allow') });
	assert.deepEqual(await agent.next(), stopped(50, 'end_turn'));
	await agent.close();
});

test('agent: junk on the wire is answered or ignored, and the turn goes on', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'permission'));
	const { id } = await agent.next();
	agent.program.sendBytes('\n{"jsonrpc":\nnot json\n[]\n42\n{"jsonrpc":"2.0","id":7}\n{"id":8,"method":"x"}\n\xff\n');
	for (const code of [-32700, -32700, -32600, -32600, -32600, -32600, -32700])
		assert.equal((await agent.next()).error.code, code);
	agent.send(result(99, {}), { jsonrpc: '2.0', id, result: 1, error: 2 });
	assert.deepEqual(await agent.next(), stopped(1, 'end_turn'));
	assert.match(agent.said(), /The client has refused\.$/);
	await agent.close();
});

/* --------------------------------------------------------------------------------------------- questions */

test('agent: permission is asked first, and a no ends the turn', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'tool permission'));
	const asked = await agent.answer('session/request_permission', selected('reject'));
	assert.deepEqual(asked.options.map(({ optionId, kind }) => [optionId, kind]),
		[['allow', 'allow_once'], ['reject', 'reject_once']]);
	assert.deepEqual([asked.sessionId, asked.toolCall.toolCallId], ['s1', 'motion']);
	assert.deepEqual(await agent.next(), stopped(1, 'end_turn'));
	assert.deepEqual([agent.said(), agent.kinds().includes('tool_call')], ['You said: tool permissionRejected.', false]);
	agent.send(prompt(2, 'tool permission'));
	await agent.answer('session/request_permission', selected('allow'));
	assert.deepEqual(await agent.next(), stopped(2, 'end_turn'));
	assert.ok(agent.kinds().includes('tool_call'));
	await agent.close();
});

test('agent: a client that says that its user has cancelled', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'permission'));
	await agent.answer('session/request_permission', { result: { outcome: { outcome: 'cancelled' } } });
	assert.deepEqual(await agent.next(), cancelled(1));
	await agent.close();
});

test('agent: it reads, writes and runs', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'read /etc/motd'));
	assert.deepEqual(await agent.answer('fs/read_text_file', { result: { content: 'welcome\n'.repeat(300) } }),
		{ sessionId: 's1', path: '/etc/motd' });
	assert.deepEqual(await agent.next(), stopped(1, 'end_turn'));
	assert.ok(agent.said().endsWith(`You said: read /etc/motd${'welcome\n'.repeat(300)}`));

	agent.send(prompt(2, 'please write /notes/x'));
	assert.deepEqual(await agent.answer('fs/write_text_file', { result: null }),
		{ sessionId: 's1', path: '/notes/x', content: 'written by a device\n' });
	assert.deepEqual(await agent.next(), stopped(2, 'end_turn'));

	agent.send(prompt(3, 'run uptime'));
	assert.equal((await agent.answer('terminal/create', { result: { terminalId: 't' } })).command, 'uptime');
	await agent.answer('terminal/wait_for_exit', { result: { exitCode: 0 } });
	await agent.answer('terminal/output', { result: { output: 'up all night', truncated: false } });
	assert.deepEqual(await agent.answer('terminal/release', nothing), { sessionId: 's1', terminalId: 't' });
	assert.deepEqual(await agent.next(), stopped(3, 'end_turn'));
	assert.match(agent.said(), /up all night$/);
	await agent.close();
});

test('agent: permission, then another question in the same turn', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'permission read /a run b'));
	await agent.answer('session/request_permission', selected('allow'));
	assert.equal((await agent.answer('fs/read_text_file', { error: { code: -32002, message: 'no' } })).path, 'b');
	const { command, args } = await agent.answer('terminal/create', { error: { code: 5, message: 'no' } });
	assert.deepEqual([command, args], ['b', undefined]);
	assert.deepEqual(await agent.next(), stopped(1, 'end_turn'));
	await agent.close();
});

test('agent: what the client cannot do is not asked', async (t) => {
	const agent = await Agent.start(t, { clientCapabilities: { fs: { readTextFile: true } } });
	for (const [id, [text, reply]] of [
		['write /a', 'The client cannot do that.'],
		['run b', 'The client cannot do that.'],
		['read', 'A name is missing.'],
		[`read ${'x'.repeat(200)}`, 'That name is too long.'],
	].entries()) {
		agent.updates = [];
		agent.send(prompt(id, text));
		assert.deepEqual(await agent.next(), stopped(id, 'end_turn'));
		assert.equal(agent.said(), `You said: ${text}${reply}`);
	}
	await agent.close();
});

test('agent: a terminal is released when the turn is cancelled', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'run sleep'));
	await agent.answer('terminal/create', { result: { terminalId: 't' } });
	const wait = await agent.next();
	assert.equal(wait.method, 'terminal/wait_for_exit');
	agent.send(cancelSession('s1'));
	assert.deepEqual(await agent.next(), cancelRequest(wait.id));
	await agent.answer('terminal/release', nothing);
	assert.deepEqual(await agent.next(), cancelled(1));
	await agent.close();
});

test('agent: a client that never answers terminal/create does not keep a cancelled turn', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'run sleep'));
	const create = await agent.next();
	assert.equal(create.method, 'terminal/create');
	agent.send(cancelSession('s1'));
	assert.deepEqual(await agent.next(), cancelRequest(create.id));
	assert.deepEqual(await agent.next(), cancelled(1));
	agent.send({ jsonrpc: '2.0', id: create.id, result: { terminalId: 'late' } });
	agent.send(prompt(2, 'think'));
	assert.deepEqual(await agent.next(), stopped(2, 'end_turn'), 'it goes on');
	await agent.close();
});

/* --------------------------------------------------------------------------------------- the wire, the end */

const conversation = [request(0, 'initialize', { protocolVersion: 1 }), newSession(1), newSession(2),
	prompt(3, 'think plan tool'), prompt(4, 'permission', 's2'), cancelRequest(4)];

async function answersTo(t, feed) {
	const program = Program.start(t, hostProgram('agent'));
	await feed(program);
	const answers = new Map();
	while (answers.size < 5) {
		const message = await program.next();
		if (!message.method) answers.set(message.id, message);
	}
	program.end();
	assert.equal((await program.exit()).code, 0);
	return answers;
}

test('agent: a second initialize is a new client: the old turn stops and is never answered, its sessions are gone', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'slow'));
	await agent.update();
	agent.send(request('again', 'initialize', { protocolVersion: 1 }), prompt(1, 'x'), newSession('new'));
	const [{ id, result: greeting }, lost, fresh] = [await agent.next(), await agent.next(), await agent.next()];
	assert.deepEqual([id, greeting.protocolVersion], ['again', 1]);
	error(1, -32602)(lost);
	assert.equal(fresh.result.sessionId, 's2');
	const { length } = agent.updates;
	await sleep(700); /* the next step would have come */
	assert.deepEqual([agent.program.messages.length, agent.updates.length], [0, length]);
	agent.send(prompt(2, 'x', 's2'));
	assert.deepEqual(await agent.next(), stopped(2, 'end_turn'));
	await agent.close();
});

test('agent: what it has asked of the last client is forgotten with the next one', async (t) => {
	const agent = await Agent.start(t);
	agent.send(prompt(1, 'permission'));
	const question = await agent.next();
	agent.send(request('again', 'initialize', { protocolVersion: 1 }), result(question.id, { outcome: { outcome: 'selected', optionId: 'allow' } }),
		newSession('new'));
	assert.equal((await agent.next()).id, 'again');
	assert.equal((await agent.next()).result.sessionId, 's2');
	agent.send(prompt(2, 'permission', 's2'));
	const next = await agent.next();
	assert.equal(next.id, question.id + 1, 'ids go on');
	agent.send(result(next.id, { outcome: { outcome: 'selected', optionId: 'allow' } }));
	assert.deepEqual(await agent.next(), stopped(2, 'end_turn'));
	await agent.close();
});

test('agent: a conversation in one write and byte by byte', async (t) => {
	const bytes = Buffer.concat(conversation.map((message) => framed('acp', message)));
	const whole = await answersTo(t, (program) => program.sendBytes(bytes));
	const cut = await answersTo(t, async (program) => {
		for (const byte of bytes) {
			program.sendBytes(Buffer.from([byte]));
			await sleep(0);
		}
	});
	assert.deepEqual([whole.get(3), whole.get(4)], [stopped(3, 'end_turn'), cancelled(4)]);
	assert.deepEqual(new Map([...cut].sort()), new Map([...whole].sort()));
});

for (const word of ['permission', 'run x']) {
	test(`agent: end of input while it does "${word}": the turn is cancelled, exit code 0`, async (t) => {
		const agent = await Agent.start(t);
		agent.send(prompt(1, word));
		await agent.next();
		agent.program.end();
		const { code, signal, rest } = await agent.program.exit();
		assert.deepEqual([code, signal], [0, null]);
		const answers = rest.map((text) => JSON.parse(text)).filter(({ id }) => id !== undefined);
		assert.deepEqual(answers, [cancelled(1)]);
	});
}

test('agent: options are refused', async (t) => {
	const program = Program.start(t, hostProgram('agent'), ['--fast']);
	const { code } = await program.exit();
	assert.deepEqual([code, program.stderr], [2, 'agent: --fast: is no option; there are none\n']);
});
