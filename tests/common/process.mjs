/* SPDX-License-Identifier: MIT
 * What Linux knows of a process, by its id. */

import { readFileSync, readdirSync } from 'node:fs';

/* The fields of /proc/PID/stat behind the name in parentheses, the third being the first. */
const statOf = (pid) => readFileSync(`/proc/${pid}/stat`, 'latin1').replace(/^.*\) /s, '').split(' ');

/** Processor time in ticks of 10 ms. */
export function processorTicks(pid) {
	const fields = statOf(pid);
	return Number(fields[11]) + Number(fields[12]);
}

export const descriptorsOf = (pid) => readdirSync(`/proc/${pid}/fd`).length;

/** VmRSS in kB. */
export const memoryOf = (pid) => Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'latin1'))[1]);

/* What `read` tells of a process, or `gone` where it has just ended: another one's end can come between any two looks. */
function unlessGone(read, gone) {
	try {
		return read();
	} catch {
		return gone;
	}
}

/** Whether it runs: neither gone nor waiting for somebody to take its exit code. */
export const lives = (pid) => !['Z', 'X'].includes(unlessGone(() => statOf(pid)[0], 'X'));

/** The command that it was started with, empty for one that is gone. */
export const commandOf = (pid) => unlessGone(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')[0], '');

const parentOf = (pid) => unlessGone(() => Number(statOf(pid)[1]), 0);

/** The ids of its children, those that nobody has waited for included. */
export const childrenOf = (parent) => readdirSync('/proc').filter((name) => /^\d+$/.test(name))
	.map(Number).filter((pid) => parentOf(pid) === parent);
