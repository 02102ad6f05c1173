/* SPDX-License-Identifier: MIT
 * The way of a request, its cancel and its answer through the library, as the program `way` tells it. */

import { join } from 'node:path';
import { printed } from '../common/start.mjs';
import { homesOf } from './sources.mjs';

/** Each part of the way: its name, and the stages that the program tells. */
const parts = [['a cancel\'s first byte to its flag', [2]], ['the flag to the end', [3]], ['the whole', [1, 2, 3]]];

const run = (program, ...options) => printed(program, options);

/* How far a function's code is from that of main -> its name. */
function namesIn(program) {
	const symbols = [...run('nm', program).matchAll(/^([0-9a-f]+) [tT] (\w+)$/gm)];
	const main = BigInt(`0x${symbols.find(([, , name]) => name === 'main')[1]}`);
	return new Map(symbols.map(([, at, name]) => [BigInt.asUintN(64, BigInt(`0x${at}`) - main), name]));
}

/* What stands in no file of the library is left out: the program itself. */
function stepsOf(program, protocol, homes, names) {
	return [...run(program, protocol).matchAll(/^(\d) ([0-9a-f]+)$/gm)]
		.map(([, stage, at]) => ({ stage: Number(stage), name: names.get(BigInt(`0x${at}`)) }))
		.map(({ stage, name }) => ({ stage, name, path: homes.get(name) })).filter(({ path }) => path?.endsWith('.c'));
}

/** The parts of one protocol's way: [{ name, functions, files, switches }]; `files` in the order in which they are entered first. */
export function wayOf(root, protocol) {
	const program = join(root, 'build/house/host/tests/layers/way');
	const all = stepsOf(program, protocol, homesOf(root), namesIn(program));
	return parts.map(([name, stages]) => {
		const steps = all.filter(({ stage }) => stages.includes(stage));
		return {
			name,
			functions: new Set(steps.map((step) => step.name)).size,
			files: [...new Set(steps.map(({ path }) => path))],
			switches: steps.filter(({ path }, i) => i > 0 && path !== steps[i - 1].path).length,
		};
	});
}
