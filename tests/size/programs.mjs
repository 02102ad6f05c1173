/* SPDX-License-Identifier: MIT
 * What programs keep of the library: linked with its files, with it as one file, in one unit, and with their config known there.
 * The maps of the linker must say that what asks has all of src/call, and what only answers nothing of it. A config that quash_init
 * refuses would leave nothing to measure. */

import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../common/program.mjs';
import { printed, told } from '../common/start.mjs';
import { server } from '../readme/server.mjs';
import { bytesOfLinkTime, bytesOfProgram, bytesOfUnit, callGraph, deepest, linkedSections, pathsOf, sourcesOf, symbols } from './objects.mjs';
import { readmeServer } from './tables.mjs';

/** Those that goals are for. */
export const programs = [
	{ way: 'minimal server', source: 'tests/size/minimal.c', options: [] },
	{ way: 'one-way', source: 'tests/size/two_way.c', options: [] },
	{ way: 'two-way', source: 'tests/size/two_way.c', options: ['-DASKS'] },
	{ way: 'MCP with one tool', source: 'tests/size/one_tool.c', options: [] },
];
const oneWay = programs[1];

/** The README's server, on a board: a pin takes the place of `fputs`, and the loop is ours. */
export const readme = { way: readmeServer, source: 'build/size/readme.c', options: ['-Itests/size'] };

function writeReadme() {
	const text = server.replace(/^#include (?!"quash).*\n/gm, '').replace(/fputs\([^;]*\);/g, '').replace(/^int main[^]*$/m, '');
	mkdirSync(join(root, 'build/size'), { recursive: true });
	writeFileSync(join(root, readme.source), `${text}#define device config\n#include "endless.h"\n`);
}

/** What features.c may be without. */
export const features = ['trace', 'counters', 'batches', 'tags', 'leases', 'groups', 'sessions', 'calls', 'keeps', 'faults', 'reasons'];
export const without = (feature) => `-DWITHOUT_${feature.toUpperCase()}`;

/** Those that quash_init refuses, on the machine that measures: a line for each. */
export function refusedPrograms() {
	const library = join(root, 'build/size/accepted.o'), program = join(root, 'build/size/accepted');
	const compile = (...words) => printed('gcc', ['-std=c11', '-O0', '-Iinclude', ...words], { cwd: root });
	writeReadme();
	printed('port/package/join.sh', ['build/size/one-file'], { cwd: root });
	compile('-c', 'build/size/one-file/quash.c', '-o', library);
	const featured = [[], ...features.map((feature) => [without(feature)]), features.map(without), ['-DCONTENT_LENGTH', without('batches')]];
	const all = [...programs, readme, ...featured.map((options) => ({ source: 'tests/size/features.c', options }))];
	return all.flatMap(({ source, options }) => {
		compile('-Dmain=endless', ...options, '-include', source, 'tests/size/accepted.c', library, '-o', program);
		const { status, stderr } = told(program);
		return status === 0 ? [] : [`quash_init refuses the config of ${[source, ...options].join(' ')}: ${stderr}`];
	});
}

/* The functions of src/call: module -> names. */
function functionsOfCalls(target, folder) {
	const modules = [...pathsOf(root)].filter(([, path]) => path.startsWith('src/call/')).map(([module]) => module);
	const functions = symbols(target, folder).filter(({ kind }) => /[Tt]/.test(kind));
	return new Map(modules.map((module) => [module, functions.filter((other) => other.module === module).map(({ name }) => name)]));
}

/* What is wrong with the map of a program, by the functions of src/call. */
function wrongIn(name, sections, calls) {
	const asks = name.startsWith('two-way');
	const kept = new Set(sections.map(({ section }) => /^\.text\.(\w+)/.exec(section)?.[1]));
	if (calls.size === 0) return ['no file in src/call'];
	return [...calls].filter(([, names]) => names.some((other) => kept.has(other)) !== asks)
		.map(([module]) => `${name} ${asks ? 'links nothing of' : 'links'} src/call/${module}.c`);
}

/* The functions, largest first: [{ name, module, bytes }]. */
const functionsOf = (sections) => sections.map(({ section, module, bytes }) => ({ name: /^\.text\.(.*)$/.exec(section)?.[1], module, bytes }))
	.filter(({ name }) => name).sort((a, b) => b.bytes - a.bytes);

const sum = (sections) => sections.reduce((total, { bytes }) => total + bytes, 0);

function linked(target, objects, calls, suffix, { way, source, options }) {
	const sections = linkedSections(target, root, objects, source, options);
	const modules = new Map();
	for (const { module, bytes } of sections) modules.set(module, (modules.get(module) ?? 0) + bytes);
	const name = way + suffix;
	const texts = sum(sections.filter(({ section }) => /\.str\d/.test(section)));
	return { name, bytes: sum(sections), texts, modules, functions: functionsOf(sections), problems: wrongIn(name, sections, calls) };
}

/** Those of a target whose objects stand in these folders: [{ name, bytes, texts, modules, functions, problems }]; `texts` are bytes of
 * string literals, `modules` those of each source file. */
export function programsOf(target, folder, oneFile) {
	const calls = functionsOfCalls(target, folder);
	writeReadme();
	return [
		...[...programs, readme].map((program) => linked(target, folder, calls, '', program)),
		...programs.filter(({ way }) => way.endsWith('way')).map((program) => linked(target, oneFile, calls, ' as one file', program)),
	];
}

/* The stack of a function that the compiler may have given another name. */
function stackIn(folder, name, known) {
	const graph = callGraph(folder);
	const found = [...graph.keys()].filter((title) => new RegExp(`(^|:)${name}(\\.|$)`).test(title));
	if (found.length !== 1) throw new Error(`${found.length} functions are ${name} in ${folder}`);
	return deepest(graph, found[0], known).bytes;
}

/** What the library adds to programs that hold it themselves; `pair` is the library as one file, `known` the stack of
 * what is outside: figure -> bytes. Stack is told where the compiler gives a call graph. */
export function wholesOf(target, folder, pair, known) {
	const figures = new Map();
	const add = (what, program, bytes) => figures.set(`flash ${what}`, bytes - bytesOfProgram(target, root, folder, program.source, program.options));
	const inUnit = (program, ...options) =>
		bytesOfUnit(target, root, join(folder, 'unit'), program.source, [...program.options, ...options, `-I${dirname(pair)}`]);
	for (const program of programs) {
		add(`${program.way}, config known`, program, inUnit(program, '-DQUASH_THE_CONFIG=device'));
		if (target.family === 'arm' && program === oneWay)
			figures.set('stack quash_feed, config known', stackIn(join(folder, 'unit'), 'quash_feed', known));
	}
	if (target.family === 'arm') add('one-way with -flto', oneWay, bytesOfLinkTime(target, root, folder, [oneWay.source, ...sourcesOf(root)], oneWay.options));
	add('one-way in one unit', oneWay, inUnit(oneWay, '-DQUASH_API=QUASH_STATIC', '-DIN_ONE_UNIT'));
	return figures;
}
