/* SPDX-License-Identifier: MIT
 * From C++: the README's server in C++, the program of docs/handlers.md, the server of docs/mcp.md and a port compile without a
 * warning as C++11, C++17 and C++20, link with the C library, and answer as they do in C; each member that C++11 names is set. And
 * the library links for Arm cores whose atomics are calls: for clang on a Cortex-M0+, for gcc on an ARM7. */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { skip, test } from '../common/runner.mjs';
import { isThere, printed, root, told } from '../common/start.mjs';
import { block, blocksOf } from '../readme/blocks.mjs';
import { inCxx, server } from '../readme/server.mjs';

const build = join(root, 'build/cxx');
mkdirSync(build, { recursive: true });

const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Werror'];
const run = (tool, args) => printed(tool, args, { stdio: ['ignore', 'ignore', 'pipe'] });
const read = (path) => readFileSync(join(root, path), 'utf8');

/** A part in C, compiled once. */
const objects = new Map();
function objectOf(part) {
	if (!objects.has(part)) {
		const object = join(build, `${basename(part, '.c')}.o`);
		run('gcc', ['-std=c11', '-Iinclude', '-Iport', '-c', part, '-o', object]);
		objects.set(part, object);
	}
	return objects.get(part);
}

/* --- Programs */

const page = blocksOf('docs/handlers.md');
const example = inCxx(page.find(({ text }) => text.includes('int main(void)')).text, block('docs/handlers.md', 'cpp', 'quash::method'));
const conversation = page.findLast(({ text }) => text.startsWith('-> ')).text;
const linesOf = (arrow) => conversation.split('\n').filter((line) => line.startsWith(`${arrow} `))
	.map((line) => `${line.slice(3)}\n`).join('');

const main = example.indexOf('int main(void)');
const call = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } };

function assertIsExample(answered) {
	assert.equal(answered, linesOf('<-'));
}

/* It names itself and its tool, and the tool's result has this text. */
const assertServes = (name, tool, text) => (answered) => {
	const answers = answered.trimEnd().split('\n').map((line) => JSON.parse(line));
	assert.deepEqual(answers.map(({ id }) => id), [1, 2, 3]);
	assert.equal(answers[0].result.serverInfo.name, name);
	assert.equal(answers[1].result.tools[0].name, tool);
	assert.deepEqual(answers[2].result.content, [{ type: 'text', text }]);
};

const callOf = (name, args) => call(1, 'initialize', client) + call(2, 'tools/list', {}) + call(3, 'tools/call', { name, arguments: args });

const posix = ['port/posix/posix_serve.c', 'port/posix/posix_stdio.c', 'port/posix/posix_parent.c'];

const programs = [
	{ name: 'server', title: 'the server of the README in C++', parts: posix, text: inCxx(server, block('README.md', 'cpp', 'quash::mcp_tool')),
		input: callOf('turn', { ms: 0 }), check: assertServes('motor', 'turn', 'ms: must be an integer from 1 to 60000') }, /* the input ends: it moves nothing */
	{ name: 'example', title: 'the program of docs/handlers.md', parts: posix, text: example,
		input: linesOf('->'), check: assertIsExample },
	{ name: 'lamp', title: 'the server of docs/mcp.md', parts: posix, text: [
		'#include "posix/posix_serve.h"\n#include "quash.h"\nstatic void toggle_led(void) {}\n',
		inCxx(block('docs/mcp.md', 'c', 'toggle_led'), block('docs/mcp.md', 'cpp', 'largest')), server.slice(server.indexOf('int main(void)'))].join('\n'),
		input: callOf('blink', { times: 1 }), check: assertServes('lamp', 'blink', 'blinked') },
	{ name: 'port', title: 'a port', parts: [], text: example.slice(0, main) + read('tests/builds/memory_port.cpp'),
		input: linesOf('->'), check: assertIsExample },
];

for (const compiler of ['g++', 'clang++']) {
	for (const standard of ['c++11', 'c++17', 'c++20']) {
		const check = isThere(compiler) ? test : (name) => skip(name, `${compiler} is missing`);
		for (const { name, title, parts, text, input, check: assertIs } of programs) {
			check(`${title}, ${compiler}, ${standard}`, () => {
				const source = join(build, `${name}.cpp`), program = join(build, `${name}-${compiler}-${standard}`);
				writeFileSync(source, text);
				run(compiler, [`-std=${standard}`, ...warnings, '-Iinclude', '-Iport', source, ...parts.map(objectOf),
					'build/host/libquash.a', '-o', program]);
				assertIs(printed(program, [], { input, stdio: ['pipe', 'pipe', 'ignore'] }));
			});
		}
	}
}

for (const compiler of ['g++', 'clang++']) {
	(isThere(compiler) ? test : (name) => skip(name, `${compiler} is missing`))(`members named in C++11, ${compiler}: each sets what it is named after, with no code before main`, () => {
		const object = join(build, `members-${compiler}.o`), program = join(build, `members-${compiler}`);
		run(compiler, ['-std=c++11', ...warnings, '-O0', '-Iinclude', '-c', 'tests/builds/members.cpp', '-o', object]);
		run(compiler, [object, 'build/host/libquash.a', '-o', program]);
		assert.equal(told(program).status, 0, 'or the line of tests/builds/members.cpp that is wrong, modulo 256');
		const names = printed('nm', [object]);
		assert.match(names, /device_server/);
		assert.doesNotMatch(names, /_GLOBAL__sub_I|__cxx_global_var_init/);
	});
}

/* --- Arm cores whose atomics are calls */

const clang = { name: 'ARMv6-M', compiler: 'clang', target: ['--target=armv6m-none-eabi', '-mcpu=cortex-m0plus'] };
const gcc = { name: 'ARMv4T', compiler: 'arm-none-eabi-gcc', target: ['-mcpu=arm7tdmi'] };

/** All of the library as objects, compiled once. */
const libraries = new Map();
function libraryFor(arm) {
	if (!libraries.has(arm)) {
		const sources = readdirSync(join(root, 'src'), { recursive: true }).filter((file) => file.endsWith('.c'));
		assert.ok(sources.length > 50, `${sources.length} sources`);
		libraries.set(arm, sources.map((file) => compiled(arm, join('src', file))));
	}
	return libraries.get(arm);
}

function compiled({ name, compiler, target }, source, options = []) {
	const object = join(build, `${name}-${basename(source, '.c')}.o`);
	run(compiler, [...target, '-Os', '-ffreestanding', '-ffunction-sections', '-fdata-sections', '-std=c11', '-Iinclude', ...options,
		'-c', source, '-o', object]);
	return object;
}

for (const arm of [clang, gcc]) {
	const tools = [arm.compiler, 'arm-none-eabi-ld', 'arm-none-eabi-nm'];
	const check = tools.every(isThere) ? test : (title) => skip(title, `one of ${tools.join(', ')} is missing`);
	check(`${arm.compiler} for ${arm.name}: the library calls nobody for atomics, only what compilers call by themselves`, () => {
		const whole = join(build, `${arm.name}.o`);
		run('arm-none-eabi-ld', ['-r', ...libraryFor(arm), '-o', whole]);
		assert.match(printed('arm-none-eabi-nm', [whole]), / T quash_step$/m);
		const wanted = printed('arm-none-eabi-nm', ['-u', whole]).match(/\S+$/gm);
		assert.deepEqual(wanted.filter((symbol) => !/^(__aeabi_\w+|mem(cpy|set)|__gnu_thumb1_case_\w+)$/.test(symbol)), []);
	});
}

const tools = ['clang', 'ld.lld', 'arm-none-eabi-nm'];
(tools.every(isThere) ? test : (title) => skip(title, `one of ${tools.join(', ')} is missing`))(
	'clang and lld link a program for ARMv6-M that receives, answers and asks, without any library', () => {
		const program = join(build, 'ARMv6-M.elf');
		const own = [compiled(clang, 'tests/size/two_way.c', ['-DASKS']), compiled(clang, 'tests/builds/arm_memory.c')];
		run('ld.lld', ['--gc-sections', '--entry=main', ...own, '--start-lib', ...libraryFor(clang), '--end-lib', '-o', program]);
		const names = printed('arm-none-eabi-nm', [program]);
		for (const name of ['quash_feed', 'quash_step', 'quash_call_start_for'])
			assert.match(names, new RegExp(` T ${name}$`, 'm'));
		assert.doesNotMatch(names, / U |__atomic_|__sync_/);
	});
