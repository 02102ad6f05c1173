/* SPDX-License-Identifier: MIT
 * quash-bridge --install and --uninstall: a server in the file of a host on each system, and out again. */

import assert from 'node:assert/strict';
import { chmodSync, chownSync, existsSync, mkdirSync, readFileSync, readdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { languageOf, parsed } from '../readme/settings.mjs';
import { check as checkOf } from './bridge-program.mjs';
import { Home, line, patched, places, printed, quit, started, table } from './homes.mjs';

/* Nobody else waits while this process stands still for the bridge. */
const check = (name, body) => checkOf(name, body, { together: false });

for (const host of Object.keys(places)) {
	check(`--install ${host}: a file that is not there gets what --print-config prints, and goes again`, (t) => {
		const home = new Home(t, host);
		const { shown, said } = home.install();
		assert.equal(home.text, printed(host));
		assert.equal(statSync(home.file).mode & 0o777, 0o600);
		assert.equal(patched('', shown), home.text);
		assert.equal(said, `${quit(host)}quash-bridge: ${home.file}: has the server, and is new\n`);
		assert.deepEqual(home.install(), { shown: '', said: `quash-bridge: ${home.file}: has the server already\n` });
		assert.equal(home.uninstall().said, `${quit(host)}quash-bridge: ${home.file}: is without the server\n`);
		assert.equal(existsSync(home.file), false);
		assert.deepEqual(home.names, []);
	});

	check(`--install ${host}: beside what is there, and out again`, (t) => {
		const own = languageOf(host) === 'toml' ? '# mine\nmodel = "x"\n\n[profiles.a]\nn = 1 # one\n' : '{\n\t"theme": "dark",\n\t"list": [ 1,2 ]\n}\n';
		const home = new Home(t, host, own);
		chmodSync(home.file, 0o640);
		const { shown, said } = home.install();
		assert.equal(said, `${quit(host)}quash-bridge: ${home.file}: has the server; what it was is beside it, as .before-quash\n`);
		assert.equal(patched(own, shown), home.text);
		assert.equal(home.copy, own);
		for (const name of [home.file, `${home.file}.before-quash`]) assert.equal(statSync(name).mode & 0o777, 0o640, name);
		if (languageOf(host) === 'toml') assert.equal(home.text, `${own}\n${printed(host)}`);
		else assert.deepEqual(JSON.parse(home.text), { ...JSON.parse(own), ...parsed('json', printed(host)) });
		assert.deepEqual(home.install(), { shown: '', said: `quash-bridge: ${home.file}: has the server already\n` });
		const inside = home.text;
		assert.equal(patched(inside, home.uninstall().shown), own);
		assert.equal(home.text, own);
		assert.equal(statSync(home.file).mode & 0o777, 0o640);
		assert.deepEqual(home.names, [home.file.split('/').pop()]);
		assert.deepEqual(home.uninstall(), { shown: '', said: `quash-bridge: ${home.file}: has no server of this name\n` });
	});
}

check('--install: files that are none', (t) => {
	const home = new Home(t, 'gemini');
	mkdirSync(home.file);
	assert.match(home.install(line, { status: 2 }).said, /settings\.json: is no plain file\n$/);
	const link = new Home(t, 'gemini');
	symlinkSync('nowhere', link.file);
	assert.match(link.install(line, { status: 2 }).said, /: is a link that leads nowhere\n$/);
	const bare = new Home(t, 'codex', undefined, { place: 'x' });
	assert.equal(bare.install(line, { status: 2 }).said, `quash-bridge: ${bare.folder}/.codex/config.toml: has no folder: has the host been started here before?\n`);
	for (const env of [{}, { HOME: '' }, { HOME: 'x' }])
		assert.equal(bare.install(line, { status: 2, env }).said, 'quash-bridge: HOME names no folder\n');
	const other = { HOME: bare.folder, XDG_CONFIG_HOME: '/nowhere', CODEX_HOME: '/nowhere' };
	mkdirSync(join(bare.folder, '.codex'));
	bare.install(line, { env: other });
	assert.equal(readFileSync(join(bare.folder, '.codex/config.toml'), 'utf8'), table());
});

check('--install: a link stays one', (t) => {
	const home = new Home(t, 'gemini', '{}\n');
	const kept = join(home.folder, 'kept.json');
	renameSync(home.file, kept);
	symlinkSync('../kept.json', home.file);
	home.install();
	assert.equal(readFileSync(`${kept}.before-quash`, 'utf8'), '{}\n');
	assert.ok(JSON.parse(readFileSync(kept, 'utf8')).mcpServers.device);
	home.uninstall();
	assert.equal(readFileSync(kept, 'utf8'), '{}\n');
	assert.deepEqual(home.names, ['settings.json']);
});

check('--install: the places of a host: the file that is there, else that whose folder is', (t) => {
	const both = new Home(t, 'opencode', '{ // mine\n}', { place: '.config/opencode/opencode.jsonc' });
	both.install();
	assert.match(both.text, /^\{ \/\/ mine\n {2}"mcp": \{/);
	assert.deepEqual(both.names, ['opencode.jsonc', 'opencode.jsonc.before-quash']);
});

/* --- By system */

const appData = 'AppData/Roaming', packages = 'AppData/Local/Packages', packaged = 'LocalCache/Roaming/Claude/claude_desktop_config.json';
const otherPlaces = {
	macos: { claude: 'Library/Application Support/Claude/claude_desktop_config.json', vscode: 'Library/Application Support/Code/User/mcp.json' },
	windows: { claude: `${appData}/Claude/claude_desktop_config.json`, vscode: `${appData}/Code/User/mcp.json`, zed: `${appData}/Zed/settings.json`, acp: `${appData}/Zed/settings.json` },
};

/* A home on another system, whose user has a name with a blank and umlauts. */
class OtherHome extends Home {
	constructor(t, system, host, text, place = otherPlaces[system][host] ?? places[host]) {
		super(t, host, text, { place: `Jörg Müller/${place}` });
		this.home = join(this.folder, 'Jörg Müller');
		this.system = system;
	}

	run(words, { env, ...how } = {}) {
		const usual = this.system === 'windows' ? { USERPROFILE: this.home, APPDATA: join(this.home, appData), LOCALAPPDATA: join(this.home, 'AppData/Local') } : { HOME: this.home };
		return super.run(['--system', this.system, ...words], { env: { ...usual, ...env }, ...how });
	}

	/* One more file of it. */
	adds(place, text = '{}\n') {
		mkdirSync(dirname(join(this.home, place)), { recursive: true });
		if (text !== null) writeFileSync(join(this.home, place), text);
		return join(this.home, place);
	}
}

for (const system of Object.keys(otherPlaces))
	check(`--install --system ${system}: each host's file there, in a home with a blank and umlauts`, (t) => {
		for (const host of Object.keys(places)) {
			const home = new OtherHome(t, system, host), given = ['--tty', system === 'macos' ? '/dev/cu.usbmodem1' : 'COM3'];
			assert.equal(home.install(given).said, `${quit(host)}quash-bridge: '${home.file}': has the server, and is new\n`);
			assert.equal(home.text, printed(host, ['--system', system, ...given]));
			assert.match(home.text, /"npx", "-y", "quash-bridge@|"npx",\s+"args": \["-y", "quash-bridge@|"npx"\nargs = \["-y", "quash-bridge@/);
			assert.equal(home.install(given).shown, '');
			home.uninstall();
			assert.equal(existsSync(home.file), false);
		}
	});

check('--install --system windows: without APPDATA and LOCALAPPDATA they are those of the profile', (t) => {
	for (const [host, place] of [['vscode', `${appData}/Code/User/mcp.json`], ['claude', `${packages}/Claude_a/${packaged}`]]) {
		const home = new OtherHome(t, 'windows', host, '{}', place);
		home.install(line, { env: { APPDATA: undefined, LOCALAPPDATA: undefined } });
		assert.match(home.text, /quash-bridge@/);
	}
	const bare = new OtherHome(t, 'windows', 'gemini', '{}');
	assert.equal(bare.install(line, { status: 2, env: { USERPROFILE: '' } }).said, 'quash-bridge: USERPROFILE names no folder\n');
});

check('--install claude --system windows: the file of the packaged app, where there is one', (t) => {
	const old = new OtherHome(t, 'windows', 'claude', '{"a":1}');
	old.adds(`${packages}/Microsoft.Other_x/LocalCache/Roaming/Claude/claude_desktop_config.json`);
	old.install();
	assert.match(old.text, /"a":1, "mcpServers"/);
	for (const text of ['{}\n', null]) {
		const home = new OtherHome(t, 'windows', 'claude', '{"a":1}'), file = home.adds(`${packages}/Claude_pzs8sxrjxfjjc/${packaged}`, text);
		home.adds(`${packages}/Claude_older/LocalCache/Roaming/Claude/logs/a`);
		if (text === null) assert.match(home.install(line, { status: 2 }).said, /: is one of several that the host may read: paste there what --print-config prints\n$/);
		else assert.ok(home.install().said.endsWith(`quash-bridge: '${file}': has the server; what it was is beside it, as .before-quash\n`));
		assert.equal(home.text, '{"a":1}', 'the other one stays');
		assert.equal(existsSync(file), text !== null);
	}
	const fresh = new OtherHome(t, 'windows', 'claude', '{"a":1}'), file = fresh.adds(`${packages}/Claude_a/${packaged}`, null);
	fresh.install();
	assert.equal(readFileSync(file, 'utf8'), printed('claude', ['--system', 'windows', ...line]));
});

check('--install claude --system windows: several files, or none: nothing changes', (t) => {
	const home = new OtherHome(t, 'windows', 'claude', '{"a":1}');
	const files = ['Claude_a', 'Claude_b'].map((name) => home.adds(`${packages}/${name}/${packaged}`));
	for (const words of [['--install', 'claude', ...line], ['--uninstall', 'claude']]) {
		const { shown, said } = home.run(words, { status: 2 });
		assert.equal(shown, '');
		assert.match(said, /Claude_[ab]\/LocalCache\/Roaming\/Claude\/claude_desktop_config\.json': is one of several that the host may read: paste there what --print-config prints\n$/);
	}
	assert.deepEqual([...files, home.file].map((file) => readFileSync(file, 'utf8')), ['{}\n', '{}\n', '{"a":1}']);
	const never = new OtherHome(t, 'windows', 'claude', '{"a":1}');
	mkdirSync(join(never.home, packages, 'Claude_a'), { recursive: true });
	assert.match(never.install(line, { status: 2 }).said, /Claude_a\/LocalCache.*: has no folder: has the host been started here before\?\n$/);
	assert.equal(never.text, '{"a":1}');
	const none = new OtherHome(t, 'windows', 'gemini');
	assert.match(none.run(['--install', 'claude', ...line], { status: 2 }).said, /AppData\/Roaming\/Claude\/claude_desktop_config\.json'?: has no folder: has the host been started here before\?\n$/);
});

check('--install --system windows: from within a packaged app it says that it cannot', (t) => {
	for (const host of ['claude', 'vscode', 'zed', 'codex']) {
		const home = new OtherHome(t, 'windows', host, host === 'codex' ? '' : '{}'), before = home.text;
		const seen = join(home.home, packages, 'Claude_a/LocalCache/Roaming');
		mkdirSync(join(home.home, appData), { recursive: true });
		mkdirSync(dirname(seen), { recursive: true });
		renameSync(join(home.home, appData), seen);
		symlinkSync(seen, join(home.home, appData));
		const within = host !== 'codex';
		const { said } = home.install(line, { status: within ? 2 : 0 });
		if (within) assert.match(said, /: cannot be changed from within a packaged app of Windows, whose files in AppData no other program sees: do it in a terminal of its own\n$/);
		assert.equal(home.text === before, within);
		assert.deepEqual(readdirSync(seen).filter((name) => name.includes('quash')), [], 'nothing is left behind');
	}
});

/* Root may do all, so another user runs the bridge. */
const somebody = process.getuid() === 0 ? { uid: 65534, gid: 65534 } : {};

check('--install: a file, or a folder, that is not to be written is left whole', (t) => {
	const home = new Home(t, 'gemini', '{"a":1}');
	for (const path of [home.folder, dirname(home.file), home.file]) if (somebody.uid) chownSync(path, somebody.uid, somebody.gid);
	const run = (words) => home.run(words, { status: 2, ...somebody });
	for (const [path, mode, why] of [[home.file, 0o444, /: is not to be written\n$/], [dirname(home.file), 0o555, /: Permission denied\n$/]]) {
		chmodSync(path, mode);
		assert.match(run(['--install', 'gemini', ...line]).said, why);
		chmodSync(path, 0o755);
		assert.deepEqual([home.text, home.names], ['{"a":1}', ['settings.json']]);
	}
});

check('--install: what would not work is refused before the file is looked at', (t) => {
	const home = new Home(t, 'gemini', '{}');
	for (const words of [[], ['--unix', '/a', '--protocol', 'acp'], ['--unix', '/a', '--listen-tcp', '0'], ['--', 'no-such-program']])
		home.install(words, { status: 2 });
	assert.equal(home.run(['--install', 'lsp', ...line], { status: 2 }).said.split(' takes ')[0], 'quash-bridge: --install lsp:');
	assert.deepEqual([home.text, home.names], ['{}', ['settings.json']]);
});
