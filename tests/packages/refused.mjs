/* SPDX-License-Identifier: MIT
 * A package's program whose config is refused: it prints its fault, and answers each request with it. */

import assert from 'node:assert/strict';
import { asking } from '../host/hosts-messages.mjs';
import { until } from '../common/runner.mjs';

/** A program's text with a name of its tool that is none, and the line that names this fault. */
export function withWrongName(text, name) {
	const wrong = text.replace(new RegExp(`(mcp_tool\\(|\\.name = )"${name}"`), '$1"no name"');
	assert.notEqual(wrong, text, `a tool ${name}`);
	return wrong;
}

const fault = 'tools[0] no name: name is no name';

/** A sketch whose config is changed as it starts: what is wrong with its tables the compiler of C++ refuses. The line that names this. */
export function withoutSessions(sketch) {
	const start = /^(\t)if \(!quash_init\(&peer, &config, /m;
	assert.match(sketch, start);
	return sketch.replace(start, '$1static quash_config wrong = config;\n$1wrong.new_session = NULL;\n$1if (!quash_init(&peer, &wrong, ');
}

export const faultAtStart = 'config: new_session is needed and not named';

/** `words` start such a program, which prints on stderr. */
export async function namesItsFault(t, [path, ...words]) {
	const { program, ask } = asking(t, path, words);
	const { error } = await ask({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
	assert.deepEqual(error, { code: -32603, message: fault });
	await until('the line', () => program.stderr.split('\n').some((line) => line.endsWith(fault)));
}
