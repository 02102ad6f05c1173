/* SPDX-License-Identifier: MIT
 * The rules of the house. Each takes a tree and returns what breaks it, one line for each. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';
import { finders } from '../mutate/finders.mjs';
import { mutated, oneFile, readMutants } from '../mutate/mutant.mjs';
import { callGraph, outsideNeeds, recursion, symbols } from '../size/objects.mjs';
import { bare, exportsOf, functionsOf, includesOf, ownNames, undocumented, withoutDirectives } from './source.mjs';

const maxFileLines = 550;
const maxFunctionLines = 40;
const topLevelNames = new Set(['Makefile', 'README.md', 'LICENSE', 'CHANGELOG.md', 'SECURITY.md',
	'src', 'include', 'port', 'tests', 'boards', 'docs', 'build']);
const systemHeaders = new Set(['stdint.h', 'stddef.h', 'stdbool.h', 'limits.h', 'float.h', 'stdarg.h']);
const forbidden = ['malloc', 'calloc', 'realloc', 'free', 'alloca', 'printf', 'fprintf', 'sprintf', 'snprintf', 'puts',
	'assert', 'abort', 'exit', 'strlen', 'strcmp', 'strncmp', 'strcpy', 'strcat', 'strchr', 'memchr', 'setjmp', 'longjmp',
	'strtol', 'strtod', 'atoi', 'pow', 'floor', 'ldexp', 'isnan', 'qsort'];
const floatModules = new Set(['number', 'params_number']);

/* --- Floors --------------------------------------------------------------------------------------------- */

const plainName = (path) => basename(path).replace(/\.[ch]$/, '');
const isPublic = (path) => path.startsWith('include/');
const target = (path, name) => normalize(join(dirname(path), name));
const quoted = (text) => includesOf(text).filter(({ system }) => !system).map(({ name }) => name);

function headerMayInclude(path, other, floors) {
	if (!isPublic(other)) return false;
	if (['include/quash.h', 'include/quash_tools.h'].includes(path)) return true;
	return floors.order(plainName(path)) >= 0 && floors.order(plainName(other)) < floors.order(plainName(path));
}

/* Says whether a file of src/ may use another one: of a folder above in the table, or of its own one, in its order. */
function mayUse(path, other, floors) {
	const [own, its] = [floors.ofFile(path), floors.ofFile(other)];
	if (own < 0 || its < 0) return false;
	if (floors.folderOf(path) !== floors.folderOf(other)) return its < own;
	return plainName(other) === plainName(path) || floors.inFolder(other) <= floors.inFolder(path);
}

function sourceMayInclude(path, other, floors) {
	if (!isPublic(other)) return mayUse(path, other, floors);
	const its = floors.ofHeader(plainName(other));
	return its >= 0 && its <= floors.ofFile(path);
}

export function floorsOfIncludes({ files, floors }) {
	const may = (path, other) => (isPublic(path) ? headerMayInclude : sourceMayInclude)(path, other, floors);
	return [...files].flatMap(([path, text]) => quoted(text).filter((name) => !may(path, target(path, name)))
		.map((name) => `${path} includes ${name}`));
}

/** So that a copy of the tree compiles without options. */
export const relativeIncludes = ({ files, ports }) =>
	[...files, ...ports].flatMap(([path, text]) => quoted(text)
		.filter((name) => !files.has(target(path, name)) && !ports.has(target(path, name)))
		.map((name) => `${path} includes ${name}, which is not there`));

/* The floors of the bridge and the inspector, as docs/design.md draws them: a room, and what else it includes. `devices` is boards/host itself,
 * which has the board of `board.h` too. */
const rooms = new Map([
	['common', ['quash']], ['engine', ['common', 'http', 'quash']], ['settings', ['common']], ['devices', ['common', 'posix', 'quash', 'board']],
	['inspect', ['devices', 'common', 'posix', 'quash']], ['bridge', ['engine', 'settings', 'devices', 'common', 'posix', 'quash']],
]);

const roomOf = (path) => (dirname(path) === 'boards/host' ? 'devices' : basename(dirname(path)));

/** A room of the host's programs includes those below it alone. */
export function roomsOfPrograms({ programs }) {
	const homes = new Map([...programs.keys()].map((path) => [basename(path), roomOf(path)]));
	const its = (name) => homes.get(basename(name)) ?? name.replace(/\.h$/, '').split('/')[0];
	return [...programs].filter(([path]) => rooms.has(roomOf(path))).flatMap(([path, text]) => quoted(text)
		.filter((name) => its(name) !== roomOf(path) && !rooms.get(roomOf(path)).includes(its(name)))
		.map((name) => `${path} includes ${name}`));
}

const exported = ({ kind }) => /[A-TV-Z]/.test(kind);

/** No file calls one of a folder that stands below its own one, or behind it in the order of its folder. */
export function floorsOfCalls({ files, tools, objects, floors }) {
	const pathOf = new Map([...files.keys()].filter((path) => path.endsWith('.c')).map((path) => [plainName(path), path]));
	const all = symbols(tools, objects);
	const definedIn = new Map(all.filter(exported).map(({ name, module }) => [name, module]));
	return all
		.filter(({ name, kind }) => kind === 'U' && definedIn.has(name))
		.map(({ module, name }) => ({ module, name, other: definedIn.get(name) }))
		.filter(({ module, other }) => !mayUse(pathOf.get(module), pathOf.get(other), floors))
		.map(({ module, name, other }) => `${module} uses ${name} of ${other}`);
}

export const everyFileHasItsPlace = ({ files, floors }) =>
	[...files.keys()].filter((path) => path.startsWith('src/') && (floors.ofFile(path) < 0 || floors.inFolder(path) < 0))
		.map((path) => `${path} has no place in tests/layers/floors`);

/** No file uses one that uses it in turn, however many stand between: headers by includes, sources by what others define. */
export function noCircles({ files, ports, programs }) {
	const texts = [...files, ...ports, ...programs];
	const definedIn = new Map(texts.filter(([path]) => path.endsWith('.c'))
		.flatMap(([path, text]) => exportsOf(text).map((name) => [name, path])));
	const graph = new Map();
	for (const [path, text] of texts) {
		const calls = path.endsWith('.c') ? bare(text).match(/(?<!struct )\b[a-z]\w+\b/g) ?? [] : [];
		const others = [...quoted(text).map((name) => target(path, name)), ...calls.map((name) => definedIn.get(name))];
		graph.set(path, { calls: new Set(others.filter((other) => other && other !== path)) });
	}
	const circle = recursion(graph);
	return circle ? [circle.join(' uses ')] : [];
}

/* --- Names ---------------------------------------------------------------------------------------------- */

/* name -> where; those that stand in several places. */
function twice(pairs) {
	const places = new Map();
	for (const [name, path] of pairs) places.set(name, [...(places.get(name) ?? []), path]);
	return [...places].filter(([, paths]) => paths.length > 1).map(([name, paths]) => `${name}: ${paths.join(', ')}`);
}

/** So that all files may lie in one folder. */
export const uniqueFileNames = ({ files, ports }) =>
	twice([...files.keys(), ...ports.keys()].map((path) => [basename(path).toLowerCase(), path]));

/** So that all sources may be compiled as one. */
export const uniqueNames = ({ files }) =>
	twice([...files].flatMap(([path, text]) => [...ownNames(text)].map((name) => [name, path])));

/* Names of functions, and of what has members or values: `struct name`. */
const bodiesOf = (text) => new Set([...functionsOf(text).map(({ name }) => name),
	...[...bare(text).matchAll(/^\s*(?:typedef\s+|static\s+|const\s+)*((?:struct|union|enum)\s+\w+)\s*\{/gm)].map(([, name]) => name),
	...[...bare(text).matchAll(/^const\b[^;{(]*?\b(\w+)(?:\[[^\]]*\])*\s*=/gm)].map(([, name]) => name)]);

/** So that who looks for a name in the host's programs finds one body. Each program has a `main`, and in WebAssembly a function of a
 * header stands for that of POSIX. */
export function oneBodyForAName({ programs, wasm }) {
	const exportedIn = (text) => new Set(functionsOf(text).filter((one) => one.exported).map(({ name }) => name));
	const named = (files, but) => [...files].flatMap(([path, text]) =>
		[...bodiesOf(text)].filter((name) => !but(text).has(name)).map((name) => [name, path]));
	return twice([...named(programs, () => new Set(['main'])), ...named(wasm, exportedIn)]);
}

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

/* --- Texts of others -------------------------------------------------------------------------------------- */

const screens = /\b(stderr|stdout|STDERR_FILENO|STDOUT_FILENO|v?printf|puts|putchar|perror|v?dprintf|v?syslog|results_stream|notes_stream)\b/g;

/* What writes there: the functions that escape whatever they are given, those that print the program's own words before it
 * begins, and the port on stdin and stdout. */
const writers = {
	'bridge/bridge_output.c': ['stderr'], 'bridge/bridge_lines.c': ['STDOUT_FILENO'],
	'bridge/bridge_arguments.c': ['stderr', 'stdout', 'printf', 'puts'], 'inspect/inspect_options.c': ['puts'],
	'inspect/inspect_show.c': ['STDOUT_FILENO', 'STDERR_FILENO', 'results_stream', 'notes_stream', 'stdout', 'stderr'],
	'main.c': ['stderr', 'STDOUT_FILENO'], 'common/arguments.c': ['stderr'], 'emulate/emulate_main.c': ['stderr', 'STDOUT_FILENO'],
};


/** What the host's programs write to a screen passes the one function that escapes, or has no text of others in it. */
export const oneWayToTheScreen = ({ programs }) => [...programs].flatMap(([path, text]) =>
	[...bare(text).replace(/__attribute__.*/g, '').matchAll(screens)]
		.filter(([, name]) => !writers[path.replace('boards/host/', '')]?.includes(name)).map(([, name]) => `${path} uses ${name}`));

const strings = (text) => [...text.replace(/\/\*[^]*?\*\//g, '').matchAll(/"(?:[^"\\\n]|\\.)*"/g)].map(([literal]) => literal);

/* For it JSON is made of a command line, or of the program's own words. */
const ownJson = /\/inspect_\w+\.[ch]$/;

/** No format puts a text into JSON, which would not be escaped, or cuts one at a byte, which may be inside of a character. */
export const formatsOfTexts = ({ programs }) => [...programs].flatMap(([path, text]) => strings(text)
	.filter((literal) => /%[-0-9]*\.\d+s/.test(literal) || (!ownJson.test(path) && /\\":.*%[-0-9]*(?:\.\*)?s|\{\\"%s/.test(literal)))
	.map((literal) => `${path} has the format ${literal}`));

/* --- Lines ----------------------------------------------------------------------------------------------- */

const longestLine = 120, tab = 4;
const widthOf = (line) => [...line].reduce((width, c) => width + (c === '\t' ? tab - width % tab : 1), 0);

const longLinesOf = (path, text) => text.split('\n').flatMap((line, i) => (widthOf(line) > longestLine ? [`${path}:${i + 1} has ${widthOf(line)} columns`] : []));

/** No line of the library has more than 120 columns; a tab counts up to the next four. */
export const linesFit = ({ files }) => [...files].flatMap(([path, text]) => longLinesOf(path, text));

/* --- Systems --------------------------------------------------------------------------------------------- */

const systemFile = 'port/posix/posix_system.h';

/* What only Linux has, and what macOS has not of POSIX. */
const wordsOfLinux = ['_GNU_SOURCE', '__linux(?:__)?', '__gnu_linux__', '__GLIBC__', 'accept4', 'asprintf', 'close_range', 'cookie_io_functions_t', 'dup3',
	'epoll_\\w+', 'eventfd', 'F_OFD_\\w+', 'fopencookie', 'getrandom', 'gettid', 'inotify_\\w+', 'major', 'makedev', 'memfd_create', 'minor', 'O_PATH',
	'O_TMPFILE', 'pidfd_\\w+', 'pipe2', 'POLLRDHUP', 'ppoll', 'PR_[SG]ET_\\w+', 'prctl', 'program_invocation_\\w+', 'pthread_condattr_setclock',
	'secure_getenv', 'sendfile', 'signalfd', 'SO_PEERCRED', 'SOCK_CLOEXEC', 'SOCK_NONBLOCK', 'splice', 'strchrnul', 'syscall', 'TCP_CORK', 'TCP_INFO',
	'tcp_info', 'TCP_KEEP\\w+', 'TCP_QUICKACK', 'TCP_USER_TIMEOUT', 'tgkill', 'timerfd_\\w+', 'TIOC[GS]SERIAL', 'TIOCOUTQ', 'TIOCSER[A-Z]\\w*', 'ucred',
	'vasprintf'];
const headersOfLinux = ['linux/', 'asm/', ...['epoll', 'eventfd', 'inotify', 'prctl', 'random', 'sendfile', 'signalfd', 'syscall', 'sysmacros', 'timerfd', 'vfs']
	.map((name) => `sys/${name}\\.h`)];
const linuxNames = new RegExp(`\\b(?:${wordsOfLinux.join('|')})\\b|<(?:${headersOfLinux.join('|')})|"/(?:proc|sys)\\b`, 'g');

/** What POSIX and the BSDs do not have is named in one file, which has something in its place for other systems. Comments may name it. */
export const systemInOneFile = ({ ports, programs }) => [...ports, ...programs]
	.filter(([path]) => /^(port\/posix|boards\/host)\//.test(path) && path !== systemFile)
	.flatMap(([path, text]) => [...text.replace(/\/\*[^]*?\*\//g, '').matchAll(linuxNames)].map(([name]) => `${path} names ${name}`));

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

/* --- Tests ---------------------------------------------------------------------------------------------- */

/* What is wrong with a mutant, or nothing. */
function wrongMutant(root, mutant, sources) {
	const strange = mutant.foundBy.filter(({ finder }) => !Object.hasOwn(finders, finder)).map(({ finder }) => finder);
	if (strange.length) return [`no finder is named ${strange.join(', ')}`];
	if (!sources.has(mutant.file)) return [`there is no ${mutant.file}`];
	try {
		for (const source of mutant.foundBy.map(({ finder, what }) => finders[finder].source?.(what)).filter(Boolean))
			oneFile(join(root, dirname(source)), basename(source));
		mutated(sources.get(mutant.file), mutant);
		return [];
	} catch (error) {
		return [error.message];
	}
}

/** Each planted defect has a name of its own, and its place and its test are still there. */
export function placesOfMutants({ root, files, ports, programs }) {
	const sources = new Map([...files, ...ports, ...programs]);
	try {
		const mutants = readMutants(readFileSync(join(root, 'tests/mutate/planted.txt'), 'utf8'));
		return [...twice(mutants.map(({ name, file }) => [name, file])),
			...mutants.flatMap((mutant) => wrongMutant(root, mutant, sources).map((wrong) => `${mutant.name}: ${wrong}`))];
	} catch (error) {
		return [error.message];
	}
}

/** Every suite is run by name on some level, and only suites are. */
export function suitesAreRun({ root }) {
	const [cases, lists] = ['suite.sh', 'tests.mk'].map((name) => readFileSync(join(root, 'tests', name), 'utf8'));
	const listed = new Set([...lists.matchAll(/^IN_(?:TEST|MORE|ALL) = (.*)$/gm)].flatMap(([, words]) => words.split(' ')));
	const named = [...cases.matchAll(/^([a-z-]+)(?: \| [a-z-]+)?\)$/gm), ...cases.matchAll(/^([a-z-]+)\) .*;;$/gm)].map(([, name]) => name);
	const suites = new Set(named.filter((name) => name !== 'build' && !name.endsWith('-fast')));
	return [
		...[...suites].filter((name) => !listed.has(name)).map((name) => `${name} is on no level`),
		...[...listed].filter((name) => !suites.has(name)).map((name) => `${name} has no case in suite.sh`),
	];
}

/* Tests of what no single package has, and what would not fit into the first file of one. */
const beyondPackages = ['compilers', 'install', 'readme', 'tutorial', 'release', 'server', 'cmake-more', 'esp-idf-bench'];

/** Every test of a package has the package, and every package its test. The tree as an archive is tested by several. */
export function packagesAreThere({ root }) {
	const packages = readdirSync(join(root, 'port/package')).filter((name) => existsSync(join(root, 'port/package', name, 'pack.sh')) && name !== 'source');
	const tests = readdirSync(join(root, 'tests/packages')).filter((name) => name.endsWith('.test.mjs')).map((name) => basename(name, '.test.mjs'));
	return [
		...tests.filter((name) => ![...packages, ...beyondPackages].includes(name)).map((name) => `tests/packages/${name}.test.mjs: port/package has no such recipe`),
		...packages.filter((name) => !tests.includes(name)).map((name) => `port/package/${name}: tests/packages has no test of it`),
	];
}
