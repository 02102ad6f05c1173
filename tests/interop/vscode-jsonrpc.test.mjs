/* SPDX-License-Identifier: MIT
 * vscode-jsonrpc, the connection of VS Code's language clients, drives the langserver. */

import assert from 'node:assert/strict';
import { Program, framed, hostProgram } from '../host/program.mjs';
import { sleep, test, until } from '../host/runner.mjs';
import { load } from './modules.mjs';
import { settled } from './session.mjs';

const rpc = load('vscode-jsonrpc/node');

const initializeParams = { processId: null, rootUri: null, capabilities: {} };

/** A connection to a langserver of its own. What is heard is looked at twice: by the client, and as texts. */
class Editor {
	static connect(t) {
		const editor = new Editor(Program.start(t, hostProgram('langserver'), [], { dialect: 'lsp' }));
		t.after(() => editor.connection.dispose());
		return editor;
	}

	static async open(t) {
		const editor = Editor.connect(t);
		const { serverInfo } = await editor.connection.sendRequest('initialize', initializeParams);
		assert.equal(serverInfo.name, 'quash-langserver');
		await editor.connection.sendNotification('initialized', {});
		return editor;
	}

	complaints = [];

	constructor(program) {
		const complain = (text) => this.complaints.push(text);
		this.program = program;
		this.writer = new rpc.StreamMessageWriter(program.child.stdin);
		this.connection = rpc.createMessageConnection(new rpc.StreamMessageReader(program.child.stdout), this.writer,
			{ error: complain, warn: complain, info() {}, log() {} });
		this.connection.onError(([error]) => complain(String(error)));
		this.connection.listen();
	}

	/** The arguments are params as the client takes them, and at last perhaps a token. */
	ask(method, ...args) {
		return this.connection.sendRequest(method, ...args);
	}

	get heard() {
		return this.program.messages.map((text) => JSON.parse(text));
	}

	answersTo(id) {
		return this.heard.filter((message) => message.id === id && !message.method);
	}

	progressOf(token) {
		return this.heard.filter(({ method, params }) => method === '$/progress' && params.token === token)
			.map(({ params }) => params.value);
	}

	answerTo(id) {
		return until(`the answer to ${JSON.stringify(id)}`, () => this.answersTo(id)[0]);
	}

	sendRaw(...messages) {
		this.program.send(...messages);
	}

	async assertServes() {
		const heard = { messages: this.heard.length };
		assert.deepEqual(await this.ask('test/echo', heard), heard);
	}

	/** Ends the server as an editor does, and looks at how that went. `rawIds`: what the client does not know of. */
	async close(rawIds = []) {
		assert.equal(await this.ask('shutdown'), null);
		await this.connection.sendNotification('exit');
		const exit = await this.program.exit();
		assert.deepEqual([exit.code, exit.signal], [0, null]);
		assert.equal(this.program.stderr, '');
		const strange = this.complaints.filter((text) => !rawIds.some((id) => text.includes(`${id}`)));
		assert.deepEqual(strange, [], 'the client has nothing to complain of');
	}
}

const requestCancelled = -32800; /* LSP's, which the client does not know */
const isCancelled = (outcome) => outcome.error?.code === requestCancelled;

const name = (text) => `vscode-jsonrpc 10.0.0: ${text}`;

/* ---------------------------------------------------------------------------------------------- life cycle */

test(name('initialize, requests, shutdown, exit: code 0'), async (t) => {
	const editor = await Editor.open(t);
	await editor.assertServes();
	await editor.close();
});

test(name('exit without shutdown: code 1'), async (t) => {
	const editor = await Editor.open(t);
	await editor.connection.sendNotification('exit');
	assert.equal((await editor.program.exit()).code, 1);
});

test(name('end of input without shutdown: code 1'), async (t) => {
	const editor = await Editor.open(t);
	editor.connection.end();
	assert.equal((await editor.program.exit()).code, 1);
});

test(name('end of input behind shutdown: code 0'), async (t) => {
	const editor = await Editor.open(t);
	assert.equal(await editor.ask('shutdown'), null);
	editor.connection.end();
	assert.equal((await editor.program.exit()).code, 0);
});

test(name('end of input while a request runs: it is answered, code 1'), async (t) => {
	const editor = await Editor.open(t);
	const slow = editor.ask('test/slow', { ms: 200, partialResultToken: 1 });
	await until('it runs', () => editor.progressOf(1).length > 0);
	editor.connection.end();
	assert.deepEqual(await slow, { slept: 200 });
	assert.equal((await editor.program.exit()).code, 1);
});

test(name('requests outside of the session are refused'), async (t) => {
	const editor = Editor.connect(t);
	await assert.rejects(editor.ask('test/echo'), { code: -32002 });
	await editor.ask('initialize', initializeParams);
	await assert.rejects(editor.ask('initialize', initializeParams), { code: -32600 });
	assert.equal(await editor.ask('shutdown'), null);
	await assert.rejects(editor.ask('test/echo'), { code: -32600 });
	await assert.rejects(editor.ask('shutdown'), { code: -32600 });
	await editor.connection.sendNotification('exit');
	assert.equal((await editor.program.exit()).code, 0);
});

/* ------------------------------------------------------------------------------------------------ requests */

test(name('params of all kinds come back'), async (t) => {
	const editor = await Editor.open(t);
	const values = [{ text: 'ä€😀 "\\\n\u0000' }, { list: [1, -2.5, 1e300, true, false, null, [], {}] }, { text: 'x'.repeat(60000) }];
	for (const value of values) assert.deepEqual(await editor.ask('test/echo', value), value);
	assert.deepEqual(await editor.ask('test/echo', 'a', 'b'), ['a', 'b']);
	assert.equal(await editor.ask('test/echo'), null);
	await editor.close();
});

test(name('errors have their codes'), async (t) => {
	const editor = await Editor.open(t);
	await assert.rejects(editor.ask('no/such/method'), { code: rpc.ErrorCodes.MethodNotFound });
	await assert.rejects(editor.ask('test/slow', { ms: 'long' }), { code: rpc.ErrorCodes.InvalidParams });
	await editor.close();
});

test(name('many requests at once are answered, each to its id'), async (t) => {
	const editor = await Editor.open(t);
	const all = [70, 10, 50, 30, 60, 20, 40].map(async (ms) => assert.deepEqual(await editor.ask('test/slow', { ms }), { slept: ms }));
	await Promise.all(all);
	await editor.close();
});

test(name('partial results come before the answer'), async (t) => {
	const editor = await Editor.open(t);
	for (const token of ['parts', 17]) {
		const parts = [];
		const listener = editor.connection.onProgress(new rpc.ProgressType(), token, ({ slept }) => parts.push(slept));
		assert.deepEqual(await editor.ask('test/slow', { ms: 150, partialResultToken: token }), { slept: 150 });
		const told = parts.length;
		assert.ok(told >= 2 && parts.every((ms, i) => ms % 20 === 0 && ms > (parts[i - 1] ?? 0)), `rising: ${parts}`);
		await editor.assertServes();
		assert.equal(parts.length, told, 'none behind the answer');
		listener.dispose();
	}
	await editor.close();
});

/* ------------------------------------------------------------------------------------------------- cancels */

test(name('a CancellationToken in flight'), async (t) => {
	const editor = await Editor.open(t);
	const source = new rpc.CancellationTokenSource();
	const slow = settled(editor.ask('test/slow', { ms: 60000, partialResultToken: 'p' }, source.token));
	await until('its progress', () => editor.progressOf('p').length > 1);
	source.cancel();
	assert.ok(isCancelled(await slow));
	const told = editor.progressOf('p').length;
	await sleep(100);
	await editor.assertServes();
	assert.equal(editor.progressOf('p').length, told, 'nothing more is told');
	await editor.close();
});

test(name('a token that is cancelled already'), async (t) => {
	const editor = await Editor.open(t);
	assert.ok(isCancelled(await settled(editor.ask('test/slow', { ms: 60000 }, rpc.CancellationToken.Cancelled))));
	await editor.close();
});

test(name('a cancel right behind its request'), async (t) => {
	const editor = await Editor.open(t);
	const source = new rpc.CancellationTokenSource();
	const slow = settled(editor.ask('test/slow', { ms: 60000 }, source.token));
	source.cancel();
	assert.ok(isCancelled(await slow));
	await editor.close();
});

test(name('a cancel that comes too late does nothing'), async (t) => {
	const editor = await Editor.open(t);
	const source = new rpc.CancellationTokenSource();
	assert.deepEqual(await editor.ask('test/echo', { n: 1 }, source.token), { n: 1 });
	source.cancel();
	await editor.assertServes();
	await editor.close();
});

test(name('one token for several requests'), async (t) => {
	const editor = await Editor.open(t);
	const source = new rpc.CancellationTokenSource();
	const all = [1, 2, 3].map(() => settled(editor.ask('test/slow', { ms: 60000 }, source.token)));
	const other = editor.ask('test/slow', { ms: 100 });
	source.cancel();
	for (const outcome of await Promise.all(all)) assert.ok(isCancelled(outcome));
	assert.deepEqual(await other, { slept: 100 });
	await editor.close();
});

test(name('cancels and answers that cross: one answer each'), async (t) => {
	const editor = await Editor.open(t);
	for (let round = 0; round < 40; round++) {
		const source = new rpc.CancellationTokenSource();
		const outcome = settled(editor.ask('test/slow', { ms: 5 }, source.token));
		setTimeout(() => source.cancel(), round % 10);
		const { value, error } = await outcome;
		assert.ok(error ? error.code === requestCancelled : value.slept === 5);
	}
	const ids = editor.heard.map(({ id }) => id);
	assert.equal(new Set(ids).size, ids.length, 'no id is answered twice');
	await editor.close();
});

test(name('the string twin of a number is another request'), async (t) => {
	const editor = await Editor.open(t);
	const request = (id) => ({ jsonrpc: '2.0', id, method: 'test/slow', params: { ms: id === 77 ? 150 : 60000 } });
	editor.sendRaw(request(77), request('77'), { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: '77' } });
	assert.equal((await editor.answerTo('77')).error.code, requestCancelled);
	assert.deepEqual((await editor.answerTo(77)).result, { slept: 150 });
	await editor.close([77]);
});

test(name('cancels that name nothing'), async (t) => {
	const editor = await Editor.open(t);
	const slow = editor.ask('test/slow', { ms: 150 });
	const cancel = (params) => editor.connection.sendNotification('$/cancelRequest', params);
	for (const id of [4711, 'none', null, 1.5, { id: 1 }, [1]]) await cancel({ id });
	await cancel({});
	await cancel([1]);
	editor.sendRaw({ jsonrpc: '2.0', method: '$/cancelRequest' });
	assert.deepEqual(await slow, { slept: 150 });
	await editor.close();
});

/* ---------------------------------------------------------------------------------------------------- wire */

const body = (id) => `{"jsonrpc":"2.0","id":"${id}","method":"test/echo","params":["ä"]}`;
const header = (text) => `Content-Length: ${Buffer.byteLength(text)}`;

const wires = [
	['a header that is cut at each line end', (id) => [header(body(id)) + '\r', '\n', '\r', '\n', body(id)]],
	['a header and half of the body', (id) => [`${header(body(id))}\r\n\r\n${body(id).slice(0, 20)}`, body(id).slice(20)]],
	['byte by byte', (id) => [...framed('lsp', body(id))].map((byte) => Buffer.from([byte]))],
	['unknown headers around it', (id) => [`X-Test: 1, 2: 3\r\n${header(body(id))}\r\nDate: now\r\n\r\n${body(id)}`]],
	['a charset', (id) => [`Content-Type: application/vscode-jsonrpc; charset=utf8\r\n${header(body(id))}\r\n\r\n${body(id)}`]],
	['lower case', (id) => [`${header(body(id)).toLowerCase()}\r\n\r\n${body(id)}`]],
	['no blank', (id) => [`${header(body(id)).replace(' ', '')}\r\n\r\n${body(id)}`]],
];

for (const [what, piecesOf] of wires) {
	test(name(`between the client's messages: ${what}`), async (t) => {
		const editor = await Editor.open(t);
		await editor.assertServes();
		for (const piece of piecesOf('raw')) {
			editor.program.sendBytes(piece);
			await new Promise(setImmediate);
		}
		assert.deepEqual((await editor.answerTo('raw')).result, ['ä']);
		await editor.assertServes();
		await editor.close(['raw']);
	});
}

const junk = [
	['a line that is no header', 'nonsense\r\n', 0],
	['a header block without length', 'X: y\r\n\r\n{"jsonrpc":"2.0","id":"lost","method":"test/echo"}', 0],
	['a length that is none', 'Content-Length: many\r\n\r\n', 0],
	['a message without a header', '{"jsonrpc":"2.0","id":"lost","method":"test/echo"}\n', 0],
	['a body that is no JSON', framed('lsp', '{"jsonrpc":"2.0",'), -32700],
	['an empty body', 'Content-Length: 0\r\n\r\n', -32700],
	['an array', framed('lsp', '[]'), -32600],
	['bytes that are no UTF-8', framed('lsp', Buffer.from([0x5b, 0x22, 0xff, 0x22, 0x5d])), -32700],
];

for (const [what, bytes, code] of junk) {
	test(name(`junk between the client's messages: ${what}`), async (t) => {
		const editor = await Editor.open(t);
		await editor.assertServes();
		editor.program.sendBytes(bytes);
		await editor.assertServes();
		const errors = editor.heard.filter(({ error }) => error);
		assert.deepEqual(errors.map(({ id, error }) => [id, error.code]), code ? [[null, code]] : []);
		await editor.close(['without id']);
	});
}
