/* SPDX-License-Identifier: MIT
 * The rules of the house. Each takes a tree and returns what breaks it, one line for each. */

import { readdirSync } from 'node:fs';
import { basename } from 'node:path';
import { callGraph, outsideNeeds, recursion, symbols } from '../size/objects.mjs';
import { bare, functionsOf, includesOf, undocumented, withoutDirectives } from './source.mjs';

const maxFileLines = 400;
const maxFunctionLines = 40;
const topLevelNames = new Set(['Makefile', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md',
	'src', 'include', 'port', 'tests', 'boards', 'docs', 'build']);
const systemHeaders = new Set(['stdint.h', 'stddef.h', 'stdbool.h', 'limits.h', 'float.h']);
const forbidden = ['malloc', 'calloc', 'realloc', 'free', 'alloca', 'printf', 'fprintf', 'sprintf', 'snprintf', 'puts',
	'assert', 'abort', 'exit', 'strlen', 'strcmp', 'strncmp', 'strcpy', 'strcat', 'strchr', 'memchr', 'setjmp', 'longjmp',
	'strtol', 'strtod', 'atoi', 'pow', 'floor', 'ldexp', 'isnan', 'qsort'];
const floatModules = new Set(['number', 'params_number']);

/* --- Floors --------------------------------------------------------------------------------------------- */

const plainName = (path) => basename(path).replace(/\.[ch]$/, '');
const publicHeader = (path) => /^(?:include\/)?(?:quash\/)?(\w+)\.h$/.exec(path)?.[1];

function headerMayInclude(path, name, floors) {
	if (path === 'include/quash.h') return name.startsWith('quash/');
	const [own, other] = [floors.order(plainName(path)), floors.order(publicHeader(name))];
	return own >= 0 && other >= 0 && other < own;
}

function sourceMayInclude(path, name, floors) {
	const own = floors.ofFile(basename(path));
	if (own < 0 || name === 'quash.h') return false;
	if (name.startsWith('quash/')) {
		const other = floors.ofHeader(publicHeader(name));
		return other >= 0 && other <= own;
	}
	const [module, other] = [plainName(path), plainName(name)];
	if (path.endsWith('.c') && [module, floors.family(module)].includes(other)) return true;
	return floors.ofFile(name) >= 0 && floors.ofFile(name) < own;
}

export function floorsOfIncludes({ files, floors }) {
	const wrong = [];
	for (const [path, text] of files)
		for (const { name, system } of includesOf(text)) {
			if (system) continue;
			const may = path.startsWith('src/') ? sourceMayInclude : headerMayInclude;
			if (!may(path, name, floors)) wrong.push(`${path} includes ${name}`);
		}
	return wrong;
}

const exported = ({ kind }) => /[A-TV-Z]/.test(kind);

/** No module calls one that stands on a floor above it. */
export function floorsOfCalls({ tools, objects, floors }) {
	const all = symbols(tools, objects);
	const definedIn = new Map(all.filter(exported).map(({ name, module }) => [name, module]));
	return all
		.filter(({ name, kind }) => kind === 'U' && definedIn.has(name))
		.map(({ module, name }) => ({ module, name, other: definedIn.get(name) }))
		.filter(({ module, other }) => floors.ofFile(`${other}.c`) > floors.ofFile(`${module}.c`))
		.map(({ module, name, other }) => `${module} uses ${name} of ${other}`);
}

export const everyModuleHasAFloor = ({ files, floors }) =>
	[...files.keys()].filter((path) => path.startsWith('src/') && floors.ofFile(basename(path)) < 0)
		.map((path) => `${path} has no line in tests/layers/floors`);

/* --- Text ----------------------------------------------------------------------------------------------- */

export function systemIncludes({ files }) {
	return [...files].flatMap(([path, text]) => includesOf(text)
		.filter(({ name, system }) => system && !systemHeaders.has(name))
		.map(({ name }) => `${path} includes <${name}>`));
}

export function forbiddenCalls({ files }) {
	const call = new RegExp(`\\b(${forbidden.join('|')})\\s*\\(`, 'g');
	return [...files].flatMap(([path, text]) => [...bare(text).matchAll(call)].map(([, name]) => `${path} calls ${name}`));
}

export function staticsInText({ files }) {
	const variable = /^[ \t]*(?:extern[ \t]+)?static\b(?![^;={(]*\bconst\b)[^;={(]*[;=[{]/gm;
	return [...files].flatMap(([path, text]) => [...withoutDirectives(text).matchAll(variable)]
		.map(([declaration]) => `${path}: ${declaration.trim()}`));
}

export function documentation({ files }) {
	return [...files].filter(([path]) => path.startsWith('include/'))
		.flatMap(([path, text]) => undocumented(text).map((name) => `${path}: ${name} has no doc comment`));
}

export function fileLengths({ files }) {
	return [...files].map(([path, text]) => [path, text.split('\n').length - 1])
		.filter(([, lines]) => lines > maxFileLines)
		.map(([path, lines]) => `${path} has ${lines} lines`);
}

export function functionLengths({ files }) {
	return [...files].flatMap(([path, text]) => functionsOf(text)
		.filter(({ lines }) => lines > maxFunctionLines)
		.map(({ name, line, lines }) => `${path}:${line}: ${name} has ${lines} lines`));
}

export const topLevel = ({ root }) =>
	readdirSync(root).filter((name) => !name.startsWith('.') && !topLevelNames.has(name))
		.map((name) => `${name} is not in the plan of the house`);

/* --- Objects -------------------------------------------------------------------------------------------- */

export const dataInObjects = ({ tools, objects }) =>
	symbols(tools, objects).filter(({ kind }) => /[bdgsc]/i.test(kind)).map(({ module, name }) => `${module} has the variable ${name}`);

export const publicNames = ({ tools, objects }) =>
	symbols(tools, objects).filter((symbol) => exported(symbol) && !symbol.name.startsWith('quash_'))
		.map(({ module, name }) => `${module} exports ${name}`);

export function nothingElseFromOutside({ tools, objects }) {
	const { floats, others } = outsideNeeds(tools, objects);
	return [...others, ...floats.filter(({ module }) => !floatModules.has(module))]
		.map(({ module, name }) => `${module} needs ${name}`);
}

/** Needs the call graph of unoptimized objects: the optimizer turns some recursion into loops. */
export function noRecursion({ plainObjects }) {
	const circle = recursion(callGraph(plainObjects));
	return circle ? [circle.join(' calls ')] : [];
}
