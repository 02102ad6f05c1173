/* SPDX-License-Identifier: MIT
 * One small violation for everything that a rule must see: [rule, what is wrong, file, text at its end, and perhaps
 * another file and its text]. A file that is not there is made. */

import * as rules from './rules.mjs';

const lines = (n, text) => `${text}\n`.repeat(n);
const mutant = (file, finder, find) => `A defect.\n\nin: ${file}\nfound by: ${finder}\nfind:\n${find}\nput:`;
const longFunction = `int quash_long(int x)\n{\n${lines(38, '\tx += 1;')}\treturn x;\n}\n`;

/** @param {boolean} arm whether floating point needs helpers, as it does on small processors */
export const plants = (arm) => [
	[rules.everyFileHasItsPlace, 'a source file in no folder', 'src/stray.c', ''],
	[rules.everyFileHasItsPlace, 'a folder on no floor', 'src/odd/stray.c', ''],
	[rules.everyFileHasItsPlace, 'a file of core without a place in its order', 'src/core/stray.h', ''],

	[rules.floorsOfIncludes, 'the ground includes the folder above', 'src/json/lex.c', '#include "../wire/tx.h"'],
	[rules.floorsOfIncludes, 'the core includes calls', 'src/core/decide.c', '#include "../call/call_inner.h"'],
	[rules.floorsOfIncludes, 'a header of the ground', 'src/json/writer.h', '#include "../core/slots.h"'],
	[rules.floorsOfIncludes, 'a neighbour', 'src/mcp/mcp.c', '#include "../lsp/lsp_inner.h"'],
	[rules.floorsOfIncludes, 'a file of core that stands behind', 'src/core/slots.c', '#include "accept.h"'],
	[rules.floorsOfIncludes, 'a public header from above', 'src/json/lex.c', '#include "../../include/quash/peer.h"'],
	[rules.floorsOfIncludes, 'everything', 'src/lsp/lsp.c', '#include "../../include/quash.h"'],
	[rules.floorsOfIncludes, 'a port', 'src/core/slots.c', '#include "../../port/posix/posix_stdio.h"'],
	[rules.floorsOfIncludes, 'a public header includes one above', 'include/quash/lex.h', '#include "peer.h"'],
	[rules.floorsOfIncludes, 'a public header includes an internal one', 'include/quash/peer.h', '#include "../../src/core/slots.h"'],

	[rules.relativeIncludes, 'a public header by an option', 'src/core/slots.c', '#include "quash/peer.h"'],
	[rules.relativeIncludes, 'an internal header by an option', 'src/core/slots.h', '#include "json/tape.h"'],
	[rules.relativeIncludes, 'a public header that is not beside', 'include/quash/peer.h', '#include "quash/json.h"'],
	[rules.relativeIncludes, 'a header of a port by an option', 'port/uart/uart.c', '#include "port_ring.h"'],

	[rules.floorsOfCalls, 'a call upwards', 'src/json/lex.c',
		'void quash_slots_init(void *);\nvoid quash_up(void) { quash_slots_init(0); }'],
	[rules.floorsOfCalls, 'a call from the core to calls', 'src/core/decide.c',
		'void quash_calls_tick(void *);\nvoid quash_up(void) { quash_calls_tick(0); }'],
	[rules.floorsOfCalls, 'a call to a neighbour', 'src/mcp/mcp.c',
		'void quash_lsp_is_admitted(void *);\nvoid quash_up(void) { quash_lsp_is_admitted(0); }'],
	[rules.floorsOfCalls, 'a call within core to a file behind', 'src/core/decide.c',
		'void quash_envelope_begin(void *, int);\nvoid quash_up(void) { quash_envelope_begin(0, 0); }'],

	[rules.noCircles, 'two files of a folder that call each other', 'src/mcp/mcp_target.c',
		'void quash_mcp_tools_list(void);\nvoid quash_round(void) { quash_mcp_tools_list(); }'],
	[rules.noCircles, 'a circle by a constant', 'src/core/slots.c',
		'extern const int quash_batch;\nconst int *quash_round(void) { return &quash_batch; }'],
	[rules.noCircles, 'two headers that include each other', 'src/mcp/mcp_uri.h', '#include "mcp_watch.h"',
		'src/mcp/mcp_watch.h', '#include "mcp_uri.h"'],
	[rules.noCircles, 'a circle in a port', 'port/port_ring.h', '#include "uart/uart.h"'],
	[rules.noCircles, 'a circle in a program of the host', 'boards/host/inspect/inspect_link.c',
		'int inspect_round(struct link *link) { return run_method(link, NULL); }'],

	[rules.uniqueFileNames, 'an internal header named like a public one', 'src/json/lex.h', ''],
	[rules.uniqueFileNames, 'a file of a port named like one of the library', 'port/Slots.c', ''],

	[rules.uniqueNames, 'a static function', 'src/json/tape.c', 'static int close_container(int x)\n{\n\treturn x;\n}'],
	[rules.uniqueNames, 'a constant of a file', 'src/json/tape.c', 'static const char header_name[2] = "a";'],
	[rules.uniqueNames, 'an enumerator', 'src/json/tape.c', 'enum { TAPE_OTHER, ESCAPE = 3 };'],
	[rules.uniqueNames, 'a macro', 'src/json/tape.c', '#define MCP_META_VERSION 1'],
	[rules.uniqueNames, 'a struct', 'src/json/tape.c', 'struct decimal {\n\tint a;\n};'],

	[rules.systemIncludes, 'stdio in a source', 'src/core/slots.c', '#include <stdio.h>'],
	[rules.systemIncludes, 'string in a header', 'include/quash/json.h', '#  include <string.h>'],

	[rules.forbiddenCalls, 'malloc', 'src/wire/frame.c', 'void *quash_take(void) { return malloc (4); }'],
	[rules.forbiddenCalls, 'assert', 'src/wire/frame.c', 'void quash_sure(int x) { assert(x); }'],
	[rules.forbiddenCalls, 'strlen in a header', 'include/quash/json.h', '#define QUASH_LONG_TEXT(t) (strlen(t) > 80)'],

	[rules.staticsInText, 'a static in a file', 'src/wire/frame.c', 'static int counter;'],
	[rules.staticsInText, 'a static in a function', 'src/wire/frame.c', 'int quash_n(void)\n{\n\tstatic int n = 0;\n\treturn n++;\n}'],
	[rules.staticsInText, 'a static struct', 'src/wire/frame.c', 'static struct { int a; } one;'],
	[rules.staticsInText, 'a static array', 'include/quash/lex.h', 'static char scratch[8];'],

	[rules.documentation, 'a function', 'include/quash/lex.h', '\nvoid quash_bare(void);'],
	[rules.documentation, 'a type', 'include/quash/lex.h', '\ntypedef struct quash_naked {\n\tint a;\n} quash_naked;'],
	[rules.documentation, 'a macro', 'include/quash/lex.h', '\n#define QUASH_NAKED 1'],
	[rules.documentation, 'a constant', 'include/quash/lex.h', '\nextern const int quash_naked;'],
	[rules.documentation, 'a plain comment only', 'include/quash/lex.h', '\n/* Bare. */\nvoid quash_bare(void);'],

	[rules.fileLengths, 'a file of more than 550 lines', 'src/wire/frame.c', lines(550, '/* */')],
	[rules.functionLengths, 'a function of 42 lines', 'src/wire/frame.c', longFunction],
	[rules.topLevel, 'a stray file', 'notes.txt', ''],

	[rules.dataInObjects, 'a global', 'src/wire/frame.c', 'int quash_counter;'],
	[rules.dataInObjects, 'an initialized global', 'src/wire/frame.c', 'int quash_counter = 7;'],
	[rules.dataInObjects, 'a pointer that is not const', 'src/wire/frame.c',
		'const char *quash_name(void)\n{\n\tstatic const char *names[2];\n\treturn names[0]++;\n}'],

	[rules.publicNames, 'a name without prefix', 'src/wire/frame.c', 'int helper(void) { return 0; }'],
	[rules.publicNames, 'a constant without prefix', 'src/wire/frame.c', 'extern const int table[2];\nconst int table[2] = { 1, 2 };'],

	[rules.nothingElseFromOutside, 'a function of libc', 'src/wire/frame.c',
		'int puts(const char *);\nvoid quash_say(void) { puts("a"); }'],
	...(arm ? [[rules.nothingElseFromOutside, 'floating point', 'src/wire/frame.c', 'double quash_third(double x) { return x / 3; }']] : []),

	[rules.noRecursion, 'a function that calls itself', 'src/wire/frame.c',
		'int quash_down(int n) { return n == 0 ? 0 : 1 + quash_down(n - 1); }'],
	[rules.noRecursion, 'two static functions', 'src/wire/frame.c',
		'static int odd(int);\nstatic int even(int n) { return n == 0 || odd(n - 1); }\n'
		+ 'static int odd(int n) { return n != 0 && even(n - 1); }\nint quash_even(int n) { return even(n); }'],
	[rules.noRecursion, 'a circle through two files', 'src/json/lex.c',
		'void quash_ping(void);\nvoid quash_pong(void);\nvoid quash_pong(void) { quash_ping(); }',
		'src/wire/frame.c', 'void quash_pong(void);\nvoid quash_ping(void);\nvoid quash_ping(void) { quash_pong(); }'],

	[rules.oneWayToTheScreen, 'a line on stderr', 'boards/host/bridge/bridge_acp.c', 'void say(void) { fprintf(stderr, "x"); }'],
	[rules.oneWayToTheScreen, 'a line of what both share', 'boards/host/host_device.c', 'void say(void) { fprintf(stderr, "x"); }'],
	[rules.oneWayToTheScreen, 'a line on stdout', 'boards/host/inspect/inspect_port.c', 'void say(void) { printf("x"); }'],
	[rules.oneWayToTheScreen, 'a stream in a file that has none', 'boards/host/inspect/inspect_link.c', 'void say(void) { putc(7, notes_stream()); }'],
	[rules.oneWayToTheScreen, 'a message of the system', 'boards/host/bridge/bridge_server.c', 'void say(void) { perror("x"); }'],
	[rules.formatsOfTexts, 'a text in JSON', 'boards/host/bridge/bridge_acp.c', 'void say(FILE *to, const char *name) { fprintf(to, "{\\"name\\":\\"%s\\"}", name); }'],
	[rules.formatsOfTexts, 'a text that is cut', 'boards/host/bridge/bridge_acp.c', 'void say(char *to, const char *name) { snprintf(to, 9, "%.8s", name); }'],

	[rules.systemInOneFile, 'a function of Linux', 'boards/host/bridge/bridge_log.c', 'int two(int ends[2]) { return pipe2(ends, 0); }'],
	[rules.systemInOneFile, 'a constant of Linux', 'port/posix/posix_stdio.c', 'enum { HALF = POLLRDHUP };'],
	[rules.systemInOneFile, 'a header of Linux', 'port/posix/posix_tcp.h', '#include <sys/epoll.h>'],
	[rules.systemInOneFile, 'a condition', 'boards/host/main.c', '#if defined __linux__\n#endif'],
	[rules.systemInOneFile, 'a file that Linux alone has', 'boards/host/inspect/inspect_link.c', 'const char *const own = "/proc/self/exe";'],

	[rules.placesOfMutants, 'a text that is gone', 'tests/mutate/planted/stray.mutant', mutant('tx.c', 'unit test_tx', 'no such text')],
	[rules.placesOfMutants, 'a text that stands twice', 'src/wire/tx.c', '/* w->sent = n < left ? (quash_size)(w->sent + n) : w->tail; */'],
	[rules.placesOfMutants, 'a file that is gone', 'tests/mutate/planted/stray.mutant', mutant('gone.c', 'unit test_tx', 'x')],
	[rules.placesOfMutants, 'a finder that is none', 'tests/mutate/planted/stray.mutant', mutant('tx.c', 'luck test_tx', 'w->sent = n < left ? (quash_size)(w->sent + n) : w->tail;')],
	[rules.placesOfMutants, 'a mutant without a finder', 'tests/mutate/planted/stray.mutant', 'A defect.\n\nin: tx.c\nfind:\nx\nput:'],

	[rules.suitesAreRun, 'a suite that nobody runs', 'tests/suite.sh', 'stray) one true ;;'],
	[rules.suitesAreRun, 'a suite that is none', 'tests/tests.mk', 'IN_MORE = stray'],

	[rules.packagesAreThere, 'a test of a package that is none', 'tests/packages/arduino-stray.test.mjs', ''],
	[rules.packagesAreThere, 'a package without a test', 'port/stray/pack.sh', ''],
];
