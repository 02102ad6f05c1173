/* SPDX-License-Identifier: MIT
 * What else the page of CMake promises: the whole tree, a kernel's port, another processor. */

import assert from 'node:assert/strict';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, told } from '../common/start.mjs';
import { numbers } from '../common/version.mjs';
import { block } from '../readme/blocks.mjs';
import { putArchive, run } from './archives.mjs';
import { clientTestWith, legacyFlavour } from './client.mjs';
import { begin, build, cmake, device, env, find, main, project, shell, tools, withArchive } from './cmake.mjs';
import { turnsAndStops } from './device.mjs';
import { testWith } from './tools.mjs';

const test = testWith(...tools);
const clientTest = clientTestWith(...tools);

clientTest('FetchContent of the whole tree, with buffers of 16 bits, compiled as one: program and library agree', async (t) => {
	const { folder, page } = withArchive(t);
	const own = join(folder, 'own');
	project(own, block(page, 'cmake', main).replace('add_subdirectory(quash)\n', `set(QUASH_SIZE_BITS 16)\nset(CMAKE_UNITY_BUILD ON)\n${block(page, 'cmake', 'SOURCE_SUBDIR')}`),
		device(page));
	putArchive('source', own);
	shell(own, build(page));
	await turnsAndStops(t, legacyFlavour, join(own, 'build/device'));
	assert.match(run('nm', ['build/device'], { cwd: own }), / T quash_init_\d+_\d+_\d+(?:_dev)?_size16\n/);
});

test('the port for FreeRTOS compiles among the user\'s own sources, against a stub of its kernel', (t) => {
	const { folder } = withArchive(t);
	project(folder, `${begin}set(CMAKE_UNITY_BUILD ON)\nadd_subdirectory(quash)
add_library(own STATIC own.c quash/port/rtos/rtos.c quash/port/rtos/rtos_freertos.c)
set_target_properties(own PROPERTIES UNITY_BUILD OFF)
target_include_directories(own PRIVATE "${join(root, 'tests/rtos/freertos')}")\ntarget_link_libraries(own PRIVATE quash::port)\n`,
	{ 'own.c': '#include "rtos/rtos_freertos.h"\n' });
	cmake(folder, '-S', '.', '-B', 'build');
	cmake(folder, '--build', 'build', '--target', 'own');
});

const firmware = `#include "quash.h"
static int32_t on(quash_request *request) { return quash_reply_text(request, "on"); }
static const quash_method methods[] = { { .name = "on", .handler = on } };
QUASH_STORAGE(store, 2, 17, 4, 128, 64);
static const quash_config config = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };
int main(void)
{
	static quash_peer peer;
	return !quash_init(&peer, &config, NULL);
}
`;

test('a shared library of the user\'s own takes it in, as the page says', (t) => {
	const { folder } = withArchive(t);
	const lists = `${begin}add_subdirectory(quash)\nadd_library(own SHARED own.c)\ntarget_link_libraries(own PRIVATE quash::quash)\n`;
	project(folder, lists, { 'own.c': firmware.replace('int main', 'int begin') });
	cmake(folder, '-S', '.', '-B', 'build', '-DBUILD_SHARED_LIBS=ON', '-DCMAKE_POSITION_INDEPENDENT_CODE=ON');
	cmake(folder, '--build', 'build');
	assert.deepEqual(run('find', ['build', '-name', 'lib*'], { cwd: folder }).trim().split('\n').sort(), ['build/libown.so', 'build/quash/libquash.a']);
	const call = 'import ctypes, sys; sys.exit(ctypes.CDLL(sys.argv[1]).begin())';
	run('python3', ['-c', call, join(folder, 'build/libown.so')]);
});

testWith(...tools, 'arm-none-eabi-gcc')('for an Arm: the page\'s commands, and a firmware that finds what they install', (t) => {
	const { folder, page } = withArchive(t);
	writeFileSync(join(folder, 'cortex-m0plus.cmake'), block(page, 'cmake', 'CMAKE_SYSTEM_NAME'));
	shell(folder, block(page, 'sh', 'build-arm'));
	cmake(folder, '--install', 'build-arm', '--prefix', join(folder, 'arm'));
	assert.deepEqual(readdirSync(join(folder, 'arm/lib')).sort(), ['cmake', 'libquash-port.a', 'libquash.a', 'pkgconfig']);

	const lists = `${begin}${find} ${numbers.replace(/\.\d+$/, '')} REQUIRED)\nadd_executable(firmware firmware.c)\ntarget_link_libraries(firmware PRIVATE quash::port)
target_link_options(firmware PRIVATE --specs=nosys.specs -Wl,--gc-sections)\n`;
	const own = project(join(folder, 'own'), lists, { 'firmware.c': firmware });
	const prefix = `-DCMAKE_PREFIX_PATH=${join(folder, 'arm')}`;
	cmake(own, '-S', '.', '-B', 'build', `-DCMAKE_TOOLCHAIN_FILE=${folder}/cortex-m0plus.cmake`, prefix);
	cmake(own, '--build', 'build');
	const names = run('arm-none-eabi-nm', ['build/firmware'], { cwd: own });
	assert.match(names, / T quash_init_\d+_\d+_\d+(?:_dev)?_size16\n/);
	assert.doesNotMatch(names, / quash_(acp|lsp|mcp)_/, 'what it does not call is not linked');

	const { status, stderr } = told('cmake', ['-S', '.', '-B', 'build-here', prefix], { cwd: own, env });
	assert.notEqual(status, 0);
	assert.match(stderr, /\(32 bits\)/, 'not for this processor');
});
