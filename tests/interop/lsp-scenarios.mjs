/* SPDX-License-Identifier: MIT
 * What an editor must find, whichever target the langserver runs on. */

import assert from 'node:assert/strict';
import { framed } from '../common/program.mjs';
import { sleep, test, until } from '../common/runner.mjs';
import { Editor, initializeParams, isCancelled, requestCancelled, rpc } from './editor.mjs';
import { settled } from './session.mjs';

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

async function passesPieces(editor, piecesOf, id) {
	await editor.assertServes();
	for (const piece of piecesOf(id)) {
		editor.program.sendBytes(piece);
		await new Promise(setImmediate);
	}
	assert.deepEqual((await editor.answerTo(id)).result, ['ä']);
	await editor.assertServes();
}

async function survivesJunk(editor, bytes, code) {
	await editor.assertServes();
	const known = editor.heard.length;
	editor.program.sendBytes(bytes);
	await editor.assertServes();
	const errors = editor.heard.slice(known).filter(({ error }) => error);
	assert.deepEqual(errors.map(({ id, error }) => [id, error.code]), code ? [[null, code]] : []);
}

/** `how` says how the server is started, see Editor. On a board there is less room, and one session does for much. */
export function testLspScenarios(name, how) {
	const scenario = (what, body) => test(`vscode-jsonrpc 10.0.0${name}: ${what}`, body);

	scenario('initialize, requests, shutdown, exit: code 0', async (t) => {
		const editor = await Editor.open(t, how);
		await editor.assertServes();
		await editor.close();
	});

	scenario('requests outside of the session are refused', async (t) => {
		const editor = Editor.connect(t, how);
		await assert.rejects(editor.ask('test/echo'), { code: -32002 });
		await editor.ask('initialize', initializeParams);
		await assert.rejects(editor.ask('initialize', initializeParams), { code: -32600 });
		assert.equal(await editor.ask('shutdown'), null);
		await assert.rejects(editor.ask('test/echo'), { code: -32600 });
		await assert.rejects(editor.ask('shutdown'), { code: -32600 });
		await editor.connection.sendNotification('exit');
		await editor.end();
	});

	/* --- Requests */

	scenario('params of all kinds come back', async (t) => {
		const editor = await Editor.open(t, how);
		const values = [{ text: 'ä€😀 "\\\n\u0000' }, { list: [1, -2.5, 1e300, true, false, null, [], {}] }, { text: 'x'.repeat(how.uart ? 300 : 60000) }];
		for (const value of values) assert.deepEqual(await editor.ask('test/echo', value), value);
		assert.deepEqual(await editor.ask('test/echo', 'a', 'b'), ['a', 'b']);
		assert.equal(await editor.ask('test/echo'), null);
		await editor.close();
	});

	scenario('errors have their codes', async (t) => {
		const editor = await Editor.open(t, how);
		await assert.rejects(editor.ask('no/such/method'), { code: rpc.ErrorCodes.MethodNotFound });
		await assert.rejects(editor.ask('test/slow', { ms: 'long' }), { code: rpc.ErrorCodes.InvalidParams });
		await editor.close();
	});

	scenario('many requests at once are answered, each to its id', async (t) => {
		const editor = await Editor.open(t, how);
		const all = [70, 10, 50, 30, 60, 20, 40].slice(0, how.uart ? 4 : 7).map(async (ms) => assert.deepEqual(await editor.ask('test/slow', { ms }), { slept: ms }));
		await Promise.all(all);
		await editor.close();
	});

	scenario('partial results come before the answer', async (t) => {
		const editor = await Editor.open(t, how);
		for (const token of ['parts', 17]) {
			const parts = [];
			const listener = editor.connection.onProgress(new rpc.ProgressType(), token, ({ slept }) => parts.push(slept));
			assert.deepEqual(await editor.ask('test/slow', { ms: 500, partialResultToken: token }), { slept: 500 });
			const told = parts.length;
			assert.ok(told >= 1 && parts.every((ms, i) => ms % 20 === 0 && ms > (parts[i - 1] ?? 0)), `rising: ${parts}`);
			await editor.assertServes();
			assert.equal(parts.length, told, 'none behind the answer');
			listener.dispose();
		}
		await editor.close();
	});

	/* --- Cancels */

	scenario('a CancellationToken in flight', async (t) => {
		const editor = await Editor.open(t, how);
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

	scenario('a token that is cancelled already', async (t) => {
		const editor = await Editor.open(t, how);
		assert.ok(isCancelled(await settled(editor.ask('test/slow', { ms: 60000 }, rpc.CancellationToken.Cancelled))));
		await editor.close();
	});

	scenario('a cancel right behind its request', async (t) => {
		const editor = await Editor.open(t, how);
		const source = new rpc.CancellationTokenSource();
		const slow = settled(editor.ask('test/slow', { ms: 60000 }, source.token));
		source.cancel();
		assert.ok(isCancelled(await slow));
		await editor.close();
	});

	scenario('a cancel that comes too late does nothing', async (t) => {
		const editor = await Editor.open(t, how);
		const source = new rpc.CancellationTokenSource();
		assert.deepEqual(await editor.ask('test/echo', { n: 1 }, source.token), { n: 1 });
		source.cancel();
		await editor.assertServes();
		await editor.close();
	});

	scenario('one token for several requests', async (t) => {
		const editor = await Editor.open(t, how);
		const source = new rpc.CancellationTokenSource();
		const all = [1, 2, 3].map(() => settled(editor.ask('test/slow', { ms: 60000 }, source.token)));
		const other = editor.ask('test/slow', { ms: 100 });
		source.cancel();
		for (const outcome of await Promise.all(all)) assert.ok(isCancelled(outcome));
		assert.deepEqual(await other, { slept: 100 });
		await editor.close();
	});

	scenario('cancels and answers that cross: one answer each', async (t) => {
		const editor = await Editor.open(t, how);
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

	scenario('the string twin of a number is another request', async (t) => {
		const editor = await Editor.open(t, how);
		const request = (id) => ({ jsonrpc: '2.0', id, method: 'test/slow', params: { ms: id === 77 ? 150 : 60000 } });
		editor.sendRaw(request(77), request('77'), { jsonrpc: '2.0', method: '$/cancelRequest', params: { id: '77' } });
		assert.equal((await editor.answerTo('77')).error.code, requestCancelled);
		assert.deepEqual((await editor.answerTo(77)).result, { slept: 150 });
		await editor.close([77]);
	});

	scenario('cancels that name nothing', async (t) => {
		const editor = await Editor.open(t, how);
		const slow = editor.ask('test/slow', { ms: 150 });
		const cancel = (params) => editor.connection.sendNotification('$/cancelRequest', params);
		for (const id of [4711, 'none', null, 1.5, { id: 1 }, [1]]) await cancel({ id });
		await cancel({});
		await cancel([1]);
		editor.sendRaw({ jsonrpc: '2.0', method: '$/cancelRequest' });
		assert.deepEqual(await slow, { slept: 150 });
		await editor.close();
	});

	/* --- The wire */

	if (how.uart) scenario('pieces and junk between the client\'s messages', async (t) => {
		const editor = await Editor.open(t, how);
		for (const [what, piecesOf] of wires) await passesPieces(editor, piecesOf, what);
		for (const [, bytes, code] of junk) await survivesJunk(editor, bytes, code);
		await editor.close([...wires.map(([what]) => what), 'without id']);
	});
	else testOneByOne(scenario, how);
}

function testOneByOne(scenario, how) {
	for (const [what, piecesOf] of wires) scenario(`between the client's messages: ${what}`, async (t) => {
		const editor = await Editor.open(t, how);
		await passesPieces(editor, piecesOf, 'raw');
		await editor.close(['raw']);
	});

	for (const [what, bytes, code] of junk) scenario(`junk between the client's messages: ${what}`, async (t) => {
		const editor = await Editor.open(t, how);
		await survivesJunk(editor, bytes, code);
		await editor.close(['without id']);
	});
}
