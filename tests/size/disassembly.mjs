/* SPDX-License-Identifier: MIT
 * What only machine code tells: the stack of functions that are not ours, and on AVRs, whose compiler writes no call graph,
 * who calls whom. */

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { printed } from '../common/start.mjs';

const sum = (list) => list.reduce((total, n) => total + n, 0);
const numbers = (text, pattern) => [...text.matchAll(pattern)].map(([, n]) => Number(n));

/** Bytes that the instructions of a function push, all of them together: at least what its deepest way does. */
const pushed = {
	arm: (text) => 4 * sum([...text.matchAll(/\t(?:push|stmdb)(?:\.w)?\t(?:sp!, )?\{([^}]*)\}/g)].map(([, list]) => list.split(',').length))
		+ sum(numbers(text, /\tsub(?:w|\.w)?\tsp, (?:sp, )?#(\d+)/g)) + sum(numbers(text, /\[sp, #-(\d+)\]!/g)),
	riscv: (text) => sum(numbers(text, /\taddi?\tsp,sp,-(\d+)/g)),
	avr: (text, target) => [...text.matchAll(/\tpush\t/g)].length + target.returnAddress * [...text.matchAll(/\trcall\t\.\+0/g)].length,
};

const calls = { arm: /^blx?$/, riscv: /^(jal|call)$/, avr: /^r?call$/ };
const padding = /\n[^\n]*\t(?:nop|\.word|\.short)\b[^\n]*$|\n\s*\.\.\.$/;
const leaves = /\t(bx|b|b\.n|b\.w|pop\t.*pc|ldm.*pc|ret|reti|j|jr|tail|rjmp|jmp|e?ijmp)\b[^\n]*$/;

function fallsThrough(text) {
	let rest = text.trimEnd();
	while (padding.test(rest)) rest = rest.replace(padding, '').trimEnd();
	return !leaves.test(rest);
}


/* The functions of a listing by their labels: label -> { bytes, next: [{ to, call }] }. */
function functionsOf(listing, target) {
	const parts = [...listing.matchAll(/^[0-9a-f]+ <([^>]+)>:\n([^]*?)(?=\n\n|\n[0-9a-f]+ <|$(?![^]))/gm)];
	return new Map(parts.map(([, label, text], i) => {
		const next = [...text.matchAll(/\t([\w.]+)\t[^\n<]*<([^>+]+)>/g)]
			.filter(([, , to]) => to !== label).map(([, mnemonic, to]) => ({ to, call: calls[target.family].test(mnemonic) }));
		if (fallsThrough(text) && parts[i + 1]) next.push({ to: parts[i + 1][1], call: false });
		return [label, { bytes: pushed[target.family](text, target), next }];
	}));
}

/* A listing shows one label of those that share an address: symbol -> label. */
function labelsOf(target, program, functions) {
	const text = printed(`${target.prefix}nm`, [program]);
	const symbols = [...text.matchAll(/^([0-9a-f]+) [TtWw] (\S+)$/gm)].map(([, address, name]) => [name, address]);
	const shown = new Map(symbols.filter(([name]) => functions.has(name)).map(([name, address]) => [address, name]));
	return new Map(symbols.filter(([, address]) => shown.has(address)).map(([name, address]) => [name, shown.get(address)]));
}

/** The stack of functions that compilers call by themselves and whatever they call: name -> bytes, with the return address
 * where the call puts it there. */
export function outsideStack(target, root, out, names) {
	const [source, program] = [join(out, 'outside.c'), join(out, 'outside.elf')];
	writeFileSync(source, '');
	printed(`${target.prefix}gcc`, ['-Os', ...target.flags, source, '-Wl,-e,0', ...names.map((name) => `-Wl,-u,${name}`),
		...target.outside, '-o', program], { stdio: ['ignore', 'pipe', 'pipe'] });
	const functions = functionsOf(printed(`${target.prefix}objdump`, ['-d', program]), target);
	const deepest = (label, above) => {
		const { bytes, next } = functions.get(label) ?? { bytes: 0, next: [] };
		const ways = next.filter(({ to }) => !above.includes(to))
			.map(({ to, call }) => deepest(to, [...above, label]) + (call ? target.returnAddress ?? 0 : 0));
		return bytes + Math.max(0, ...ways);
	};
	const labels = labelsOf(target, program, functions);
	return new Map(names.map((name) => {
		if (!labels.has(name)) throw new Error(`${name} is not in the listing`);
		return [name, deepest(labels.get(name), []) + (target.returnAddress ?? 0)];
	}));
}

/** As `callGraph` of objects.mjs, from assembler sources and MODULE.su, for a compiler that writes the stack of functions
 * but not their calls. `paths`: where each module's source stands. */
export function graphOfAssembler(folder, modules, paths) {
	const graph = new Map();
	for (const module of modules) addModule(graph, folder, module, paths.get(module));
	return graph;
}

function addModule(graph, folder, module, own) {
	const text = readFileSync(join(folder, `${module}.s`), 'utf8');
	const exported = new Set([...text.matchAll(/^\.global\s+(\S+)$/gm)].map(([, name]) => name));
	const defined = new Set([...text.matchAll(/^\s*\.type\s+(\S+), @function$/gm)].map(([, name]) => name));
	const titleOf = (name) => (defined.has(name) && !exported.has(name) ? `${own}:${name}` : name);
	const files = new Map([...text.matchAll(/^\s*\.file (\d+) "([^"]+)"$/gm)].map(([, n, path]) => [n, path]));
	for (const [, name, stack, kind] of readFileSync(join(folder, `${module}.su`), 'utf8').matchAll(/^\S+:(\S+)\t(\d+)\t(\S+)$/gm)) {
		const start = text.indexOf(`\n${name}:\n`);
		const body = text.slice(start, text.indexOf(`\n\t.size\t${name}, `, start));
		const node = { file: own, stack: Number(stack), kind, calls: new Set(), pointers: new Set() };
		graph.set(titleOf(name), node);
		let place = '';
		for (const [, file, line, mnemonic, to] of body.matchAll(/\n\t(?:\.loc (\d+) (\d+)|(e?i(?:call|jmp)\b|r?(?:call|jmp) ([A-Za-z_][\w.]*)$))/gm)) {
			if (file) place = `${files.get(file)}:${line}`;
			else if (to) node.calls.add(titleOf(to));
			else if (mnemonic) node.pointers.add(place);
		}
		if (node.pointers.size > 0) node.calls.add('__indirect_call');
	}
}
