/* SPDX-License-Identifier: MIT
 * The README's server with the README's three lines for CMake, beside the archive and nothing else: as C, and as C++11. */

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostProgram } from '../common/program.mjs';
import { block, textsOf } from '../readme/blocks.mjs';
import { inCxx, server } from '../readme/server.mjs';
import { emptyFolder, run, unpack } from './archives.mjs';
import { testWith } from './tools.mjs';

const [lines] = textsOf('README.md', 'cmake');

/* The same lines for a program in C++ beside it. */
const inCxxToo = lines.split('\n').slice(1).join('\n').replaceAll(/\bdevice(\.c)?\b/g, (_, end) => (end ? 'device.cpp' : 'device-in-cxx'));

testWith('cmake')('the server of the README is built with its lines for CMake, and serves, in C and in C++11', (t) => {
	const folder = emptyFolder(t);
	unpack('cmake', folder);
	writeFileSync(join(folder, 'CMakeLists.txt'),
		`cmake_minimum_required(VERSION 3.14)\nproject(device C CXX)\nset(CMAKE_CXX_STANDARD 11)\n${lines}${inCxxToo}`);
	writeFileSync(join(folder, 'device.c'), server);
	writeFileSync(join(folder, 'device.cpp'), inCxx(server, block('README.md', 'cpp', 'quash::mcp_tool')));
	run('cmake', ['-B', 'build'], { cwd: folder });
	run('cmake', ['--build', 'build'], { cwd: folder });
	for (const program of ['build/device', 'build/device-in-cxx']) {
		assert.ok(existsSync(join(folder, program)));
		assert.equal(run(hostProgram('quash-inspect'), ['--tool', 'turn', '--arg', 'ms=1', '--', program], { cwd: folder }), 'turned\n');
	}
});
