/* SPDX-License-Identifier: MIT
 * The main loops of pages and of the native example, around the motor of ramp.c: each goes on until the motor is at rest, on
 * every way out. */

import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program } from '../common/program.mjs';
import { test } from '../common/runner.mjs';
import { printed, root } from '../common/start.mjs';
import { leaveTheMotorOn, waysOut } from './ways-out.mjs';

const build = join(root, 'build/readme');
const read = (path) => readFileSync(join(root, path), 'utf8');
const motor = read('tests/readme/ramp.c');
const main = /^int main\((?:void)?\)(?: \{.*\}.*\n|\n\{\n[^]*?^\}\n)/gm;

/* With what a main needs that stands before it. */
const shapes = {
	'port/package/pair/README.md': /^\/\* --- The port[^]*?^int main[^]*?^\}\n/gm,
	'docs/porting.md': /^static quash_peer peer;[^]*?^int main[^]*?^\}\n/gm,
};

const pages = ['README.md', 'docs/handlers.md', 'docs/porting.md', 'port/package/cmake/README.md', 'port/package/pair/README.md', 'port/package/platformio/examples/native/src/native_motor.c'];
const loops = pages.flatMap((page) => read(page).match(shapes[page] ?? main).map((text) => ({ page, text })));

function compiled({ page, text }, n) {
	const program = join(build, `loop${n}`);
	const [compiler, ending] = text.includes('nullptr') ? ['g++', 'cpp'] : ['gcc', 'c'];
	mkdirSync(build, { recursive: true });
	writeFileSync(`${program}.${ending}`, motor + text);
	const parts = ['posix_stdio', 'posix_serve', 'posix_parent'].map((name) => `port/posix/${name}.c`);
	const objects = parts.map((part, k) => {
		printed('gcc', ['-Iinclude', '-Iport', '-c', part, '-o', `${program}.${k}.o`]);
		return `${program}.${k}.o`;
	});
	printed(compiler, ['-Wall', '-Wextra', '-Werror', '-D_POSIX_C_SOURCE=200809L', '-Iinclude', '-Iport', `${program}.${ending}`, ...objects,
		'build/host/libquash.a', '-o', program]);
	return program;
}

test('main loops are found', () => assert.equal(loops.length, 7));

/* The answer of its request: `turn` has a lease, and is cancelled. */
const answer = { jsonrpc: '2.0', id: 1, error: { code: -32800, message: 'Request cancelled' } };

for (const [n, loop] of loops.entries()) {
	const program = compiled(loop, n);
	for (const way of waysOut)
		test(`the main loop ${n + 1}, of ${loop.page}: the motor is at rest before it ends: ${way.how}`, async (t) => {
			const device = Program.start(t, program, [], { dialect: 'jsonrpc' });
			device.send({ jsonrpc: '2.0', id: 1, method: 'turn' });
			const answers = await leaveTheMotorOn(device, way);
			assert.equal(device.stderr, 'motor on\nmotor off\n');
			assert.deepEqual(answers, way.mute ? [] : [answer]);
		});
}
