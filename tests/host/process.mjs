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

function parentOf(pid) {
	try {
		return Number(statOf(pid)[1]);
	} catch {
		return 0; /* it has just ended */
	}
}

/** The ids of its children, those that nobody has waited for included. */
export const childrenOf = (parent) => readdirSync('/proc').filter((name) => /^\d+$/.test(name))
	.map(Number).filter((pid) => parentOf(pid) === parent);
