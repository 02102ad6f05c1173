/* SPDX-License-Identifier: MIT */
#include "inspect_advise.h"

#include "inspect_needs.h"
#include "inspect_options.h"
#include "inspect_protocol.h"
#include "inspect_record.h"
#include "inspect_show.h"
#include "quash.h"
#include "reading.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The advice on one buffer. */
struct advice {
	const char *member; /* of the config */
	bool known;         /* what the device has */
	bool change;        /* it is to be changed */
	bool least;         /* `needs` is what is known so far */
	bool priced;        /* `ram` is known */
	uint32_t is, needs; /* `needs` is no more than the member can be */
	uint32_t wants;     /* more than `needs` where no size is enough */
	uint64_t ram;       /* bytes more */
	char why[128];
};

enum { BUFFERS = 7 };

/* A member of the config. RAM for it comes in multiples of `rounds`; `what` a record has of it. */
struct kind {
	enum fact member;
	uint32_t least, most, rounds;
	const char *what;
};

static const struct kind slots = { FACT_SLOT_COUNT, 0, 250, 1, NULL };
static const struct kind arena = { FACT_ARENA_SIZE, 0, 0xFFFFFF, 1, NULL };
static const struct kind tx = { FACT_TX_SIZE, 0, UINT32_MAX, 1, NULL };
static const struct kind ids = { FACT_ID_SIZE, QUASH_ID_MIN, 255, 1, "id" };
static const struct kind tags = { FACT_TAG_SIZE, 0, 254, 1, "session id" };
static const struct kind tokens = { FACT_TOKEN_SIZE, 0, 255, 8, "progress token" }; /* states are rounded up */
static const struct kind reasons = { FACT_REASON_SIZE, 0, 255, 1, "reason with its NUL" };

/* A header, and the digits of what it counts. */
enum { HEADER = 20, WIDEST = 8 };

/* What a byte may put on the tape: with so many spare receiving does not pause. */
enum { BYTE_ON_TAPE = 8 };

struct judge {
	struct advice *list;
	size_t count;
	const struct facts *facts;
	const struct needs *needs;
	bool headers;
};

/* --- One buffer */

/* The next one. The caller adds why, and what it needs. Then it stays in the list if there is anything to advise. */
static struct advice *begin_advice(struct judge *j, enum fact member)
{
	const struct advice fresh = { .member = fact_name(member),
		.known = j->facts->known[member],
		.is = j->facts->is[member] };
	j->list[j->count] = fresh;
	return &j->list[j->count];
}

static uint32_t larger(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

/* `evidence`: something was refused for want of it.  `each`: RAM for one more; 0: not known. */
static void decide(
	struct judge *j, struct advice *a, const struct kind *kind, uint32_t needs, bool evidence, uint32_t each)
{
	const uint32_t rounds = kind->rounds;
	a->wants = larger(needs, kind->least);
	a->needs = a->wants < kind->most ? a->wants : kind->most;
	a->change = evidence && (!a->known || a->is < a->needs);
	a->priced = a->known && each > 0;
	a->ram = a->change && a->priced ? (uint64_t)(a->needs - a->is + rounds - 1) / rounds * rounds * each : 0;
	j->count += needs > 0;
}

/* Marks may have stopped at the largest number. */
static uint32_t sum_of(uint32_t a, uint32_t b)
{
	return a < UINT32_MAX - b ? a + b : UINT32_MAX;
}

static uint32_t is_of(const struct judge *j, enum fact fact)
{
	return j->facts->is[fact];
}

/* --- Slots and arena */

/* The device's own mark counts most: it knows how long each request was live. */
static bool has_mark(const struct judge *j, enum fact mark, bool counted)
{
	return j->facts->known[mark] && (counted || j->needs->protocol == NULL || j->needs->busy + j->needs->too_large == 0);
}

static void judge_slots(struct judge *j)
{
	struct advice *const a = begin_advice(j, slots.member);
	const uint32_t busy = is_of(j, FACT_BUSY), live = is_of(j, FACT_MOST_LIVE), each = is_of(j, FACT_SLOT_BYTES);
	if (has_mark(j, FACT_MOST_LIVE, busy > 0)) {
		snprintf(a->why, sizeof a->why, "busy %u, most_live %u", busy, live);
		decide(j, a, &slots, live, busy > 0, each);
	} else if (j->needs->protocol != NULL) {
		snprintf(a->why, sizeof a->why, "in the record %u answers Busy, %u requests open together",
			j->needs->busy, j->needs->slots);
		decide(j, a, &slots, j->needs->slots, busy > 0 || j->needs->busy > 0, each);
	}
}

static uint32_t with_spare(uint32_t bytes)
{
	return bytes > 0 ? sum_of(bytes, BYTE_ON_TAPE) : 0;
}

/* The record may be older than the marks, which a reset clears. */
static void judge_arena_by_mark(struct judge *j, struct advice *a, bool refused)
{
	const uint32_t most = is_of(j, FACT_MOST_ARENA), answered = j->needs->answered;
	const int length = snprintf(a->why, sizeof a->why, "busy %u, too_large %u, most_arena %u", is_of(j, FACT_BUSY),
		is_of(j, FACT_TOO_LARGE), most);
	if (answered > most)
		snprintf(a->why + length, sizeof a->why - (size_t)length, "; %u with answers to calls in the record", answered);
	decide(j, a, &arena, with_spare(larger(most, answered)), refused, 1);
}

/* It could not be asked. */
static void judge_arena_unseen(struct judge *j, struct advice *a)
{
	const uint32_t ours = j->facts->own, theirs = larger(j->needs->arena, j->needs->answered);
	snprintf(a->why, sizeof a->why, "it does not hold the params of quash-inspect itself, %u bytes", ours);
	a->least = true;
	decide(j, a, &arena, with_spare(larger(ours, theirs)), true, 1);
}

static void judge_arena(struct judge *j)
{
	struct advice *const a = begin_advice(j, arena.member);
	const struct needs *const n = j->needs;
	const bool refused = is_of(j, FACT_BUSY) > 0 || is_of(j, FACT_TOO_LARGE) > 0;
	if (j->facts->too_large) {
		judge_arena_unseen(j, a);
	} else if (has_mark(j, FACT_MOST_ARENA, refused)) {
		judge_arena_by_mark(j, a, refused);
	} else if (n->protocol != NULL) {
		const uint32_t wanted = larger(n->arena, n->answered);
		snprintf(a->why, sizeof a->why,
			"in the record %u answers Busy, %u Message too large, params of %u bytes open together", n->busy, n->too_large,
			wanted);
		decide(j, a, &arena, with_spare(wanted), refused || n->busy + n->too_large > 0, 1);
	}
}

/* --- TX */

static uint32_t digits_of(uint32_t number)
{
	uint32_t digits = 1;
	for (; number > 9; number /= 10)
		digits++;
	return digits;
}

/* The size of TX that takes a notification whole. */
static uint32_t framed(const struct judge *j, uint32_t length)
{
	const uint32_t around = j->headers ? HEADER + digits_of(sum_of(length, HEADER + WIDEST)) : 1;
	return length > 0 ? sum_of(length, around) : 0;
}

/* The program does without. */
static bool is_unused(const struct judge *j, enum fact member)
{
	return j->facts->known[member] && is_of(j, member) == 0;
}

/* A record also foresees progress with its longest token. */
static void decide_tx(struct judge *j, struct advice *a, uint32_t longest, bool dropped)
{
	const uint32_t whole = framed(j, longest), progress = is_unused(j, FACT_TOKEN_SIZE) ? 0 : j->needs->progress;
	const size_t used = strlen(a->why);
	if (progress > whole)
		snprintf(a->why + used, sizeof a->why - used, "%sin the record progress with the longest token needs %u",
			used > 0 ? "; " : "", progress);
	decide(j, a, &tx, larger(whole, progress), dropped || (a->known && progress > a->is), 1);
}

static void judge_tx(struct judge *j)
{
	struct advice *const a = begin_advice(j, tx.member);
	const uint32_t dropped = is_of(j, FACT_DROPPED), longest = is_of(j, FACT_LONGEST_NOTIFICATION);
	const uint32_t received = j->needs->notification;
	if (longest > 0)
		snprintf(a->why, sizeof a->why, "dropped %u, longest_notification %u", dropped, longest);
	else if (received > 0)
		snprintf(a->why, sizeof a->why, "in the record the longest notification has %u bytes", received);
	decide_tx(j, a, longest > 0 ? longest : received, longest > 0 && dropped > 0);
}

/* --- What only a record shows: what is longer than the device has room for is refused or cut */

/* RAM that each slot, and `more`, has for one more byte. */
static uint32_t per_slot(const struct judge *j, uint32_t more)
{
	return j->facts->known[FACT_SLOT_COUNT] ? is_of(j, FACT_SLOT_COUNT) + more : 0;
}

static void judge_length(struct judge *j, const struct kind *kind, uint32_t longest, uint32_t each)
{
	struct advice *const a = begin_advice(j, kind->member);
	if (is_unused(j, kind->member))
		return;
	snprintf(a->why, sizeof a->why, "in the record the longest %s has %u bytes", kind->what, longest);
	decide(j, a, kind, longest, a->known, each);
}

/* Fills in what is known of each buffer. Returns how many.
 *
 * @param headers  messages have Content-Length */
static size_t advice_on_buffers(struct advice list[BUFFERS], const struct facts *facts, const struct needs *needs, bool headers)
{
	struct judge judge = { .list = list, .facts = facts, .needs = needs, .headers = headers };
	judge_slots(&judge);
	judge_length(&judge, &ids, needs->id, per_slot(&judge, 1));
	judge_arena(&judge);
	judge_tx(&judge);
	judge_length(&judge, &tags, needs->tag, per_slot(&judge, 1));
	judge_length(&judge, &tokens, needs->token, per_slot(&judge, 0));
	judge_length(&judge, &reasons, needs->reason, 1);
	return judge.count;
}

enum { TEXT = 512, SLOW_MS = 1000, LOOKS = 24, UUID = 36 };

struct hint {
	const char *name;
	uint32_t count;
	const char *why;
};

static struct facts facts;
static struct needs needs;
static struct advice buffers[BUFFERS];
static size_t buffer_count;
static struct hint looks[LOOKS];
static size_t look_count;

/* --- What is read */

/* A tool's result is an object, or its text; another method's is the object. */
bool advise_take(quash_value result)
{
	const quash_value structured = quash_get(result, "structuredContent"), text = quash_get(result, "content.0.text");
	if (quash_kind_of(structured) == QUASH_OBJECT)
		facts_of_value(&facts, structured);
	else if (quash_kind_of(text) == QUASH_STRING)
		facts_of_text(&facts, quash_text(text), quash_length(text));
	else
		facts_of_value(&facts, result);
	return facts_have_counters(&facts);
}

static int take_stats(quash_value result)
{
	if (advise_take(result))
		return EXIT_RESULT;
	note("quash-inspect: what it calls its stats has no counters");
	return EXIT_NO_ANSWER;
}

bool advise_was_refused(void)
{
	return facts.too_large || facts.busy;
}

static void note_no_stats(const struct inspect_options *o, const quash_call *call, int32_t code)
{
	const bool unknown = code == QUASH_METHOD_NOT_FOUND || code == QUASH_INVALID_PARAMS;
	const bool tool = o->tool != NULL;
	if (unknown && strcmp(call->method, tool ? "tools/call" : o->method) == 0)
		note("quash-inspect: it has no %s %s with its counters; --%s names another", tool ? "tool" : "method",
			tool ? o->tool : o->method, tool ? "tool" : "method");
}

int32_t advise_code_of(const quash_call *call)
{
	const int32_t code = quash_call_code(call);
	const quash_value message = quash_get(quash_call_answer(call), "message");
	if (code != QUASH_INTERNAL_ERROR)
		return code;
	return quash_is(message, "Busy") ? QUASH_BUSY : quash_is(message, "Message too large") ? QUASH_TOO_LARGE : code;
}

static void advise_take_refusal(const struct inspect_options *o, const quash_call *call)
{
	const int32_t code = advise_code_of(call);
	note_no_stats(o, call, code);
	if (advise_was_refused() || (code != QUASH_TOO_LARGE && code != QUASH_BUSY))
		return;
	facts.too_large = code == QUASH_TOO_LARGE;
	facts.busy = code == QUASH_BUSY;
	facts.own = arena_of_call(call, o->protocol->dialect);
}

const struct observer advise_observer = { .take = take_stats, .refused = advise_take_refusal };

/* Returns NULL, or what is wrong, in words. */
static const char *take_counters(const char *text)
{
	if (json_kind(text) == QUASH_OBJECT)
		facts_of_text(&facts, text, strlen(text));
	return facts_have_counters(&facts) ? NULL : "holds no object with counters";
}

static const char *read_counters_file(const char *path)
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

static int read_files(const struct inspect_options *o)
{
	const int code = o->counters != NULL ? judge_file(o->counters, read_counters_file(o->counters)) : EXIT_RESULT;
	if (code != EXIT_RESULT || o->replay == NULL)
		return code;
	return judge_file(o->replay, needs_read(&needs, o->replay, o->name));
}

/* --- What no size cures, or nothing says how much */

static void add_look(const char *name, uint32_t count, const char *why)
{
	const struct hint look = { name, count, why };
	if (count > 0 && look_count < LOOKS)
		looks[look_count++] = look;
}

/* The buffer is too small, and the advice has that already. */
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
	const bool slots_known = facts.known[FACT_MOST_LIVE] || recorded, arena_known = facts.known[FACT_MOST_ARENA] || recorded;
	const char *const how = "how much more is not known: its stats have no marks; make a record";
	if (!is_short("slot_count") && !is_short("arena_size")) {
		add_look("busy", facts.is[FACT_BUSY], slots_known && arena_known ? "smaller batches; no slot and no arena was lacking" : how);
		add_look("too_large", facts.is[FACT_TOO_LARGE],
			arena_known ? "params, or answers to calls, that are nested less deep" : how);
	}
	if (!is_short("tx_size"))
		add_look("dropped", facts.is[FACT_DROPPED],
			facts.known[FACT_LONGEST_NOTIFICATION] ? "fewer notifications: each would fit, but TX was full" : how);
}

/* Who reports nothing in so short a time may have nothing to report. */
enum { LEAST_MS = 100 };

/* A record does not show what the device has dropped, or for whose token it had no room. */
static void look_for_progress(void)
{
	static char why[192];
	const bool asked = needs.reported == 0 && needs.waited >= LEAST_MS;
	const bool fits = facts.known[FACT_TOKEN_SIZE] && facts.is[FACT_TOKEN_SIZE] >= needs.token;
	const char *cause = "";
	if (!asked || is_short("tx_size") || is_short("token_size"))
		return;
	if (facts.known[FACT_TOKEN_SIZE] && facts.is[FACT_TOKEN_SIZE] == 0)
		cause = "its token_size is 0";
	else if (fits && facts.known[FACT_DROPPED])
		cause = facts.is[FACT_DROPPED] > 0 ? "TX had no room" : "the tools report none";
	const int length = snprintf(why, sizeof why, "requests wanted progress, the longest for %u ms, and none came: %s", needs.waited, cause);
	if (*cause == '\0')
		snprintf(why + length, sizeof why - (size_t)length, "the tools report none, or it needs a tx_size of %u, a token_size of %u",
			needs.progress, needs.token);
	add_look("progress", needs.unreported, why);
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

static void show_formatted(const char *format, ...)
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
	show_formatted("%s: %s%u", a->member, a->least ? "at least " : "", a->change || !a->known ? a->needs : a->is);
	if (a->change && a->known)
		show_formatted(" instead of %u", a->is);
	else if (!a->change)
		show_formatted(a->wants > a->needs ? " is the most" : a->known ? " is enough" : " would be enough");
	if (a->change && a->priced)
		show_formatted(", %" PRIu64 " bytes more", a->ram);
	show_formatted(": %s\n", a->why);
}

static void show_all(bool only_changes)
{
	for (size_t i = 0; i < buffer_count; i++) {
		if (buffers[i].change || !only_changes)
			show_buffer(&buffers[i]);
	}
	for (size_t i = 0; i < look_count; i++)
		show_formatted("look: %s %u: %s\n", looks[i].name, looks[i].count, looks[i].why);
}

static void show_buffer_json(const struct advice *a, bool first)
{
	show_formatted("%s{\"member\":\"%s\",\"change\":%s,\"needs\":%u", first ? "" : ",", a->member, a->change ? "true" : "false", a->needs);
	if (a->known)
		show_formatted(",\"is\":%u", a->is);
	if (a->priced)
		show_formatted(",\"ram\":%" PRIu64, a->ram);
	show_formatted(",\"why\":\"%s\"}", a->why);
}

static void show_all_json(void)
{
	show_formatted("\"buffers\":[");
	for (size_t i = 0; i < buffer_count; i++)
		show_buffer_json(&buffers[i], i == 0);
	show_formatted("],\"look\":[");
	for (size_t i = 0; i < look_count; i++)
		show_formatted("%s{\"at\":\"%s\",\"count\":%u,\"why\":\"%s\"}", i == 0 ? "" : ",", looks[i].name, looks[i].count, looks[i].why);
	show_formatted("]");
}

void advise_show(const struct inspect_options *o)
{
	if (o->json)
		show_all_json();
	else
		show_all(o->doctor);
}

static int show_advice(const struct inspect_options *o, int code)
{
	if (o->json)
		show_formatted("{");
	advise_show(o);
	if (o->json)
		show_formatted("}\n");
	return code;
}

enum advice_on advise_judge(const struct inspect_options *o)
{
	enum advice_on on = ADVICE_NONE;
	const struct inspect_protocol *const protocol = needs.protocol != NULL ? needs.protocol : o->protocol;
	buffer_count = advice_on_buffers(buffers, &facts, &needs, protocol->dialect->framing != QUASH_LINES);
	look_at_limits();
	look_at_own_refusal();
	look_at_refusals();
	look_for_progress();
	look_at_counters();
	if (o->doctor && facts.is[FACT_TOKEN_SIZE] < UUID)
		add_look(fact_name(FACT_TOKEN_SIZE), facts.is[FACT_TOKEN_SIZE],
			"progress tokens of some hosts have 36 bytes and get no progress, unless quash-bridge is in between");
	for (size_t i = 0; i < buffer_count; i++) {
		const bool notes = strcmp(buffers[i].member, fact_name(FACT_TX_SIZE)) == 0;
		if (buffers[i].change && on != ADVICE_ON_REQUESTS)
			on = notes ? ADVICE_ON_NOTIFICATIONS : ADVICE_ON_REQUESTS;
	}
	return on;
}

int advise(const struct inspect_options *o, int code)
{
	const int refused = read_files(o);
	if (refused != EXIT_RESULT)
		return refused;
	const enum advice_on on = advise_judge(o);
	return show_advice(o, on != ADVICE_NONE ? EXIT_ADVICE : code);
}
