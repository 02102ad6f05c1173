/* SPDX-License-Identifier: MIT
 * node house.mjs [--write]
 *
 * How the house reads, in figures: what a reader enters who follows one request, its cancel and its answer; the static functions that
 * are called once; files, lines, and the longest function. Fails where a limit is passed. A static function of few lines that is called
 * once stands in the file `once`, which says why. With --write that file is made anew: what it says stays; a new name has no
 * word yet, and the next run fails for it. */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../common/program.mjs';
import { closeWith } from '../common/runner.mjs';
import { sizesOf, staticsIn, staticsOf } from './sources.mjs';
import { callWay, wayOf } from './way.mjs';

const limits = { filesToAnswer: 9, filesOfCall: 26, functionLines: 40, fewLines: 7 };
const ways = new Map([
	['own', 'a method of the program, cancelled by its id, without a port'],
	['mcp', 'a tool of MCP, which has no answer then, with a port'],
	['acp', 'a prompt of ACP, with a port'],
]);
const onceFile = join(root, 'tests/layers/once');
const results = { passed: 0, failed: 0 };

function check(holds, text) {
	results[holds ? 'passed' : 'failed']++;
	if (!holds) console.log(`FAIL ${text}`);
}

/* --- The way */

const shortName = (path) => path.replace(/^src\//, '');

function tellWay(protocol, title) {
	console.log(`\n${title}:`);
	const parts = wayOf(root, protocol);
	for (const { name, functions, files, switches } of parts) {
		console.log(`  ${name}: ${functions} functions in ${files.length} files, ${switches} switches of file`);
		console.log(`    ${files.map(shortName).join(' ')}`);
	}
	return parts;
}

const told = new Map([...ways].map(([protocol, title]) => [protocol, tellWay(protocol, title)]));
const call = callWay(root);
console.log(`\na tool of MCP and its answer, with a port: ${call.functions} functions in ${call.files.length} files, ${call.switches} switches of file`);
console.log(`  ${call.files.map(shortName).join(' ')}`);
console.log('  Counted is each function of a source file in src/ that is entered from the first byte that the port shows to the last byte of the\n'
	+ '  answer that it takes, once; not those of headers. The program is built at -O0 without inlining.');
check(call.files.length <= limits.filesOfCall, `${call.files.length} files are entered by a call of a tool, and ${limits.filesOfCall} may be`);

const toAnswer = told.get('own').find(({ name }) => name === 'the flag to the end').files.length;
check(toAnswer <= limits.filesToAnswer, `${toAnswer} files are entered from the flag to the answer, and ${limits.filesToAnswer} may be`);

/* --- Sizes */

console.log();
for (const folder of ['src', 'boards/host']) {
	const { files, sources, lines, longest } = sizesOf(root, [folder]);
	console.log(`${folder}: ${files} files, ${sources} of them sources; ${lines} lines; the longest function is ${longest.name} of ${longest.path} with ${longest.lines}`);
	check(longest.lines <= limits.functionLines, `${longest.path}: ${longest.name} has ${longest.lines} lines, and ${limits.functionLines} may be`);
}

/* --- Static functions */

/* What is counted, on a few lines: called once, with a prototype and in a comment; twice; as a pointer; in a header; by a macro for AVR. */
const planted = new Map([
	['src/a.h', 'static inline int shared(int a)\n{\n\treturn a;\n}\n'],
	['src/a.c', 'static int once(int a);\n/* once() */\nstatic int twice(int a)\n{\n\treturn a + shared(a);\n}\nQUASH_NOINLINE static int once(int a)\n{\n'
		+ '\treturn twice(a) + twice(a + 1);\n}\nstatic int pointed(int a)\n{\n\treturn once(a);\n}\nstatic const struct f f = { .once = pointed };\n'],
	['src/b.c', 'int quash_once(int once)\n{\n\treturn once;\n}\n'],
]);
const onceIn = (files) => staticsIn(files).filter(({ once }) => once).map(({ name, lines }) => `${name} ${lines}`).join();
check(onceIn(planted) === 'shared 4,once 4', `of what is planted, these are found: ${onceIn(planted)}`);

const statics = staticsOf(root, 'src');
const short = statics.filter(({ once, lines }) => once && lines <= limits.fewLines);
const percent = (list) => `${list.length} (${Math.round(100 * list.length / statics.length)} %)`;
console.log(`static functions in src: ${statics.length}; named once, as a call or a pointer: ${percent(statics.filter(({ named }) => named === 1))}; `
	+ `called once: ${percent(statics.filter(({ once }) => once))}; of these ${short.length} in ${limits.fewLines} lines or fewer`);

/* name -> why, as the file has it. */
const readOnce = () => new Map((existsSync(onceFile) ? readFileSync(onceFile, 'utf8') : '').split('\n')
	.filter((line) => line !== '' && !line.startsWith('#')).map((line) => /^(\w+):\s*(.*)$/.exec(line)).map(([, name, why]) => [name, why]));

const listed = readOnce();

if (process.argv.includes('--write')) {
	const head = `# Static functions of src/ that are called once and have ${limits.fewLines} lines or fewer, and why each is no part of its caller.\n`
		+ '# `node tests/layers/house.mjs --write` makes the list, and keeps what it says.\n';
	const linesOf = (path) => short.filter((one) => one.path === path).map(({ name }) => `${name}: ${listed.get(name) ?? ''}`.trimEnd());
	const paths = [...new Set(short.map(({ path }) => path))];
	writeFileSync(onceFile, head + paths.map((path) => `\n# ${path}\n${linesOf(path).join('\n')}\n`).join(''));
} else {
	const names = new Set(short.map(({ name }) => name));
	for (const { name, path, lines } of short)
		check(listed.get(name), `${path}: ${name} has ${lines} lines and is called once: write it there, or say in tests/layers/once why not`);
	for (const name of listed.keys())
		check(names.has(name), `tests/layers/once: ${name} is no function of ${limits.fewLines} lines or fewer that is called once`);
}

closeWith(results);
