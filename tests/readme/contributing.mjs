/* SPDX-License-Identifier: MIT
 * The commands of docs/contributing.md in blocks of sh run, one after another, as they stand there. Those of the first block, which is
 * none of sh, run whole suites. */
import assert from 'node:assert/strict';
import { skip, test } from '../common/runner.mjs';
import { told } from '../common/start.mjs';
import { blocksOf } from './blocks.mjs';

const page = 'docs/contributing.md';
const commands = blocksOf(page).filter(({ language }) => language === 'sh').flatMap(({ text }) => text.trim().split('\n'));
/* The suite `layers` may run beside it, and compiles into the same folder otherwise. */
const env = { ...process.env, LAYERS_BUILD: 'build/layers-page' };
const run = (command) => told('sh', ['-c', command], { env });
const hasCmocka = run('echo "#include <stdarg.h>\n#include <stddef.h>\n#include <stdint.h>\n#include <setjmp.h>\n#include <cmocka.h>" | cc -E -').status === 0;

test(`${page} has a command for each thing that one adds`, () => assert.ok(commands.length > 9, commands.join('\n')));

for (const [i, command] of commands.entries()) {
	const check = hasCmocka || !/unit|mutants/.test(command) ? test : (name) => skip(name, 'libcmocka-dev is missing');
	check(`${page}: ${command}${commands.indexOf(command) < i ? `, the ${i + 1}th` : ''}`, () => {
		const { status, error, stdout, stderr } = run(command);
		assert.equal(status, 0, `${error ?? ''}${stdout.slice(-1000)}${stderr.slice(-1000)}`);
		assert.doesNotMatch(stdout, /^(0 passed|.*[1-9]\d* failed)/m);
	});
}
