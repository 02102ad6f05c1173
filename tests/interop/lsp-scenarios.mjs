/* SPDX-License-Identifier: MIT
 * What an editor must find, whichever target the langserver runs on. */

import assert from 'node:assert/strict';
import { sleep, test, until } from '../common/runner.mjs';
import { Editor, initializeParams, isCancelled, requestCancelled, rpc } from './editor.mjs';
import { settled } from './session.mjs';

/** `how` says how the server is started, see Editor. On a board there is less room, and one session does for much. */
export function testLspScenarios(name, how) {
	const testOf = (what, body) => test(`vscode-jsonrpc 10.0.0${name}: ${what}`, body);
	const scenario = (what, body) => testOf(what, async (t) => {
		const editor = await Editor.open(t, how);
		await body(editor);
		await editor.close();
	});

	scenario('initialize, requests, shutdown, exit: code 0', async (editor) => {
		await editor.assertServes();
	});

	testOf('requests outside of the session are refused', async (t) => {
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

	scenario('params of all kinds come back', async (editor) => {
		const values = [{ text: 'ä€😀 "\\\n\u0000' }, { list: [1, -2.5, 1e300, true, false, null, [], {}] }, { text: 'x'.repeat(how.uart ? 300 : 60000) }];
		for (const value of values) assert.deepEqual(await editor.ask('test/echo', value), value);
		assert.deepEqual(await editor.ask('test/echo', 'a', 'b'), ['a', 'b']);
		assert.equal(await editor.ask('test/echo'), null);
	});

	scenario('errors have their codes', async (editor) => {
		await assert.rejects(editor.ask('no/such/method'), { code: rpc.ErrorCodes.MethodNotFound });
		await assert.rejects(editor.ask('test/slow', { ms: 'long' }), { code: rpc.ErrorCodes.InvalidParams });
	});

	scenario('many requests at once are answered, each to its id', async (editor) => {
		const all = [70, 10, 50, 30, 60, 20, 40].slice(0, how.uart ? 4 : 7).map(async (ms) => assert.deepEqual(await editor.ask('test/slow', { ms }), { slept: ms }));
		await Promise.all(all);
	});

	scenario('partial results come before the answer', async (editor) => {
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
	});

	/* --- Cancels */

	scenario('a CancellationToken in flight', async (editor) => {
		const source = new rpc.CancellationTokenSource();
		const slow = settled(editor.ask('test/slow', { ms: 60000, partialResultToken: 'p' }, source.token));
		await until('its progress', () => editor.progressOf('p').length > 1);
		source.cancel();
		assert.ok(isCancelled(await slow));
		const told = editor.progressOf('p').length;
		await sleep(100);
		await editor.assertServes();
		assert.equal(editor.progressOf('p').length, told, 'nothing more is told');
	});

	scenario('a token that is cancelled already', async (editor) => {
		assert.ok(isCancelled(await settled(editor.ask('test/slow', { ms: 60000 }, rpc.CancellationToken.Cancelled))));
	});

	scenario('a cancel right behind its request', async (editor) => {
		const source = new rpc.CancellationTokenSource();
		const slow = settled(editor.ask('test/slow', { ms: 60000 }, source.token));
		source.cancel();
		assert.ok(isCancelled(await slow));
	});

	scenario('a cancel that comes too late does nothing', async (editor) => {
		const source = new rpc.CancellationTokenSource();
		assert.deepEqual(await editor.ask('test/echo', { n: 1 }, source.token), { n: 1 });
		source.cancel();
		await editor.assertServes();
	});

	scenario('one token for several requests', async (editor) => {
		const source = new rpc.CancellationTokenSource();
		const all = [1, 2, 3].map(() => settled(editor.ask('test/slow', { ms: 60000 }, source.token)));
		const other = editor.ask('test/slow', { ms: 100 });
		source.cancel();
		for (const outcome of await Promise.all(all)) assert.ok(isCancelled(outcome));
		assert.deepEqual(await other, { slept: 100 });
	});

	scenario('cancels and answers that cross: one answer each', async (editor) => {
		for (let round = 0; round < 40; round++) {
			const source = new rpc.CancellationTokenSource();
			const outcome = settled(editor.ask('test/slow', { ms: 5 }, source.token));
			setTimeout(() => source.cancel(), round % 10);
			const { value, error } = await outcome;
			assert.ok(error ? error.code === requestCancelled : value.slept === 5);
		}
		const ids = editor.heard.map(({ id }) => id);
		assert.equal(new Set(ids).size, ids.length, 'no id is answered twice');
	});
}
