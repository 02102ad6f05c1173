/* SPDX-License-Identifier: MIT
 * The library's sources as objects: their symbols and sizes, and who calls whom with how much stack. */

import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { isThere, printed } from '../common/start.mjs';

const arm = ['-mcpu=cortex-m0plus', '-mthumb'];
const arrives = (tool) => isThere(tool);

/** The cross compiler where it is installed, else the host's. */
export function toolchain() {
	if (arrives('arm-none-eabi-gcc')) return { prefix: 'arm-none-eabi-', flags: arm };
	return { prefix: '', flags: ['-fno-pie'] };
}

export const sourcesOf = (root) =>
	readdirSync(join(root, 'src'), { recursive: true }).filter((path) => path.endsWith('.c'))
		.sort((a, b) => (basename(a) < basename(b) ? -1 : 1)).map((path) => `src/${path}`);

/* A cache of objects gives no call graph back. */
const uncached = { ...process.env, CCACHE_DISABLE: '1' };

const moduleOf = (path) => basename(path).replace(/\.\w+$/, '');

/** Where each module's source stands: module -> path. */
export const pathsOf = (root) => new Map(sourcesOf(root).map((path) => [moduleOf(path), path]));

const callGraphOf = ({ family }) => (family === 'avr' ? ['-fstack-usage', '-gdwarf-2', '-save-temps=obj'] : ['-fcallgraph-info=su']);

/** Compiles sources of the tree at `root` into `out`: one MODULE.o and one MODULE.ci (the call graph) for each; for AVRs a
 * MODULE.su (the stack of each function) and a MODULE.s with the lines of the sources. */
export function compile(tools, root, out, sources, level = '-Os') {
	mkdirSync(out, { recursive: true });
	for (const source of sources) {
		const object = join(out, `${moduleOf(source)}.o`);
		printed(`${tools.prefix}gcc`, [
			'-std=c11', '-ffreestanding', level, ...tools.flags, '-ffunction-sections', '-fdata-sections', ...callGraphOf(tools),
			'-Iinclude', '-c', source, '-o', object,
		], { cwd: root, env: uncached, stdio: ['ignore', 'pipe', 'pipe'] });
	}
}

export const modulesIn = (folder) =>
	readdirSync(folder).filter((name) => name.endsWith('.o')).map(moduleOf).sort();

/* What is kept of objects and sources that are linked: [{ path, section, bytes }], code, constants and first values of variables. */
function kept(tools, root, out, inputs) {
	const map = printed(`${tools.prefix}gcc`, [
		'-std=c11', '-Os', ...tools.flags, '-ffunction-sections', '-fdata-sections', '-Wl,--gc-sections',
		'-Wl,-e,main', '-Wl,--print-map', ...inputs, ...tools.outside, '-o', out,
	], { env: uncached, stdio: ['ignore', 'pipe', 'pipe'] });
	const linked = map.slice(map.indexOf('Linker script and memory map'));
	return [...linked.matchAll(/^ (\.(?:text|rodata|data)\S*)\s+0x[0-9a-f]+\s+0x([0-9a-f]+) (\S+)$/gm)]
		.map(([, section, bytes, path]) => ({ path, section, bytes: parseInt(bytes, 16) }));
}

/** What a program keeps of a folder's objects when it is linked with what it uses of them: [{ module, section, bytes }]. What
 * comes from outside is not among it. */
export function linkedSections(tools, root, folder, source, options) {
	const objects = modulesIn(folder).map((module) => join(folder, `${module}.o`));
	return kept(tools, root, join(folder, 'program.elf'), [...options, '-Iinclude', source, ...objects])
		.filter(({ path }) => objects.includes(path))
		.map(({ path, section, bytes }) => ({ module: moduleOf(path), section, bytes }));
}

const sum = (sections) => sections.reduce((total, { bytes }) => total + bytes, 0);

function compileProgram(tools, root, object, source, options) {
	printed(`${tools.prefix}gcc`, ['-std=c11', '-Os', ...tools.flags, '-ffreestanding', '-ffunction-sections', '-fdata-sections', ...callGraphOf(tools),
		...options, '-c', source, '-o', object], { env: uncached, stdio: ['ignore', 'pipe', 'pipe'] });
	return object;
}

/** What a program itself takes when it is linked with what it uses of a folder's objects, in bytes. */
export function bytesOfProgram(tools, root, folder, source, options) {
	const objects = modulesIn(folder).map((module) => join(folder, `${module}.o`));
	mkdirSync(join(folder, 'program'), { recursive: true });
	const program = compileProgram(tools, root, join(folder, 'program/program.o'), source, ['-Iinclude', ...options]);
	return sum(kept(tools, root, join(folder, 'program.elf'), [program, ...objects]).filter(({ path }) => path === program));
}

/** What is kept of a program that has the library in its own unit, in bytes: both of them, and nothing from outside. */
export function bytesOfUnit(tools, root, folder, source, options) {
	mkdirSync(folder, { recursive: true });
	const unit = compileProgram(tools, root, join(folder, 'unit.o'), source, options);
	return sum(kept(tools, root, join(folder, 'unit.elf'), [unit]).filter(({ path }) => path === unit));
}

/** The same where all sources are optimized together when they are linked. */
export function bytesOfLinkTime(tools, root, folder, sources, options) {
	const sections = kept(tools, root, join(folder, 'linked.elf'), ['-flto', '-ffreestanding', '-Iinclude', ...options, ...sources]);
	return sum(sections.filter(({ path }) => /ltrans/.test(path)));
}

/** The symbols of a folder's objects: { module, name, kind } with the letter of nm. */
export function symbols(tools, folder) {
	const files = modulesIn(folder).map((module) => `${module}.o`);
	const text = printed(`${tools.prefix}nm`, ['-A', ...files], { cwd: folder });
	return [...text.matchAll(/^(\w+)\.o:[0-9a-f]*\s+([A-Za-z]) ([^$\s]\S*)$/gm)]
		.map(([, module, kind, name]) => ({ module, name, kind }));
}

/** The sizes in bytes of what C expressions name: [name, expression] -> name -> bytes. */
export function sizesOf(tools, root, out, expressions) {
	const source = join(out, 'types.c');
	const object = join(out, 'types.out');
	writeFileSync(source, `#include "quash.h"\n${expressions.map(([, expression], i) => `char size_of_${i}[${expression}];`).join('\n')}\n`);
	printed(`${tools.prefix}gcc`, ['-std=c11', '-ffreestanding', ...tools.flags, `-I${join(root, 'include')}`, '-c', source, '-o', object]);
	const text = printed(`${tools.prefix}nm`, ['-S', object]);
	const bytes = new Map([...text.matchAll(/^\S+ (\S+) . size_of_(\w+)$/gm)].map(([, size, i]) => [Number(i), parseInt(size, 16)]));
	return new Map(expressions.map(([name], i) => [name, bytes.get(i)]));
}

const memory = /^(mem(cpy|move|set|cmp)|__aeabi_mem(cpy|move|set|clr)[48]?)$/;
const helper = /^(__aeabi_(u?idiv(mod)?|u?ldivmod|lmul|l(ls|as)[lr]|u?lcmp)|__gnu_thumb1_case_\w+|__clz[sd]i2|__(u?(div|mod|divmod)|u?mul\w*|ash[lr]|lshr|cmp|add|sub|neg|adc|rotl)[qhsdi]\w*\d?|__tablejump2?__|__do_(copy_data|clear_bss))$/;
const floatHelper = /^__(aeabi_([df]\w+|u?[il]2[df])|\w+[sd]f\w*)$/;

/** What the objects of a folder need from outside of it: { memory, helpers, floats, others }, lists of
 * { module, name }. */
export function outsideNeeds(tools, folder) {
	const all = symbols(tools, folder);
	const defined = new Set(all.filter(({ kind }) => kind !== 'U').map(({ name }) => name));
	const kindOf = (name) => (memory.test(name) ? 'memory' : floatHelper.test(name) ? 'floats'
		: helper.test(name) ? 'helpers' : 'others');
	const needs = { memory: [], helpers: [], floats: [], others: [] };
	for (const { module, name, kind } of all)
		if (kind === 'U' && !defined.has(name)) needs[kindOf(name)].push({ module, name });
	return needs;
}

/** Code, constants and data of MODULE.o in bytes. */
export function sizes(tools, folder, module) {
	const text = printed(`${tools.prefix}size`, ['-A', join(folder, `${module}.o`)]);
	const sum = (section) => [...text.matchAll(new RegExp(`^\\.${section}\\S*\\s+(\\d+)`, 'gm'))]
		.reduce((total, [, n]) => total + Number(n), 0);
	return { code: sum('text'), constants: sum('rodata'), data: sum('data') + sum('bss') };
}

/** All functions of a folder's objects: title -> { file, stack, kind, calls, pointers }; stack of another kind than `static` is
 * not all there is. Functions of one file only carry its name in their title, so titles are unique. Calls through pointers go to `__indirect_call`; `pointers` are their places. */
export function callGraph(folder) {
	const graph = new Map();
	const node = (title) => graph.get(title) ?? graph.set(title, { file: null, stack: null, calls: new Set(), pointers: new Set() }).get(title);
	for (const name of readdirSync(folder).filter((file) => file.endsWith('.ci'))) {
		const text = readFileSync(join(folder, name), 'utf8');
		for (const [, title, label] of text.matchAll(/^node: \{ title: "([^"]*)" label: "([^"]*)"/gm)) {
			const known = /\\n([^:]+):[\d:]+\\n(\d+) bytes \((\w+)/.exec(label);
			if (known) Object.assign(node(title), { file: known[1], stack: Number(known[2]), kind: known[3] });
		}
		for (const [, from, to, place] of text.matchAll(/^edge: \{ sourcename: "([^"]*)" targetname: "([^"]*)"(?: label: "([^"]*)")?/gm)) {
			node(from).calls.add(to);
			if (to === '__indirect_call') node(from).pointers.add(place);
		}
	}
	return graph;
}

/** Adds the calls to outside functions that the compiler's own call graph leaves out. */
export function addOutsideCalls(tools, graph, folder, names, paths) {
	for (const module of modulesIn(folder)) {
		const text = printed(`${tools.prefix}objdump`, ['-r', join(folder, `${module}.o`)]);
		let caller = null;
		for (const line of text.split('\n')) {
			const section = /^RELOCATION RECORDS FOR \[\.text\.(\S+)\]/.exec(line)?.[1];
			if (section) caller = graph.get(section) ?? graph.get(`${paths.get(module)}:${section}`);
			const name = line.split(/\s+/).at(-1);
			if (names.includes(name)) caller?.calls.add(name);
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

/** The deepest way down from a function: { bytes, path }. `known` gives the stack of what is not in the graph, which must
 * have no circle. */
export function deepest(graph, title, known, found = new Map()) {
	if (found.has(title)) return found.get(title);
	const node = graph.get(title);
	const ways = [...(node?.calls ?? [])].map((callee) => deepest(graph, callee, known, found));
	const worst = ways.reduce((most, way) => (way.bytes > most.bytes ? way : most), { bytes: 0, path: [] });
	const way = { bytes: (node?.stack ?? known(title)) + worst.bytes, path: [title, ...worst.path] };
	found.set(title, way);
	return way;
}
