/* SPDX-License-Identifier: MIT
 * Settings of hosts on Windows: the module in this process, whose shell has the folders and variables of a Windows that is made up. */

import assert from 'node:assert/strict';
import fs from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { startEngine } from '../../boards/wasm/engine.mjs';
import { test } from '../common/runner.mjs';
import { folderFor } from '../common/start.mjs';
import { version } from '../common/version.mjs';
import { module } from './rig.mjs';

const home = 'C:\\Users\\Jörg Müller', roaming = `${home}\\AppData\\Roaming`, packages = `${home}\\AppData\\Local\\Packages`;
const desktop = 'Claude\\claude_desktop_config.json', packaged = (name) => `${packages}\\${name}\\LocalCache\\Roaming\\${desktop}`;

/* Files by their paths; of folders there are those that files lie in, and `folders`. What is written below `virtual` stands in a packaged
 * app's place too, where all others look for it. */
class Windows {
	said = '';
	printed = '';

	constructor(files, { folders = [], open = [], readOnly = [], variables, virtual } = {}) {
		this.files = new Map(Object.entries(files).map(([path, text]) => [path, { text, changed: 1n }]));
		this.variables = { USERPROFILE: home, APPDATA: roaming, LOCALAPPDATA: `${home}\\AppData\\Local`, PATH: 'C:\\none;C:\\Program Files\\tools', ...variables };
		Object.assign(this, { folders, open, readOnly, virtual });
	}

	#at(path) {
		assert.doesNotMatch(path, /\//, path);
		return this.files.get(path) ?? (this.virtual && path.startsWith(this.virtual) ? this.files.get(path.replace(this.virtual, roaming)) : undefined);
	}

	#isFolder(path) {
		return [...this.files.keys(), ...this.folders.map((folder) => `${folder}\\`)].some((one) => one.startsWith(`${path}\\`));
	}

	get system() {
		return {
			own: () => 'windows',
			isPackage: () => true,
			variable: (name) => this.variables[name] ?? null,
			folder: () => 'C:\\work',
			program: () => null,
			about: (path) => {
				const file = this.#at(path);
				if (!file) return { kind: this.#isFolder(path) ? 'folder' : 'none' };
				return { kind: 'plain', mayWrite: !this.readOnly.includes(path), mayStart: true, size: BigInt(Buffer.byteLength(file.text)), mark: [1n, 1n, file.changed] };
			},
			resolve: (path) => path,
			read: (path) => Buffer.from(this.#at(path).text),
			writeBeside: (path, text) => {
				this.files.set(`${path}.1a2b`, { text, changed: 2n });
				return `${path}.1a2b`;
			},
			replace: (name, path) => {
				if (this.open.includes(path)) throw 'is open in another program';
				this.files.set(path, this.files.get(name));
				this.files.delete(name);
			},
			remove: (path) => { this.files.delete(path); },
			names: (folder) => {
				const all = [...this.files.keys(), ...this.folders].filter((path) => path.startsWith(`${folder}\\`)).map((path) => path.slice(folder.length + 1).split('\\')[0]);
				return all.length ? [...new Set(all)] : null;
			},
		};
	}

	/* The exit code. */
	async run(...words) {
		this.said = this.printed = '';
		const print = (fd, bytes) => { this[fd === 1 ? 'printed' : 'said'] += Buffer.from(bytes).toString(); };
		const waits = setInterval(() => {}, 1000); /* a module that is not there yet is nothing that Node waits for */
		const engine = await startEngine(module, { random: () => true, print, isAddress: () => true, file: () => null, system: this.system });
		clearInterval(waits);
		return engine.start(['quash-bridge', ...words]);
	}

	get texts() {
		return Object.fromEntries([...this.files].map(([path, { text }]) => [path, text]));
	}
}

const line = ['--tty', 'COM3', '--baud', '115200'];
const servers = (text, key = 'mcpServers') => JSON.parse(text)[key].device;

test('on Windows each host has its file, whose paths have backslashes', async () => {
	const files = {
		claude: `${roaming}\\${desktop}`, 'claude-code': `${home}\\.claude.json`, cursor: `${home}\\.cursor\\mcp.json`, vscode: `${roaming}\\Code\\User\\mcp.json`, zed: `${roaming}\\Zed\\settings.json`,
		codex: `${home}\\.codex\\config.toml`, gemini: `${home}\\.gemini\\settings.json`, qwen: `${home}\\.qwen\\settings.json`, opencode: `${home}\\.config\\opencode\\opencode.json`,
		copilot: `${home}\\.copilot\\mcp-config.json`, acp: `${roaming}\\Zed\\settings.json`,
	};
	for (const [host, file] of Object.entries(files)) {
		const windows = new Windows({ [file]: host === 'codex' ? '# mine\r\n' : '{}' }), before = windows.texts;
		assert.equal(await windows.run('--install', host, ...line), 0, windows.said);
		assert.ok(windows.said.includes(`'${file}': has the server; what it was is beside it, as .before-quash`) || windows.said.includes(`${file}: has the server`), windows.said);
		assert.ok(windows.printed.startsWith(`--- ${file}\n+++ ${file}\n@@ `), windows.printed);
		assert.match(windows.texts[file], new RegExp(`"npx".*"-y", "quash-bridge@${version}"`, 's'));
		assert.equal(windows.texts[`${file}.before-quash`], before[file]);
		assert.equal(await windows.run('--uninstall', host), 0);
		assert.deepEqual(windows.texts, before);
	}
});

test('on Windows the packaged Claude Desktop has the file; with several, or none, nothing changes', async () => {
	const old = `${roaming}\\${desktop}`;
	const cases = [
		[{ [old]: '{}', [packaged('Claude_a')]: '{}' }, [], packaged('Claude_a')],
		[{ [old]: '{}', [packaged('Claude_b')]: '{}' }, [`${packages}\\Claude_a\\LocalCache`], packaged('Claude_b')],
		[{ [old]: '{}', [packaged('Other_a')]: '{}' }, [], old],
		[{ [packaged('Claude_a')]: '{}', [packaged('Claude_b')]: '{}', [old]: '{}' }, [], null, /is one of several that the host may read/],
		[{ [old]: '{}' }, [`${packages}\\Claude_a`], null, /'C:\\Users\\Jörg Müller\\AppData\\Local\\Packages\\Claude_a\\LocalCache\\Roaming\\Claude\\claude_desktop_config\.json': has no folder/],
		[{ [`${home}\\x`]: '' }, [roaming], null, /'C:\\Users\\Jörg Müller\\AppData\\Roaming\\Claude\\claude_desktop_config\.json': has no folder/],
	];
	for (const [files, folders, chosen, words] of cases) {
		const windows = new Windows(files, { folders });
		assert.equal(await windows.run('--install', 'claude', ...line), chosen ? 0 : 2, windows.said);
		if (chosen) assert.deepEqual(servers(windows.texts[chosen]), { command: 'cmd', args: ['/c', 'npx', '-y', `quash-bridge@${version}`, ...line] });
		else assert.match(windows.said, words);
		for (const [path, text] of Object.entries(files)) if (path !== chosen) assert.equal(windows.texts[path], text);
	}
});

test('on Windows, from within a packaged app, it says that it cannot', async () => {
	const files = { [`${roaming}\\Code\\User\\mcp.json`]: '{}', [packaged('Claude_a')]: '{}', [`${home}\\.gemini\\settings.json`]: '{}' };
	const windows = new Windows(files, { virtual: `${packages}\\Claude_a\\LocalCache\\Roaming` });
	for (const host of ['claude', 'vscode']) {
		assert.equal(await windows.run('--install', host, ...line), 2);
		assert.match(windows.said, /: cannot be changed from within a packaged app of Windows, /);
		assert.deepEqual(windows.texts, files);
	}
	assert.equal(await windows.run('--install', 'gemini', ...line), 0, windows.said);
});

test('on Windows a file that another program keeps open, or that is read-only, is left whole', async () => {
	const file = `${home}\\.gemini\\settings.json`;
	for (const [how, words] of [[{ open: [file] }, /: is open in another program\n$/], [{ readOnly: [file] }, /: is not to be written\n$/]]) {
		const windows = new Windows({ [file]: '{"a":1}' }, how);
		assert.equal(await windows.run('--install', 'gemini', ...line), 2);
		assert.match(windows.said, words);
		assert.equal(windows.printed, '', 'no change is shown');
		assert.deepEqual([windows.texts[file], Object.keys(windows.texts).filter((path) => path.endsWith('1a2b'))], ['{"a":1}', []]);
	}
});

test('on Windows paths become whole by its rules, and programs have endings', async () => {
	const windows = new Windows({ 'C:\\Program Files\\tools\\arm.exe': '', 'C:\\work\\local.exe': '' });
	const made = async (...words) => (assert.equal(await windows.run('--print-config', 'gemini', ...words), 0, windows.said), servers(windows.printed).args.slice(2));
	assert.deepEqual(await made('--tty', 'COM10', '--record', '.\\a.log'), ['--tty', 'COM10', '--record', 'C:\\work\\a.log']);
	assert.deepEqual(await made('--unix', 'D:/s', '--record', 'b/c'), ['--unix', 'D:/s', '--record', 'C:\\work\\b/c']);
	assert.deepEqual(await made('--unix', '\\\\.\\pipe\\arm'), ['--unix', '\\\\.\\pipe\\arm']);
	assert.deepEqual(await made('--', 'arm', 'x'), ['--', 'C:\\Program Files\\tools\\arm.exe', 'x']);
	assert.deepEqual(await made('--', '.\\local'), ['--', 'C:\\work\\local.exe']);
	assert.equal(await windows.run('--print-config', 'gemini', '--', 'none'), 2);
	assert.equal(await windows.run('--print-config', 'gemini', '--system', 'linux', '--unix', 'C:\\a'), 2, 'it is no whole path on Linux');
	assert.deepEqual(await made('--system', 'macos', '--tty', '/dev/cu.usbmodem1'), ['--tty', '/dev/cu.usbmodem1']);
});

/* --- Node's files */

/* system.mjs as Windows' Node would read it. */
async function onWindows(body) {
	const { platform } = process, { renameSync, accessSync } = fs;
	Object.defineProperty(process, 'platform', { value: 'win32' });
	try {
		await body((await import('../../boards/wasm/system.mjs?windows')).system);
	} finally {
		Object.defineProperty(process, 'platform', { value: platform });
		Object.assign(fs, { renameSync, accessSync });
		syncBuiltinESMExports();
	}
}

test('a file that Windows will not replace, as it is open, is told in words', async (t) => {
	const file = join(folderFor(t), 'a');
	fs.writeFileSync(file, 'old');
	await onWindows(async (system) => {
		assert.equal(system.own(), 'windows');
		const name = system.writeBeside(file, 'new', file);
		fs.renameSync = () => { throw Object.assign(new Error('EPERM: operation not permitted'), { code: 'EPERM' }); };
		syncBuiltinESMExports();
		assert.throws(() => system.replace(name, file), (words) => words === 'is open in another program, or not to be written: quit that program first');
		assert.equal(fs.readFileSync(name, 'utf8'), 'new');
	});
	assert.equal(fs.readFileSync(file, 'utf8'), 'old');
});
