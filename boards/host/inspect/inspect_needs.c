/* SPDX-License-Identifier: MIT */
#include "inspect_needs.h"

#include "inspect_kept.h"
#include "inspect_protocol.h"
#include "quash.h"
#include "reading.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- What a device has counted */

/* As boards/apps/counters.c puts them. */
static const char *const names[FACTS] = {
	[FACT_PARSE_ERRORS] = "parse_errors",
	[FACT_INVALID] = "invalid",
	[FACT_DUPLICATE_IDS] = "duplicate_ids",
	[FACT_TOO_LARGE] = "too_large",
	[FACT_BUSY] = "busy",
	[FACT_HELD] = "held",
	[FACT_BAD_HEADERS] = "bad_headers",
	[FACT_LOST] = "lost",
	[FACT_BAD_CANCELS] = "bad_cancels",
	[FACT_DROPPED] = "dropped",
	[FACT_CHANGED] = "changed",
	[FACT_MISUSES] = "misuses",
	[FACT_SLOWEST_CANCEL] = "slowest_cancel_ms",
	[FACT_MOST_LIVE] = "most_live",
	[FACT_MOST_ARENA] = "most_arena",
	[FACT_LONGEST_NOTIFICATION] = "longest_notification",
	[FACT_SLOT_COUNT] = "slot_count",
	[FACT_SLOT_BYTES] = "slot_bytes",
	[FACT_ID_SIZE] = "id_size",
	[FACT_ARENA_SIZE] = "arena_size",
	[FACT_TX_SIZE] = "tx_size",
	[FACT_TAG_SIZE] = "tag_size",
	[FACT_TOKEN_SIZE] = "token_size",
	[FACT_REASON_SIZE] = "reason_size",
};

const char *fact_name(enum fact fact)
{
	return names[fact];
}

/* Counters stop at their largest value, and so does this. */
static void take_fact(struct facts *facts, int fact, struct span digits)
{
	uint32_t value = 0;
	for (size_t i = 0; i < digits.n; i++) {
		const uint32_t digit = (uint32_t)(digits.at[i] - '0');
		if (digits.at[i] < '0' || digits.at[i] > '9')
			return;
		value = value > (UINT32_MAX - digit) / 10 ? UINT32_MAX : value * 10 + digit;
	}
	facts->known[fact] = digits.n > 0;
	facts->is[fact] = value;
}

void facts_of_value(struct facts *facts, quash_value object)
{
	for (int i = 0; i < FACTS; i++) {
		const quash_value value = quash_member(object, names[i]);
		if (quash_kind_of(value) == QUASH_NUMBER)
			take_fact(facts, i, span_of(quash_text(value)));
	}
}

void facts_of_text(struct facts *facts, const char *text, size_t n)
{
	struct span values[FACTS];
	span_members(span_container(text, n), names, values, FACTS);
	for (int i = 0; i < FACTS; i++)
		take_fact(facts, i, values[i]);
}

bool facts_have_counters(const struct facts *facts)
{
	for (int i = 0; i < FACT_MOST_LIVE; i++) {
		if (facts->known[i])
			return true;
	}
	return false;
}

/* --- What a record needs */

enum { HEAD = 4, END = 1, AROUND = HEAD + END };
/* Of a notification of progress: what stands around token and numbers, and digits of both numbers where none was seen. */
enum { PROGRESS = 101, USUAL_DIGITS = 12 };
/* The longest token that quash-bridge may get to. */
enum { QUOTES = 2, BRIDGE_TOKEN = 11 };

struct open {
	struct span id;
	struct span token; /* for progress */
	uint32_t arena;
	uint32_t begun;    /* in milliseconds */
	bool refused;
	bool reported;     /* progress came */
};

struct record_scan {
	struct needs *needs;
	struct open *open; /* requests without an answer */
	size_t count;
	uint32_t token_text; /* the longest, as JSON */
	uint32_t digits;     /* of progress and total */
	uint32_t now;        /* of the entry, in milliseconds */
	bool mcp;
};

/* --- Sizes */

static uint32_t on_tape(quash_lex_event event, size_t length)
{
	switch (event) {
	case QUASH_LEX_END: return (uint32_t)length + END;
	case QUASH_LEX_NUMBER:
	case QUASH_LEX_STRING:
	case QUASH_LEX_KEY:
	case QUASH_LEX_ARRAY:
	case QUASH_LEX_OBJECT: return HEAD;
	default: return END;
	}
}

/* The bytes that a value takes in the arena (docs/memory.md, Arena). */
static uint32_t needs_arena(struct span value)
{
	uint32_t sum = 0;
	struct reading r;
	quash_lex_event event;
	reading_begin(&r, value.at, value.n);
	while ((event = reading_next(&r)) != QUASH_LEX_MORE && event != QUASH_LEX_ERROR)
		sum += on_tape(event, r.length);
	return sum;
}

/* A string's or number's, decoded. */
static uint32_t decoded_length(struct span value)
{
	return span_begins(value, '"') ? needs_arena(value) - AROUND : (uint32_t)value.n;
}

static void raise(uint32_t *mark, size_t value)
{
	if (*mark < value)
		*mark = (uint32_t)value;
}

/* --- What is open */

static uint32_t arena_of_open(const struct record_scan *s)
{
	uint32_t arena = 0;
	for (size_t i = 0; i < s->count; i++)
		arena += s->open[i].arena;
	return arena;
}

static void measure_open(struct record_scan *s)
{
	raise(&s->needs->slots, s->count);
	raise(&s->needs->arena, arena_of_open(s));
}

static struct open *find_open(struct record_scan *s, struct span id)
{
	for (size_t i = 0; i < s->count; i++) {
		if (!s->open[i].refused && span_equals(s->open[i].id, id))
			return &s->open[i];
	}
	return NULL;
}

static bool serves_any(const struct record_scan *s)
{
	for (size_t i = 0; i < s->count; i++) {
		if (!s->open[i].refused)
			return true;
	}
	return false;
}

/* How long a refused request would have stayed is not known: it counts until no request is open. */
static void settle_refused(struct record_scan *s)
{
	if (!serves_any(s))
		s->count = 0;
}

/* It has a result, or is cancelled. */
static void note_silence(struct record_scan *s, const struct open *open)
{
	if (open->token.at == NULL || open->reported)
		return;
	s->needs->unreported++;
	raise(&s->needs->waited, s->now - open->begun);
}

static void end_request(struct record_scan *s, struct span id, bool failed)
{
	struct open *const open = find_open(s, id);
	if (open != NULL && !failed)
		note_silence(s, open);
	if (open != NULL)
		*open = s->open[--s->count];
	settle_refused(s);
}

/* --- What is sent */

static bool is_code(struct span value, const char *digits)
{
	return span_same(value, span_of(digits));
}

/* A letter and the number of a call, which grows: later ones may have more digits. */
static bool is_of_bridge(struct span token)
{
	if (!span_begins(token, '"') || token.n < 4 || (token.at[1] != 'w' && token.at[1] != 'p'))
		return false;
	for (size_t i = 2; i < token.n - 1; i++) {
		if (token.at[i] < '0' || token.at[i] > '9')
			return false;
	}
	return true;
}

static void measure_token(struct record_scan *s, struct span token)
{
	if (token.at == NULL)
		return;
	raise(&s->needs->token, is_of_bridge(token) ? BRIDGE_TOKEN : decoded_length(token));
	raise(&s->token_text, is_of_bridge(token) ? QUOTES + BRIDGE_TOKEN : token.n);
}

static void take_sent_request(struct record_scan *s, struct span method, struct span id, struct span params)
{
	const struct span none = { NULL, 0 }, token = span_member(span_member(params, "_meta"), "progressToken");
	const struct open open = { .id = id, .token = s->mcp ? token : none, .begun = s->now,
		.arena = s->mcp ? arena_of_kept(method, params) : needs_arena(params) };
	if (span_is(method, "initialize")) /* a new client: what is open is answered no more */
		s->count = 0;
	s->open[s->count++] = open;
	raise(&s->needs->id, decoded_length(id));
	measure_token(s, open.token);
	if (span_is(method, "session/prompt"))
		raise(&s->needs->tag, decoded_length(span_member(params, "sessionId")));
	measure_open(s);
}

/* Cancels take no slot. In MCP what they cancel is not answered. */
static bool take_cancel(struct record_scan *s, struct span method, struct span params)
{
	const struct span reason = span_member(params, "reason");
	if (span_is(method, "notifications/cancelled")) {
		if (reason.at != NULL)
			raise(&s->needs->reason, decoded_length(reason) + 1);
		end_request(s, span_member(params, "requestId"), false);
		return true;
	}
	return span_is(method, "session/cancel") || span_is(method, "$/cancelRequest") ||
		span_is(method, "$/cancel_request");
}

/* It has a slot while its handler works, which is no longer than a step for most. In MCP no one handles those of clients but
 * cancels. */
static void take_notification(struct record_scan *s, struct span params)
{
	if (s->mcp)
		return;
	const struct open open = { .arena = needs_arena(params) };
	s->open[s->count++] = open;
	measure_open(s);
	s->count--;
}

/* To one of the device's calls. It stays no longer than a step for most. */
static void take_answer_to_call(struct record_scan *s, struct span message)
{
	const struct span result = span_member(message, "result");
	const struct span value = result.at != NULL ? result : span_member(message, "error");
	raise(&s->needs->answered, arena_of_open(s) + needs_arena(value));
}

static void take_sent(struct record_scan *s, struct record_message message)
{
	const struct span params = span_member(message.text, "params");
	if (message.method.at == NULL)
		take_answer_to_call(s, message.text);
	else if (message.id.at != NULL)
		take_sent_request(s, message.method, message.id, params);
	else if (!take_cancel(s, message.method, params))
		take_notification(s, params);
}

/* --- What is received */

static void take_answer(struct record_scan *s, struct span message, struct span id)
{
	const struct span error = span_member(message, "error"), code = span_member(error, "code"), words = span_member(error, "message");
	struct open *const open = find_open(s, id);
	const bool modern = is_code(code, "-32603"); /* in place of both codes */
	/* No size changes what is refused for a method's group. */
	const bool busy = (is_code(code, "-32010") && !span_is(words, "Busy: one at a time")) || (modern && span_is(words, "Busy"));
	const bool too_large = is_code(code, "-32011") || (modern && span_is(words, "Message too large"));
	if (open == NULL)
		return;
	s->needs->busy += busy;
	s->needs->too_large += too_large;
	open->refused = busy || too_large;
	if (open->refused)
		settle_refused(s);
	else
		end_request(s, id, error.at != NULL);
}

static void take_progress(struct record_scan *s, struct span params)
{
	const struct span token = span_member(params, "progressToken");
	raise(&s->digits, span_member(params, "progress").n + span_member(params, "total").n);
	s->needs->reported++;
	for (size_t i = 0; i < s->count; i++)
		s->open[i].reported = s->open[i].reported || (token.at != NULL && span_equals(s->open[i].token, token));
}

static void take_received(struct record_scan *s, struct record_message message)
{
	if (message.method.at == NULL) {
		take_answer(s, message.text, message.id);
	} else if (message.id.at == NULL) {
		raise(&s->needs->notification, message.text.n);
		if (span_is(message.method, "notifications/progress"))
			take_progress(s, span_member(message.text, "params"));
	}
}

/* --- The record */

static void take_entry(struct record_scan *s, const struct entry *entry)
{
	s->now = entry->ms;
	switch (entry->way) {
	case RECORD_TO: take_sent(s, entry->message); break;
	case RECORD_FROM: take_received(s, entry->message); break;
	default: s->count = 0; break; /* the line came or went */
	}
}

static const char *read_record(struct needs *needs, const struct record *record)
{
	struct record_scan scan = { .needs = needs, .mcp = record->protocol == &inspect_mcp };
	scan.open = calloc(record->count + 1, sizeof *scan.open);
	if (scan.open == NULL)
		return "out of memory";
	for (size_t i = 0; i < record->count; i++)
		take_entry(&scan, &record->entries[i]);
	free(scan.open);
	needs->protocol = record->protocol;
	if (scan.token_text > 0)
		needs->progress = PROGRESS + scan.token_text + (scan.digits > 0 ? scan.digits : USUAL_DIGITS);
	return NULL;
}

const char *needs_read(struct needs *needs, const char *path, const char *name)
{
	struct record record = { 0 };
	const char *wrong = record_read(&record, path, name);
	if (wrong == NULL)
		wrong = read_record(needs, &record);
	record_free(&record);
	return wrong;
}

/* --- What a refused call needs */

/* A peer without a device makes the call again: what it would transmit is what was refused. */

enum { SLOTS = 1, ID_SIZE = 17, ARENA = 16, TX_SIZE = 1 << 16 };

static struct span message_in(const uint8_t *bytes, size_t n)
{
	const uint8_t *const begin = n > 0 ? memchr(bytes, '{', n) : NULL; /* after a header */
	if (begin == NULL)
		return span_container("", 0);
	return span_container((const char *)begin, n - (size_t)(begin - bytes));
}

uint32_t arena_of_call(const quash_call *call, const quash_dialect *dialect)
{
	quash_peer peer;
	quash_call again = { .method = call->method, .put = call->put, .context = call->context };
	QUASH_STORAGE(store, SLOTS, ID_SIZE, 0, ARENA, TX_SIZE);
	const quash_config config = { QUASH_STORED(store), .dialect = dialect, .calls = &quash_calls };
	size_t n = 0;
	if (!quash_init(&peer, &config, NULL))
		return 0;
	quash_call_start(&peer, &again);
	quash_step(&peer);
	const uint8_t *const bytes = quash_out(&peer, &n);
	const struct span message = message_in(bytes, n), params = span_member(message, "params");
	return dialect == &quash_mcp ? arena_of_kept(span_member(message, "method"), params) : needs_arena(params);
}
