/* SPDX-License-Identifier: MIT
 * What the figures of `make count` mean, their goals and their tables: board -> { compiler, figures }. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { goals, number, table } from '../size/page.mjs';
import { goalsOf } from '../size/tables.mjs';

/** The messages, by the names that a bench has for them. */
const files = { initialize: '1_initialize.json', call: '2_tools_call.json', cancel: '3_cancel.json', call_4k: '4_call_4k.json', result_64k: '5_result_64k.json' };

/** A message's length in bytes, without the line feed. */
export const sizeOf = (message) => statSync(join(root, 'tests/bench/messages', files[message])).size;

const lexing = (message) => `lexing \`${files[message]}\`, ${number(sizeOf(message))} bytes`;

/** [figure, words, goals: separately compiled, with the config known; are they aims] */
const meanings = [
	['lex initialize', lexing('initialize')],
	['lex call', lexing('call')],
	['lex cancel', lexing('cancel')],
	['lex call_4k', lexing('call_4k')],
	['lex result_64k', lexing('result_64k')],
	['lex stream', 'lexing `6_stream.ndjson`, mean of its 10,000 messages'],
	['bytes mean', 'lexing 1 to 4 byte by byte: mean for a byte'],
	['bytes worst', 'lexing 1 to 4 byte by byte: worst byte'],
	['feed mean', '`quash_feed` of 1 to 4 byte by byte: mean for a byte', [170, 160]],
	['feed worst', '`quash_feed` of 1 to 4 byte by byte: worst byte'],
	['bursts16 mean', '`quash_feed` of 1 to 4 in bursts of 16 bytes: mean for a byte', [40, 37]],
	['bursts64 mean', '`quash_feed` of 1 to 4 in bursts of 64 bytes: mean for a byte', [35, 31]],
	['answer initialize', 'request 1 to its answer, plain', [36000, 32000]],
	['answer call', 'request 2 to its answer, plain', [22500, 20000]],
	['answer call_4k', 'request 4 to its answer, plain', [112000, 100000]],
	['mcp initialize', 'request 1 to its answer, MCP server'],
	['mcp call', 'request 2 to its answer, MCP server'],
	['mcp call_4k', 'request 4 to its answer, MCP server'],
	['flag cancel', 'cancel 3: from its last byte to the flag', [650, 650], true],
	['whole cancel', 'cancel 3: from its first byte to the flag'],
	['answer cancel', 'cancel 3: from its last byte to the last byte of the answer'],
];

export function goalTable(all) {
	return goals(meanings.filter(([, , both]) => both).flatMap(([figure, words, both, aim]) => ['', ', config known'].map((way, i) =>
		[`${words}${way}`, all.get(`${goalsOf}${way}`)?.figures.get(figure), both[i], aim])));
}

/** For the README. */
export function figureList(all) {
	const figure = (name) => number(all.get(goalsOf)?.figures.get(name));
	return `- Time: ${figure('answer call')} instructions from the first byte of a request of ${number(sizeOf('call'))} bytes to its answer, `
		+ `${figure('flag cancel')} from the last byte of a cancel to the flag.`;
}

export const countTable = (all) => table(['', ...all.keys()],
	meanings.map(([figure, words]) => [words, ...[...all.values()].map(({ figures }) => number(figures.get(figure)))]));
