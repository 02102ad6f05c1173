/* SPDX-License-Identifier: MIT
 * node interface.mjs [--list]
 *
 * How much of the library a program may name, and what a reader meets in a first tool, a motor, and a server that is written out, in
 * figures. Prints the rules of counting. Fails where a figure is above its limit, and where one is below it: limits only fall. With
 * --list the names are printed, and which of them no program, page or test uses. */

import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { closeWith } from '../common/runner.mjs';
import { printed, told } from '../common/start.mjs';
import { enumeratorNames, functionNames, headersOfPorts, macroNames, memberNames } from './public.mjs';
import { bare, ownWords } from './source.mjs';

const limits = {
	functions: 224, macros: 121, constants: 230, headers: 34, members: 610, words: 15,
	portFunctions: 167, portMacros: 16, portHeaders: 31,
	sketchHeaders: 19, sketchLines: 3768,
	tool: [14, 7], motor: [13, 10], server: [40, 8],
};

const rules = `rules of counting:
  a function is declared by a header, also by the type quash_handler, quash_check or quash_mcp_log_data, and also as static inline;
  a macro is what a header defines, with or without arguments, but for guards of headers and for what only gives an error;
  a constant is an enumerator of a header;
  names that end with _ are for other macros and for the library's own sources, and are not counted; no program may name one;
  a member is a name in a struct or union of a header, also in one that is opaque, but for classes of C++;
  an own word is a term in the table of docs/README.md#words;
  a sketch includes what the compiler reads of include/ for the lines #include of an example; lines are those of the whole files;
  a name of an example is a different word that begins with quash, QUASH or posix; a member is written .name = or, in C++, .name(`;

const results = { passed: 0, failed: 0 };

function check(holds, text) {
	results[holds ? 'passed' : 'failed']++;
	if (!holds) console.log(`FAIL ${text}`);
}

/* A figure that has fallen is written down, so that it cannot rise again unseen. */
function count(what, is, limit) {
	console.log(`  ${what}: ${is}`);
	check(is <= limit, `${what}: ${is}, and ${limit} may be`);
	check(is >= limit, `${what}: ${is}: tests/layers/interface.mjs still has ${limit}`);
}

const read = (path) => readFileSync(join(root, path), 'utf8');
const textsOf = (paths) => paths.map((path) => [path, read(path)]);
const namesIn = (texts, namesOf) => [...new Set(texts.flatMap(([, text]) => namesOf(text)))];

/* --- What a program may name */

const headers = textsOf(readdirSync(join(root, 'include/quash')).filter((name) => name.endsWith('.h')).sort().map((name) => `include/quash/${name}`));
const ports = textsOf(headersOfPorts(root));
const functions = namesIn(headers, functionNames), macros = namesIn(headers, macroNames);

console.log(`${rules}\n\ninclude/quash:`);
count('functions', functions.length, limits.functions);
count('macros', macros.length, limits.macros);
count('constants', namesIn(headers, enumeratorNames).length, limits.constants);
count('headers', headers.length, limits.headers);
count('members', headers.flatMap(([, text]) => memberNames(text)).length, limits.members);
count('own words', ownWords(read('docs/README.md')).length, limits.words);
console.log('port:');
count('functions', namesIn(ports, functionNames).length, limits.portFunctions);
count('macros', namesIn(ports, macroNames).length, limits.portMacros);
count('headers', ports.length, limits.portHeaders);

/* --- What nobody reads */

/* C and JavaScript without comments, so that a word about a function is no use of it; pages as they are, but for the index. */
const users = printed('git', ['ls-files', 'boards', 'port', 'tests', 'docs', 'README.md'], { cwd: root }).trim().split('\n')
	.filter((path) => !/\.(?:png|svg|log)$/.test(path) && !['docs/functions.md', 'docs/upgrading.md'].includes(path) && existsSync(join(root, path)));
const wordsUsed = new Set(users.flatMap((path) => (/\.[ch]$/.test(path) ? bare(read(path)) : read(path)).match(/\b(?:quash|QUASH)_\w+/g) ?? []));
const insideOfHeaders = new Set(headers.flatMap(([, text]) => [...bare(text).matchAll(/#[ \t]*define\b(?:[^\n]*\\\n)*[^\n]*/g)]
	.flatMap(([line]) => (line.match(/\b(?:quash|QUASH)_\w+/g) ?? []).slice(1))));
const unread = [...functions, ...macros].filter((name) => !wordsUsed.has(name) && !insideOfHeaders.has(name));
check(unread.length === 0, `no program, test or page uses ${unread.join(', ')}`);

/* Pages that tell how the library is made may name what stands inside, and so may what starts a config that is checked elsewhere. */
const startsUnchecked = ['boards/firmware/main.c', 'boards/host/inspect/inspect_kept.c'];
const ofPrograms = (path) => !startsUnchecked.includes(path) && (/^(?:boards\/.*|port\/.*\/examples\/.*)\.(?:c|h|ino)$/.test(path) || (/^docs\/\w+\.md$/.test(path) && !/(?:design|measured)\.md$/.test(path)));
const inside = /\b(?:quash|QUASH)_\w+_\b/g;
const named = users.filter(ofPrograms).flatMap((path) => [...bare(read(path)).matchAll(inside)].map(([name]) => `${path} names ${name}`));
check(named.length === 0, named.join('\n'));

/* --- What a reader meets */

const includes = (text) => [...text.matchAll(/^#include [<"](quash(?:_tools|\/\w+)?\.h)[>"]/gm)].map(([, name]) => name);

/* The headers of include/ that the compiler reads for a program's own includes of the library. */
function headersRead(text) {
	const program = includes(text).map((name) => `#include "${name}"\n`).join('');
	const { stderr } = told('cc', ['-H', '-fsyntax-only', '-Iinclude', '-x', 'c++', '-std=c++11', '-'], { cwd: root, input: program });
	return [...new Set([...stderr.matchAll(/^\.+ (include\/\S+)$/gm)].map(([, path]) => path))];
}

const lineCount = (text) => text.split('\n').length - 1;

function countSketch(path) {
	const paths = headersRead(read(path));
	console.log(`a sketch of one tool (${path}) includes:`);
	count('headers', paths.length, limits.sketchHeaders);
	count('lines', paths.reduce((sum, header) => sum + lineCount(read(header)), 0), limits.sketchLines);
}

const firstBlock = (text) => /```c\n([^]*?)```/.exec(text)[1];

/* The names of ours in a program, and the members that it sets. */
function met(text) {
	const code = bare(text).replace(/^#.*$/gm, '');
	const names = new Set(code.match(/\b(?:quash(?:::\w+|_\w+)|QUASH_\w+|Quash\w+|posix_\w+)/g));
	const members = new Set([...code.matchAll(/(?:[{,]\s*\.(\w+) =|\)?\s*\.([a-z_]\w*)\()/g)].map(([, c, cxx]) => c ?? cxx));
	return { names: [...names].sort(), members: [...members].filter((name) => !['begin', 'print', 'println', 'serve'].includes(name)).sort() };
}

function countMet(what, text, [names, members]) {
	const found = met(text);
	console.log(`${what}:`);
	count('names', found.names.length, names);
	count('members', found.members.length, members);
	if (process.argv.includes('--list')) console.log(`    ${found.names.join(' ')}\n    ${found.members.join(' ')}`);
}

countSketch('port/arduino/examples/OneTool/OneTool.ino');
countMet('a first tool (boards/apps/examples/sensor.c)', read('boards/apps/examples/sensor.c'), limits.tool);
countMet('a motor (the first program of README.md)', firstBlock(read('README.md')), limits.motor);
countMet('a server that is written out (port/arduino/examples/SecondPort/SecondPort.ino)', read('port/arduino/examples/SecondPort/SecondPort.ino'), limits.server);

if (process.argv.includes('--list')) console.log(`\n${functions.join('\n')}\n\n${macros.join('\n')}`);

closeWith(results);
