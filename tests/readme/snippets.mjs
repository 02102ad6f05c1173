/* SPDX-License-Identifier: MIT
 * Every block of C in docs/ compiles, in the surroundings that its page takes for granted. A new block needs a line here.
 * Those that run have tests of their own: docs/handlers.md in pages.mjs, the server of docs/mcp.md in tests/builds. */

import assert from 'node:assert/strict';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from '../common/runner.mjs';
import { root, told } from '../common/start.mjs';
import { textsOf } from './blocks.mjs';

const build = join(root, 'build/readme');
const options = ['-std=c11', '-Wall', '-Wextra', '-Wpedantic', '-Wconversion', '-Wshadow', '-Werror', '-Wno-unused', '-Wno-misleading-indentation', '-Iinclude', '-Iport', '-Iboards/apps',
	'-fsyntax-only'];

/** A block that is code of its own, with what stands before it. */
const file = (before = '') => (text) => `${before}\n${text}`;
/** A block that stands in a handler, with what stands before it, in the handler and outside. */
const inside = (declared = '', before = '') => (text) => `${before}\nstatic int32_t inside(quash_request *request)\n{\n${declared}\n${text}
return QUASH_PENDING;\n}\n`;
/** A block that stands in main. */
const loop = (before) => (text) => `${before}\nint main(void)\n{\n${text}\n}\n`;
/** A block that breaks off at dots. */
const cut = (before, rest) => (text) => `${before}\n${text.replace(/^\t\.\.\.$/m, rest)}`;

/** A block that only looks like C. */
const notC = () => '';

const firstOf = (page) => blocksOf(page)[0];
const served = 'static int32_t serve(quash_request *request) { return quash_mcp_text(request, "served"); }';

const surroundings = {
	'actuators.md': [file(`static bool lift_at_switch(void) { return false; }
static int32_t lift_position(void) { return 0; }
static void lift_drive(int32_t speed) { (void)speed; }`),
		file(served.replace('serve(', 'lift(') + '\nstatic int32_t lift_end(quash_request *request) { (void)request; return QUASH_DONE; }'),
		file('#include <string.h>\nstruct order { char key[17]; };\nstatic char last_key[17];\nstatic void drop_pill(void) {}')],
	'hosts.md': [file(`${served}
static quash_mcp_session session;
static const quash_mcp_tool tools[] = { QUASH_MCP_TOOL("t", "T", NULL, serve, 0) };`)],
	'calls.md': [file('struct fan { int left, answered; };')],
	'forwarding.md': [file(), loop('static quash_peer host, motor; static quash_port socket, uart;'),
		file('#include <string.h>\nstatic quash_peer motor;')],
	'json.md': [inside('', 'static void show(const char *name, quash_kind kind) { (void)name; (void)kind; }'),
		file('struct motor { int32_t position; };')],
	'params.md': [file(), (text) => cut(firstOf('params.md'), '\t(void)m;\n\treturn QUASH_DONE;\n}')(text)],
	'acp.md': [file()],
	'lsp.md': [file('static uint32_t lines; static uint32_t has_word(uint32_t line, const char *word) { return line + (uint8_t)word[0]; }'),
		inside('	const bool more = false;', 'static void put_locations(quash_writer *w, const quash_request *r) { (void)r; quash_put_null(w); }')],
	'trouble.md': [file('static void show(const char *event, int32_t detail, const char *reason) { (void)event; (void)detail; (void)reason; }')],
	'porting.md': [loop('#include "board.h"\nstatic quash_peer peer; static quash_port port;'), file('extern const quash_config config;'), inside('', '#define TIMER 0'), notC],
	'mcp.md': [file('static void toggle_led(void) {}'),
		file(`${served}
static quash_mcp_session session;
static const quash_mcp_tool tools[] = { QUASH_MCP_TOOL("t", "T", NULL, serve, 0) };
static const quash_mcp_resource resource_list[] = { QUASH_MCP_RESOURCE("a://b", "b", "text/plain", serve, 0) };
static const quash_mcp_prompt prompt_list[] = { QUASH_MCP_PROMPT("p", "P", NULL, serve) };`),
		file(`struct room { char name[8]; int32_t celsius; };
static bool is_room(const char *name) { return name[0] != 0; }
static int32_t temperature_of(const char *name) { return name[0]; }
static void put_celsius(quash_writer *w, const quash_request *request) { quash_put_int(w, QUASH_CONST_TOOL(struct room, request)->celsius); }`),
		file(), file(), file()],
};

function blocksOf(page) {
	return textsOf(`docs/${page}`, 'c');
}

function complaintOf(name, text) {
	const source = join(build, `${name}.c`);
	writeFileSync(source, `#include "quash.h"\n${text}`);
	const { status, stderr } = told('gcc', [...options, source]);
	return status === 0 ? '' : stderr;
}

mkdirSync(build, { recursive: true });
for (const [page, makers] of Object.entries(surroundings)) {
	test(`the C of docs/${page} compiles`, () => {
		const blocks = blocksOf(page);
		assert.equal(blocks.length, makers.length, 'blocks of C');
		for (const [i, text] of blocks.entries())
			assert.equal(complaintOf(`${page.slice(0, -3)}-${i}`, makers[i](text)), '');
	});
}

test('what does not compile is found', () => {
	assert.match(complaintOf('wrong', 'static int32_t wrong(quash_request *request) { return quash_send(request); }'), /quash_send/);
});

/* Two run in pages.mjs; those of the third need an RTOS; the suite packages follows the fourth. */
const others = ['handlers.md', 'upgrading.md', 'rtos.md', 'tutorial.md'];

test('no page has C that nobody compiles', () => {
	const pages = readdirSync(join(root, 'docs')).filter((name) => name.endsWith('.md') && blocksOf(name).length > 0);
	assert.deepEqual(pages.filter((page) => !(page in surroundings) && !others.includes(page)), []);
});
