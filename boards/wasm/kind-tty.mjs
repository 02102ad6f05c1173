/* SPDX-License-Identifier: MIT
 * A serial device of a system with POSIX: `stty` sets it, Node's own streams read and write. `flock` locks it where it is installed; macOS
 * locks what it opens. What posix_tty.c does besides needs calls that Node has not: see README.md. */

import { spawnSync } from 'node:child_process';
import { closeSync, constants, openSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { ReadStream } from 'node:tty';
import { holderOf, isLockedByFile } from './holder.mjs';
import { StreamLink } from './stream.mjs';

const resetMs = 100;
const raw = 'raw -echo -echoe -echok -echonl -iexten ignbrk -inpck -istrip cs8 -parenb -cstopb cread clocal -crtscts -hupcl min 1 time 0'.split(' ');
const flags = constants.O_RDWR | constants.O_NOCTTY | constants.O_NONBLOCK;
const openLocked = process.platform === 'darwin' ? 0x20 : 0; /* O_EXLOCK, the lock of flock(): Node has no name for it */

/* What `stty` prints, NULL if the device cannot do that. */
function stty(fd, words) {
	const { status, stdout, error } = spawnSync('stty', words, { stdio: [fd, 'pipe', 'ignore'], encoding: 'utf8' });
	if (error) throw new Error('stty is not installed');
	return status === 0 ? stdout.trim() : null;
}

/* Null: another program has it. Not every device can be locked. */
function openDevice(path) {
	try {
		return openSync(path, flags | openLocked);
	} catch (error) {
		if (openLocked && error.code === 'EAGAIN') return null;
		if (openLocked && error.code === 'ENOTSUP') return openSync(path, flags);
		throw error;
	}
}

const isLocked = (fd) => spawnSync('flock', ['-n', '0'], { stdio: [fd, 'ignore', 'ignore'] }).status === 1;

/* Node opens what its stream is given anew, and leaves the first descriptor to us. */
function streamOf(path) {
	const fd = openSync(path, flags), stream = new ReadStream(fd);
	if (stream._handle.fd !== fd) closeSync(fd);
	return stream;
}

/* `fd` has the lock. */
class TtyLink extends StreamLink {
	constructor(line, path, fd, found) {
		super(line, streamOf(path));
		Object.assign(this, { fd, found });
	}

	inputEnds() {
		this.line.loses('unplugged, or the line hung up');
	}

	breaks() {
		this.inputEnds();
	}

	close() {
		stty(this.fd, [this.found]);
		stty(this.fd, ['-hupcl']);
		super.close();
		closeSync(this.fd);
	}
}

/* A rate of 0 lowers DTR and RTS. */
async function reset(fd, baud) {
	const rate = baud || Number(stty(fd, ['speed'])), lowered = stty(fd, ['0']) !== null;
	await sleep(resetMs);
	if (!lowered || stty(fd, [String(rate)]) === null) throw Object.assign(new Error(), { code: 'ENOTTY' });
}

/* Its settings as they were found. */
function setUp(fd, baud) {
	const found = stty(fd, ['-g']);
	if (found === null) throw Object.assign(new Error(), { code: 'ENOTTY' });
	if (stty(fd, [...raw, ...(baud ? [String(baud)] : [])]) !== null) return found;
	stty(fd, [found]);
	throw Object.assign(new Error(), { code: 'EINVAL' });
}

async function open({ path, baud, reset: resets }, line) {
	const busy = () => line.failed(holderOf(path), true);
	if (isLockedByFile(path)) return busy();
	const fd = openDevice(path);
	if (fd === null) return busy();
	try {
		if (isLocked(fd)) {
			closeSync(fd);
			return busy();
		}
		const found = setUp(fd, baud);
		if (resets) await reset(fd, baud);
		return line.opened(new TtyLink(line, path, fd, found));
	} catch (error) {
		closeSync(fd);
		throw error;
	}
}

export const kind = { name: 'tty', rank: 0, open };
