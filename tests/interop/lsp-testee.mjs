/* SPDX-License-Identifier: MIT
 * A testee that speaks LSP, driven by vscode-jsonrpc: requests both ways, and cancels that cascade. */

import assert from 'node:assert/strict';
import { test, until } from '../common/runner.mjs';
import { Editor, isCancelled, requestCancelled, rpc } from './editor.mjs';
import { settled } from './session.mjs';

const requestFailed = -32803;

/* What the device asks of us hangs until it takes that back. */
function hang(editor, method) {
	const hanging = { asked: 0, cancelled: 0 };
	editor.connection.onRequest(method, (...args) => new Promise((resolve) => {
		hanging.asked++;
		args.at(-1).onCancellationRequested(() => {
			hanging.cancelled++;
			resolve(new rpc.ResponseError(requestCancelled, 'cancelled'));
		});
	}));
	return hanging;
}

function cancelledAfter(ms, editor, method, params) {
	const source = new rpc.CancellationTokenSource();
	const outcome = settled(editor.ask(method, params, source.token));
	setTimeout(() => source.cancel(), ms);
	return outcome;
}

/** `how` says how the testee is started, see Editor, and whether it stands behind a bridge. */
export function testLspTestee(name, how) {
	const scenario = (what, body) => test(`vscode-jsonrpc 10.0.0${name}: ${what}`, async (t) => {
		const editor = Editor.connect(t, how);
		await body(editor);
		await editor.end();
	});

	scenario('requests are answered, errors have their codes', async (editor) => {
		for (const value of [{ text: 'ä€😀 "\\\n\u0000' }, { list: [1, -2.5, 1e300, true, null, [], {}] }])
			assert.deepEqual(await editor.ask('echo', value), value);
		assert.equal(await editor.ask('big', { bytes: 3000 }), 'x'.repeat(3000));
		await assert.rejects(editor.ask('nothing'), { code: rpc.ErrorCodes.MethodNotFound });
		await assert.rejects(editor.ask('wait', { steps: 'x' }), { code: rpc.ErrorCodes.InvalidParams });
		await assert.rejects(editor.ask('fail', { code: 4711, message: 'so it is' }), { code: 4711, message: 'so it is' });
		await assert.rejects(editor.ask('late', { ms: 50 }), { code: requestFailed });
	});

	scenario('notifications come in order, in front of the answer', async (editor) => {
		const ticks = [];
		editor.connection.onNotification('tick', ({ n }) => ticks.push(n));
		assert.deepEqual(await editor.ask('notify', { count: 30 }), { count: 30 });
		assert.deepEqual(ticks, Array.from({ length: 30 }, (_, i) => i + 1));
	});

	scenario('cancels: what waits, what stays busy, what gives a part', async (editor) => {
		const heard = async () => (await editor.ask('stats')).cancelled_by_other_side;
		for (const [method, params] of [['wait', { steps: 0 }], ['busy', { turns: 0 }], ['partial', { steps: 2000000000 }]]) {
			const before = await heard();
			/* A bridge does not write what is cancelled already: at some delay it does. */
			const isEnough = async (delay) => (how.bridged ? await heard() > before : delay > 30);
			for (let delay = 0; !await isEnough(delay); delay = 2 * delay + 30) {
				const outcome = await cancelledAfter(delay, editor, method, params);
				const gavePart = method === 'partial' && outcome.value?.partial;
				assert.ok(gavePart || isCancelled(outcome), `${method}: ${JSON.stringify(outcome)}`);
			}
			if (!how.bridged) assert.equal(await heard(), before + 2, `${method}: cancels are heard`);
		}
	});

	scenario('a cancel between two that stay', async (editor) => {
		const source = new rpc.CancellationTokenSource();
		const others = [editor.ask('late', { ms: 300 }), editor.ask('late', { ms: 300 })].map(settled);
		const outcome = settled(editor.ask('wait', { steps: 0 }, source.token));
		source.cancel();
		assert.ok(isCancelled(await outcome));
		for (const { error } of await Promise.all(others)) assert.equal(error.code, requestFailed);
	});

	scenario('it asks, and the answer comes through', async (editor) => {
		editor.connection.onRequest('sum', (...args) => args[0].list.reduce((a, b) => a + b));
		editor.connection.onRequest('ping', () => null);
		assert.deepEqual(await editor.ask('call', { method: 'sum', params: { list: [1, 2, 3] } }), { result: 6 });
		const { error } = await editor.ask('call', { method: 'unknown' });
		assert.equal(error.code, rpc.ErrorCodes.MethodNotFound);
		assert.deepEqual(await editor.ask('fan', { width: 3 }), { answered: 3 });
	});

	scenario('a cancel runs down to what it has asked', async (editor) => {
		const [hanging, pings] = [hang(editor, 'hang'), hang(editor, 'ping')];
		const source = new rpc.CancellationTokenSource();
		const call = settled(editor.ask('call', { method: 'hang', params: [] }, source.token));
		const fan = settled(editor.ask('fan', { width: 3 }, source.token));
		await until('all of it to be asked', () => hanging.asked === 1 && pings.asked === 3);
		source.cancel();
		assert.ok(isCancelled(await call));
		assert.ok(isCancelled(await fan));
		await until('all of it to be cancelled', () => hanging.cancelled === 1 && pings.cancelled === 3);
		assert.deepEqual(await editor.ask('orphan'), {});
		const { stray_responses, call_cancels } = await editor.ask('stats');
		assert.deepEqual({ stray_responses, call_cancels }, { stray_responses: 0, call_cancels: 5 }, 'and the orphan');
	});
}
