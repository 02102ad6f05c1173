/* SPDX-License-Identifier: MIT
 * The archive for CMake, alone in an empty folder: what its page shows is built as the page has it, each program answers the
 * official client, and a program of another version or size does not link. */

import assert from 'node:assert/strict';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { told } from '../common/start.mjs';
import { linked, numbers, withPatch } from '../common/version.mjs';
import { block } from '../readme/blocks.mjs';
import { putArchive, run } from './archives.mjs';
import { autoFlavour, clientTestWith, modernFlavour } from './client.mjs';
import { begin, build, cmake, device, env, find, main, project, shell, tools, withArchive } from './cmake.mjs';
import { turnsAndStops } from './device.mjs';
import { servesHosts } from './hosts-served.mjs';
import { motorStops } from './motors.mjs';
import { testWith } from './tools.mjs';

const test = testWith(...tools);
const clientTest = clientTestWith(...tools);

clientTest('a folder: the page\'s C program turns and stops a motor for the official client', async (t) => {
	const { folder, page } = withArchive(t);
	const three = block(page, 'cmake', /^add_subdirectory\(quash\)\n.*\n.*\n$/);
	assert.equal(three.trim().split('\n').length, 3);
	assert.ok(block(page, 'cmake', main).endsWith(three), 'the whole file ends with the three lines');
	project(folder, block(page, 'cmake', main), device(page));
	shell(folder, build(page), { CMAKE_GENERATOR: 'Unix Makefiles' });
	await turnsAndStops(t, autoFlavour, join(folder, 'build/device'));
	await motorStops(t, [join(folder, 'build/device')], 'turn', { steps: 100000 });
	await servesHosts(t, [join(folder, 'build/device')], 'turn', { steps: 3 });
});

clientTest('FetchContent: the page\'s C++ program does so too', async (t) => {
	const { folder, page } = withArchive(t);
	const own = join(folder, 'own');
	project(own, block(page, 'cmake', 'device.cpp').replace('add_subdirectory(quash)\n', block(page, 'cmake', 'quash-cmake-')),
		{ 'device.cpp': block(page, 'cpp') });
	putArchive('cmake', own);
	shell(own, build(page));
	await turnsAndStops(t, modernFlavour, join(own, 'build/device'));
	await motorStops(t, [join(own, 'build/device')], 'turn', { steps: 100000 });
});

clientTest('an installation is found, by CMake and by pkg-config, in a place that it was moved to', async (t) => {
	const { folder, page } = withArchive(t);
	shell(folder, block(page, 'sh', '--install'));
	cpSync(join(folder, '.local'), join(folder, 'moved'), { recursive: true });
	run('rm', ['-r', '.local', 'build-quash', 'quash/src', 'quash/include'], { cwd: folder });
	const own = project(join(folder, 'own'), begin + block(page, 'cmake', find), device(page));
	cmake(own, '-S', '.', '-B', 'build', `-DCMAKE_PREFIX_PATH=${join(folder, 'moved')}`);
	cmake(own, '--build', 'build');
	await turnsAndStops(t, autoFlavour, join(own, 'build/device'));

	const moved = { ...env, PKG_CONFIG_PATH: join(folder, 'moved/lib/pkgconfig') };
	run('sh', ['-ec', block(page, 'sh', 'pkg-config')], { cwd: own, env: moved });
	await turnsAndStops(t, autoFlavour, join(own, 'device'));
	assertRefusals(folder, own, moved);
	assertVersions(own, join(folder, 'moved'));
});

/** A program that is compiled for another library is refused by the linker, which names what it was compiled for. */
function assertRefusals(folder, own, its) {
	const refused = (option) => told('sh', ['-c', `cc ${option} device.c -o other $(pkg-config --cflags --libs quash-posix)`], { cwd: own, env: its });
	const name = (version, bits) => new RegExp(`undefined reference to .posix_stdio_serve_${version}_size${bits}\\b`);
	const other = refused('-DQUASH_SIZE_BITS=16');
	assert.notEqual(other.status, 0);
	assert.match(other.stderr, name(linked, 16));

	const header = join(folder, 'moved/include/quash/version.h');
	const text = readFileSync(header, 'utf8');
	writeFileSync(header, withPatch(text, 99));
	const newer = refused('');
	writeFileSync(header, text);
	assert.notEqual(newer.status, 0);
	assert.match(newer.stderr, name(linked.replace(/\d+(_dev)?$/, '99$1'), 32));
}

/** While the major version is 0, the same minor version is found and no other; a range says for itself what it takes. */
function assertVersions(own, prefix) {
	const [major, minor, patch] = numbers.split('.').map(Number);
	assert.equal(major, 0, 'later, another minor version is found too');
	const cases = [[`${major}.${minor}`, true], [numbers, true], [`${numbers} EXACT`, true], [`${major}.${minor - 1}`, false],
		[`${major}.${minor + 1}`, false], [`${major}.${minor}.${patch + 1}`, false], ['1.0', false], [`0.1...0.${minor}.99`, true],
		[`0.1...<0.${minor}`, false], [`${numbers} COMPONENTS posix`, true], [`${numbers} COMPONENTS zephyr`, false]];
	const lists = cases.map(([asked], i) => `find_package(quash ${asked} QUIET)\nset(found_${i} "\${quash_FOUND}")\nunset(quash_DIR CACHE)`);
	const shown = cases.map((_, i) => `if(found_${i})\nmessage("${i} is found")\nendif()`);
	const asking = project(join(own, 'asking'), [begin, ...lists, ...shown].join('\n'));
	const { stderr, status } = told('cmake', ['-S', '.', '-B', 'build', `-DCMAKE_PREFIX_PATH=${prefix}`], { cwd: asking, env });
	assert.equal(status, 0, stderr);
	for (const [i, [asked, expected]] of cases.entries())
		assert.equal(stderr.includes(`${i} is found\n`) , expected, `find_package(quash ${asked})`);
}

test('a project that adds it keeps its variables and options', (t) => {
	const { folder } = withArchive(t);
	const listed = 'get_cmake_property(names VARIABLES)\nlist(REMOVE_ITEM names names before name OUTPUT_VARIABLE)\n';
	project(folder, `${begin}set(before "")\n${listed}set(before \${names})
add_subdirectory(quash)\n${listed}list(REMOVE_ITEM names \${before})\nmessage("new: \${names}")
add_executable(device device.c)\ntarget_link_libraries(device PRIVATE quash::quash)\n`, { 'device.c': 'int main(void) { return 0; }\n' });
	const { stderr } = told('cmake', ['-S', '.', '-B', 'build', '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON'], { cwd: folder, env });
	const names = /new: (.*)/.exec(stderr)?.[1].split(';');
	/* CMAKE_PROJECT_VERSION: CMake's own note that the project of the top has none. */
	assert.deepEqual(names?.filter((name) => !/^quash_|^QUASH_|^CMAKE_PROJECT_VERSION/.test(name)), [], stderr);
	const commands = JSON.parse(readFileSync(join(folder, 'build/compile_commands.json'), 'utf8'));
	const { command } = commands.find(({ file }) => file.endsWith('/device.c'));
	assert.deepEqual(command.split(/ +/).slice(1), [`-I${folder}/quash/include`, '-o', 'CMakeFiles/device.dir/device.c.o', '-c', `${folder}/device.c`]);
});
