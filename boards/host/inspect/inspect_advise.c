/* SPDX-License-Identifier: MIT */
#include "inspect_advise.h"

#include "inspect_advice.h"
#include "inspect_exit.h"
#include "inspect_file.h"
#include "inspect_json.h"
#include "inspect_protocol.h"
#include "inspect_refused.h"
#include "inspect_show.h"

#include "quash.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TEXT = 512, SLOW_MS = 1000, LOOKS = 24, UUID = 36 };

struct look {
	const char *name;
	uint32_t count;
	const char *why;
};

static struct facts facts;
static struct needs needs;
static struct advice buffers[BUFFERS];
static size_t buffer_count;
static struct look looks[LOOKS];
static size_t look_count;

/* --- What is read */

static int no_counters(void)
{
	note("quash-inspect: what it calls its stats has no counters");
	return EXIT_NO_ANSWER;
}

/* A tool's result is an object, or its text; another method's is the object. */
static int take_stats(quash_value result)
{
	const quash_value structured = quash_get(result, "structuredContent"), text = quash_get(result, "content.0.text");
	if (quash_kind_of(structured) == QUASH_OBJECT)
		facts_of_value(&facts, structured);
	else if (quash_kind_of(text) == QUASH_STRING)
		facts_of_text(&facts, (struct text){ quash_text(text), quash_length(text) });
	else
		facts_of_value(&facts, result);
	return facts_have_counters(&facts) ? EXIT_RESULT : no_counters();
}

bool advise_was_refused(void)
{
	return facts.too_large || facts.busy;
}

static void note_no_stats(const struct options *o, const quash_call *call, int32_t code)
{
	const bool unknown = code == QUASH_METHOD_NOT_FOUND || code == QUASH_INVALID_PARAMS;
	const bool tool = o->tool != NULL;
	if (unknown && strcmp(call->method, tool ? "tools/call" : o->method) == 0)
		note("quash-inspect: it has no %s %s with its counters; --%s names another", tool ? "tool" : "method",
			tool ? o->tool : o->method, tool ? "tool" : "method");
}

static void take_refusal(const struct options *o, const quash_call *call)
{
	const int32_t code = quash_call_code(call);
	note_no_stats(o, call, code);
	if (advise_was_refused() || (code != QUASH_TOO_LARGE && code != QUASH_BUSY))
		return;
	facts.too_large = code == QUASH_TOO_LARGE;
	facts.busy = code == QUASH_BUSY;
	facts.own = arena_of_call(call, o->protocol->dialect);
}

const struct observer advise_observer = { .take = take_stats, .refused = take_refusal };

/* Returns NULL, or what is wrong, in words. */
static const char *take_counters(const char *text)
{
	if (json_kind(text) == QUASH_OBJECT)
		facts_of_text(&facts, text_of(text));
	return facts_have_counters(&facts) ? NULL : "holds no object with counters";
}

static const char *read_counters(const char *path)
{
	char *text = NULL;
	size_t length = 0;
	const char *wrong = read_file(path, &text, &length);
	if (wrong == NULL)
		wrong = take_counters(text);
	free(text);
	return wrong;
}

/* The exit code for a file that was read. */
static int judge_file(const char *path, const char *wrong)
{
	if (wrong == NULL)
		return EXIT_RESULT;
	note("quash-inspect: %s %s", path, wrong);
	return EXIT_USAGE;
}

static int read_files(const struct options *o)
{
	const int code = o->counters != NULL ? judge_file(o->counters, read_counters(o->counters)) : EXIT_RESULT;
	if (code != EXIT_RESULT || o->replay == NULL)
		return code;
	return judge_file(o->replay, needs_read(&needs, o->replay, o->name));
}

/* --- What no size cures, or nothing says how much */

static void add_look(const char *name, uint32_t count, const char *why)
{
	const struct look look = { name, count, why };
	if (count > 0 && look_count < LOOKS)
		looks[look_count++] = look;
}

/* It is the reason, and said so. */
static bool is_short(const char *member)
{
	for (size_t i = 0; i < buffer_count; i++) {
		if (strcmp(buffers[i].member, member) == 0)
			return buffers[i].change || buffers[i].wants > buffers[i].needs;
	}
	return false;
}

/* No size is enough. */
static void look_at_limits(void)
{
	for (size_t i = 0; i < buffer_count; i++) {
		if (buffers[i].wants > buffers[i].needs)
			add_look(buffers[i].member, buffers[i].wants, "more than any device can have: fewer at once, or shorter ones");
	}
}

static void look_at_own_refusal(void)
{
	static char why[128];
	snprintf(why, sizeof why, "no slot, or no %u bytes of arena, were left for quash-inspect itself: ask when less runs, or add both",
		facts.own);
	add_look("busy", facts.busy, why);
}

/* What is refused though nothing is to be changed. A record without refusals does not show what was refused before. */
static void look_at_refusals(void)
{
	const bool recorded = needs.busy + needs.too_large > 0;
	const bool slots = facts.known[FACT_MOST_LIVE] || recorded, arena = facts.known[FACT_MOST_ARENA] || recorded;
	const char *const how = "how much more is not known: its stats have no marks; make a record";
	if (!is_short("slot_count") && !is_short("arena_size")) {
		add_look("busy", facts.is[FACT_BUSY], slots && arena ? "smaller batches; no slot and no arena was lacking" : how);
		add_look("too_large", facts.is[FACT_TOO_LARGE],
			arena ? "params, or answers to calls, that are nested less deep" : how);
	}
	if (!is_short("tx_size"))
		add_look("dropped", facts.is[FACT_DROPPED],
			facts.known[FACT_LONGEST_NOTIFICATION] ? "fewer notifications: each would fit, but TX was full" : how);
}

static void look_at_counters(void)
{
	static const char *const line = "the link: baud rate, overruns, flow control; pump more often";
	static const char *const sender = "the sender";
	const bool short_ids = facts.known[FACT_ID_SIZE] && facts.is[FACT_ID_SIZE] < UUID;
	add_look("parse_errors", facts.is[FACT_PARSE_ERRORS], line);
	add_look("lost", facts.is[FACT_LOST], line);
	add_look("bad_headers", facts.is[FACT_BAD_HEADERS], line);
	if (!is_short("id_size"))
		add_look("invalid", facts.is[FACT_INVALID],
			short_ids ? "the sender, or an id_size of 36 for ids that are UUIDs" : sender);
	add_look("duplicate_ids", facts.is[FACT_DUPLICATE_IDS], sender);
	add_look("bad_cancels", facts.is[FACT_BAD_CANCELS], sender);
	add_look("held", facts.is[FACT_HELD], "clients that do not wait for the first one");
	add_look("changed", facts.is[FACT_CHANGED], "put functions that read what others change");
	add_look("misuses", facts.is[FACT_MISUSES], "the program: the trace has the request and the reason");
	if (facts.is[FACT_SLOWEST_CANCEL] > SLOW_MS)
		add_look("slowest_cancel_ms", facts.is[FACT_SLOWEST_CANCEL], "handlers that seldom look at their flag");
}

/* --- What is shown */

static void show(const char *format, ...)
{
	char text[TEXT];
	va_list arguments;
	va_start(arguments, format);
	vsnprintf(text, sizeof text, format, arguments);
	va_end(arguments);
	show_text(text, strlen(text));
}

static void show_buffer(const struct advice *a)
{
	show("%s: %s%u", a->member, a->least ? "at least " : "", a->change || !a->known ? a->needs : a->is);
	if (a->change && a->known)
		show(" instead of %u", a->is);
	else if (!a->change)
		show(a->wants > a->needs ? " is the most" : " is enough");
	if (a->change && a->priced)
		show(", %" PRIu64 " bytes more", a->ram);
	show(": %s\n", a->why);
}

static void show_all(void)
{
	for (size_t i = 0; i < buffer_count; i++)
		show_buffer(&buffers[i]);
	for (size_t i = 0; i < look_count; i++)
		show("look: %s %u: %s\n", looks[i].name, looks[i].count, looks[i].why);
}

static void show_buffer_json(const struct advice *a, bool first)
{
	show("%s{\"member\":\"%s\",\"change\":%s,\"needs\":%u", first ? "" : ",", a->member, a->change ? "true" : "false", a->needs);
	if (a->known)
		show(",\"is\":%u", a->is);
	if (a->priced)
		show(",\"ram\":%" PRIu64, a->ram);
	show(",\"why\":\"%s\"}", a->why);
}

static void show_all_json(void)
{
	show("{\"buffers\":[");
	for (size_t i = 0; i < buffer_count; i++)
		show_buffer_json(&buffers[i], i == 0);
	show("],\"look\":[");
	for (size_t i = 0; i < look_count; i++)
		show("%s{\"at\":\"%s\",\"count\":%u,\"why\":\"%s\"}", i == 0 ? "" : ",", looks[i].name, looks[i].count, looks[i].why);
	show("]}\n");
}

static int show_advice(const struct options *o, int code)
{
	if (o->json)
		show_all_json();
	else
		show_all();
	for (size_t i = 0; i < buffer_count; i++) {
		if (buffers[i].change)
			return EXIT_ADVICE;
	}
	return code;
}

int advise(const struct options *o, int code)
{
	const int refused = read_files(o);
	if (refused != EXIT_RESULT)
		return refused;
	const struct protocol *const protocol = needs.protocol != NULL ? needs.protocol : o->protocol;
	buffer_count = advice_on_buffers(buffers, &facts, &needs, protocol->dialect->framing != QUASH_LINES);
	look_at_limits();
	look_at_own_refusal();
	look_at_refusals();
	look_at_counters();
	return show_advice(o, code);
}
