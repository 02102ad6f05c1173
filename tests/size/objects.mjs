/* SPDX-License-Identifier: MIT
 * The library's sources as objects: their symbols and sizes, and who calls whom with how much stack. */

import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';

const arm = ['-mcpu=cortex-m0plus', '-mthumb'];
const arrives = (tool) => spawnSync(tool, ['--version']).status === 0;

/** The cross compiler where it is installed, else the host's. */
export function toolchain() {
	if (arrives('arm-none-eabi-gcc')) return { prefix: 'arm-none-eabi-', flags: arm };
	return { prefix: '', flags: ['-fno-pie'] };
}

export const compilerVersion = ({ prefix }) =>
	`${prefix}gcc ${execFileSync(`${prefix}gcc`, ['-dumpfullversion'], { encoding: 'utf8' }).trim()}`;

export const sourcesOf = (root) =>
	readdirSync(join(root, 'src')).filter((name) => name.endsWith('.c')).sort().map((name) => `src/${name}`);

const moduleOf = (path) => basename(path).replace(/\.\w+$/, '');

/** Compiles sources of the tree at `root` into `out`: one MODULE.o and one MODULE.ci (the call graph) for each. */
export function compile(tools, root, out, sources, level = '-Os') {
	mkdirSync(out, { recursive: true });
	for (const source of sources) {
		const object = join(out, `${moduleOf(source)}.o`);
		execFileSync(`${tools.prefix}gcc`, [
			'-std=c11', '-ffreestanding', level, ...tools.flags, '-ffunction-sections', '-fdata-sections', '-fcallgraph-info=su',
			'-Iinclude', '-c', source, '-o', object,
		], { cwd: root, stdio: ['ignore', 'pipe', 'pipe'] });
	}
}

export const modulesIn = (folder) =>
	readdirSync(folder).filter((name) => name.endsWith('.o')).map(moduleOf).sort();

/** Flash of a program linked with what it uses of the objects in `out`, in bytes. */
export function linkedSize(tools, root, out, source, defines = []) {
	const program = join(out, 'program.elf');
	const objects = modulesIn(out).map((module) => join(out, `${module}.o`));
	execFileSync(`${tools.prefix}gcc`, [
		'-std=c11', '-Os', ...tools.flags, '-ffunction-sections', '-fdata-sections', `-I${join(root, 'include')}`, ...defines,
		'-nostartfiles', '--specs=nano.specs', '-Wl,--gc-sections', '-Wl,-e,main', join(root, source), ...objects, '-o', program,
	], { stdio: ['ignore', 'pipe', 'pipe'] });
	const [, text, data] = /\n\s*(\d+)\s+(\d+)/.exec(execFileSync(`${tools.prefix}size`, [program], { encoding: 'utf8' }));
	return Number(text) + Number(data);
}

/** The symbols of a folder's objects: { module, name, kind } with the letter of nm. */
export function symbols(tools, folder) {
	const files = modulesIn(folder).map((module) => `${module}.o`);
	const text = execFileSync(`${tools.prefix}nm`, ['-A', ...files], { cwd: folder, encoding: 'utf8' });
	return [...text.matchAll(/^(\w+)\.o:[0-9a-f]*\s+([A-Za-z]) ([^$\s]\S*)$/gm)]
		.map(([, module, kind, name]) => ({ module, name, kind }));
}

/** The sizes of types in bytes, by name. */
export function typeSizes(tools, root, out, header, types) {
	const source = join(out, 'types.c');
	const object = join(out, 'types.out');
	writeFileSync(source, `#include "${header}"\n${types.map((type) => `char size_of_${type}[sizeof(${type})];`).join('\n')}\n`);
	execFileSync(`${tools.prefix}gcc`, ['-std=c11', ...tools.flags, `-I${join(root, 'include')}`, '-c', source, '-o', object]);
	const text = execFileSync(`${tools.prefix}nm`, ['-S', object], { encoding: 'utf8' });
	return new Map([...text.matchAll(/^\S+ (\S+) . size_of_(\w+)$/gm)].map(([, size, type]) => [type, parseInt(size, 16)]));
}

const memory = /^(mem(cpy|move|set|cmp)|__aeabi_mem(cpy|move|set|clr)[48]?)$/;
const helper = /^(__aeabi_(u?idiv(mod)?|u?ldivmod|lmul|l(ls|as)[lr]|u?lcmp)|__gnu_thumb1_case_\w+|__clz[sd]i2)$/;
const floatHelper = /^__aeabi_([df]\w+|u?[il]2[df])$/;

/** What the objects of a folder need from outside of it: { memory, helpers, floats, others }, lists of
 * { module, name }. */
export function outsideNeeds(tools, folder) {
	const all = symbols(tools, folder);
	const defined = new Set(all.filter(({ kind }) => kind !== 'U').map(({ name }) => name));
	const kindOf = (name) => (memory.test(name) ? 'memory' : helper.test(name) ? 'helpers'
		: floatHelper.test(name) ? 'floats' : 'others');
	const needs = { memory: [], helpers: [], floats: [], others: [] };
	for (const { module, name, kind } of all)
		if (kind === 'U' && !defined.has(name)) needs[kindOf(name)].push({ module, name });
	return needs;
}

/** Code, constants and data of MODULE.o in bytes. */
export function sizes(tools, folder, module) {
	const text = execFileSync(`${tools.prefix}size`, ['-A', join(folder, `${module}.o`)], { encoding: 'utf8' });
	const sum = (section) => [...text.matchAll(new RegExp(`^\\.${section}\\S*\\s+(\\d+)`, 'gm'))]
		.reduce((total, [, n]) => total + Number(n), 0);
	return { code: sum('text'), constants: sum('rodata'), data: sum('data') + sum('bss') };
}

/** All functions of a folder's objects: title -> { file, stack, calls }. Functions of one file only carry its name in
 * their title, so titles are unique. Calls through pointers go to `__indirect_call`. */
export function callGraph(folder) {
	const graph = new Map();
	const node = (title) => graph.get(title) ?? graph.set(title, { file: null, stack: null, calls: new Set() }).get(title);
	for (const name of readdirSync(folder).filter((file) => file.endsWith('.ci'))) {
		const text = readFileSync(join(folder, name), 'utf8');
		for (const [, title, label] of text.matchAll(/^node: \{ title: "([^"]*)" label: "([^"]*)"/gm)) {
			const known = /\\n([^:]+):[\d:]+\\n(\d+) bytes/.exec(label);
			if (known) Object.assign(node(title), { file: known[1], stack: Number(known[2]) });
		}
		for (const [, from, to] of text.matchAll(/^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"/gm))
			node(from).calls.add(to);
	}
	return graph;
}

/** Adds the calls to compiler helpers that the compiler's own call graph leaves out. */
export function addHelperCalls(tools, graph, folder) {
	for (const module of modulesIn(folder)) {
		const text = execFileSync(`${tools.prefix}objdump`, ['-r', join(folder, `${module}.o`)], { encoding: 'utf8' });
		let caller = null;
		for (const line of text.split('\n')) {
			const section = /^RELOCATION RECORDS FOR \[\.text\.(\S+)\]/.exec(line)?.[1];
			if (section) caller = graph.get(section) ?? graph.get(`src/${module}.c:${section}`);
			const name = line.split(/\s+/).at(-1);
			if (helper.test(name)) caller?.calls.add(name);
		}
	}
}

/** The first circle of calls that is found, as a list of functions, or null. */
export function recursion(graph) {
	const done = new Set();
	const path = [];
	const search = (title) => {
		if (path.includes(title)) return [...path.slice(path.indexOf(title)), title];
		if (done.has(title) || !graph.has(title)) return null;
		path.push(title);
		for (const callee of graph.get(title).calls) {
			const circle = search(callee);
			if (circle) return circle;
		}
		path.pop();
		done.add(title);
		return null;
	};
	for (const title of graph.keys()) {
		const circle = search(title);
		if (circle) return circle;
	}
	return null;
}

/** The deepest way down from a function: { bytes, path }. `known` gives the stack of what is not in the graph,
 * `through` the functions that a node may call through pointers. */
export function deepest(graph, title, { known = () => 0, through = () => [] } = {}, above = []) {
	if (above.includes(title)) return { bytes: 0, path: [] };
	const node = graph.get(title);
	const callees = [...(node?.calls ?? [])].flatMap((callee) => (callee === '__indirect_call' ? through(node) : [callee]));
	const ways = callees.map((callee) => deepest(graph, callee, { known, through }, [...above, title]));
	const worst = ways.reduce((most, way) => (way.bytes > most.bytes ? way : most), { bytes: 0, path: [] });
	return { bytes: (node?.stack ?? known(title)) + worst.bytes, path: [title, ...worst.path] };
}
