/* SPDX-License-Identifier: MIT
 * The official ACP client drives the agent: both ways of cancelling, the cascade, and what the agent asks of it. */

import assert from 'node:assert/strict';
import { sleep, test, until } from '../common/runner.mjs';
import { AcpClient } from './acp-client.mjs';
import { settled } from './session.mjs';

const cancelled = { stopReason: 'cancelled' };
const ended = { stopReason: 'end_turn' };

/* A user who does not answer: the question ends when the agent takes it back. */
function hanging() {
	const asked = [];
	const handler = (context) => new Promise((resolve, reject) => {
		asked.push(context);
		context.signal.addEventListener('abort', () => reject(context.signal.reason));
	});
	return { asked, handlers: { 'session/request_permission': handler } };
}

/** `how` says how the agent is started, see AcpClient; `uart` that it does not hear the end of its input. */
export function testAcpScenarios(name, how = {}) {
	const scenario = (what, body, options = {}) => test(`acp sdk 2.4.0${name}: ${what}`, async (t) => {
		const client = await AcpClient.open(t, { ...how, ...options });
		await body(client, options);
		await client.close();
	});

	scenario('a prompt from beginning to end', async (client) => {
		assert.equal(client.initialized.protocolVersion, 1);
		assert.equal(client.initialized.agentInfo.name, 'quash-agent');
		assert.deepEqual(await client.prompt('think plan tool mode'), ended);
		const kinds = client.updates.map(({ update }) => update.sessionUpdate);
		for (const kind of ['agent_message_chunk', 'agent_thought_chunk', 'plan', 'tool_call', 'tool_call_update',
			'current_mode_update'])
			assert.ok(kinds.includes(kind), kind);
		client.assertOrder((await client.lastPrompt()).id);
	});

	scenario('a cancellationSignal in flight', async (client) => {
		const abort = new AbortController();
		const prompt = client.prompt('slow', { cancellationSignal: abort.signal });
		await until('a chunk', () => client.updates.length);
		abort.abort();
		assert.deepEqual(await prompt, cancelled);
		const { id } = await client.lastPrompt();
		assert.deepEqual([client.cancelsSent(id).length, client.answersTo(id).length], [1, 1]);
		await sleep(600); /* the next step would have come */
		client.assertOrder(id);
		assert.deepEqual(await client.prompt('x'), ended);
	});

	scenario('an aborted cancellationSignal', async (client) => {
		const prompt = client.prompt('slow', { cancellationSignal: AbortSignal.abort() });
		assert.deepEqual(await prompt, cancelled);
		const { id } = await client.lastPrompt();
		assert.equal(client.cancelsSent(id).length, 1);
	});

	scenario('stopWaitingOnCancel: the late answer is dropped, the session goes on', async (client) => {
		const abort = new AbortController();
		const prompt = settled(client.prompt('slow', { cancellationSignal: abort.signal, stopWaitingOnCancel: true }));
		const { id } = await client.lastPrompt();
		abort.abort();
		assert.equal((await prompt).error.code, -32800);
		await until('the late answer', () => client.answersTo(id).length);
		assert.deepEqual(client.answersTo(id)[0].result, cancelled);
		assert.deepEqual(await client.prompt('x'), ended);
	});

	scenario('session/cancel in flight, and right behind its prompt', async (client) => {
		const first = client.prompt('slow');
		await until('a chunk', () => client.updates.length);
		await client.cancelSession();
		assert.deepEqual(await first, cancelled);
		const second = client.prompt('slow');
		await client.cancelSession();
		assert.deepEqual(await second, cancelled);
		assert.deepEqual(client.sent.filter(({ method }) => method === '$/cancel_request'), []);
	});

	scenario('a cancel just after its prompt, unsynchronised, again and again', async (client) => {
		for (let i = 0; i < 20; i++) {
			const abort = new AbortController();
			const prompt = client.prompt(i % 2 ? 'permission slow' : 'slow', { cancellationSignal: abort.signal });
			setTimeout(() => (i % 3 ? abort.abort() : client.cancelSession()), i % 5);
			assert.deepEqual(await prompt, cancelled);
		}
		assert.deepEqual(await client.prompt('x'), ended);
	});

	for (const [way, stop] of [
		['$/cancel_request', (client, abort) => abort.abort()],
		['session/cancel', (client) => client.cancelSession()],
	]) {
		const user = hanging();
		scenario(`${way} takes a hanging permission back`, async (client) => {
			const abort = new AbortController();
			const prompt = client.prompt('permission', { cancellationSignal: abort.signal });
			const [question] = await until('the question', () => user.asked.length && user.asked);
			await stop(client, abort);
			assert.deepEqual(await prompt, cancelled);
			await until('the cancel of the question', () => question.signal.aborted);
			const cancels = client.heardOf('$/cancel_request');
			assert.deepEqual(cancels.map(({ params }) => params.requestId), [question.requestId], 'ours, once');
			await until('the answer to it',
				() => client.sent.some(({ id, error }) => id === question.requestId && error?.code === -32800));
			assert.deepEqual(await client.prompt('x'), ended);
		}, { handlers: user.handlers });
	}

	scenario('a user who allows', async (client) => {
		assert.deepEqual(await client.prompt('permission'), ended);
		assert.match(client.said(), /Allowed\.$/);
		assert.equal(client.permissions[0].params.toolCall.toolCallId, 'motion');
	});

	scenario('a user who rejects', async (client) => {
		assert.deepEqual(await client.prompt('permission tool'), ended);
		assert.match(client.said(), /Rejected\.$/);
		assert.deepEqual(client.updates.filter(({ update }) => update.sessionUpdate === 'tool_call'), []);
	}, { handlers: { 'session/request_permission': () => ({ outcome: { outcome: 'selected', optionId: 'reject' } }) } });

	scenario('a user who has cancelled', async (client) => {
		assert.deepEqual(await client.prompt('permission'), cancelled);
	}, { handlers: { 'session/request_permission': () => ({ outcome: { outcome: 'cancelled' } }) } });

	const files = new Map([['/a', 'zwölf "Boxkämpfer"\n'.repeat(40)]]);
	scenario('files are read and written', async (client) => {
		assert.deepEqual(await client.prompt('read /a'), ended);
		assert.ok(client.said().endsWith(files.get('/a')));
		assert.deepEqual(await client.prompt('write /b'), ended);
		assert.equal(files.get('/b'), 'written by a device\n');
		assert.deepEqual(await client.prompt('read /c'), ended);
		assert.match(client.said(), /The client has refused\.$/);
	}, { handlers: {
		'fs/read_text_file': ({ params }) => {
			if (!files.has(params.path)) throw new Error('no such file');
			return { content: files.get(params.path) };
		},
		'fs/write_text_file': ({ params }) => void files.set(params.path, params.content),
	} });

	const terminals = { released: [], waiting: [] };
	scenario('a command is run, and released also when the turn is cancelled', async (client) => {
		assert.deepEqual(await client.prompt('run uptime'), ended);
		assert.match(client.said(), /up uptime$/);
		assert.deepEqual(terminals.released, ['t-uptime']);
		const prompt = client.prompt('run sleep');
		const [question] = await until('the command to run', () => terminals.waiting.length && terminals.waiting);
		await client.cancelSession();
		assert.deepEqual(await prompt, cancelled);
		assert.ok(question.signal.aborted);
		await until('the second release', () => terminals.released.length > 1);
		assert.deepEqual(terminals.released, ['t-uptime', 't-sleep']);
	}, { handlers: {
		'terminal/create': ({ params }) => ({ terminalId: `t-${params.command}` }),
		'terminal/output': ({ params }) => ({ output: params.terminalId.replace('t-', 'up '), truncated: false }),
		'terminal/release': ({ params }) => void terminals.released.push(params.terminalId),
		'terminal/wait_for_exit': (context) => {
			if (context.params.terminalId !== 't-sleep') return { exitCode: 0 };
			terminals.waiting.push(context);
			return new Promise((resolve, reject) => context.signal.addEventListener('abort', () => reject(context.signal.reason)));
		},
	} });

	scenario('what the client cannot do is not asked', async (client) => {
		assert.deepEqual(await client.prompt('read /a'), ended);
		assert.match(client.said(), /The client cannot do that\.$/);
		assert.deepEqual(client.heardOf('fs/read_text_file'), []);
	}, { clientCapabilities: {} });

	scenario('sessions: two at once, modes, close', async (client) => {
		const { sessionId, modes } = await client.newSession();
		assert.deepEqual([modes.currentModeId, modes.availableModes.length], ['ask', 2]);
		assert.deepEqual(await client.request('session/set_mode', { sessionId, modeId: 'act' }), {});
		await assert.rejects(client.request('session/set_mode', { sessionId, modeId: 'none' }), { code: -32602 });
		const slow = client.prompt('slow');
		assert.deepEqual(await client.prompt('y', undefined, sessionId), ended);
		await assert.rejects(client.prompt('z'), { code: -32600 });
		assert.equal(client.said(sessionId), 'You said: y');
		await client.request('session/close', { sessionId: client.session });
		assert.deepEqual(await slow, cancelled);
		await assert.rejects(client.prompt('z'), { code: -32602 });
		await assert.rejects(client.request('authenticate', { methodId: 'x' }), { code: -32602 });
		await assert.rejects(client.request('session/load', { sessionId, cwd: '/', mcpServers: [] }), { code: -32601 });
	});

	for (const word of how.uart ? [] : ['slow', 'permission']) {
		const user = hanging();
		scenario(`end of input while it does "${word}"`, async (client) => {
			const prompt = client.prompt(word);
			await until('a chunk', () => client.updates.length);
			if (word === 'permission') await until('the question', () => user.asked.length);
			client.child.stdin.end();
			assert.deepEqual(await prompt, cancelled);
		}, { handlers: user.handlers });
	}
}
