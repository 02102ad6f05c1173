/* SPDX-License-Identifier: MIT
 * Members of a message may come in any order: every order of the members of an envelope and of its params, at the README's server
 * and at a toolbox with as little memory. Each is answered as the order in which its host writes it. */

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compiled } from '../readme/server.mjs';
import { asking, callOf, cancelOf, erasOf, greetingOf, hosts, listOf } from './hosts-messages.mjs';
import { hostProgram } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { root } from '../common/start.mjs';

const recorded = process.env.CALLS ?? join(root, '../shared/hosts/calls.json');

const ordersOf = (names) => names.length < 2 ? [names]
	: names.flatMap((name) => ordersOf(names.filter((other) => other !== name)).map((rest) => [name, ...rest]));
const inOrder = (object, names) => Object.fromEntries(names.map((name) => [name, object[name]]));
const allOrders = (object) => ordersOf(Object.keys(object)).map((names) => inOrder(object, names));
const turned = (object) => inOrder(object, Object.keys(object).reverse());

/* The first is the one in which it stands. Of `_meta` there are two: it may have many members. */
function* orders({ params, ...envelope }) {
	const metas = params?._meta && Object.keys(params._meta).length > 1 ? [params._meta, turned(params._meta)] : [params?._meta];
	const all = params ? metas.flatMap((_meta) => allOrders(_meta ? { ...params, _meta } : params)) : [undefined];
	for (const one of all) yield* allOrders(one === undefined ? envelope : { ...envelope, params: one });
}

/* What a host sends one after another, with a call of that tool. */
const made = (name, args) => hosts.flatMap((host) => erasOf(host).map((era) =>
	[greetingOf(host[era], 0), listOf(host, host[era]), callOf(host, host[era], name, args), cancelOf(host, host[era], 'live')].filter(Boolean)));

function* read(name, args) {
	for (const texts of Object.values(JSON.parse(readFileSync(recorded, 'utf8')))) {
		const all = Object.values(texts).filter((text) => typeof text === 'string' && text.startsWith('{')).map((text) => JSON.parse(text));
		for (const { method, params } of all) {
			if (method === 'tools/call') Object.assign(params, { name, arguments: args });
			if (method === 'notifications/cancelled') params.requestId = 'live';
		}
		yield all;
	}
}

/* Another call would be busy if the cancel had not been heard. */
async function cancelled({ program, ask }, call, long, cancel) {
	for (const one of orders(cancel)) {
		program.send({ ...call, id: 'live', params: { ...call.params, arguments: long } });
		assert.match(JSON.stringify(await ask(call)), /[Bb]usy/);
		program.send(one);
		const { result } = await ask(call);
		assert.ok(result && !result.isError, `${JSON.stringify(one)}: ${JSON.stringify(result)}`);
	}
}

async function answered({ ask }, message) {
	const expected = await ask(message);
	assert.ok(expected.result && !expected.result.isError, `${JSON.stringify(message)}: ${JSON.stringify(expected)}`);
	for (const one of orders(message)) assert.deepEqual(await ask(one), expected, JSON.stringify(one));
}

for (const [what, path, args, tool, short, long] of [
	['the README\'s server', compiled, [], 'turn', { ms: 1 }, { ms: 60000 }],
	['a toolbox with 208 bytes', () => hostProgram('toolbox'), ['--arena', '208'], 'stepper', { steps: 1 }, { steps: 60000 }],
]) {
	const sources = [['of our own', made], ...existsSync(recorded) ? [['that hosts were heard to send', read]] : []];
	for (const [whose, messagesOf] of sources) test(`messages ${whose} in every order at ${what}`, async (t) => {
		const device = asking(t, path(), args);
		for (const messages of messagesOf(tool, short)) {
			for (const message of messages.filter(({ id }) => id !== undefined)) await answered(device, message);
			for (const message of messages.filter(({ id }) => id === undefined))
				await cancelled(device, messages.find(({ method }) => method === 'tools/call'), long, message);
		}
	});
}
