/* SPDX-License-Identifier: MIT
 * From C++: the README's example, the server of docs/mcp.md and a port compile without a warning, link with the C library
 * and do what they do in C. Headers keep to C++11; designators, which the examples use, are C++20. And the library
 * links for Arm cores whose atomics are calls: for clang on a Cortex-M0, for gcc on an ARM7. */

import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../host/program.mjs';
import { skip, test } from '../host/runner.mjs';

const build = join(root, 'build/cxx');
mkdirSync(build, { recursive: true });

const warnings = ['-Wall', '-Wextra', '-Wpedantic', '-Werror', '-Wno-missing-field-initializers'];
const isThere = (tool) => spawnSync(tool, ['--version']).status === 0;
const run = (tool, args) => execFileSync(tool, args, { cwd: root, stdio: ['ignore', 'ignore', 'pipe'] });
const blocksOf = (page) => [...readFileSync(join(root, page), 'utf8').matchAll(/^```(\w*)\n([^]*?)^```$/gm)]
	.map(([, language, text]) => ({ language, text }));

const linesOf = (conversation, arrow) => conversation.split('\n').filter((line) => line.startsWith(`${arrow} `))
	.map((line) => `${line.slice(3)}\n`).join('');

/** Compiles and links a text in C++ with parts that are C; gives what it says to `input`. */
function said(compiler, name, text, ports, input) {
	const source = join(build, `${name}.cpp`), program = join(build, `${name}-${compiler}`);
	writeFileSync(source, text);
	const objects = ports.map((port) => {
		const object = join(build, `${port.replace('/', '-')}.o`);
		run('gcc', ['-std=c11', '-Iinclude', '-Iport', '-c', `port/${port}.c`, '-o', object]);
		return object;
	});
	run(compiler, ['-std=c++20', ...warnings, '-Iinclude', '-Iport', source, ...objects, 'build/host/libquash.a', '-o', program]);
	return execFileSync(program, { input, timeout: 5000, encoding: 'utf8' });
}

const readme = blocksOf('README.md');
const example = readme.find(({ language }) => language === 'c')?.text;
const conversation = readme.find(({ text }) => /^-> /m.test(text))?.text ?? '';

const loop = example.slice(example.indexOf('int main(void)'));
const lamp = [
	'#include "posix/posix_stdio.h"\n#include "quash.h"\nstatic void toggle_led(void) {}\n',
	blocksOf('docs/mcp.md').find(({ text }) => text.includes('quash_mcp_server server')).text
		.replace('{ ... }', '{ (void)request; (void)tool_state; }'),
	loop,
].join('\n');

const ringed = `#include "port_ring.h"
#include "uart/uart.h"
#include <cstdio>
int main()
{
	static uint8_t bytes[8];
	ring r;
	ring_init(&r, bytes, sizeof bytes);
	ring_put(&r, 'q');
	uint8_t got = 0;
	const int n = (int)ring_get(&r, &got, 1);
	std::printf("%d %c\\n", n, got);
	return 0;
}
`;

for (const compiler of ['g++', 'clang++']) {
	const check = isThere(compiler) ? test : (name) => skip(name, `${compiler} is missing`);
	check(`the README's example, ${compiler}`, () => {
		const out = said(compiler, 'example', example, ['posix/posix_stdio'], linesOf(conversation, '->'));
		assert.equal(out, linesOf(conversation, '<-'));
	});
	check(`an MCP server, ${compiler}`, () => {
		const call = (id, method, params) => `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
		const out = said(compiler, 'lamp', lamp, ['posix/posix_stdio'],
			call(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }) +
			call(2, 'tools/call', { name: 'blink', arguments: { times: 1 } }));
		const answers = out.trimEnd().split('\n').map((line) => JSON.parse(line));
		assert.deepEqual(answers.map(({ id }) => id), [1, 2]);
		assert.equal(answers[0].result.serverInfo.name, 'lamp');
		assert.equal(answers[1].result.content[0].text, 'blinked');
	});
	check(`a port, ${compiler}`, () => {
		assert.equal(said(compiler, 'ringed', ringed, ['port_ring', 'uart/uart'], ''), '1 q\n');
	});
}

/* --- Arm cores whose atomics are calls */

const arms = [
	{ name: 'ARMv6-M', compiler: 'clang', target: ['--target=armv6m-none-eabi'], cpu: '-mcpu=cortex-m0plus' },
	{ name: 'ARMv4T', compiler: 'arm-none-eabi-gcc', target: ['-mcpu=arm7tdmi'], cpu: '-mcpu=arm7tdmi' },
];

for (const { name, compiler, target, cpu } of arms) {
	const tools = [compiler, 'arm-none-eabi-gcc', 'arm-none-eabi-nm'];
	const check = tools.every(isThere) ? test : (title) => skip(title, `one of ${tools.join(', ')} is missing`);
	check(`${compiler} links the library for ${name}, and calls nobody for atomics`, () => {
		const sources = readdirSync(join(root, 'src'), { recursive: true }).filter((file) => file.endsWith('.c'));
		assert.ok(sources.length > 50, `${sources.length} sources`);
		const objects = sources.map((file) => {
			const object = join(build, `${name}-${file.replaceAll('/', '-')}.o`);
			run(compiler, [...target, '-Os', '-ffreestanding', '-std=c11', '-Iinclude', '-Isrc', '-c', join('src', file), '-o', object]);
			return object;
		});
		const program = join(build, `${name}.elf`);
		run('arm-none-eabi-gcc', [cpu, '-nostartfiles', '-Wl,--entry=quash_init', '-Wl,--whole-archive',
			...objects, '-Wl,--no-whole-archive', '-o', program]);
		const names = execFileSync('arm-none-eabi-nm', [program], { encoding: 'utf8' });
		assert.match(names, / T quash_step$/m);
		assert.doesNotMatch(names, /__atomic_|__sync_/);
	}, { seconds: 120 });
}
