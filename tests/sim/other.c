/* SPDX-License-Identifier: MIT
 * What the other side says. */
#include "other.h"

#include "oracle.h"
#include "wire.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static struct text text; /* what is being composed */
static long serial;
static unsigned ids; /* given so far */
static long relayed;
static long progress[LINKS];

void other_begin(void)
{
	for (uint8_t i = 0; i < LINKS; i++) {
		wire_clear(i);
		progress[i] = 0;
	}
	serial = relayed = 0;
	ids = 0;
}

/* --- Composing */

static void put(const char *format, ...)
{
	va_list list;
	va_start(list, format);
	const int n = vsnprintf(text.bytes + text.length, sizeof text.bytes - text.length, format, list);
	va_end(list);
	if (n < 0 || (size_t)n >= sizeof text.bytes - text.length)
		fail("simulator", "a message is too long");
	text.length += (size_t)n;
}

static void put_pad(unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		put("%c", 'a' + (int)(i % 26));
}

static void send_all(uint8_t link, bool intact)
{
	if (text.length > 0 && (sim.setup.dialect[link] == LSP || memchr(text.bytes, '\n', text.length) == NULL))
		wire_send(link, &text, intact);
	text.length = 0;
}

static void send(uint8_t link)
{
	send_all(link, false);
}

/* What is known by its contents alone. */
static void send_intact(uint8_t link)
{
	send_all(link, true);
}

/* --- Messages */

static const struct record *pick_live(uint8_t link)
{
	const struct record *found = NULL;
	unsigned back = choose(6);
	for (size_t i = sim.record_count; i-- > 0;) {
		const struct record *const r = &sim.records[i];
		if (r->link != link || r->notification || r->id_length == 0)
			continue;
		found = r;
		if (back-- == 0)
			break;
	}
	return found;
}

static void put_id_of(const struct record *r)
{
	if (r->number) {
		put("%.*s", (int)r->id_length, r->id);
		return;
	}
	put("\"");
	for (size_t i = 0; i < r->id_length; i++) {
		const unsigned char c = (unsigned char)r->id[i];
		if (c == '"' || c == '\\' || c < 0x20)
			put("\\u%04x", c);
		else
			put("%c", c);
	}
	put("\"");
}

static void put_new_id(uint8_t link)
{
	ids++;
	switch (choose(8)) {
	case 1: put("\"s%u\"", ids); break;
	case 2: put("\"\\u0061%u \\\"q\\\\\"", ids); break;
	case 3: put("-%u", ids); break;
	case 4:
		put("\"%u", ids);
		put_pad(sim.setup.id_size[link] - 6 + choose(8));
		put("\"");
		break;
	default: put("%u", ids); break;
	}
}

/* Whether it is used again: then only the params tell the requests apart. */
static bool put_id(uint8_t link)
{
	const struct record *const r = chance(20) ? pick_live(link) : NULL;
	static const char *const odd[] = { "null", "1.5", "true", "{}", "1e3", "\"\\ud800\"", "[]",
		"99999999999999999999" };
	if (r != NULL)
		put_id_of(r);
	else if (chance(40))
		put("%s", odd[choose(8)]);
	else
		put_new_id(link);
	return r != NULL;
}

static void put_tool(void)
{
	switch (choose(5)) {
	case 0:
		put("\"name\":\"echo\",\"arguments\":{\"text\":\"");
		put_pad(choose(60));
		put("\"}");
		break;
	case 1: put("\"name\":\"slow\",\"arguments\":{\"ms\":%u}", choose(120)); break;
	case 2: put("\"name\":\"stepper\",\"arguments\":{\"steps\":%u}", 1 + choose(250)); break;
	case 3: put("\"name\":\"stats\""); break;
	default: put("\"name\":\"led\",\"arguments\":{\"on\":%s}", choose(2) ? "true" : "7"); break;
	}
}

static void put_of_toolbox(void)
{
	static const char *const names[] = { "tools/call", "tools/list", "initialize", "ping", "nothing" };
	const char *const method = names[choose(5)];
	put("\"method\":\"%s\",\"params\":{\"n\":%ld,", method, ++serial);
	if (method[0] == 'i') {
		put("\"protocolVersion\":\"2025-06-18\",\"capabilities\":{},\"clientInfo\":{\"name\":\"sim\","
		    "\"version\":\"1\"}");
		return;
	}
	if (choose(3) == 1)
		put("\"_meta\":{\"progressToken\":%ld},", serial);
	put_tool();
}

static void put_of_agent(void)
{
	static const char *const words[] = { "hello", "slow", "permission", "plan tool think", "read /a",
		"write /a", "run ls", "mode" };
	switch (choose(5)) {
	case 0:
		put("\"method\":\"initialize\",\"params\":{\"protocolVersion\":1,\"clientCapabilities\":"
		    "{\"fs\":{\"readTextFile\":true,\"writeTextFile\":true},\"terminal\":true}");
		break;
	case 1: put("\"method\":\"session/new\",\"params\":{\"cwd\":\"/\",\"mcpServers\":[]"); break;
	default:
		put("\"method\":\"session/prompt\",\"params\":{\"sessionId\":\"s%u\",", 1 + choose(4));
		put("\"prompt\":[{\"type\":\"text\",\"text\":\"%s\"}]", words[choose(8)]);
		break;
	}
}

static void put_of_langserver(void)
{
	switch (choose(6)) {
	case 0: put("\"method\":\"initialize\",\"params\":{\"capabilities\":{}"); break;
	case 1: put("\"method\":\"%s\",\"params\":{", choose(4) ? "test/echo" : "shutdown"); break;
	case 2: put("\"method\":\"test/echo\",\"params\":{\"a\":[1,2.50,\"b\"]"); break;
	default:
		put("\"method\":\"test/slow\",\"params\":{\"ms\":%u", choose(90));
		if (choose(2))
			put(",\"partialResultToken\":\"p\",\"workDoneToken\":\"w\"");
		break;
	}
}

static void put_profile_request(uint8_t link)
{
	put("{\"jsonrpc\":\"2.0\",\"id\":");
	(void)put_id(link);
	put(",");
	switch (sim.setup.profile) {
	case TOOLS: put_of_toolbox(); break;
	case AGENT: put_of_agent(); break;
	default: put_of_langserver(); break;
	}
	put("}}");
}

/* Cancels of other kinds, and what begins or ends a session. */
static void put_profile_notification(void)
{
	put("{\"jsonrpc\":\"2.0\",");
	switch (sim.setup.profile) {
	case TOOLS: put("\"method\":\"notifications/initialized\"}"); break;
	case AGENT:
		put("\"method\":\"session/cancel\",\"params\":{\"sessionId\":\"s%u\"}}", 1 + choose(4));
		break;
	default:
		put("\"method\":\"%s\",\"params\":{\"token\":\"w\"}}",
			choose(3)           ? "window/workDoneProgress/cancel"
				: choose(3) ? "initialized"
					    : "exit");
		break;
	}
}

static void put_params(unsigned size)
{
	put(",\"params\":{\"n\":%ld", ++serial);
	if (choose(3) == 1)
		put(",\"_meta\":{\"progressToken\":%ld}", serial);
	put(",\"pad\":\"");
	put_pad(size);
	put("\"}");
}

static unsigned size_of_params(uint8_t link)
{
	switch (choose(8)) {
	case 0:
	case 1:
	case 2:
	case 3: return 0;
	case 4: return choose(sim.setup.arena[link] * 2);
	default: return choose(30);
	}
}

static void put_request(uint8_t link)
{
	if (sim.setup.profile != NO_PROFILE && link == 0) {
		put_profile_request(link);
		return;
	}
	const bool forwarded = sim.setup.topology == BRIDGE && link == 0 && choose(3) != 1;
	unsigned method = forwarded ? METHODS - 3 + choose(3) : choose(METHODS);
	put("{\"jsonrpc\":\"2.0\",\"id\":");
	const bool again = put_id(link);
	put(",\"method\":\"%s\"", chance(16) ? "unknown" : methods[method].name);
	if (again || choose(8) != 1)
		put_params(size_of_params(link));
	put("}");
}

static void put_notification(uint8_t link)
{
	static const char *const names[] = { "note", "timednote", "strange", "now", "movenote" };
	if (sim.setup.profile != NO_PROFILE && link == 0) {
		put_profile_notification();
		return;
	}
	put("{\"jsonrpc\":\"2.0\",\"method\":\"%s\"", names[choose(5)]);
	put_params(size_of_params(link));
	put("}");
}

static void put_cancel_of(uint8_t link, const struct record *r)
{
	const enum dialect d = sim.setup.dialect[link];
	put("{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"%s\":",
		d == MCP                        ? "notifications/cancelled"
			: d == LSP || chance(4) ? "$/cancelRequest"
						: "$/cancel_request",
		d == LSP ? "id" : "requestId");
	if (r == NULL)
		put_new_id(link);
	else
		put_id_of(r);
	put("%s}}", d == MCP && choose(3) == 1 ? ",\"reason\":\"why not\"" : "");
}

static void put_bad_cancel(uint8_t link)
{
	static const char *const bad[] = { "{}", "[]", "{\"requestId\":null,\"id\":null}",
		"{\"requestId\":{\"a\":1},\"id\":[1]}", "{\"requestId\":\"\",\"id\":\"\"}",
		"{\"requestId\":1.5,\"id\":1.5}" };
	const enum dialect d = sim.setup.dialect[link];
	put("{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":%s}",
		d == MCP           ? "notifications/cancelled"
			: d == LSP ? "$/cancelRequest"
				   : "$/cancel_request",
		bad[choose(6)]);
}

/* The id that a request composed just now will have is not known yet: a cancel right after it. */
static void put_request_and_cancel(uint8_t link)
{
	const unsigned id = ++ids;
	const enum dialect d = sim.setup.dialect[link];
	const unsigned method = choose(METHODS);
	const bool batch = d == JSONRPC && choose(3) == 1;
	put("%s{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\"", batch ? "[" : "", id, methods[method].name);
	put_params(size_of_params(link));
	put("}");
	if (batch) {
		put("%s", choose(2) ? "]" : ",");
	}
	const bool inside = batch && text.bytes[text.length - 1] == ',';
	if (!inside)
		send(link);
	put("{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"%s\":%u}}",
		d == MCP           ? "notifications/cancelled"
			: d == LSP ? "$/cancelRequest"
				   : "$/cancel_request",
		d == LSP ? "id" : "requestId", id);
	if (inside)
		put("]");
}

static void put_batch(uint8_t link)
{
	const unsigned n = choose(5);
	const bool quiet = choose(4) == 1; /* nothing of it wants an answer */
	put("[");
	for (unsigned i = 0; i < n; i++) {
		put("%s", i > 0 ? "," : "");
		switch (quiet ? 1 + choose(2) : choose(6)) {
		case 1: put_notification(link); break;
		case 2: put_cancel_of(link, pick_live(link)); break;
		case 3:
			if (choose(2))
				put("{\"jsonrpc\":\"2.0\",\"id\":%u}", ++ids);
			else
				put("1");
			break;
		default: put_request(link); break;
		}
	}
	put("]");
}

static void put_junk(void)
{
	static const char *const junk[] = { "", " ", "{", "nonsense", "[]", "{}", "7", "\"a\"", "null",
		"{\"jsonrpc\":\"2.0\",\"method\":1}", "{\"jsonrpc\":\"1.0\",\"id\":3,\"method\":\"now\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":4,\"method\":\"now\",\"params\":3}",
		"{\"jsonrpc\":\"2.0\",\"id\":5,\"id\":6,\"method\":\"now\"}",
		"{\"jsonrpc\":\"2.0\",\"id\":2000,\"result\":{}}", "\xff\xfe" };
	put("%s", junk[choose(sizeof junk / sizeof *junk)]);
}

/* --- Answers to what the peer asks */

static void answer(struct ask *ask, bool error)
{
	put("{\"jsonrpc\":\"2.0\",\"id\":%u,", (unsigned)ask->id);
	if (!ask->answer_sent) {
		ask->failed = error;
		ask->pad = choose(6) == 1 ? choose(120) : choose(10);
		ask->code = choose(2) ? -32800 : -32000;
	}
	ask->answer_sent = true;
	if (ask->failed) {
		put("\"error\":{\"code\":%d,\"message\":\"%s\"}}", (int)ask->code, oracle_words(ask->code));
	} else {
		char result[500];
		result[oracle_result(result, sizeof result, ask->serial, ask->pad)] = '\0';
		put("\"result\":%s}", result);
	}
	send_all(ask->link, sim.setup.topology == BRIDGE); /* there somebody else gets to see it */
}

void other_answers(struct ask *ask)
{
	answer(ask, false);
}

static struct ask *pick_ask(uint8_t link)
{
	unsigned back = choose(5);
	struct ask *found = NULL;
	for (size_t i = sim.ask_count; i-- > 0;) {
		if (sim.asks[i].link != link || !sim.asks[i].written)
			continue;
		found = &sim.asks[i];
		if (back-- == 0)
			break;
	}
	return found;
}

static void send_answer(uint8_t link)
{
	struct ask *const ask = pick_ask(link);
	if (ask == NULL)
		return;
	if (ask->token >= 0 && choose(3) == 1 && !ask->answer_sent) {
		put("{\"jsonrpc\":\"2.0\",\"method\":\"notifications/"
		    "progress\",\"params\":{\"progressToken\":\"w%u\",\"k\":%ld}}",
			(unsigned)ask->id, ++progress[link]);
		send_intact(link);
	}
	if (!ask->answer_sent || choose(4) == 1)
		answer(ask, choose(3) == 1);
}

/* Several, of different lengths: a short one must not overtake. */
static void send_relayed(uint8_t link)
{
	for (unsigned n = 1 + choose(3); n > 0; n--) {
		put("{\"jsonrpc\":\"2.0\",\"method\":\"relayed\",\"params\":{\"n\":%ld,\"pad\":\"", ++relayed);
		put_pad(choose(60));
		put("\"}}");
		send_intact(link);
	}
}

static void flood(uint8_t link)
{
	for (unsigned i = 2 + choose(20); i > 0 && sim.record_count < RECORDS / 2; i--) {
		if (choose(4) == 1)
			put_notification(link);
		else
			put_request(link);
		send(link);
	}
}

void other_sends(uint8_t link)
{
	if (sim.record_count > RECORDS / 2)
		return;
	switch (choose(16)) {
	case 0:
	case 1:
	case 2:
	case 3: put_request(link); break;
	case 4: put_notification(link); break;
	case 5:
	case 6: put_cancel_of(link, pick_live(link)); break;
	case 7: put_request_and_cancel(link); break;
	case 8: choose(4) == 1 ? put_bad_cancel(link) : put_cancel_of(link, NULL); break;
	case 9: put_junk(); break;
	case 10:
	case 11:
		if (sim.setup.dialect[link] == JSONRPC)
			put_batch(link);
		else
			put_request(link);
		break;
	case 12: flood(link); break;
	case 14: wire_sign(link); break;
	case 13:
		if (sim.setup.topology == BRIDGE && link == 1)
			send_relayed(link);
		break;
	default: send_answer(link); break;
	}
	send(link);
}

void other_settles(uint8_t link)
{
	if (!wire_is_empty(link))
		return;
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].link == link && sim.asks[i].written && sim.asks[i].answers == 0)
			other_answers(&sim.asks[i]);
	}
}
