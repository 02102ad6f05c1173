/* SPDX-License-Identifier: MIT
 * The bundle, unpacked by the official tool and started with settings as a host would start it. */

import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { called, greet } from '../common/client.mjs';
import { Plugged, adapter, pico, uno } from '../common/plugged.mjs';
import { Program } from '../common/program.mjs';
import { skip, test as always } from '../common/runner.mjs';
import { folderFor, printed, root, told } from '../common/start.mjs';
import { version } from '../common/version.mjs';
import { made } from './laid.mjs';

const bundle = join(root, 'build/mcpb/quash-bridge.mcpb');
const tools = told('tests/npm/install.sh');
const test = tools.status === 0 ? always : (name) => skip(name, `packages of npm are missing: ${tools.stderr}`);
const official = join(made, 'tools/node_modules/@anthropic-ai/mcpb');
const tool = (...words) => printed(process.execPath, [join(official, 'dist/cli/cli.js'), ...words]);

function unpacked(t) {
	const folder = join(folderFor(t), 'an extension');
	tool('unpack', bundle, folder);
	return folder;
}

/** With the settings that somebody has made: the official rules turn them into a command line. */
async function start(t, userConfig, ports = new Plugged(t)) {
	const { getMcpConfigForManifest } = await import(join(official, 'dist/index.js')), folder = unpacked(t);
	const manifest = JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8'));
	const { command, args } = await getMcpConfigForManifest({ manifest, extensionPath: folder, systemDirs: {}, userConfig, pathSeparator: '/' });
	assert.equal(command, 'node');
	return Program.start(t, process.execPath, args, { dialect: 'mcp', cwd: '/', env: { ...process.env, ...ports.env } });
}

/** What it says in the place of a device that it has not. */
async function words(t, userConfig, ports) {
	const { instructions } = await greet(await start(t, userConfig, ports));
	return instructions;
}

test('the official tool finds its manifest and its icon right', () => {
	const said = tool('validate', join(root, 'build/mcpb/bundle/manifest.json'));
	assert.match(said, /Manifest schema validation passes!/);
	assert.match(said, /Icon validation passed/);
	assert.match(tool('info', bundle), /quash-bridge\.mcpb/);
});

test('it has the version, a licence of each package, and of the addon what Windows loads', (t) => {
	const folder = unpacked(t), files = readdirSync(folder, { recursive: true });
	assert.equal(JSON.parse(readFileSync(join(folder, 'manifest.json'), 'utf8')).version, version);
	const addons = files.filter((file) => file.endsWith('.node'));
	assert.equal(addons.length, 3);
	for (const file of addons) assert.match(file, /prebuilds\/win32-/);
	const packages = files.filter((file) => /node_modules\/(@[^/]+\/)?[^/@]+\/package\.json$/.test(file));
	assert.equal(packages.length, 7);
	for (const file of packages) assert.ok(files.some((other) => other.toLowerCase().startsWith(file.replace('package.json', 'license').toLowerCase())), file);
});

test('whoever makes it, the bytes are the same', (t) => {
	const make = (umask, zone) => {
		const folder = folderFor(t);
		printed('sh', ['-ec', `umask ${umask}; exec sh port/package/mcpb/bundle.sh "$0" build/npm/package`, folder], { env: { ...process.env, TZ: zone } });
		return readFileSync(join(folder, 'quash-bridge.mcpb'));
	};
	const one = make('022', 'UTC');
	assert.ok(one.equals(make('077', 'Asia/Tokyo')));
	assert.ok(one.equals(readFileSync(bundle)));
});

test('without settings it serves the only board, and loads no addon', async (t) => {
	const ports = new Plugged(t);
	await ports.plug(t, 'ttyACM0', uno);
	const server = await start(t, {}, ports);
	assert.equal((await greet(server)).serverInfo.name, 'quash-toolbox');
	assert.equal((await called(server, 'echo', { text: 'so' })).structuredContent.text, 'so');
	assert.doesNotMatch(readFileSync(`/proc/${server.pid}/maps`, 'latin1'), /\.node\n/);
	await server.endsByInput();
});

test('with a port and a rate it serves the board that is there', async (t) => {
	const ports = new Plugged(t);
	ports.show('ttyACM0', uno);
	const board = await ports.plug(t, 'ttyUSB0', adapter);
	const server = await start(t, { port: ' /dev/ttyUSB0 ', baud: '57600' }, ports);
	assert.equal((await greet(server)).serverInfo.name, 'quash-toolbox');
	assert.match(printed('stty', ['-F', board.link]), /speed 57600 baud/);
	await server.endsByInput();
});

test('several boards: it says which, and goes on once there is one', async (t) => {
	const ports = new Plugged(t), board = await ports.plug(t, 'ttyACM0', uno);
	await ports.plug(t, 'ttyACM1', pico);
	const server = await start(t, { port: '' }, ports);
	const choices = '/dev/ttyACM0 (Uno), /dev/ttyACM1 (Pico)';
	assert.ok((await greet(server)).instructions.endsWith(`the port auto: waiting: auto: fits several ports; choose in the settings: ${choices}`));
	await board.unplug();
	await server.says(/device: ready: quash-toolbox/);
	await server.endsByInput();
});

test('a port that is not there, no board, a name that is none, a rate that is none: it says in words what to choose', async (t) => {
	const ports = new Plugged(t);
	ports.show('ttyACM0', uno);
	const cases = [
		[{ port: '/dev/ttyACM7' }, ports, /No such file or directory; choose in the settings: \/dev\/ttyACM0 \(Uno\)/],
		[{ port: 'usb:12' }, ports, /usb:12; choose in the settings: \/dev\/ttyACM0 \(Uno\)/],
		[{ port: '/dev/ttyACM0', baud: 'fast' }, ports, /--baud fast: takes a rate in bits per second/],
		[{ port: '' }, undefined, /no board is plugged in; no serial port is there: plug the board in/],
	];
	await Promise.all(cases.map(async ([settings, seen, wanted]) => assert.match(await words(t, settings, seen), wanted)));
});
