/* SPDX-License-Identifier: MIT
 * node stream.mjs FILE
 *
 * Writes the messages of `6_stream.ndjson`: 10,000 of the kinds that a busy tool server sees, always the same ones. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));
const count = 10000, seed = 20251123;

/* Mulberry32: small, and the same everywhere. */
function randomFrom(state) {
	return (below) => {
		state = (state + 0x6d2b79f5) | 0;
		let x = Math.imul(state ^ (state >>> 15), state | 1);
		x ^= x + Math.imul(x ^ (x >>> 7), x | 61);
		return (((x ^ (x >>> 14)) >>> 0) * below) / 2 ** 32 | 0;
	};
}

/* How many of a hundred, and what stands behind `jsonrpc`. */
const kinds = [
	[20, ({ n, random }) => ({ id: n, result: { content: [{ type: 'text', text: `T = ${(random(10000) - 2000) / 100} °C\nok` }], isError: false } })],
	[40, ({ n, random }) => ({ id: n, method: 'tools/call', params: { name: 'gpio_write', arguments: { pin: random(41), level: random(2) === 1 } } })],
	[15, ({ n, random }) => ({ id: `req-${n}`, method: 'tools/call', params: { name: 'read_sensor', arguments: { id: random(8), unit: '°C' } } })],
	[10, ({ n, random }) => ({ method: 'notifications/progress', params: { progressToken: n, progress: random(100), total: 100 } })],
	[10, ({ n, random }) => ({ method: '$/cancel_request', params: { id: random(n + 1) } })],
	[3, ({ n }) => ({ id: n, error: { code: -32601, message: 'Method not found' } })],
	[2, ({ n, initialize }) => ({ ...initialize, id: n })],
];

function kindOf(hundredth) {
	let passed = 0;
	return kinds.find(([share]) => hundredth < (passed += share))[1];
}

/** The whole text, with a line feed behind each message. */
export function stream() {
	const random = randomFrom(seed), initialize = JSON.parse(readFileSync(join(here, 'messages/1_initialize.json'), 'utf8'));
	return Array.from({ length: count }, (_, n) => `${JSON.stringify({ jsonrpc: '2.0', ...kindOf(random(100))({ n, random, initialize }) })}\n`).join('');
}

/** Writes it to `file`, and returns that. */
export function writeStream(file) {
	mkdirSync(dirname(file), { recursive: true });
	writeFileSync(file, stream());
	return file;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) writeStream(process.argv[2]);
