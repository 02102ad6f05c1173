/* SPDX-License-Identifier: MIT
 * What settings of hosts ask of the system, bridge_system.h, of Node. Functions throw the system's words, or give null where there is nothing. */

import { randomBytes } from 'node:crypto';
import {
	accessSync, closeSync, constants, existsSync, fchmodSync, fchownSync, fsyncSync, lstatSync, openSync, readFileSync, readdirSync, realpathSync,
	renameSync, rmSync, statSync, unlinkSync, writeFileSync,
} from 'node:fs';
import { resolve } from 'node:path';
import { wordsOf } from './words.mjs';

const { platform } = process, isWindows = platform === 'win32';

/* `body`, whose errors are words. */
const inWords = (body, words = wordsOf) => (...given) => {
	try {
		return body(...given);
	} catch (error) {
		throw words(error);
	}
};

/* Windows gives a file that is open neither away nor back. */
const wordsOfOpen = (error) => (isWindows && ['EACCES', 'EBUSY', 'EPERM'].includes(error.code) ? 'is open in another program, or not to be written: quit that program first' : wordsOf(error));

const may = (path, mode) => {
	try {
		accessSync(path, mode);
		return true;
	} catch {
		return false;
	}
};

function about(path) {
	let is;
	try {
		is = statSync(path, { bigint: true });
	} catch (error) {
		if (error.code !== 'ENOENT') throw error;
		return { kind: lstatSync(path, { throwIfNoEntry: false }) ? 'lostLink' : 'none' };
	}
	const kind = is.isFile() ? 'plain' : is.isDirectory() ? 'folder' : 'other';
	return { kind, mayWrite: may(path, constants.W_OK), mayStart: may(path, constants.X_OK), size: is.size, mark: [is.dev, is.ino, is.mtimeNs] };
}

/* Owner and mode of a file. Windows gives both by the folder. */
function makeLike(fd, like) {
	if (!like || isWindows) return;
	const { uid, gid, mode } = statSync(like);
	if (uid !== process.geteuid() || gid !== process.getegid()) fchownSync(fd, uid, gid);
	fchmodSync(fd, mode & 0o7777);
}

function writeBeside(path, text, like) {
	const name = `${path}.${randomBytes(4).toString('hex')}`, fd = openSync(name, 'wx', 0o600);
	try {
		makeLike(fd, like);
		writeFileSync(fd, text);
		fsyncSync(fd);
	} catch (error) {
		closeSync(fd);
		rmSync(name, { force: true });
		throw error;
	}
	closeSync(fd);
	return name;
}

/* The folder of these files is one that npm has laid out. */
function isPackage() {
	const file = new URL('package.json', import.meta.url);
	return existsSync(file) && JSON.parse(readFileSync(file, 'utf8')).name === 'quash-bridge';
}

export const system = {
	own: () => ({ darwin: 'macos', win32: 'windows' }[platform] ?? 'linux'),
	isPackage,
	variable: (name) => process.env[name] ?? null,
	folder: inWords(() => process.cwd()),
	program: () => resolve(process.argv[1]),
	about: inWords(about),
	resolve: inWords((path) => realpathSync.native(path)),
	read: inWords((path) => readFileSync(path)),
	writeBeside: inWords(writeBeside),
	replace: inWords((name, path) => renameSync(name, path), wordsOfOpen),
	remove: inWords((path) => unlinkSync(path), wordsOfOpen),
	names: inWords((folder) => readdirSync(folder)),
};
