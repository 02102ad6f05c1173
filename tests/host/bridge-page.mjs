/* SPDX-License-Identifier: MIT
 * quash-bridge --listen-http: the page that is in the program, and a Stop while others take all room. Scenes show the rest. */

import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { check } from './bridge-program.mjs';
import { call, greeted, served } from './http-served.mjs';
import { Connection, requestText } from '../common/http-client.mjs';
import { root } from '../common/program.mjs';
import { until } from '../common/runner.mjs';

const page = () => readFileSync(join(root, 'build/page/page.html'), 'utf8');
const asked = (t, number, method, target, ...more) => new Connection(t, number).write(requestText(method, {}, ...more, target));
const hashOf = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;

check('HTTP: the page is that of the tree, byte for byte, and its policy names what it holds', async (t) => {
	const { number, bridge } = await served(t);
	await bridge.says(new RegExp(`a page for browsers is at http://127\\.0\\.0\\.1:${number}/$`, 'm'));
	const { status, fields, body } = await asked(t, number, 'GET', '/', undefined).whole();
	assert.deepEqual([status, body === page()], [200, true]);
	const policy = fields['content-security-policy'];
	assert.equal(policy, `${/http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(body)[1]}; frame-ancestors 'none'`);
	for (const [, text] of [...body.matchAll(/<script[^>]*>([^]*?)<\/script>/g), ...body.matchAll(/<style>([^]*?)<\/style>/g)])
		assert.ok(policy.includes(hashOf(text)), text.slice(0, 100));
	assert.doesNotMatch(policy, /unsafe-inline|unsafe-eval|https?:|\*/);
});

check('HTTP: HEAD of the page and of the calls has the head alone', async (t) => {
	const { number } = await served(t);
	for (const target of ['/', '/calls']) {
		const got = await asked(t, number, 'GET', target, undefined).whole();
		const head = new Connection(t, number).write(requestText('HEAD', { Connection: 'close' }, undefined, target));
		await head.closes();
		assert.deepEqual([head.status, head.fields['content-length'], head.head.rest.length], [200, got.fields['content-length'], 0], target);
	}
});

check('HTTP: --no-page', async (t) => {
	const { number, bridge } = await served(t, { words: ['--no-page'] });
	assert.doesNotMatch(bridge.stderr, /a page/);
	for (const target of ['/', '/calls', '/stop']) assert.equal((await asked(t, number, 'GET', target, undefined).whole()).status, 404, target);
});

/* Requests of that length which lack their last byte, more of them than there is room for, until one is refused. Those that a slow machine
 * has not finished in their time are closed, and others come in their place. */
async function fill(t, number, length, count) {
	const head = requestText('POST', { 'Content-Type': 'application/json', 'Content-Length': length }), body = Buffer.alloc(length - 1, ' ');
	const all = [];
	await until(`a body of ${length} bytes that finds no room`, () => {
		for (let open = all.filter(({ closed }) => !closed).length; open < count; open++) all.push(new Connection(t, number).write(head).write(body));
		return all.some(({ status }) => status === 503);
	});
}

check('HTTP: a Stop works while bodies of others take all room', async (t) => {
	const { number, line, client } = await greeted(t), running = client.post(call(1));
	const below = await line.takes('tools/call');
	for (const [length, count] of [[9 << 20, 16], [1 << 20, 30], [1 << 15, 80]]) await fill(t, number, length, count);
	const stopping = await asked(t, number, 'POST', '/stop', 'x'.repeat(1 << 16)).answer();
	assert.deepEqual([stopping.status, stopping.json], [200, { stopped: 1, stops: 1 }]);
	assert.equal((await line.takes('notifications/cancelled')).params.requestId, below.id);
	assert.deepEqual((await running.answer()).json.error, { code: -32800, message: 'stopped by a person at the page' });
});
