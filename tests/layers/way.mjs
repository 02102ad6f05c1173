/* SPDX-License-Identifier: MIT
 * The way of a request, its cancel and its answer through the library, as the program `way` tells it; and that of a call through
 * quash-bridge, as `turns way` does. */

import { basename, join } from 'node:path';
import { printed } from '../common/start.mjs';
import { homesOf } from './sources.mjs';

/** Each part of the way: its name, and the stages that the program tells. */
const parts = [['a cancel\'s first byte to its flag', [2]], ['the flag to the end', [3]], ['the whole', [1, 2, 3]]];

const run = (program, ...options) => printed(program, options);

/* Where a function of a program has its code, how far from that of main -> { name, file }. Of one that others can call the program does
 * not say the file. No two files have one name, see tests/layers. */
function functionsIn(program) {
	const found = [];
	const files = new Set();
	let file;
	for (const [, at, kind, name] of run('nm', '-ap', program).matchAll(/^([0-9a-f]+) ([atT]) (\S+)$/gm)) {
		if (kind === 'a') files.add(file = name);
		else found.push({ at: BigInt(`0x${at}`), name, file: kind === 't' ? file : null });
	}
	const main = found.find(({ name }) => name === 'main').at;
	return { files, functions: new Map(found.map(({ at, ...one }) => [BigInt.asUintN(64, at - main), one])) };
}

/* What stands in no source file of the folders is left out: headers, and the program around what is looked at. */
function stepsOf(root, program, word, folders) {
	const path = join(root, program);
	const { files, functions } = functionsIn(path);
	const sources = [...homesOf(root, folders)].filter(([at]) => files.has(basename(at)));
	const home = ({ name, file }) => sources.find(([at, names]) => names.has(name) && (file === null || basename(at) === file))?.[0];
	const homes = new Map([...functions].map(([at, one]) => [at, home(one)]));
	const told = [...run(path, word).matchAll(/^(\d) ([0-9a-f]+)$/gm)].map(([, stage, at]) => [Number(stage), BigInt(`0x${at}`)]);
	return told.map(([stage, at]) => ({ stage, name: functions.get(at)?.name, path: homes.get(at) })).filter((step) => step.path);
}

/* Files in the order in which they are entered first. */
const summed = (steps) => ({
	functions: new Set(steps.map(({ name, path }) => `${path} ${name}`)).size,
	files: [...new Set(steps.map(({ path }) => path))],
	switches: steps.filter(({ path }, i) => i > 0 && path !== steps[i - 1].path).length,
});

/** The parts of one protocol's way: [{ name, functions, files, switches }]. */
export function wayOf(root, protocol) {
	const all = stepsOf(root, 'build/house/host/tests/layers/way', protocol, ['src']);
	return parts.map(([name, stages]) => ({ name, ...summed(all.filter(({ stage }) => stages.includes(stage))) }));
}

/** The way of a call of a tool on a device, and of its answer: { functions, files, switches }. */
export const callWay = (root) => summed(stepsOf(root, 'build/house/host/tests/layers/way', 'call', ['src']));

/** The way of a call from a client through quash-bridge to its device, and back: { functions, files, switches }. */
export const bridgeWay = (root) =>
	summed(stepsOf(root, 'build/turns/host/tests/bench/turns/turns', 'way', ['src', 'port', 'boards/host']));
