/* SPDX-License-Identifier: MIT
 * @modelcontextprotocol/client: the official client of both eras. mcp-client-eras.test.mjs has the scenarios in its other modes. */

import assert from 'node:assert/strict';
import { test } from '../common/runner.mjs';
import { autoFlavour, legacyFlavour, modernFlavour, modernMeta } from './flavours.mjs';
import { testCommonScenarios } from './scenarios.mjs';
import { Session } from './session.mjs';

testCommonScenarios(modernFlavour);

const versionKey = 'io.modelcontextprotocol/protocolVersion';
const capabilitiesKey = 'io.modelcontextprotocol/clientCapabilities';

test('client 2.4.0 legacy: the plain handshake and ping', async (t) => {
	const session = await Session.open(t, legacyFlavour);
	assert.equal(session.client.getProtocolEra(), 'legacy');
	assert.equal(session.client.getNegotiatedProtocolVersion(), '2025-11-25');
	assert.deepEqual(await session.client.ping(), {});
	const { sent, heard } = await session.close();
	assert.equal(sent[0].method, 'initialize');
	for (const { result } of heard) assert.ok(!('resultType' in result), 'nothing of the other era');
});

test('client 2.4.0 auto: a sibling is asked first, then the modern era is chosen', async (t) => {
	const session = await Session.open(t, autoFlavour);
	assert.equal(session.client.getProtocolEra(), 'modern');
	assert.equal(session.client.getNegotiatedProtocolVersion(), '2026-07-28');
	const [probe, ...sessions] = session.tap.wires();
	assert.equal(sessions.length, 1, 'two programs were started');
	assert.equal(probe.sent[0].method, 'server/discover');
	assert.equal(probe.answersTo(probe.sent[0].id)[0].result.resultType, 'complete');
	await session.close();
	assert.ok(sessions[0].sent.every(({ method }) => method !== 'initialize'));
});

test('client 2.4.0 modern: no handshake, every result is marked', async (t) => {
	const session = await Session.open(t, modernFlavour);
	assert.equal(session.client.getProtocolEra(), 'modern');
	assert.ok(session.client.getServerCapabilities().tools);
	await session.client.listTools();
	await session.call('led', { on: true });
	const { sent, heard } = await session.close();
	assert.ok(sent.every(({ method }) => method !== 'initialize'));
	for (const { result } of heard) assert.equal(result.resultType, 'complete');
});

test('client 2.4.0 modern: server/discover tells versions, capabilities and how long that holds', async (t) => {
	const session = await Session.open(t, modernFlavour);
	const { result } = await session.askRaw('discover', 'server/discover', { _meta: modernMeta() });
	assert.ok(result.supportedVersions.includes('2026-07-28'));
	assert.ok(result.capabilities.tools);
	assertCacheable(result);
	assert.ok(result._meta['io.modelcontextprotocol/serverInfo'].name.length > 0);
});

test('client 2.4.0 modern: the list of tools says how long it holds', async (t) => {
	const session = await Session.open(t, modernFlavour);
	const { result } = await session.askRaw('list', 'tools/list', { _meta: modernMeta() });
	assert.ok(result.tools.length > 0);
	assertCacheable(result);
});

function assertCacheable({ resultType, ttlMs, cacheScope }) {
	assert.equal(resultType, 'complete');
	assert.ok(Number.isInteger(ttlMs) && ttlMs >= 0, `ttlMs ${ttlMs}`);
	assert.match(String(cacheScope), /^(public|private)$/);
}

for (const method of ['server/discover', 'tools/list', 'tools/call']) {
	test(`client 2.4.0 modern: ${method} in a version that is not supported is -32022`, async (t) => {
		const session = await Session.open(t, modernFlavour);
		const params = { name: 'led', arguments: { on: true }, _meta: modernMeta('2099-01-01') };
		const { error } = await session.askRaw('future', method, params);
		assert.equal(error?.code, -32022);
		assert.equal(error.data.requested, '2099-01-01');
		assert.ok(error.data.supported.includes('2026-07-28'));
	});
}

const without = (key) => Object.fromEntries(Object.entries(modernMeta()).filter(([name]) => name !== key));

for (const [name, params] of [
	['no params', undefined],
	['no _meta', {}],
	['no version', { _meta: without(versionKey) }],
	['no capabilities', { _meta: without(capabilitiesKey) }],
]) {
	test(`client 2.4.0 modern: a request with ${name} is -32602`, async (t) => {
		const session = await Session.open(t, modernFlavour);
		await session.stats(); /* a request of the modern era, so the connection is one */
		assert.equal((await session.askRaw('bare', 'tools/list', params)).error?.code, -32602);
		await session.stats();
	});
}

test('client 2.4.0 modern: a reused id is served once its request has been answered', async (t) => {
	const session = await Session.open(t, modernFlavour);
	const params = { name: 'led', arguments: { on: true }, _meta: modernMeta() };
	await session.askRaw('again', 'tools/call', params);
	await session.sendRaw({ id: 'again', method: 'tools/call', params });
	await session.stats();
	const answers = session.wire.answersTo('again');
	assert.deepEqual(answers.map(({ result }) => result?.content[0].text), ['on', 'on']);
});
