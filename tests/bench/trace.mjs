/* SPDX-License-Identifier: MIT
 * Counts instructions in what `qemu-system-avr -singlestep -d exec,nochain` tells: a line for each instruction, with its
 * address and two flags. One says that an instruction begins anew because it touches a device: its first line counts. The
 * other one that it is skipped by the one before it. */

import { printed } from '../common/start.mjs';


const counted = '0'.charCodeAt(0);
const [newline, bracket] = ['\n', '['].map((c) => c.charCodeAt(0));
const pcAt = '[00000000/'.length;
const lastFlagAt = '[00000000/00000000/0000000'.length;

function addressOf(elf, symbol) {
	const text = printed('avr-nm', [elf]);
	return new RegExp(`^([0-9a-f]{8}) [Tt] ${symbol}$`, 'm').exec(text)[1];
}

/** The instructions from each first mark to its second one; a mark is the function `counter_now`. */
export async function countBetweenMarks(elf, stream) {
	const mark = Buffer.from(addressOf(elf, 'counter_now'));
	const moments = [];
	let count = 0;
	let rest = Buffer.alloc(0);
	for await (const chunk of stream) {
		const bytes = rest.length ? Buffer.concat([rest, chunk]) : chunk;
		let from = 0;
		for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, from)) {
			const at = bytes.indexOf(bracket, from);
			if (at >= 0 && at < end && bytes[at + lastFlagAt] === counted) {
				count++;
				if (bytes.compare(mark, 0, 8, at + pcAt, at + pcAt + 8) === 0) moments.push(count);
			}
			from = end + 1;
		}
		rest = bytes.subarray(from);
	}
	return moments.flatMap((moment, i) => (i % 2 ? [moment - moments[i - 1]] : []));
}
