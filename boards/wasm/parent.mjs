/* SPDX-License-Identifier: MIT
 * Whether whoever started this program has ended: what port/posix/posix_parent.h has, as far as Node shows it.
 *
 * The parent's id changes when it ends, but not on Windows: there it is asked whether a process has that id. A new one that gets the id
 * between two looks hides the end, as Node tells no ages. Other systems than Linux show only the parent itself.
 *
 * Node gives ignored signals their usual effect, so that nohup, and `&` in a script, are not seen by them. But a shell that goes on while
 * it has put its command in the background has another input than that, and is not watched for that reason. */

import { lstatSync, readFileSync, readdirSync, statSync } from 'node:fs';

const lookMs = 500, most = 8;
const shells = ['sh', 'ash', 'bash', 'dash', 'fish', 'ksh', 'mksh', 'tcsh', 'yash', 'zsh'];

const ofShell = 0b11n; /* SIGHUP and SIGINT, which nohup and `&` have a command ignore */

/* Of Linux: its name, its parent, its process group, which signals it ignores; null where nothing is shown. A name may have any
 * characters. */
function shown(pid) {
	try {
		const [, name, rest] = /\((.*)\) \S (.*)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1'));
		const [parent, group] = rest.split(' ').map(Number);
		const [, mask] = /^SigIgn:\s*(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'));
		return { name, parent, group, ignores: BigInt(`0x${mask}`) & ofShell };
	} catch {
		return null;
	}
}

const ownerWrites = 0o200; /* the mode of a link there is that of the descriptor */

function fileOf(path) {
	try {
		const { dev, ino } = statSync(path), isWritten = (lstatSync(path).mode & ownerWrites) !== 0;
		return { file: `${dev} ${ino}`, isWritten };
	} catch {
		return { file: '', isWritten: false };
	}
}

const inputOf = (pid) => fileOf(`/proc/${pid}/fd/0`).file;

/* Whether it has the other end of that pipe. */
function writes(pid, input) {
	try {
		return readdirSync(`/proc/${pid}/fd`).map((fd) => fileOf(`/proc/${pid}/fd/${fd}`)).some(({ file, isWritten }) => isWritten && file === input);
	} catch {
		return false;
	}
}

function lives(pid) {
	try {
		return process.kill(pid, 0);
	} catch ({ code }) {
		return code === 'EPERM';
	}
}

/** What is asked of the system; a test asks another one. */
export const posix = { parent: () => process.ppid, shown, inputOf, writes, lives: (pid) => process.ppid === pid };
export const windows = { parent: () => process.ppid, shown: () => null, inputOf: () => '', writes: () => false, lives };

export class Parent {
	#system;
	#above; /* the parent first, then each one's parent */
	#timer;

	/** Those that are above now. */
	constructor(of = process.platform === 'win32' ? windows : posix) {
		this.#system = of;
		this.#above = this.#chosen();
	}

	/** Calls `ended` once one of them has ended. */
	watch(ended) {
		if (this.#above.length === 0) return;
		this.#timer = setInterval(() => {
			if (this.areThere()) return;
			clearInterval(this.#timer);
			ended();
		}, lookMs);
	}

	/** Whether all that are watched are there. */
	areThere() {
		const { lives: isThere, shown: show } = this.#system;
		return this.#above.every((pid, i) => (i === 0 ? isThere(pid) : show(this.#above[i - 1])?.parent === pid));
	}

	#chosen() {
		const { parent, lives: isThere, shown: show, inputOf: its } = this.#system, above = [], input = its('self');
		let below = show('self'), pid = parent();
		if (!isThere(pid)) return [];
		while (pid > 1 && above.length < most && !this.#isInBackground(below, pid, input)) {
			above.push(pid);
			below = show(pid);
			pid = input !== '' && its(pid) === input ? below?.parent ?? 0 : 0;
		}
		return above;
	}

	/* Whether one has put the one below it there. */
	#isInBackground(below, pid, input) {
		const { shown: show, inputOf: its, writes } = this.#system, one = show(pid);
		if (!below || !one) return false;
		if (shells.includes(one.name) && its(pid) !== input) return true;
		return (below.ignores & ~one.ignores) !== 0n || (below.group !== one.group && !writes(pid, input));
	}
}
