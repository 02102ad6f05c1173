/* SPDX-License-Identifier: MIT
 * Wrong tables do not compile in C++11: the first error of each compiler has the words that `quash_init` has for the same table in
 * C. All cases are one source for each compiler, and one program in C. */

import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { skip, test } from '../common/runner.mjs';
import { isThere, told } from '../common/start.mjs';
import { found, said } from './wrong_cases.mjs';
import { build, inWords, linesOfC, prelude, words } from './wrong_lines.mjs';

/* What compilers say. */

const inCxx = `${prelude}static constexpr quash_param turn_list[] = { QUASH_ARG_INT(turn, ms, 1, 9, "a") };
static constexpr quash_params turn_params = QUASH_PARAMS(turn, turn_list);
static const char *const moods[] = { "glad", "gloomy", NULL };
static constexpr quash_range half = { 0, 1, 2 };
static quash_group arm;
extern int32_t handler(quash_request *request), off(quash_request *request), alone();
extern void nothing(quash_request *request), nothing_of_two(quash_request *request, char more), nothing_of_three(quash_request *request, char more, char yet), nothing_of_short(quash_request *request, short more);
`;

const names = [...words, ...Object.keys(said)];
const textOf = (name) => found[name]?.cxx ?? said[name][0];
const isFor = (name, compiler) => [compiler, undefined].includes(said[name]?.[2]);
const source = (wanted) => inCxx + wanted.map((name) => `namespace case_${names.indexOf(name)} {\n#line 1 "case_${names.indexOf(name)}"\n${textOf(name)}}\n`).join('');

const compilers = [
	['g++', ['-std=c++11']],
	['g++', ['-std=c++20']],
	['clang++', ['-std=c++11', '-ferror-limit=0', '-fno-caret-diagnostics']],
	['avr-g++', ['-std=gnu++11', '-mmcu=atmega2560', '-fpermissive']],
	['arm-none-eabi-g++', ['-std=gnu++11', '-mcpu=cortex-m0plus', '-mthumb']],
];

/* What stands before an error belongs to it, and its notes behind it. */
const begins = /^In file included|required from|[Ii]n .?constexpr.? expansion|: In |In instantiation|At global scope/;

/** The errors of each case, each with what the compiler prints around it. */
function errorsOf(output) {
	const blocks = [];
	let block = { text: '', ended: true };
	for (const line of output.split('\n')) {
		if (block.ended && (begins.test(line) || / error: /.test(line)) || / error: /.test(line) && / error: /.test(block.text))
			blocks.push(block = { text: '', ended: false });
		block.text += `${line}\n`;
		block.ended ||= / error: /.test(line);
	}
	return blocks.filter(({ text }) => / error: /.test(text)).map(({ text }) => ({ text, at: /\bcase_(\d+):\d/.exec(text)?.[1] }));
}

const isIn = (text, expected) => text.includes(expected) || text.includes(`'${expected.split('::')[1]}' cannot be used in a constant expression`);

for (const [compiler, options] of compilers) {
	(isThere(compiler) ? test : (name) => skip(name, `${compiler} is missing`))(`${compiler} ${options[0]}: each wrong table is an error, whose words are those of quash_init`, () => {
		const path = join(build, `wrong-${compiler}${options[0]}.cpp`);
		const asked = names.filter((name) => isFor(name, `${compiler} ${options[0]}`));
		writeFileSync(path, source(asked));
		const lines = linesOfC();
		const { status, stderr } = told(compiler, [...options, '-fno-exceptions', '-w', '-fsyntax-only', '-Iinclude', path]);
		assert.notEqual(status, 0);
		const errors = errorsOf(stderr);
		assert.deepEqual(errors.filter(({ at }) => at === undefined).map(({ text }) => text), [], 'errors of no case');
		for (const name of asked) {
			const i = names.indexOf(name);
			const own = errors.filter(({ at }) => at === String(i));
			const expected = i < lines.length ? inWords(lines[i]) : said[name][1];
			assert.ok(own.length > 0, `${name}: it compiles; ${lines[i] ?? expected}`);
			assert.ok(isIn(own[0].text, expected), `${name}: ${expected} is not in\n${own[0].text}`);
		}
	});
}

test('in C each of these tables is refused', () => {
	const lines = linesOfC();
	assert.equal(lines.length, words.length);
	assert.deepEqual(words.filter((_, i) => lines[i] === 'nothing'), []);
});

test('the words of quash_init are those of C++', () => {
	assert.equal(inWords('tools[1] turn: name stands twice'), 'tools::name_stands_twice');
	assert.equal(inWords('config: arena_size 15, needs 16'), 'config::arena_size_is_too_small');
	assert.equal(inWords('turn[0] ms: min leaves no value'), 'params: min leaves no value');
});
