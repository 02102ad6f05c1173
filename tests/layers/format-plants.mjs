/* SPDX-License-Identifier: MIT
 * What `make format` lays out, and what it leaves alone: [what it is, as it stands, as it is to stand]. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { root } from '../common/program.mjs';
import { test } from '../common/runner.mjs';

const folder = join(root, 'build/format');
const body = (...lines) => ['void f(int n)', '{', ...lines, '}', ''].join('\n');

const laidOut = [
	['blanks for a tab', body('    g(n);'), body('\tg(n);')],
	['no space behind if', body('\tif(n > 0)', '\t\tg(n);'), body('\tif (n > 0)', '\t\tg(n);')],
	['an operator without spaces', body('\tg(n+1);'), body('\tg(n + 1);')],
	['a statement behind another', body('\tg(n); g(n);'), body('\tg(n);', '\tg(n);')],
	['a brace on the line of a head', 'void f(int n) {\n\tg(n);\n}\n', body('\tg(n);')],
	['spaces in a declaration', 'int g( int n );\n', 'int g(int n);\n'],
	['a star at its type', 'int g(int* n);\n', 'int g(int *n);\n'],
	['in a header, too', 'static inline int g(int n)\n{\n\treturn n+1;\n}\n', 'static inline int g(int n)\n{\n\treturn n + 1;\n}\n'],
];

const leftAlone = [
	['a table of initialisers', 'static const int squares[2][2] = {\n\t{ 1,   1 },\n\t{ 10, 100 },\n};\n'],
	['a table in a function', body('\tconst int squares[2][2] = {', '\t\t{ 1,   1 },', '\t\t{ 10, 100 },', '\t};', '\tg(squares[n][1]);')],
	['cases on a line each', body('\tswitch (n) {', '\tcase 1:  g(1);  break;', '\tcase 10: g(10); break;', '\t}')],
	['members with their comments in columns', 'struct s {\n\tint a;        /* one */\n\n\tunsigned bcd; /* two */\n};\n'],
	['a macro', '#define PAIR(a, b) { (a), \\\n                     (b) }\n'],
	['a chain of choices', body('\treturn n < 1 ? 1 : n < 10 ? 2 : 3;')],
	['a text of several lines', body('\tsay("a" MACRO("b", "c"', '\t  "d"));')],
	['a choice of several lines', body('\tint m = n < 1 ? 1 :', '\t\t2;', '\tg(m);')],
	['functions on a line each', 'void f(int n) { g(n);  }\nvoid h(int n) { gh(n); }\n'],
	['an instruction', body('\t__asm__ volatile("wfi" ::: "memory");')],
	['an enum in a function', body('\tenum { FEW = 1, MANY = 100 };', '\tg(MANY - FEW);')],
];

const planted = [...laidOut.map(([what, text, wanted]) => ({ name: `laid out: ${what}`, text, wanted, differs: true })),
	...leftAlone.map(([what, text]) => ({ name: `left alone: ${what}`, text, wanted: text, differs: false }))];

/* All at once: most of the time would go into beginning processes. */
mkdirSync(folder, { recursive: true });
for (const plant of planted) {
	plant.path = join(folder, `planted-${planted.indexOf(plant)}.${plant.name.includes('in a header') ? 'h' : 'c'}`);
	writeFileSync(plant.path, plant.text);
}
const [{ stdout: said, status: differing }, { status: wrong }] = [[], ['--write']].map((options) =>
	spawnSync(process.execPath, ['tests/layers/format.mjs', ...options, ...planted.map(({ path }) => path)], { cwd: root, encoding: 'utf8' }));

for (const { name, path, wanted, differs } of planted)
	test(name, () => {
		assert.deepEqual([differing, wrong], [1, 0]);
		assert.deepEqual({ differs: said.includes(`${path}:`), text: readFileSync(path, 'utf8') }, { differs, text: wanted });
	});
