/* SPDX-License-Identifier: MIT
 * What a peer has put out: messages in the stream, in the order in which they were put into TX. */
#include "oracle.h"

#include <stdio.h>
#include <string.h>

enum { WAITING = 400 };

/* What stands in TX. */
struct entry {
	struct record *record; /* whose answer or progress it is */
	long news, progress;   /* or its number; -1: none */
};

static struct {
	char text[MESSAGE];
	size_t length;
	size_t place;     /* in the name of a size */
	uint32_t last_id; /* that was asked */
	long relayed;     /* the last one */
	struct entry entries[WAITING];
	size_t first, count;
	unsigned broken; /* messages that may be broken off */
	const struct record *broken_for; /* whose answer has broken the last of them */
	unsigned drained; /* the steps that had been taken when TX was empty last */
} lines[LINKS];

void sent_begin(uint8_t link)
{
	lines[link].length = 0;
	lines[link].first = lines[link].count = 0;
	lines[link].broken = 0;
}

void sent_reset(uint8_t link)
{
	sent_begin(link);
	lines[link].last_id = 0;
	lines[link].relayed = 0;
}

/* --- What stands in TX */

static void add(uint8_t link, struct record *r, long news, long progress)
{
	const struct entry entry = { r, news, progress };
	if (lines[link].count >= WAITING)
		fail("simulator", "too much stands in TX");
	lines[link].entries[(lines[link].first + lines[link].count++) % WAITING] = entry;
}

static const struct entry *next(uint8_t link)
{
	return lines[link].count > 0 ? &lines[link].entries[lines[link].first] : NULL;
}

static void take(uint8_t link)
{
	lines[link].first = (lines[link].first + 1) % WAITING;
	lines[link].count--;
}

void sent_answer(struct record *r)
{
	add(r->link, r, -1, -1);
}

/* A notification overtakes no answer that was ready. */
static void must_not_overtake(uint8_t link)
{
	for (unsigned i = 0; i < sim.setup.slots[link]; i++) {
		const struct record *const r = oracle_tenant(link, i);
		if (r != NULL && !r->opaque && r->batch < 0 && r->answer == RECORDED && r->ready_at != 0 && !r->claim.written &&
			!r->crowded)
			fail("order", "a notification overtakes the answer of %.*s", (int)r->id_length, r->id);
	}
}

void sent_news(uint8_t link, long serial)
{
	must_not_overtake(link);
	add(link, NULL, serial, -1);
}

void sent_progress(struct record *r, long k)
{
	must_not_overtake(r->link);
	add(r->link, r, -1, k);
}

void sent_broken(struct record *r)
{
	lines[r->link].broken++;
	lines[r->link].broken_for = r;
}

/* --- Answers */

static void same(const char *text, size_t length, const char *wanted, size_t wanted_length)
{
	if (length != wanted_length || memcmp(text, wanted, length) != 0)
		fail("answer", "%.*s is put out, not %.*s", (int)length, text, (int)wanted_length, wanted);
}

static bool has_id_of(const struct plain *value, const struct record *r)
{
	const struct plain *const id = plain_get(value, "id");
	return id != NULL && (id->kind == PLAIN_NUMBER) == r->number && id->length == r->id_length &&
		memcmp(id->text, r->id, r->id_length) == 0;
}

static void must_answer(struct record *r, const struct plain *value, const char *text)
{
	static char wanted[ANSWER_ROOM];
	const size_t length = value->to - value->from;
	if (r->seen)
		fail("answer", "%.*s is answered twice", (int)r->id_length, r->id);
	if (r->claim.silent || r->stage == DEAD)
		fail("answer", "%.*s must not be answered", (int)r->id_length, r->id);
	r->seen = true;
	if (r->may_be_unnamed && !has_id_of(value, r))
		r->named = false;
	if (r->claim.changed)
		lines[r->link].broken = 0; /* it has not begun, or was made up for */
	if (plain_get(value, "error") == NULL)
		oracle_totals(r->link)->results++;
	else
		oracle_totals(r->link)->errors++;
	if (!r->opaque && !(r->fickle && !r->claim.changed)) {
		same(text + value->from, length, wanted, oracle_answer(wanted, sizeof wanted, r));
		return;
	}
	if (!has_id_of(value, r))
		fail("answer", "%.*s is not answered by %.*s", (int)r->id_length, r->id, (int)length, text + value->from);
}

static void answer(uint8_t link, const struct plain *value, const char *text)
{
	const struct entry *const e = next(link);
	if (e == NULL || e->record == NULL || e->progress >= 0)
		fail("order", "an answer is not the next message: %.*s", (int)(value->to - value->from), text);
	struct record *const r = e->record;
	if (r->batch >= 0)
		fail("batch", "the answer of %.*s stands alone", (int)r->id_length, r->id);
	take(link);
	must_answer(r, value, text);
}

static bool is_of(const struct entry *e, int batch)
{
	return e != NULL && e->record != NULL && e->progress < 0 && e->record->batch == batch;
}

static void batch_answer(uint8_t link, const struct plain *array, const char *text)
{
	const struct entry *const e = next(link);
	const int batch = e != NULL && e->record != NULL ? e->record->batch : -1;
	size_t at = array->from + 1;
	if (batch < 0 || array->child == NULL)
		fail("batch", "answers to no batch: %.*s", (int)(array->to - array->from), text);
	for (const struct plain *m = array->child; m != NULL; m = m->next) {
		if (m->from != at)
			fail("batch", "white space in %.*s", (int)(array->to - array->from), text);
		if (!is_of(next(link), batch))
			fail("batch", "too many answers in %.*s", (int)(array->to - array->from), text);
		struct record *const r = next(link)->record;
		take(link);
		must_answer(r, m, text);
		at = m->to + 1;
	}
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (r->link == link && r->batch == batch && !r->notification && !r->seen && r->answer != SILENT && r->stage != DEAD)
			fail("batch", "the answer of %.*s is missing in its batch", (int)r->id_length, r->id);
	}
}

/* --- What it asks and reports */

static void asked(uint8_t link, const struct plain *value)
{
	const uint32_t id = (uint32_t)plain_int(plain_get(value, "id"), 0);
	const struct plain *const params = plain_get(value, "params");
	const bool profile = sim.setup.profile != NO_PROFILE && link == 0;
	if (profile && oracle_ask(link, id) == NULL)
		oracle_asked(link, id, NULL, 0);
	struct ask *const ask = oracle_ask(link, id);
	if (id <= lines[link].last_id)
		fail("calls", "the id %u does not rise", (unsigned)id);
	lines[link].last_id = id;
	if (ask == NULL || ask->written)
		fail("calls", "nobody has asked with the id %u, or it is asked twice", (unsigned)id);
	if (ask->answers > 0 && ask->drained)
		fail("calls", "%u is asked behind its end", (unsigned)id);
	ask->written = true;
	ask->serial = plain_int(plain_get(params, "n"), -1);
	ask->token = plain_get(plain_get(params, "_meta"), "progressToken") != NULL ? (long)id : -1;
}

static void cancelled(uint8_t link, const struct plain *params)
{
	const struct plain *const target = plain_get(params, sim.setup.dialect[link] == LSP ? "id" : "requestId");
	struct ask *const ask = oracle_ask(link, (uint32_t)plain_int(target, 0));
	if (ask == NULL)
		fail("calls", "a cancel of what was never asked");
	if (ask->cancel_seen)
		fail("calls", "%u is cancelled twice", (unsigned)ask->id);
	if (ask->answers > 0 && ask->drained)
		fail("calls", "%u is cancelled behind its answer", (unsigned)ask->id);
	ask->cancel_seen = true;
}

static void progressed(uint8_t link, const struct plain *params)
{
	const long token = plain_int(plain_get(params, "progressToken"), -1);
	if (sim.setup.profile != NO_PROFILE && link == 0)
		return;
	const long k = plain_int(plain_get(params, "k"), -1);
	const struct entry *const e = next(link);
	if (e == NULL || e->record == NULL || e->progress != k || e->record->token != token)
		fail("order", "progress %ld of token %ld is not the next message", k, token);
	struct record *const r = e->record;
	take(link);
	if (r->seen)
		fail("progress", "progress of %.*s behind its answer", (int)r->id_length, r->id);
	if (k <= r->progress)
		fail("progress", "progress of %.*s goes back from %ld to %ld", (int)r->id_length, r->id, r->progress, k);
	r->progress = k;
}

/* Whose progress it is: the youngest that gave that token. */
static struct record *with_token(uint8_t link, const struct plain *params)
{
	const long token = plain_int(plain_get(params, "progressToken"), -1);
	for (size_t i = sim.record_count; i-- > 0 && token >= 0;) {
		if (sim.records[i].link == link && sim.records[i].token == token)
			return &sim.records[i];
	}
	return NULL;
}

/* Progress that a bridge hands on has no entry. */
static bool is_handed_on(uint8_t link, const struct plain *params)
{
	const struct record *const r = with_token(link, params);
	return sim.setup.topology == BRIDGE && link == 0 && (r == NULL || (oracle_marks(r) & IS_FORWARDED) != 0);
}

static void handed_on(uint8_t link, const struct plain *params)
{
	const long k = plain_int(plain_get(params, "k"), -1);
	struct record *const r = with_token(link, params);
	if (r == NULL)
		fail("progress", "progress with a token that nobody gave");
	if (r->seen)
		fail("progress", "progress of %.*s behind its answer", (int)r->id_length, r->id);
	if (k <= r->progress)
		fail("progress", "progress of %.*s goes back from %ld to %ld", (int)r->id_length, r->id, r->progress, k);
	r->progress = k;
}

static void news(uint8_t link, const struct plain *params)
{
	const long serial = plain_int(plain_get(params, "n"), -1);
	const struct entry *const e = next(link);
	if (e == NULL || e->news != serial)
		fail("order", "notification %ld is not the next message", serial);
	take(link);
}

static void relayed(uint8_t link, const struct plain *params)
{
	const long n = plain_int(plain_get(params, "n"), -1);
	if (n <= lines[link].relayed)
		fail("order", "relayed notification %ld behind %ld", n, lines[link].relayed);
	lines[link].relayed = n;
}

static bool is_cancel(uint8_t link, const struct plain *method)
{
	const enum dialect d = sim.setup.dialect[link];
	return plain_is(method, d == MCP ? "notifications/cancelled" : d == LSP ? "$/cancelRequest" : "$/cancel_request");
}

static void notified(uint8_t link, const struct plain *method, const struct plain *params, const char *text, size_t length)
{
	if (is_cancel(link, method))
		cancelled(link, params);
	else if (plain_is(method, "notifications/progress") && is_handed_on(link, params))
		handed_on(link, params);
	else if (plain_is(method, "notifications/progress"))
		progressed(link, params);
	else if (plain_is(method, "news"))
		news(link, params);
	else if (plain_is(method, "relayed"))
		relayed(link, params);
	else if (sim.setup.profile == NO_PROFILE || link != 0)
		fail("calls", "nobody has told that: %.*s", (int)length, text);
}

/* Whether it answers the request, alone or in its batch, and not with the error that takes a broken answer's place. */
static bool is_broken_answer(const struct plain *value, const char *text, const struct record *r)
{
	static char wanted[ANSWER_ROOM];
	const size_t length = oracle_answer(wanted, sizeof wanted, r);
	for (const struct plain *m = value->kind == PLAIN_ARRAY ? value->child : value; m != NULL; m = m->next) {
		if (plain_get(m, "method") == NULL && has_id_of(m, r))
			return m->to - m->from != length || memcmp(text + m->from, wanted, length) != 0;
	}
	return false;
}

/* A message that is broken off has no end; or all of it but its new line, where only that was to come. */
static bool is_broken_off(uint8_t link, const struct plain *value, const char *text)
{
	if (lines[link].broken == 0)
		return false;
	return value == NULL || is_broken_answer(value, text, lines[link].broken_for);
}

static void message(uint8_t link, const char *text, size_t length)
{
	const struct plain *const value = plain_parse(text, length);
	const struct plain *const method = plain_get(value, "method");
	show("%u< %.*s\n", link, (int)length, text);
	if (is_broken_off(link, value, text)) {
		lines[link].broken--;
		return;
	}
	if (value == NULL)
		fail("json", "it is no JSON: %.*s", (int)length, text);
	if (value->from != 0 || value->to != length)
		fail("json", "white space around %.*s", (int)length, text);
	if (value->kind == PLAIN_ARRAY) {
		batch_answer(link, value, text);
		return;
	}
	if (!plain_is(plain_get(value, "jsonrpc"), "2.0"))
		fail("json", "no JSON-RPC 2.0: %.*s", (int)length, text);
	if (method == NULL)
		answer(link, value, text);
	else if (plain_get(value, "id") != NULL)
		asked(link, value);
	else
		notified(link, method, plain_get(value, "params"), text, length);
}

/* --- The stream */

static size_t header_length(const char *text, size_t length, size_t *body)
{
	static const char head[] = "Content-Length: ";
	size_t i = sizeof head - 1;
	*body = 0;
	for (size_t k = 0; k < length && k < sizeof head - 1; k++) {
		if (text[k] != head[k])
			fail("framing", "no header: %.*s", (int)length, text);
	}
	while (i < length && text[i] >= '0' && text[i] <= '9')
		*body = *body * 10 + (size_t)(text[i++] - '0');
	if (length < i + 4)
		return 0;
	if (memcmp(&text[i], "\r\n\r\n", 4) != 0 || i == sizeof head - 1)
		fail("framing", "a bad header: %.*s", (int)length, text);
	return i + 4;
}

/* The first whole message: where it begins and ends, and what it takes with its framing; 0: none. */
static size_t first_message(uint8_t link, size_t *from, size_t *to)
{
	const char *const text = lines[link].text;
	const size_t length = lines[link].length;
	if (sim.setup.dialect[link] == LSP) {
		size_t body;
		*from = header_length(text, length, &body);
		*to = *from + body;
		return *from > 0 && length >= *to ? *to : 0;
	}
	const char *const end = memchr(text, '\n', length);
	*from = 0;
	*to = end != NULL ? (size_t)(end - text) : 0;
	return end != NULL ? *to + 1 : 0;
}

/* The size of a slot, which the toolbox puts among its counters, differs from one processor to the other. */
static bool is_of_a_size(uint8_t link, uint8_t byte)
{
	static const char name[] = "slot_bytes";
	size_t *const place = &lines[link].place;
	if (*place < sizeof name - 1)
		*place = byte == (uint8_t)name[*place] ? *place + 1 : byte == (uint8_t)name[0];
	else if (byte == ',')
		*place = 0;
	return *place == sizeof name - 1 && byte >= '0' && byte <= '9';
}

void oracle_sent(uint8_t link, const uint8_t *bytes, size_t n)
{
	size_t from, to, taken;
	for (size_t i = 0; i < n; i++) {
		if (!is_of_a_size(link, bytes[i]))
			sim.digest = (sim.digest ^ bytes[i]) * 16777619u;
	}
	if (lines[link].length + n > MESSAGE)
		fail("simulator", "an answer is too long");
	memcpy(lines[link].text + lines[link].length, bytes, n);
	lines[link].length += n;
	while ((taken = first_message(link, &from, &to)) > 0) {
		message(link, lines[link].text + from, to - from);
		lines[link].length -= taken;
		memmove(lines[link].text, lines[link].text + taken, lines[link].length);
	}
}

void oracle_drained(uint8_t link)
{
	if (lines[link].count > 0 && oracle_is_linked(link))
		fail("answer", "a message was put into TX, and never left");
	lines[link].drained = sim.steps[link];
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].link == link && sim.asks[i].answers > 0)
			sim.asks[i].drained = true;
	}
}

/* TX was empty since the last step. */
bool oracle_was_drained(uint8_t link)
{
	return lines[link].drained == sim.steps[link];
}
