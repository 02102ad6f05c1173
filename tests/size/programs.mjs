/* SPDX-License-Identifier: MIT
 * What programs keep of the library: one that answers, one that asks as well, each with the library as it is and as one file.
 * The maps of the linker must say that what asks has all of src/call, and what only answers nothing of it. */

import { root } from '../host/program.mjs';
import { linkedSections, pathsOf, symbols } from './objects.mjs';

const source = 'tests/size/two_way.c';
const programs = [['one-way', []], ['two-way', ['-DASKS']]];

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

/** The four of a target whose objects stand in these folders: [{ name, bytes, texts, modules, functions, problems }]; `texts` are bytes of
 * string literals, `modules` those of each source file. */
export function programsOf(target, folder, oneFile) {
	const calls = functionsOfCalls(target, folder);
	return [[folder, ''], [oneFile, ' as one file']].flatMap(([objects, suffix]) => programs.map(([way, options]) => {
		const sections = linkedSections(target, root, objects, source, options);
		const modules = new Map();
		for (const { module, bytes } of sections) modules.set(module, (modules.get(module) ?? 0) + bytes);
		const name = way + suffix;
		const bytes = sum(sections);
		const texts = sum(sections.filter(({ section }) => /\.str\d/.test(section)));
		return { name, bytes, texts, modules, functions: functionsOf(sections), problems: wrongIn(name, sections, calls) };
	}));
}
