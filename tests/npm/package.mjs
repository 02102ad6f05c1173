/* SPDX-License-Identifier: MIT
 * The package of npm, as somebody has it who asks for it by its name. Black-box tests of the bridge run with its program besides. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { cable } from '../common/cable.mjs';
import { called, greet } from '../common/client.mjs';
import { Program, hostProgram } from '../common/program.mjs';
import { skip, test } from '../common/runner.mjs';
import { folderFor, printed, root, told } from '../common/start.mjs';
import { version } from '../common/version.mjs';
import { byAddon, program, tarball, without } from './laid.mjs';
import './report.mjs';

const toolbox = hostProgram('toolbox');
const unpacked = (t) => {
	const folder = folderFor(t);
	printed('tar', ['-xzf', tarball, '-C', folder]);
	return join(folder, 'package');
};
const jsonIn = (folder, name) => JSON.parse(readFileSync(join(folder, name), 'utf8'));

/* --- What it holds */

test('it holds the shell, the engine, the page for browsers, that of the package, licence and notice, and nothing else', () => {
	const shell = readdirSync(join(root, 'boards/wasm')).filter((name) => name.endsWith('.mjs'));
	const names = printed('tar', ['-tzf', tarball]).trim().split('\n').map((path) => path.replace('package/', ''));
	assert.deepEqual(names.sort(), [...shell, 'LICENSE', 'NOTICE', 'README.md', 'bridge.wasm', 'npm-shrinkwrap.json', 'package.json', 'page.html'].sort());
});

test('it names its version, its entry, a Node, its name in the registry of servers, and no script', (t) => {
	const manifest = jsonIn(unpacked(t), 'package.json');
	assert.deepEqual([manifest.name, manifest.version, manifest.bin], ['quash-bridge', version, { 'quash-bridge': 'quash-bridge.mjs' }]);
	assert.equal(manifest.engines.node, '>=20');
	assert.equal(manifest.mcpName, readFileSync(join(root, 'port/package/mcp-name'), 'utf8').trim());
	assert.equal(manifest.scripts, undefined);
});

test('what it needs is pinned exactly, down to the last package, by sums and without addresses', (t) => {
	const folder = unpacked(t), { dependencies, optionalDependencies } = jsonIn(folder, 'package.json');
	const { packages: { '': own, ...others } } = jsonIn(folder, 'npm-shrinkwrap.json');
	assert.equal(dependencies, undefined);
	assert.deepEqual(own.optionalDependencies, optionalDependencies);
	for (const [name, wanted] of Object.entries(optionalDependencies)) assert.equal(others[`node_modules/${name}`].version, wanted);
	for (const [name, entry] of Object.entries(others)) {
		assert.match(entry.version, /^\d+\.\d+\.\d+$/, name);
		assert.match(entry.integrity, /^sha512-/, name);
		assert.deepEqual([entry.resolved, entry.optional], [undefined, true], name);
	}
});

test('whoever makes it, the bytes are the same', (t) => {
	const make = (umask, zone) => {
		const folder = folderFor(t);
		printed('sh', ['-ec', `umask ${umask}; exec sh port/package/npm/package.sh "$0"`, folder], { env: { ...process.env, TZ: zone } });
		return readFileSync(join(folder, `quash-bridge-${version}.tgz`));
	};
	const one = make('022', 'UTC');
	assert.ok(one.equals(make('077', 'Asia/Tokyo')), 'twice the same');
	assert.ok(one.equals(readFileSync(tarball)), 'and what `make npm` has made');
});

/* --- Who starts it */

/* The time to the answer, in an empty folder, with a cache of its own. */
async function asked(t, cache) {
	const begun = performance.now();
	const bridge = Program.start(t, 'npx', ['-y', `file:${tarball}`, '--', toolbox],
		{ dialect: 'mcp', cwd: folderFor(t), env: { ...process.env, npm_config_cache: cache, npm_config_fetch_retries: '0', npm_config_update_notifier: 'false' } });
	assert.equal((await greet(bridge)).serverInfo.name, 'quash-toolbox');
	const ms = performance.now() - begun;
	assert.equal((await called(bridge, 'echo', { text: 'so' })).structuredContent.text, 'so');
	await bridge.endsByInput();
	assert.doesNotMatch(bridge.stderr, /npm (error|ERR)/);
	return Math.round(ms);
}

test('npx -y starts it in an empty folder, once as a new user and once more', async (t) => {
	const cache = folderFor(t), first = await asked(t, cache), second = await asked(t, cache);
	console.log(`        npx -y to the answer of initialize: ${first} ms the first time, ${second} ms the second`);
});

const nodeOf = (major) => join(root, `build/npm/tools/node_modules/node-${major}-${process.arch}/bin/node`);
const tools = told('tests/npm/install.sh');
const withTools = tools.status === 0 ? test : (name) => skip(name, `packages of npm are missing: ${tools.stderr}`);

for (const major of [16, 18])
	withTools(`Node ${major} says which one it needs`, () => {
		const { status, stdout, stderr } = told(nodeOf(major), [program, '--', toolbox], { input: '' });
		assert.deepEqual([status, stdout], [2, '']);
		assert.match(stderr, new RegExp(`^quash-bridge needs Node 20 or newer; \\S+ is v${major}\\.\\S+\n$`));
	});

withTools('Node 20 serves', async (t) => {
	const bridge = Program.start(t, nodeOf(20), [program, '--', toolbox], { dialect: 'mcp' });
	await greet(bridge);
	assert.equal((await called(bridge, 'echo', { text: 'so' })).structuredContent.text, 'so');
	await bridge.endsByInput();
});

/* --- Serial devices */

test('a command, a socket and help want no addon', (t) => {
	const alone = without(t, 'node_modules');
	assert.equal(told(alone, ['--version']).stdout, `quash-bridge ${version}\n`);
	assert.equal(told(alone, ['--', toolbox], { input: '' }).status, 0);
});

test('a serial device for which the addon is missing says so', async (t) => {
	const { link } = await cable(t);
	const bridge = Program.start(t, without(t, 'node_modules', 'kind-tty.mjs'), ['--initialize-timeout', '0', '--tty', link], { dialect: 'mcp' });
	const { instructions } = await greet(bridge);
	assert.match(instructions, /@serialport\/bindings-cpp, which opens serial devices here, cannot be loaded/);
});

test('the addon opens the device with its rate', async (t) => {
	const { link } = await cable(t);
	const bridge = Program.start(t, byAddon(t), ['--initialize-timeout', '60m', '--tty', link, '--baud', '57600'], { dialect: 'mcp' });
	assert.equal((await greet(bridge)).serverInfo.name, 'quash-toolbox');
	assert.match(printed('stty', ['-F', link]), /speed 57600 baud/);
	await bridge.endsByInput();
});
