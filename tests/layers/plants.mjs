/* SPDX-License-Identifier: MIT
 * One small violation for everything that a rule must see: [rule, what is wrong, file, text at its end, and perhaps
 * another file and its text]. A file that is not there is made. */

import * as rules from './rules.mjs';

const lines = (n, text) => `${text}\n`.repeat(n);
const longFunction = `int quash_long(int x)\n{\n${lines(38, '\tx += 1;')}\treturn x;\n}\n`;

/** @param {boolean} arm whether floating point needs helpers, as it does on small processors */
export const plants = (arm) => [
	[rules.everyModuleHasAFloor, 'a source file on no floor', 'src/stray.c', ''],

	[rules.floorsOfIncludes, 'the ground includes the first floor', 'src/lex.c', '#include "tape.h"'],
	[rules.floorsOfIncludes, 'a neighbour', 'src/frame.c', '#include "writer.h"'],
	[rules.floorsOfIncludes, 'a header of the ground', 'src/writer.h', '#include "ring.h"'],
	[rules.floorsOfIncludes, 'a public header from above', 'src/lex.c', '#include "quash/peer.h"'],
	[rules.floorsOfIncludes, 'everything', 'src/ring.c', '#include "quash.h"'],
	[rules.floorsOfIncludes, 'a port', 'src/ring.c', '#include "../port/posix_stdio.h"'],
	[rules.floorsOfIncludes, 'a public header includes one above', 'include/quash/lex.h', '#include "peer.h"'],
	[rules.floorsOfIncludes, 'a public header includes an internal one', 'include/quash/peer.h', '#include "../../src/ring.h"'],

	[rules.floorsOfCalls, 'a call upwards', 'src/lex.c',
		'void quash_ring_init(void *);\nvoid quash_up(void) { quash_ring_init(0); }'],

	[rules.systemIncludes, 'stdio in a source', 'src/ring.c', '#include <stdio.h>'],
	[rules.systemIncludes, 'string in a header', 'include/quash/json.h', '#  include <string.h>'],

	[rules.forbiddenCalls, 'malloc', 'src/frame.c', 'void *quash_take(void) { return malloc (4); }'],
	[rules.forbiddenCalls, 'assert', 'src/frame.c', 'void quash_sure(int x) { assert(x); }'],
	[rules.forbiddenCalls, 'strlen in a header', 'include/quash/json.h', '#define QUASH_LONG_TEXT(t) (strlen(t) > 80)'],

	[rules.staticsInText, 'a static in a file', 'src/frame.c', 'static int counter;'],
	[rules.staticsInText, 'a static in a function', 'src/frame.c', 'int quash_n(void)\n{\n\tstatic int n = 0;\n\treturn n++;\n}'],
	[rules.staticsInText, 'a static struct', 'src/frame.c', 'static struct { int a; } one;'],
	[rules.staticsInText, 'a static array', 'include/quash/lex.h', 'static char scratch[8];'],

	[rules.documentation, 'a function', 'include/quash/lex.h', '\nvoid quash_bare(void);'],
	[rules.documentation, 'a type', 'include/quash/lex.h', '\ntypedef struct quash_naked {\n\tint a;\n} quash_naked;'],
	[rules.documentation, 'a macro', 'include/quash/lex.h', '\n#define QUASH_NAKED 1'],
	[rules.documentation, 'a constant', 'include/quash/lex.h', '\nextern const int quash_naked;'],
	[rules.documentation, 'a plain comment only', 'include/quash/lex.h', '\n/* Bare. */\nvoid quash_bare(void);'],

	[rules.fileLengths, 'a file of more than 400 lines', 'src/frame.c', lines(400, '/* */')],
	[rules.functionLengths, 'a function of 42 lines', 'src/frame.c', longFunction],
	[rules.topLevel, 'a stray file', 'notes.txt', ''],

	[rules.dataInObjects, 'a global', 'src/frame.c', 'int quash_counter;'],
	[rules.dataInObjects, 'an initialized global', 'src/frame.c', 'int quash_counter = 7;'],
	[rules.dataInObjects, 'a pointer that is not const', 'src/frame.c',
		'const char *quash_name(void)\n{\n\tstatic const char *names[2];\n\treturn names[0]++;\n}'],

	[rules.publicNames, 'a name without prefix', 'src/frame.c', 'int helper(void) { return 0; }'],
	[rules.publicNames, 'a constant without prefix', 'src/frame.c', 'extern const int table[2];\nconst int table[2] = { 1, 2 };'],

	[rules.nothingElseFromOutside, 'a function of libc', 'src/frame.c',
		'int puts(const char *);\nvoid quash_say(void) { puts("a"); }'],
	...(arm ? [[rules.nothingElseFromOutside, 'floating point', 'src/frame.c', 'double quash_third(double x) { return x / 3; }']] : []),

	[rules.noRecursion, 'a function that calls itself', 'src/frame.c',
		'int quash_down(int n) { return n == 0 ? 0 : 1 + quash_down(n - 1); }'],
	[rules.noRecursion, 'two static functions', 'src/frame.c',
		'static int odd(int);\nstatic int even(int n) { return n == 0 || odd(n - 1); }\n'
		+ 'static int odd(int n) { return n != 0 && even(n - 1); }\nint quash_even(int n) { return even(n); }'],
	[rules.noRecursion, 'a circle through two files', 'src/lex.c',
		'void quash_ping(void);\nvoid quash_pong(void);\nvoid quash_pong(void) { quash_ping(); }',
		'src/frame.c', 'void quash_pong(void);\nvoid quash_ping(void);\nvoid quash_ping(void) { quash_pong(); }'],
];
