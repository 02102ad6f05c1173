/* SPDX-License-Identifier: MIT
 * The README's server with the README's three lines for CMake, beside the archive and nothing else. */

import assert from 'node:assert/strict';
import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { hostProgram } from '../host/program.mjs';
import { server } from '../readme/server.mjs';
import { textsOf } from '../readme/blocks.mjs';
import { emptyFolder, run, unpack } from './archives.mjs';
import { testWith } from './tools.mjs';

const [lines] = textsOf('README.md', 'cmake');

testWith('cmake')('the server of the README is built with its lines for CMake, and serves', (t) => {
	const folder = emptyFolder(t);
	unpack('cmake', folder);
	writeFileSync(join(folder, 'CMakeLists.txt'), `cmake_minimum_required(VERSION 3.14)\nproject(device C)\n${lines}`);
	writeFileSync(join(folder, 'device.c'), server);
	run('cmake', ['-B', 'build'], { cwd: folder });
	run('cmake', ['--build', 'build'], { cwd: folder });
	assert.ok(existsSync(join(folder, 'build/device')));
	assert.equal(run(hostProgram('quash-inspect'), ['--tool', 'turn', '--arg', 'ms=1', '--', 'build/device'], { cwd: folder }), 'turned\n');
}, { seconds: 120 });
