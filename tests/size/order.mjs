/* SPDX-License-Identifier: MIT
 * node order.mjs [--write]
 *
 * How many calls and jumps between the functions of the Uno's toolbox take two words, for their ends are more than 4 KB apart. It looks
 * for an order of the functions with fewer of them, and prints both numbers. With --write boards/uno/order.ld is made anew. */

import { join } from 'node:path';
import { writeFileSync } from 'node:fs';
import { printed, root } from '../common/start.mjs';
import { variable } from './page.mjs';

const [reach, steps, warm, longest] = [4080, 4e6, 4, 12];
const elf = 'build/order/uno/toolbox.elf';
const page = join(root, 'boards/uno/order.ld');
const run = (...command) => printed(command[0], command.slice(1));

/* A program that does not fit is looked at too. */
run('make', '-s', 'BOARD=uno', 'BUILD=build/order', `LINKING=${variable('uno', 'LINKING')} -Wl,--noinhibit-exec`);

/* The functions as they stand: their bytes, and the calls and jumps to others, each with its place in its function. */
const labels = /^([0-9a-f]+) <([^>]+)>:\n([^]*?)(?=\n\n|$(?![^]))/gm;
const inner = ['__do_copy_data', '__do_clear_bss'];
const functions = [...run('avr-objdump', '-d', elf).matchAll(labels)].map(([, address, name, text]) => {
	const lines = [...text.matchAll(/^\s*([0-9a-f]+):\t([0-9a-f ]+)\t(.*)$/gm)].map(([, at, bytes, code]) => ({ at: parseInt(at, 16), size: bytes.trim().length / 3, code }));
	return { name, at: parseInt(address, 16), end: lines.at(-1).at + Math.ceil(lines.at(-1).size), lines };
}).reduce((list, f) => {
	if (!inner.includes(f.name)) return [...list, { ...f, lines: [...f.lines] }];
	list.at(-1).end = f.end;
	list.at(-1).lines.push(...f.lines);
	return list;
}, []);
const number = new Map(functions.map(({ name }, i) => [name, i]));
const edges = functions.flatMap(({ name, at, lines }, from) => lines.flatMap((line) => {
	const to = number.get(/^r?(?:call|jmp)\t.*<([^>+]+)[^>]*>$/.exec(line.code)?.[1]);
	return to === undefined || functions[to].name === name ? [] : [[from, line.at - at + 2, to]];
}));

const sizes = Int32Array.from(functions, ({ at, end }) => end - at);
const [sources, offsets, targets] = [0, 1, 2].map((i) => Int32Array.from(edges, (edge) => edge[i]));
const places = new Int32Array(functions.length);

function farIn(order) {
	let place = 0, far = 0;
	for (let i = 0; i < order.length; i++) {
		places[order[i]] = place;
		place += sizes[order[i]];
	}
	for (let i = 0; i < sources.length; i++) {
		if (Math.abs(places[targets[i]] - places[sources[i]] - offsets[i]) > reach) far++;
	}
	return far;
}

/* The same numbers each time. */
let seed = 1;
const below = (n) => {
	seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
	return Math.floor(seed / 2 ** 32 * n);
};

/* Some functions that stand together go to another place, for the vectors are first. */
function moved(order) {
	const count = below(3) === 0 ? 1 + below(longest) : 1;
	const [from, to] = [1 + below(order.length - count), 1 + below(order.length - count)];
	const next = order.slice();
	if (to < from) next.copyWithin(to + count, to, from);
	else next.copyWithin(from, from + count, to + count);
	next.set(order.subarray(from, from + count), to);
	return next;
}

/* Simulated annealing. */
function bestFrom(first) {
	let now = { order: first, far: farIn(first) }, best = now;
	for (let i = 0; i < steps; i++) {
		const order = moved(now.order);
		const far = farIn(order);
		if (far > now.far && Math.exp((now.far - far) / (warm * 0.02 ** (i / steps))) <= below(1e6) / 1e6) continue;
		now = { order, far };
		if (far < best.far) best = now;
	}
	return best;
}

/* Names of sections. What the compiler counts or a version names is left open. */
const section = (name) => `*(.text.${/^__(prologue|epilogue)/.test(name) ? 'libgcc.prologue'
	: /^__u?mul/.test(name) ? 'libgcc.mul'
		: name === 'main' ? 'startup.main'
			: name.replace(/\.(lto_priv|isra|part|constprop)\..*|(?<=^quash_start_known).*/, '*')})`;

const as = Int32Array.from(functions.keys());
const before = farIn(as);
const best = bestFrom(as);
console.log(`${before} of ${edges.length} calls and jumps take two words; ${best.far} could`);
if (process.argv.includes('--write') && best.far < before) {
	const sections = [...new Set([...best.order].slice(1).map((i) => section(functions[i].name)))];
	const lines = sections.join(' ').replace(/(.{1,118})(?: |$)/g, '$1\n');
	writeFileSync(page, `/* Made by tests/size/order.mjs: functions of the toolbox, so that most calls are near enough for the short instruction. */\n${lines}`);
}
