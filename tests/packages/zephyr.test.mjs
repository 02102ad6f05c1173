/* SPDX-License-Identifier: MIT
 * The Zephyr module, from its archive alone. No Zephyr is here: CMake is real and its functions of Zephyr are stubs; Kconfig
 * is real, behind a stub of Zephyr's root; the headers state what is used; kernel, UART and pins are fakes on the host. */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Program, root } from '../common/program.mjs';
import { until } from '../common/runner.mjs';
import { version } from '../common/version.mjs';
import { block, blocksOf, textsOf } from '../readme/blocks.mjs';
import { emptyFolder, pageOf, putArchive, run, unpack } from './archives.mjs';
import { cancel, clientTestWith, legacyFlavour, logged, Session, textOf } from './client.mjs';
import { servesHosts } from './hosts-served.mjs';
import { namesItsFault, withWrongName } from './refused.mjs';
import { python, pythonModule, testWith } from './tools.mjs';

const stubs = join(root, 'tests/packages/zephyr');
const rtos = join(root, 'tests/rtos');
const tools = ['cmake', pythonModule('kconfiglib'), pythonModule('yaml')];
const zephyrTest = testWith(...tools);
const warnings = '-Wall -Wextra -Werror -ffunction-sections -fdata-sections';
const includes = [join(stubs, 'include'), join(rtos, 'zephyr'), rtos, join(root, 'tests/common')];
const kernel = [join(stubs, 'board.c'), join(rtos, 'zephyr/serial.c'), join(rtos, 'line.c'), join(rtos, 'fake.c'), join(root, 'tests/common/check.c')];

const fromPython = (code, ...args) => JSON.parse(run(python, ['-c', `import json, sys\n${code}`, ...args]));
const yamlOf = (path) => fromPython('import yaml\nprint(json.dumps(yaml.safe_load(open(sys.argv[1]))))', path);

/** What a user has beside the module: the environment of a Zephyr workspace, here with stubs. */
const environment = { ...process.env, ZEPHYR_BASE: stubs, PATH: `${stubs}:${process.env.PATH}`, EXTRA_ZEPHYR_MODULES: undefined };

const forHost = [`-DSTUB_SOURCES=${kernel.join(';')}`];
const optionsOf = (more, flags = warnings) => [`-DSTUB_PYTHON=${python}`, `-DSTUB_INCLUDES=${includes.join(';')}`,
	`-DCMAKE_C_FLAGS=${flags}`, '-DCMAKE_EXPORT_COMPILE_COMMANDS=ON', ...more];

/** Configures an application with the module, for the host unless the options name another compiler; returns its build folder. */
function configure(app, module, name, more = forHost, { conf, flags } = {}) {
	const build = join(dirname(module), name);
	run('cmake', ['-S', app, '-B', build, `-DEXTRA_ZEPHYR_MODULES=${module}`, ...optionsOf(more, flags)],
		{ env: conf ? { ...environment, CONF_FILE: conf } : environment });
	return build;
}

const built = (build) => (run('cmake', ['--build', build, '-j2']), join(build, 'zephyr/zephyr.elf'));

/** With a wrong config in a source of what was built there, its program names what is wrong. Only that source is compiled again. */
async function namesWhatIsWrong(t, build, source, name) {
	writeFileSync(source, withWrongName(readFileSync(source, 'utf8'), name));
	await namesItsFault(t, [built(build)]);
}
const sampleOf = (module) => join(module, 'samples/tool_server');

/* --- Manifests */

zephyrTest('module.yml names the module and its folders, in keys of Zephyr 3.6; the page has what it is known by', (t) => {
	const module = unpack('zephyr', emptyFolder(t));
	const about = yamlOf(join(module, 'zephyr/module.yml'));
	assert.equal(about.name, 'quash');
	assert.deepEqual(Object.keys(about), ['name', 'build', 'samples', 'tests']);
	const page = readFileSync(pageOf(module), 'utf8');
	for (const known of [`cpe:2.3:a:quash:quash:${version}:*:*:*:*:*:*:*`, `pkg:generic/quash@${version}`]) assert.ok(page.includes(known), known);
});

zephyrTest('a module.yml that names what is not there, or an unknown key, is refused', (t) => {
	const module = unpack('zephyr', emptyFolder(t));
	const file = join(module, 'zephyr/module.yml');
	const text = readFileSync(file, 'utf8');
	const refuses = (from, to, words) => {
		writeFileSync(file, text.replace(from, to));
		assert.throws(() => configure(sampleOf(module), module, 'build'), words);
	};
	refuses('zephyr/Kconfig', 'zephyr/Kconfig.no', /names zephyr\/Kconfig\.no/);
	refuses('samples:', 'examples:', /no key examples/);
	refuses('name: quash', 'name: 7', /name: 7/);
	refuses('tests:', 'security:\n  external-references:\n    - x\ntests:', /3\.6: no key security/);
});

/* The keys of a scenario that this project uses, by Zephyr's scripts/schemas/twister/testsuite-schema.yaml. */
const scenarioKeys = { build_only: 'boolean', depends_on: 'string', filter: 'string', harness: 'string', harness_config: 'object', tags: 'list',
	platform_allow: 'list', integration_platforms: 'list', extra_args: 'list' };
const kindOf = (value) => (Array.isArray(value) && value.every((item) => typeof item === 'string') ? 'list' : typeof value);

/* Boards whose names are the same in Zephyr 3.6 and 4.x. Twister of 3.6 stops at a name that it does not know. */
const sameNames = ['frdm_k64f', 'native_sim', 'qemu_cortex_m3'];

function isScenario(scenario) {
	for (const [key, value] of Object.entries(scenario)) assert.equal(kindOf(value), scenarioKeys[key], key);
	const { platform_allow: boards = [], integration_platforms: tried = [] } = scenario;
	for (const board of boards) assert.ok(sameNames.includes(board), board);
	assert.ok(tried.every((board) => boards.includes(board)));
}

zephyrTest('sample.yaml is one of Zephyr\'s, and its boards have overlays', (t) => {
	const sample = sampleOf(unpack('zephyr', emptyFolder(t)));
	const { sample: about, common, tests, ...rest } = yamlOf(join(sample, 'sample.yaml'));
	assert.deepEqual(rest, {});
	assert.deepEqual(Object.keys(about), ['name', 'description']);
	const name = 'sample.quash.tool_server';
	assert.deepEqual(Object.keys(tests), [name, `${name}.second_uart`, `${name}.cdc_acm`]);
	isScenario(common);
	const overlays = readdirSync(join(sample, 'boards'));
	for (const scenario of Object.values(tests)) {
		isScenario(scenario);
		for (const board of scenario.platform_allow) assert.ok(overlays.includes(`${board}.overlay`), board);
		for (const argument of scenario.extra_args ?? []) readFileSync(join(sample, argument.split('=')[1]));
		assert.equal(scenario.build_only === true, scenario.harness === undefined, 'it is built, or it is run');
	}
	assert.deepEqual(Object.keys(tests).filter((name) => tests[name].harness), [`${name}.second_uart`]);
});

zephyrTest('the test for twister runs, and is one of Zephyr\'s', (t) => {
	const module = unpack('zephyr', emptyFolder(t));
	const app = join(module, 'tests/server');
	const { tests, ...rest } = yamlOf(join(app, 'testcase.yaml'));
	assert.deepEqual([rest, Object.keys(tests)], [{}, ['quash.server']]);
	isScenario(tests['quash.server']);
	assert.equal(tests['quash.server'].build_only, undefined, 'it runs');
	const runner = [join(stubs, 'ztest.c'), ...kernel.slice(1)];
	const program = built(configure(app, module, 'twister', [`-DSTUB_SOURCES=${runner.join(';')}`]));
	const output = run(program, []);
	assert.match(output, /STAND-IN for ztest: quash_server/);
	assert.equal(output.match(/^PASS - test_/gm)?.length, 4, output);
});

zephyrTest('the page\'s lines for west.yml are a project of its manifest', (t) => {
	const folder = emptyFolder(t);
	const [text] = textsOf(pageOf(unpack('zephyr', folder)), 'yaml');
	writeFileSync(join(folder, 'west.yml'), `manifest:\n  projects:\n${text}`);
	assert.equal(text.trimEnd().split('\n').length, 3);
	assert.deepEqual(yamlOf(join(folder, 'west.yml')).manifest.projects,
		[{ name: 'quash', url: 'ADDRESS', revision: 'package/zephyr' }]);
});

/* --- Devicetree */

const label = /(?:DT_CHOSEN|DT_HAS_CHOSEN|DT_ALIAS)\((\w+)\)/g;

/** What a program asks for and boards do not have: what its overlay must name, as C names it. */
const askedBy = (program) => [...new Set([...program.matchAll(label)].map(([, name]) => name))].filter((name) => name !== 'led0').sort();

/** What an overlay adds to the chosen nodes and aliases of a board, as C names it. Real dtc reads it. */
function namedBy(overlay) {
	const board = join(stubs, 'board.dts');
	const nodes = run('sh', ['-c', 'cat "$1" "$2" | dtc -q -I dts -O dts -', 'sh', board, overlay]);
	const inside = [...nodes.matchAll(/\t(?:chosen|aliases) \{\n([^}]*)\}/g)].flatMap(([, lines]) => lines.trim().split('\n'));
	return inside.map((line) => line.trim().split(' ')[0].replace(/[,-]/g, '_')).filter((name) => name.startsWith('quash_')).sort();
}

testWith('dtc', ...tools)('the overlays are devicetree, and name what the programs ask for', (t) => {
	const folder = emptyFolder(t);
	const module = unpack('zephyr', folder);
	const asked = askedBy(readFileSync(join(sampleOf(module), 'src/tool_server.c'), 'utf8'));
	assert.deepEqual(asked, ['quash_motor', 'quash_uart']);
	for (const overlay of readdirSync(join(sampleOf(module), 'boards')))
		assert.deepEqual(namedBy(join(sampleOf(module), 'boards', overlay)), asked, overlay);
	for (const more of ['second_uart.overlay', 'cdc_acm.overlay', '../../tests/server/app.overlay'])
		assert.deepEqual(namedBy(join(sampleOf(module), more)), ['quash_uart'], more);
	const [, , overlay, program] = blocksOf(pageOf(module)).filter(({ file }) => file);
	writeFileSync(join(folder, overlay.file), overlay.text);
	assert.deepEqual(namedBy(join(folder, overlay.file)), askedBy(program.text));
	writeFileSync(join(folder, overlay.file), overlay.text.replace('&uart0', '&uart7'));
	assert.throws(() => namedBy(join(folder, overlay.file)), /uart7/);
});

/* --- Kconfig */

zephyrTest('a value out of range, or of an option that is not offered, is refused; large buffers reach the compiler', (t) => {
	const folder = emptyFolder(t);
	const module = unpack('zephyr', folder);
	const conf = join(folder, 'my.conf');
	const tried = (lines) => {
		writeFileSync(conf, `CONFIG_GPIO=y\nCONFIG_SERIAL=y\nCONFIG_QUASH=y\n${lines}\n`);
		return configure(sampleOf(module), module, 'build', forHost, { conf });
	};
	assert.throws(() => tried('CONFIG_QUASH_SLOTS=0'), /QUASH_SLOTS=0 is not taken over: 4/);
	assert.throws(() => tried('CONFIG_QUASH_ID_SIZE=16'), /QUASH_ID_SIZE=16 is not taken over: 24/);
	assert.throws(() => tried('CONFIG_QUASH_ARENA=65536'), /QUASH_ARENA=65536 is not taken over: 512/);
	tried('CONFIG_SMP=y\nCONFIG_QUASH_UART=y');
	assert.throws(() => tried('CONFIG_QUASH_SLOT=4'), /QUASH_SLOT/);
	const build = tried('CONFIG_QUASH_LARGE_BUFFERS=y\nCONFIG_QUASH_ARENA=65536');
	assert.match(readFileSync(join(build, '.config'), 'utf8'), /^CONFIG_QUASH_ARENA=65536$/m);
	for (const { command } of JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8')).filter(({ file }) => file.startsWith(module)))
		assert.match(command, /-DQUASH_SIZE_BITS=32 /);
});

zephyrTest('the options and defaults of the page are those of Kconfig', (t) => {
	const module = unpack('zephyr', emptyFolder(t));
	const rows = [...readFileSync(pageOf(module), 'utf8').matchAll(/^\| `(CONFIG_QUASH\w*)` \| (\w+) \|/gm)];
	const config = readFileSync(join(configure(sampleOf(module), module, 'build'), '.config'), 'utf8');
	const valueOf = (name) => config.match(new RegExp(`^${name}=(.*)$`, 'm'))?.[1] ?? 'n';
	const offered = [...config.matchAll(/^(?:# )?(CONFIG_QUASH\w*)/gm)].map(([, name]) => name);
	assert.deepEqual(rows.map(([, name]) => name).sort(), offered.sort());
	for (const [, name, value] of rows.slice(1)) assert.equal(valueOf(name), value, name);
});

/* --- It compiles */

zephyrTest('the build file names every source of the archive, and the module costs nothing while it is off', (t) => {
	const folder = emptyFolder(t);
	const module = unpack('zephyr', folder);
	const build = configure(sampleOf(module), module, 'build', [...forHost, '-DEXTRA_CONF_FILE=cdc_acm.conf']);
	const files = JSON.parse(readFileSync(join(build, 'compile_commands.json'), 'utf8')).map(({ file }) => file);
	const sources = ['src', 'port', 'samples'].flatMap((part) => readdirSync(join(module, part), { recursive: true })
		.filter((file) => file.endsWith('.c')).map((file) => join(module, part, file)));
	assert.ok(sources.length > 50, `${sources.length} sources`);
	assert.deepEqual(files.filter((file) => file.startsWith(module)).sort(), sources.sort());
	assert.doesNotMatch(readFileSync(join(module, 'zephyr/CMakeLists.txt'), 'utf8'), /GLOB|@/, 'by their names');
	const conf = join(folder, 'off.conf');
	writeFileSync(conf, 'CONFIG_QUASH=n\n');
	const off = configure(sampleOf(module), module, 'off', [], { conf });
	assert.deepEqual(JSON.parse(readFileSync(join(off, 'compile_commands.json'), 'utf8')).map(({ file }) => file), [join(sampleOf(module), 'src/tool_server.c')]);
});

const crossed = (compiler) => [`-DCMAKE_C_COMPILER=${compiler}`, '-DCMAKE_SYSTEM_NAME=Generic', '-DCMAKE_TRY_COMPILE_TARGET_TYPE=STATIC_LIBRARY'];
const compilers = {
	clang: ['-DCMAKE_C_COMPILER=clang'],
	'arm-none-eabi-gcc': crossed('arm-none-eabi-gcc'),
};

for (const [name, options] of Object.entries(compilers)) {
	testWith(name, ...tools)(`module and sample compile with ${name}`, (t) => {
		const module = unpack('zephyr', emptyFolder(t));
		const flags = name === 'clang' ? warnings : `${warnings} -mcpu=cortex-m4 -Os`;
		built(configure(sampleOf(module), module, 'build', options, { flags }));
	});
}

/* --- It runs */

/** A client that has promised signs of life falls silent while the motor runs. */
async function stopsWithoutSignsOfLife(program) {
	const ask = (id, method, params) => program.send({ jsonrpc: '2.0', id, method, params });
	ask(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } });
	assert.equal((await program.next()).result.capabilities.experimental['quash/lifeSign'].ms, 2000);
	program.sendBytes('\n');
	ask(2, 'tools/call', { name: 'motor', arguments: { ms: 60000 } });
	await until('the motor to run', () => program.stderr.endsWith('pin 14 on\n'));
	const { id, error } = await program.next();
	assert.deepEqual([id, error.code], [2, -32800]);
	assert.match(program.stderr, /pin 14 on\npin 14 off\n$/);
}

clientTestWith(...tools)('the commands of the page build the sample, a cancel stops its motor, and it names what is wrong with its config', async (t) => {
	const folder = emptyFolder(t);
	putArchive('zephyr', folder);
	const [text] = textsOf(pageOf(unpack('zephyr', emptyFolder(t))), 'sh');
	const options = optionsOf(forHost).map((option) => `'${option}'`).join(' ');
	assert.equal(text.trim().split('\n').length, 3);
	writeFileSync(join(folder, 'page.sh'), `set -e\n${text.replace(/^west build .*$/m, (line) => `${line} ${options}`)}`);
	assert.match(run('sh', ['page.sh'], { cwd: folder, env: environment }), /STUB of west[^]*STUB of Zephyr[^]*no board/);

	const { program, log } = logged(t, join(folder, 'build/zephyr/zephyr.elf'));
	const session = await Session.open(t, legacyFlavour, { program });
	assert.deepEqual((await session.client.listTools()).tools.map(({ name }) => name), ['led', 'motor']);
	assert.equal(textOf(await session.call('led', { on: true })), 'on');
	const [serves] = yamlOf(join(folder, 'quash/samples/tool_server/sample.yaml')).tests['sample.quash.tool_server.second_uart'].harness_config.regex;
	const lines = ['pin 13 is an output', 'pin 14 is an output', serves, 'pin 13 on'];
	await until('the LED to shine', () => log() === lines.map((line) => `${line}\n`).join(''));
	assert.equal((await cancel(session, 'motor', { ms: 60000 })).total, 60000);
	await until('the motor to stop', () => log().endsWith('pin 14 on\npin 14 off\n'));
	assert.equal(textOf(await session.call('motor', { ms: 20 })), 'the motor has run');
	await until('the motor to stop again', () => log().endsWith('pin 14 off\npin 14 on\npin 14 off\n'));
	await session.close();
	await stopsWithoutSignsOfLife(Program.start(t, join(folder, 'build/zephyr/zephyr.elf')));
	await servesHosts(t, [join(folder, 'build/zephyr/zephyr.elf')], 'led', { on: true });
	await namesWhatIsWrong(t, join(folder, 'build'), join(folder, 'quash/samples/tool_server/src/tool_server.c'), 'led');
});

/* The four files of the page; returns their folder. */
function pagesProgram(folder, module) {
	const files = blocksOf(pageOf(module)).filter(({ file }) => file);
	assert.deepEqual(files.map(({ file }) => file), ['CMakeLists.txt', 'prj.conf', 'app.overlay', 'src/main.c']);
	for (const { file, text } of files) {
		mkdirSync(dirname(join(folder, file)), { recursive: true });
		writeFileSync(join(folder, file), text);
	}
	return folder;
}

clientTestWith(...tools)('the program of the page answers, its tool can be cancelled, and it names what is wrong with its config', async (t) => {
	const folder = emptyFolder(t);
	const module = unpack('zephyr', folder);
	const app = pagesProgram(join(folder, 'counter'), module);
	/* Beside it: the loop for a console, which the page shows alone. */
	const loop = block(pageOf(module), 'c', 'console_init');
	writeFileSync(join(folder, 'console.c'), `#include <quash/zephyr_console.h>\n#include <quash/zephyr.h>
void shared(quash_peer *at, rtos_zephyr *to);\nvoid shared(quash_peer *at, rtos_zephyr *to)\n{
	static console console;\n\tstatic uint8_t log[256];\n${loop.replaceAll('&peer', 'at').replaceAll('&uart_link', 'to')}}\n`);
	const build = configure(app, module, 'build', [`-DSTUB_SOURCES=${[...kernel, join(folder, 'console.c')].join(';')}`]);
	const program = built(build);
	const session = await Session.open(t, legacyFlavour, { program: [program] });
	assert.equal(session.client.getServerVersion().name, 'counter');
	assert.equal(textOf(await session.call('count', { to: 3 })), 'counted');
	await cancel(session, 'count', { to: 1000 });
	await until('its group to be free', async () => textOf(await session.call('count', { to: 1 })) === 'counted');
	await session.close();
	await namesWhatIsWrong(t, build, join(app, 'src/main.c'), 'count');
});
