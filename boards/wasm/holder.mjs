/* SPDX-License-Identifier: MIT
 * Which program has a serial device, as boards/host/host_device_holder.c finds it. */

import { readFileSync, readdirSync, realpathSync, statSync } from 'node:fs';
import { basename } from 'node:path';

/* What is not there, or not ours to read, is null. */
function tried(read) {
	try {
		return read();
	} catch {
		return null;
	}
}

function lives(pid) {
	if (!(pid > 0) || pid === process.pid) return false;
	try {
		return process.kill(pid, 0);
	} catch (error) {
		return error.code === 'EPERM';
	}
}

/* The number stands there in digits; old programs write it as it is in memory. */
function numberIn(bytes) {
	const number = parseInt(bytes.toString('latin1'), 10);
	return number > 0 || bytes.length !== 4 ? number : bytes.readInt32LE();
}

function locker(path) {
	const bytes = tried(() => readFileSync(`/var/lock/LCK..${basename(path)}`)), pid = bytes ? numberIn(bytes) : 0;
	return lives(pid) ? pid : 0;
}

const lockerOfFile = (path) => locker(path) || locker(tried(() => realpathSync(path)) ?? path);

/** A lock file of a program that lives. */
export const isLockedByFile = (path) => lockerOfFile(path) !== 0;

/* Of the system's table of locks. The device of its file system is not told here: the number of the file has to do. */
function flocker(file) {
	for (const line of (tried(() => readFileSync('/proc/locks', 'latin1')) ?? '').split('\n')) {
		const [, pid, inode] = /^\d+: FLOCK +\S+ +\S+ +(\d+) [\da-f]+:[\da-f]+:(\d+) /.exec(line) ?? [];
		if (Number(inode) === file.ino && Number(pid) > 0 && lives(Number(pid))) return Number(pid);
	}
	return 0;
}

function hasOpen(pid, device) {
	const folder = `/proc/${pid}/fd`;
	return (tried(() => readdirSync(folder)) ?? []).some((fd) => {
		const file = tried(() => statSync(`${folder}/${fd}`));
		return file?.isCharacterDevice() && file.rdev === device.rdev && file.ino === device.ino;
	});
}

const opener = (device) => (tried(() => readdirSync('/proc')) ?? []).map(Number).find((pid) => pid > 0 && pid !== process.pid && hasOpen(pid, device));

/** `minicom (1234)`, or `another program` where the system does not name it. */
export function holderOf(path) {
	const device = tried(() => statSync(path)), pid = lockerOfFile(path) || (device && (flocker(device) || opener(device)));
	if (!pid) return 'another program';
	return `${tried(() => readFileSync(`/proc/${pid}/comm`, 'utf8'))?.trim() || 'a program'} (${pid})`;
}
