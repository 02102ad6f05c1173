/* SPDX-License-Identifier: MIT
 * A motor behind a package's program on stdin and stdout: whatever ends the program or its client, the motor is off before
 * the program has ended. The motor is a line on stderr. What is no motion is answered also when the input ends at once. */

import assert from 'node:assert/strict';
import { closeSync, openSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../common/program.mjs';
import { told } from '../common/start.mjs';
import { leaveTheMotorOn, waysOut } from '../readme/ways-out.mjs';
import { emptyFolder } from './archives.mjs';

const request = (id, method, params) => ({ jsonrpc: '2.0', id, method, params });
const hello = request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'motors', version: '1' } });

async function stopsBy(t, words, tool, args, way) {
	const program = Program.start(t, words[0], words.slice(1), { dialect: 'mcp' });
	program.send(hello, request(1, 'tools/call', { name: tool, arguments: args }));
	await leaveTheMotorOn(program, way);
	assert.equal(program.stderr, 'motor on\nmotor off\n', way.how);
}

/* All that is ever received stands in a file: the end comes with it. */
function onceOnly(t, words, tool, args) {
	const file = join(emptyFolder(t), 'input');
	const asked = [hello, request(1, 'tools/list'), request(2, 'ping'), request(3, 'tools/call', { name: tool, arguments: args }), request(4, 'tools/list')];
	writeFileSync(file, asked.map((message) => `${JSON.stringify(message)}\n`).join(''));
	const stdin = openSync(file);
	const { stdout, stderr, status } = told(words[0], words.slice(1), { stdio: [stdin, 'pipe', 'pipe'] });
	closeSync(stdin);
	const answers = Object.fromEntries(stdout.trim().split('\n').map((line) => JSON.parse(line)).map((message) => [message.id, message]));
	for (const id of [0, 1, 2, 4]) assert.ok(answers[id]?.result, `${id} is answered: ${stdout}`);
	assert.equal(answers[3]?.result, undefined, 'what moves has no result');
	assert.deepEqual([status, stderr], [0, ''], 'nothing has moved');
}

/** `words` start a program whose `tool`, with these arguments, would turn its motor for longer than anybody waits here. */
export async function motorStops(t, words, tool, args) {
	for (const way of waysOut) await stopsBy(t, words, tool, args, way);
	onceOnly(t, words, tool, args);
}
