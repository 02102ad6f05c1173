/* SPDX-License-Identifier: MIT
 * The tables of docs/sizing.md: what the official clients need, and typical devices. `make measure` writes them, by
 * sizing.test.mjs. */

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printed, root } from '../common/start.mjs';
import { definitions, sources } from '../host/sized.mjs';
import { number, table } from '../size/page.mjs';
import { targets as measuredTargets } from '../size/targets.mjs';

export const page = 'docs/sizing.md';

/* ------------------------------------------------------------------------------------------------ devices */

const mcp = ['quash_mcp_tools_call_', 'quash_mcp_tools_list_', 'quash_mcp_initialize_'];
const acp = ['quash_acp_prompt_', 'quash_acp_new_'];

/** `on`: the processor, and the board whose program's flash is shown. */
export const devices = [
	{ name: 'Arduino Uno, one agent', on: ['atmega2560', 'uno'], app: 'toolbox', profile: mcp,
		sizes: { SLOTS: 2, ID_SIZE: 24, TOKEN_SIZE: 40, ARENA: 256, TX: 160, REASON: 1 } },
	{ name: 'Arduino Mega, a client with UUIDs', on: ['atmega2560', 'mega2560'], app: 'toolbox', profile: mcp,
		sizes: { SLOTS: 3, ID_SIZE: 36, TOKEN_SIZE: 40, ARENA: 512, TX: 160, REASON: 1 } },
	{ name: 'Cortex-M0+, one agent, three calls at once', on: ['cortex-m0plus', 'pico'], app: 'toolbox', profile: mcp,
		sizes: { SLOTS: 4, ID_SIZE: 24, TOKEN_SIZE: 40, ARENA: 768, TX: 256, REASON: 1 } },
	{ name: 'RISC-V as in an ESP32-C3, four clients behind a bridge', on: ['rv32imac', 'riscv-virt'], app: 'toolbox', profile: mcp,
		sizes: { SLOTS: 9, ID_SIZE: 17, TOKEN_SIZE: 17, ARENA: 3072, TX: 512, REASON: 32 } },
	{ name: 'Cortex-M3, an ACP agent', on: ['cortex-m3', 'lm3s6965evb'], app: 'agent', profile: acp, both: true,
		sizes: { SLOTS: 3, SESSIONS: 2, ID_SIZE: 36, NAME_SIZE: 64, ARENA: 1024, TX: 400 } },
];

/* Bytes of a symbol in an object file. */
function symbolSizes(prefix, object) {
	const lines = printed(`${prefix}nm`, ['-S', '--radix=d', object]).split('\n');
	return new Map(lines.map((line) => line.split(/\s+/)).filter((words) => words.length === 4).map(([, size, , name]) => [name, Number(size)]));
}

const probe = `#include "quash.h"
char of_peer[sizeof(quash_peer)], of_request[sizeof(quash_request)], of_word[sizeof(quash_word)], of_counters[sizeof(quash_counters)];`;

/** The RAM of a device by its parts, as its compiler lays it out. */
export function memoryOf({ on: [processor], app, sizes }) {
	const { prefix, flags } = measuredTargets.find(({ name }) => name === processor);
	const folder = mkdtempSync(join(root, 'build/sizing-'));
	const symbols = new Map();
	try {
		writeFileSync(join(folder, 'probe.c'), probe);
		for (const source of [join(folder, 'probe.c'), sources(app)[0]]) {
			const object = join(folder, 'object.o');
			printed(`${prefix}gcc`, [...flags, '-std=gnu11', '-Os', '-ffreestanding', '-fno-common', '-Iinclude', '-Iboards/apps', ...definitions(app, sizes), '-c', source, '-o', object]);
			for (const [name, size] of symbolSizes(prefix, object)) symbols.set(name, size);
		}
	} finally {
		rmSync(folder, { recursive: true });
	}
	return partsOf(symbols, sizes);
}

function partsOf(symbols, { SLOTS, ID_SIZE, ARENA, TX }) {
	const [peer, request, word, counters, store] = ['of_peer', 'of_request', 'of_word', 'of_counters', 'store'].map((name) => symbols.get(name));
	const beside = (symbols.get('tags') ?? 0) + (symbols.get('reason') ?? 0);
	const once = word + counters + (SLOTS + 1) * ID_SIZE + ARENA + TX; /* whatever the number of slots */
	const state = Math.floor((store - SLOTS * request - once) / SLOTS / 8) * 8;
	return { peer, request, state, beside, store, ram: peer + store + beside, sum: peer + SLOTS * (request + state) + once + beside };
}

/* ------------------------------------------------------------------------------- figures of docs/measured.md */

const measured = () => readFileSync(join(root, 'docs/measured.md'), 'utf8');

function cellsOf(text, first) {
	const line = text.split('\n').find((row) => row.startsWith(`| ${first} |`));
	return line.split('|').slice(1, -1).map((cell) => cell.trim());
}

/* The first of two numbers is without calls. */
const stackOf = (whole, name, processor, both) => {
	const text = whole.slice(whole.indexOf('### Worst-case stack'));
	const heads = cellsOf(text, 'function');
	const [first, second = first] = cellsOf(text, `\`${name}\``)[heads.indexOf(processor)].split(' / ').map(Number);
	return both ? second : first;
};

export function stackFor({ on: [processor], profile, both }) {
	const of = (name) => stackOf(measured(), name, processor, both);
	return Math.max(of('quash_pump'), of('quash_step') + Math.max(...profile.map(of)));
}

const flashFor = ({ on: [, board], app }) => cellsOf(measured().slice(measured().indexOf('make boards')), `${board} | ${app}`)[2];

/* ------------------------------------------------------------------------------------------------- tables */

export function deviceTable() {
	const rows = devices.map((device) => {
		const { SLOTS, ID_SIZE, TOKEN_SIZE, ARENA, TX } = device.sizes;
		const { state, ram } = memoryOf(device);
		return [device.name, ...[SLOTS, ID_SIZE, TOKEN_SIZE, state, ARENA, TX, ram, stackFor(device)].map(number), flashFor(device)];
	});
	return table(['device', 'slots', 'id', 'token', 'state', 'arena', 'TX', 'RAM', 'stack', 'flash'], rows);
}

const utf8 = (text) => Buffer.byteLength(text);

/** The bytes that a value takes in the arena: docs/memory.md. */
export function arenaOf(value) {
	if (value === undefined) return 0;
	if (value === null || typeof value === 'boolean') return 1;
	if (typeof value === 'number') return 5 + JSON.stringify(value).length;
	if (typeof value === 'string') return 5 + utf8(value);
	if (Array.isArray(value)) return 5 + value.reduce((sum, item) => sum + arenaOf(item), 0);
	return 5 + Object.entries(value).reduce((sum, [key, item]) => sum + 5 + utf8(key) + arenaOf(item), 0);
}

const prefix = 'io.modelcontextprotocol/';

/** What an MCP server keeps of params: the paths of src/mcp/mcp_keep.c, those of the modern era too. */
export function keptOf(params) {
	if (params === undefined) return undefined;
	const { _meta: meta = null, ...others } = params;
	const kept = Object.fromEntries(Object.entries(others).filter(([name]) => ['name', 'arguments', 'cursor', 'protocolVersion', 'notifications'].includes(name)));
	if (meta === null) return kept;
	kept._meta = {};
	if ('progressToken' in meta) kept._meta.progressToken = meta.progressToken;
	if (`${prefix}protocolVersion` in meta) kept._meta.protocolVersion = meta[`${prefix}protocolVersion`];
	if (`${prefix}clientCapabilities` in meta) kept._meta.clientCapabilities = {};
	return kept;
}

/** Of what several clients have sent, [name, messages]: its params in the arena by kind of message. */
export function clientTable(clients) {
	const kinds = [['`initialize`', ({ method }) => method === 'initialize'], ['`server/discover`', ({ method }) => method === 'server/discover'],
		['`tools/list`', ({ method }) => method === 'tools/list'],
		['a call of `led`', ({ params }) => params?.name === 'led'], ['of `stepper`, with progress', ({ params }) => params?.name === 'stepper']];
	const most = (sent, fits) => Math.max(...sent.filter(fits).map(({ params }) => arenaOf(keptOf(params))));
	const rows = kinds.map(([name, fits]) => [name, ...clients.map(([, sent]) => (sent.some(fits) ? number(most(sent, fits)) : ''))]);
	const longest = clients.map(([, sent]) => number(Math.max(...sent.map(({ id }) => utf8(String(id ?? ''))))));
	return table(['bytes', ...clients.map(([name]) => name)], [...rows, ['the longest id', ...longest]]);
}
