/* SPDX-License-Identifier: MIT
 * Modules of the page that need no browser: what is read of schemas, how texts are shown, and MCP as a client, on a wire of the test's. */

import assert from 'node:assert/strict';
import { Client, Refusal, Stopped } from '../../boards/page/client.mjs';
import { fieldText } from '../../boards/page/http.mjs';
import { Pipe } from '../../boards/page/pipe.mjs';
import { numbersOf } from '../../boards/page/result.mjs';
import { Session } from '../../boards/page/session.mjs';
import { fieldsOf, headerMarks, unitOf } from '../../boards/page/schema.mjs';
import { takeStream } from '../../boards/page/streams.mjs';
import { shown, shownAge, shownInLine, shownNumber } from '../../boards/page/text.mjs';
import { test } from '../common/runner.mjs';

/* --- Texts */

test('what cannot be seen is shown as its number', () => {
	const table = [
		['plain, äöü, 日本語, 😀', 'plain, äöü, 日本語, 😀'],
		['tab\tand\nline', 'tab\tand\nline'],
		['\u0000\u001b[31m\u007f\u0085', '\\u{0}\\u{1b}[31m\\u{7f}\\u{85}'],
		['a\u202eb\u2066c\u200d\u200b\ufeff', 'a\\u{202e}b\\u{2066}c\\u{200d}\\u{200b}\\u{feff}'],
		['\u2028\u2029\u00ad\u{e0041}', '\\u{2028}\\u{2029}\\u{ad}\\u{e0041}'],
		['half \ud800 of a pair', 'half \\u{d800} of a pair'],
		[5, '5'],
	];
	for (const [given, wanted] of table) assert.equal(shown(given), wanted);
	assert.equal(shown('x'.repeat(12), 10), `${'x'.repeat(10)} … (2 more)`);
	assert.equal(shownInLine('a\n\tb'), 'a b');
});

test('ages and numbers as people read them', () => {
	assert.deepEqual([0, 999, 1500, 61000].map(shownAge), ['0 ms', '999 ms', '1.5 s', '1 min 1 s']);
	assert.deepEqual([5, -1, 0.1 + 0.2, 1e21, 123456.789].map(shownNumber), ['5', '-1', '0.3', '1e+21', '123456.8']);
});

/* --- Schemas */

const only = (schema, required) => {
	const [{ kind, low, high, step, slides, unit, choices, required: needed }] = fieldsOf({ properties: { x: schema }, ...(required ? { required: ['x'] } : {}) }).fields;
	return { kind, ...(kind === 'number' ? { low, high, step, slides, unit } : {}), ...(choices ? { choices: choices.map(({ value, title }) => `${value}=${title}`) } : {}), needed };
};

test('an argument becomes the field of its kind', () => {
	assert.deepEqual(only({ type: 'integer', minimum: 1, maximum: 9, description: 'how far, in mm' }, true), { kind: 'number', low: 1, high: 9, step: 1, slides: true, unit: 'mm', needed: true });
	assert.deepEqual(only({ type: 'number', minimum: 0, maximum: 1 }), { kind: 'number', low: 0, high: 1, step: 0.001, slides: true, unit: '', needed: false });
	assert.deepEqual(only({ type: ['integer', 'null'] }), { kind: 'number', low: null, high: null, step: 1, slides: false, unit: '', needed: false });
	assert.deepEqual(only({ type: 'boolean' }), { kind: 'switch', needed: false });
	assert.deepEqual(only({ type: 'string', enum: ['a', 'b'], enumNames: ['A'] }), { kind: 'choice', choices: ['a=A', 'b=b'], needed: false });
	assert.deepEqual(only({ oneOf: [{ const: 1, title: 'one' }, { const: 2 }] }), { kind: 'choice', choices: ['1=one', '2=2'], needed: false });
	assert.deepEqual(only({ type: 'array' }), { kind: 'json', needed: false });
});

test('a schema that is none, or hostile, is bounded', () => {
	for (const schema of [null, 5, 'x', [], {}, { properties: [] }, { properties: null }]) assert.deepEqual(fieldsOf(schema), { fields: [], more: 0 });
	for (const property of [null, 5, [], { $ref: '#/x' }, { type: 7 }, { enum: Array(300).fill('x') }, { type: 'integer', minimum: 'a', maximum: {} }]) {
		assert.equal(fieldsOf({ properties: { x: property } }).fields.length, 1);
	}
	const many = fieldsOf({ properties: Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`p${i}`, {}])) });
	assert.deepEqual([many.fields.length, many.more], [64, 36]);
	const { fields } = fieldsOf(JSON.parse('{"properties":{"__proto__":{"type":"string"},"constructor":{"type":"boolean"}},"required":["__proto__"]}'));
	assert.deepEqual(fields.map(({ name, kind, required }) => [name, kind, required]), [['__proto__', 'text', true], ['constructor', 'switch', false]]);
	const wide = { type: 'number', minimum: -1e300, maximum: 1e300 };
	assert.equal(only(wide).slides, false);
});

test('units come from descriptions and names', () => {
	const table = [['x', 'how long, in milliseconds', 'ms'], ['x', 'height (mm)', 'mm'], ['x', 'angle in degrees, from the left', '°'], ['delay_ms', '', 'ms'], ['x', 'in a row', ''], ['x', 'speed [rpm]', 'rpm'], ['class', '', '']];
	for (const [name, description, unit] of table) assert.equal(unitOf(name, description), unit, `${name}: ${description}`);
});

test('arguments that stand in fields of HTTP too', () => {
	const schema = { properties: { region: { 'x-mcp-header': 'Region' }, place: { properties: { zip: { 'x-mcp-header': 'Zip' } } }, plain: {} } };
	assert.deepEqual(headerMarks(schema), [{ path: ['region'], mark: 'Region' }, { path: ['place', 'zip'], mark: 'Zip' }]);
	assert.deepEqual(['move', 'a b', ' a', 'ä', '=?base64?x', ''].map(fieldText), ['move', 'a b', '=?base64?IGE=?=', '=?base64?w6Q=?=', '=?base64?PT9iYXNlNjQ/eA==?=', '=?base64??=']);
});

/* --- Results */

test('numbers of results, for the plot', () => {
	const text = (words) => ({ content: [{ type: 'text', text: words }] });
	assert.deepEqual(numbersOf({ structuredContent: { t: 21.5, on: true, at: { x: 1 }, name: 'n' } }), [['t', 21.5], ['on', 1], ['at.x', 1]]);
	assert.deepEqual(numbersOf(text('{"a":1}')), [['a', 1]]);
	assert.deepEqual(numbersOf(text('21.5 °C')), [['value', 21.5]]);
	assert.deepEqual(numbersOf(text('moved 5')), []);
});

/* --- MCP over a pipe: what is sent, and what is said to it */

function rig(events = {}) {
	const sent = [], log = [], pipe = new Pipe((message) => sent.push(message));
	const client = new Client(pipe, { name: 'page', version: '1' }, { log: (level, text) => log.push([level, text]), lists: (what) => log.push(['changed', what]), ask: async () => ({ action: 'decline' }), ...events });
	return { sent, log, pipe, client, says: (message) => pipe.takes({ jsonrpc: '2.0', ...message }, client) };
}

test('a session begins, and log messages come', async () => {
	const { sent, log, client, says } = rig();
	const begun = client.begin();
	assert.equal(sent[0].method, 'initialize');
	says({ id: sent[0].id, result: { capabilities: { logging: {} } } });
	await begun;
	assert.deepEqual(sent.slice(1).map(({ method, params }) => [method, params?.level]), [['notifications/initialized', undefined], ['logging/setLevel', 'debug']]);
	says({ method: 'notifications/message', params: { level: 'warning', data: 'hot' } });
	says({ method: 'notifications/tools/list_changed' });
	assert.deepEqual(log, [['warning', 'hot'], ['changed', 'tools']]);
});

test('a call has its progress, and a Stop cancels it once', async () => {
	const { sent, client, says } = rig(), stop = new AbortController(), seen = [];
	const call = client.ask('tools/call', { name: 'turn' }, { signal: stop.signal, onProgress: ({ progress }) => seen.push(progress) });
	const [{ id, params }] = sent;
	says({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 1 } });
	stop.abort();
	await assert.rejects(call, Stopped);
	says({ method: 'notifications/progress', params: { progressToken: params._meta.progressToken, progress: 2 } });
	says({ id, result: {} });
	assert.deepEqual([seen, sent.slice(1).map(({ method, params: { requestId } }) => [method, requestId])], [[1], [['notifications/cancelled', id]]]);
	await assert.rejects(client.request('tools/call', {}, { signal: stop.signal }), Stopped);
	assert.equal(sent.length, 2, 'what was stopped before it began is not sent');
});

test('a question is answered, and goes when its call goes', async () => {
	const asked = [];
	const { sent, says, pipe } = rig({ ask: (params, signal) => new Promise((resolve) => {
		asked.push(params.message);
		if (params.message === 'now?') resolve({ action: 'accept', content: {} });
		signal.addEventListener('abort', () => resolve({ action: 'cancel' }));
	}) });
	await says({ id: 'q1', method: 'elicitation/create', params: { message: 'now?' } });
	const second = says({ id: 'q2', method: 'elicitation/create', params: { message: 'later?' } });
	says({ method: 'notifications/cancelled', params: { requestId: 'q2' } });
	await second;
	await says({ id: 'q3', method: 'elicitation/create', params: { mode: 'url', message: 'go there' } });
	await says({ id: 'q4', method: 'sampling/createMessage', params: {} });
	await says({ id: 'q5', method: 'ping' });
	assert.deepEqual(asked, ['now?', 'later?']);
	assert.deepEqual(sent.map(({ id, result, error }) => [id, result?.action ?? error?.code ?? 'pong']), [['q1', 'accept'], ['q3', 'decline'], ['q4', -32601], ['q5', 'pong']]);
	pipe.ends('over');
});

test('an error is a refusal, and the end of the pipe ends what waits', async () => {
	const { sent, client, says, pipe } = rig();
	const refused = client.request('tools/call', {}), waits = client.request('tools/list', {});
	says({ id: sent[0].id, error: { code: -32602, message: 'no such tool' } });
	await assert.rejects(refused, (error) => error instanceof Refusal && error.code === -32602 && error.message === 'no such tool');
	pipe.ends('disconnected');
	await assert.rejects(waits, /disconnected/);
});

test('a list has pages, and ends', async () => {
	const { sent, client, says } = rig(), list = client.list('tools/list', 'tools');
	const next = async (result) => {
		says({ id: sent.at(-1).id, result });
		await new Promise(setImmediate);
	};
	await next({ tools: [1, 2], nextCursor: 'a' });
	assert.equal(sent.at(-1).params.cursor, 'a');
	await next({ tools: 'none', nextCursor: 'b' });
	await next({ tools: [3], nextCursor: 'b' });
	assert.deepEqual(await list, [1, 2, 3]);
});

/* --- The modern era: a question is a result */

test('a modern request comes again with the answers', async () => {
	const sent = [], replies = [
		{ resultType: 'input_required', inputRequests: { q1: { method: 'elicitation/create', params: { message: 'sure?' } }, q2: { method: 'roots/list' } }, requestState: 's' },
		{ resultType: 'complete', content: [] },
	];
	const transport = { era: 'modern', exchange: async (message) => (sent.push(message), { result: replies.shift() }) };
	const client = new Client(transport, { name: 'page', version: '1' }, { log() {}, lists() {}, ask: async () => ({ action: 'accept', content: {} }) });
	assert.equal((await client.ask('tools/call', { name: 'lift' }, {})).resultType, 'complete');
	assert.equal(sent[0].params._meta['io.modelcontextprotocol/protocolVersion'], '2026-07-28');
	assert.deepEqual([sent[1].params.inputResponses, sent[1].params.requestState, sent[1].params.name], [{ q1: { action: 'accept', content: {} }, q2: { action: 'decline' } }, 's', 'lift']);
});

/* --- Streams */

test('at most four streams, and whoever stops waiting gives its place up', async () => {
	const held = await Promise.all([1, 2, 3, 4].map(() => takeStream())), stop = new AbortController();
	let got = 0;
	const fifth = takeStream(stop.signal), sixth = takeStream().then((release) => (got++, release));
	await new Promise(setImmediate);
	assert.equal(got, 0);
	stop.abort(new Error('stopped'));
	await assert.rejects(fifth, /stopped/);
	held[0]();
	(await sixth)();
	for (const release of held.slice(1)) release();
	const again = await Promise.all([1, 2, 3, 4].map(() => takeStream()));
	for (const release of again) release();
});

test('lists that were asked for before a board was lost are not shown behind it', async () => {
	const shown = [], asked = [];
	const transport = { era: 'legacy', exchange: (message) => new Promise((resolve) => { asked.push({ message, answers: (result) => resolve({ id: message.id, result }) }); }) };
	const session = new Session(transport, { name: 'test', version: '1' }, { tools: (list) => shown.push(list.length), resources: () => {}, trouble: () => {} });
	const answers = async (result) => {
		asked.shift().answers(result);
		await new Promise((resolve) => { setImmediate(resolve); });
	};
	const first = session.refresh();
	await answers({ tools: [{ name: 'work' }] });
	session.empties();
	await answers({ resources: [] });
	await first;
	assert.deepEqual(shown, [0], 'nothing came back');
	const second = session.refresh();
	await answers({ tools: [{ name: 'work' }] });
	await answers({ resources: [] });
	await second;
	assert.deepEqual(shown, [0, 1], 'what is asked for later is shown');
});
