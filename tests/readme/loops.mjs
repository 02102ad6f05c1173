/* SPDX-License-Identifier: MIT
 * The main loops of pages and of the native example, around the motor of ramp.c: each goes on until the motor is at rest,
 * also when its client has gone. */

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Program, root } from '../host/program.mjs';
import { test, until } from '../host/runner.mjs';

const build = join(root, 'build/readme');
const read = (path) => readFileSync(join(root, path), 'utf8');
const motor = read('tests/readme/ramp.c');
const main = /^int main\((?:void)?\)\n\{\n[^]*?^\}\n/gm;

/* With what a main needs that stands before it. */
const shapes = { 'port/pair/README.md': /^\/\* --- The port[^]*?^int main[^]*?^\}\n/gm };

const pages = ['README.md', 'docs/handlers.md', 'port/cmake/README.md', 'port/pair/README.md', 'port/platformio/examples/native/src/native_motor.c'];
const loops = pages.flatMap((page) => read(page).match(shapes[page] ?? main).map((text) => ({ page, text })));

function compiled({ page, text }, n) {
	const program = join(build, `loop${n}`);
	const [compiler, ending] = text.includes('nullptr') ? ['g++', 'cpp'] : ['gcc', 'c'];
	mkdirSync(build, { recursive: true });
	writeFileSync(`${program}.${ending}`, motor + text);
	execFileSync('gcc', ['-Iinclude', '-Iport', '-c', 'port/posix/posix_stdio.c', '-o', `${program}.o`], { cwd: root });
	execFileSync(compiler, ['-Wall', '-Wextra', '-Werror', '-D_POSIX_C_SOURCE=200809L', '-Iinclude', '-Iport', `${program}.${ending}`, `${program}.o`,
		'build/host/libquash.a', '-o', program], { cwd: root });
	return program;
}

test('main loops are found', () => assert.equal(loops.length, 6));

for (const [n, loop] of loops.entries())
	test(`the main loop ${n + 1}, of ${loop.page}: a client that has gone does not end it before the motor is at rest`, async (t) => {
		const program = Program.start(t, compiled(loop, n), [], { dialect: 'jsonrpc' });
		program.send({ jsonrpc: '2.0', id: 1, method: 'turn' });
		await until('the motor to be on', () => program.stderr === 'motor on\n');
		program.child.stdout.destroy();
		program.child.stdin.destroy();
		assert.deepEqual([(await program.exit(3000)).code, program.stderr], [0, 'motor on\nmotor off\n']);
	}, { seconds: 60 });
