/* SPDX-License-Identifier: MIT
 * What the figures of `make count` mean, their goals and their tables: board -> { compiler, figures }. */

import { statSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/program.mjs';
import { goals, number, table } from '../size/page.mjs';
import { goalsOf } from '../size/tables.mjs';

const size = (file) => number(statSync(join(root, 'tests/bench/messages', file)).size);

/** [figure, words, goal] */
const meanings = [
	['lex initialize', `lexing \`1_initialize.json\`, ${size('1_initialize.json')} bytes`],
	['lex call', `lexing \`2_tools_call.json\`, ${size('2_tools_call.json')} bytes`],
	['lex cancel', `lexing \`3_cancel.json\`, ${size('3_cancel.json')} bytes`],
	['lex call_4k', `lexing \`4_call_4k.json\`, ${size('4_call_4k.json')} bytes`, 60000],
	['lex result_64k', `lexing \`5_result_64k.json\`, ${size('5_result_64k.json')} bytes`],
	['lex stream', 'lexing `6_stream.ndjson`, mean of its 10,000 messages'],
	['bytes mean', 'lexing 1 to 4 byte by byte: mean for a byte'],
	['bytes worst', 'lexing 1 to 4 byte by byte: worst byte'],
	['feed mean', '`quash_feed` of 1 to 4 byte by byte: mean for a byte', 120],
	['feed worst', '`quash_feed` of 1 to 4 byte by byte: worst byte', 500],
	['answer initialize', 'request 1 to its answer, plain', 27000],
	['answer call', 'request 2 to its answer, plain', 17000],
	['answer call_4k', 'request 4 to its answer, plain', 130000],
	['mcp initialize', 'request 1 to its answer, MCP server'],
	['mcp call', 'request 2 to its answer, MCP server'],
	['mcp call_4k', 'request 4 to its answer, MCP server'],
	['flag cancel', 'cancel 3: from its last byte to the flag'],
	['answer cancel', 'cancel 3: from its last byte to the last byte of the answer'],
];

export function goalTable(all) {
	const figures = all.get(goalsOf)?.figures ?? new Map();
	return goals(meanings.filter(([, , goal]) => goal).map(([figure, words, goal]) => [words, figures.get(figure), goal]));
}

/** For the README. */
export function figureList(all) {
	const figure = (name) => number(all.get(goalsOf)?.figures.get(name));
	return `- Time: ${figure('answer call')} instructions from the first byte of a request of ${size('2_tools_call.json')} bytes to its answer, `
		+ `${figure('flag cancel')} from the last byte of a cancel to the flag.`;
}

export const countTable = (all) => table(['', ...all.keys()],
	meanings.map(([figure, words]) => [words, ...[...all.values()].map(({ figures }) => number(figures.get(figure)))]));
