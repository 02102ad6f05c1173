/* SPDX-License-Identifier: MIT
 * One small violation for each rule that guards the core, the host's programs and the tests: [rule, what is wrong, file, text at its
 * end, and perhaps another file and its text]. A file that is not there is made. */

import * as rules from './rules.mjs';

const mutant = '\n== stray\nA defect.\nin: src/wire/tx.c\nfound by: unit test_tx\nfind:\nno such text\nput:\n';

export const plants = [
	[rules.everyFileHasItsPlace, 'a file of core without a place in its order', 'src/core/stray.h', ''],
	[rules.floorsOfIncludes, 'the ground includes the folder above', 'src/json/lex.c', '#include "../wire/tx.h"'],
	[rules.roomsOfPrograms, 'the engine opens a device', 'boards/host/engine/bridge_device.c', '#include "host_device.h"'],
	[rules.relativeIncludes, 'a public header by an option', 'src/core/slots.c', '#include "quash/peer.h"'],
	[rules.floorsOfCalls, 'a call upwards', 'src/json/lex.c',
		'void quash_slots_init(void *);\nvoid quash_up(void) { quash_slots_init(0); }'],
	[rules.noCircles, 'two files of a folder that call each other', 'src/mcp/mcp_target.c',
		'void quash_mcp_tools_list_(void);\nvoid quash_round(void) { quash_mcp_tools_list_(); }'],
	[rules.uniqueFileNames, 'a file of a port named like one of the library', 'port/Slots.c', ''],
	[rules.uniqueNames, 'a static function', 'src/json/tape.c', 'static int close_container(int x)\n{\n\treturn x;\n}'],
	[rules.oneBodyForAName, 'a static function of two programs', 'boards/host/bridge/bridge_main.c', 'static int hold_conversation(int x)\n{\n\treturn x;\n}'],
	[rules.oneBodyForAName, 'a static function of the host and of WebAssembly', 'boards/wasm/wasm_lines.c', 'static int hold_conversation(int x)\n{\n\treturn x;\n}'],
	[rules.systemIncludes, 'stdio in a source', 'src/core/slots.c', '#include <stdio.h>'],
	[rules.forbiddenCalls, 'malloc', 'src/wire/frame.c', 'void *quash_take(void) { return malloc (4); }'],
	[rules.staticsInText, 'a static in a function', 'src/wire/frame.c', 'int quash_n(void)\n{\n\tstatic int n = 0;\n\treturn n++;\n}'],
	[rules.dataInObjects, 'a global', 'src/wire/frame.c', 'int quash_counter;'],
	[rules.publicNames, 'a name without prefix', 'src/wire/frame.c', 'int helper(void) { return 0; }'],
	[rules.nothingElseFromOutside, 'a function of libc', 'src/wire/frame.c',
		'int puts(const char *);\nvoid quash_say(void) { puts("a"); }'],
	[rules.noRecursion, 'a circle through two files', 'src/json/lex.c',
		'void quash_ping(void);\nvoid quash_pong(void);\nvoid quash_pong(void) { quash_ping(); }',
		'src/wire/frame.c', 'void quash_pong(void);\nvoid quash_ping(void);\nvoid quash_ping(void) { quash_pong(); }'],
	[rules.linesFit, 'a long line', 'src/wire/frame.c', `/* ${'long '.repeat(24)}*/`],
	[rules.oneWayToTheScreen, 'a line on stderr', 'boards/host/engine/bridge_acp.c', 'void say(void) { fprintf(stderr, "x"); }'],
	[rules.formatsOfTexts, 'a text in JSON', 'boards/host/engine/bridge_acp.c', 'void say(FILE *to, const char *name) { fprintf(to, "{\\"name\\":\\"%s\\"}", name); }'],
	[rules.systemInOneFile, 'a function of Linux', 'boards/host/engine/bridge_log.c', 'int two(int ends[2]) { return pipe2(ends, 0); }'],
	[rules.placesOfMutants, 'a text that is gone', 'tests/mutate/planted.txt', mutant],
	[rules.suitesAreRun, 'a suite that nobody runs', 'tests/suite.sh', 'stray) one true ;;'],
	[rules.packagesAreThere, 'a package without a test', 'port/package/stray/pack.sh', ''],
];

/** What is measured, and not shown. */
export const measures = [rules.documentation, rules.fileLengths, rules.functionLengths, rules.topLevel];
