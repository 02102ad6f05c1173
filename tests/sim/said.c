/* SPDX-License-Identifier: MIT
 * What a peer has said: every message is looked at, byte by byte where the law demands bytes. */
#include "oracle.h"

#include <stdio.h>
#include <string.h>

static struct {
	char text[MESSAGE];
	size_t length;
	unsigned order;   /* of the last message that had one */
	uint32_t last_id; /* that was asked */
	long relayed;     /* the last one */
	long waiting[RECORDS]; /* notifications in TX, in order */
	unsigned orders[RECORDS];
	size_t first, count;
} lines[LINKS];

void said_begin(uint8_t link)
{
	lines[link].length = 0;
	lines[link].first = lines[link].count = 0;
}

void said_reset(uint8_t link)
{
	said_begin(link);
	lines[link].order = 0;
	lines[link].last_id = 0;
	lines[link].relayed = 0;
}

void oracle_notified(uint8_t link, long serial)
{
	if (lines[link].count >= RECORDS)
		return;
	lines[link].waiting[lines[link].count] = serial;
	lines[link].orders[lines[link].count++] = oracle_order(link);
}

static void in_order(uint8_t link, unsigned order)
{
	if (order == 0)
		return;
	if (order <= lines[link].order)
		fail("order", "a message overtakes another");
	lines[link].order = order;
}

/* --- Answers */

static size_t with_id(char *text, size_t size, const struct record *r, const char *rest)
{
	char id[ID_ROOM * 6 + 3];
	size_t n = 0;
	if (r->id_length == 0 && !r->number && r->method == NO_METHOD && r->batch >= 0)
		return (size_t)snprintf(text, size, "{\"jsonrpc\":\"2.0\",\"id\":null,%s}", rest);
	if (!r->number)
		id[n++] = '"';
	for (size_t i = 0; i < r->id_length; i++) {
		const unsigned char c = (unsigned char)r->id[i];
		if (c == '"' || c == '\\')
			id[n++] = '\\';
		if (c < 0x20)
			n += (size_t)sprintf(&id[n], c == '\n' ? "\\n" : c == '\t' ? "\\t" : c == '\r' ? "\\r" : c == '\b' ? "\\b" : c == '\f' ? "\\f" : "\\u%04x", c);
		else
			id[n++] = (char)c;
	}
	if (!r->number)
		id[n++] = '"';
	return (size_t)snprintf(text, size, "{\"jsonrpc\":\"2.0\",\"id\":%.*s,%s}", (int)n, id, rest);
}

static size_t failure(char *text, size_t size, const struct record *r, int32_t code)
{
	char rest[200];
	snprintf(rest, sizeof rest, "\"error\":{\"code\":%d,\"message\":\"%s\"}", (int)code, oracle_words(code));
	return with_id(text, size, r, rest);
}

static size_t result(char *text, size_t size, const struct record *r)
{
	static char rest[1200];
	memcpy(rest, "\"result\":", 9);
	oracle_result(rest + 9, sizeof rest - 9, r->result_serial, r->pad);
	return with_id(text, size, r, rest);
}

static size_t verdict(char *text, size_t size, const struct record *r)
{
	if (r->method < METHODS && (methods[r->method].marks & HAS_RESULT) != 0)
		return with_id(text, size, r, "\"result\":" CANCELLED_RESULT);
	return failure(text, size, r, oracle_verdict(r));
}

static bool equals(const char *text, size_t length, const char *other, size_t other_length)
{
	return length == other_length && memcmp(text, other, length) == 0;
}

/* Says whether a record may be answered so. */
static bool fits(const struct record *r, const char *text, size_t length)
{
	static char wanted[2000];
	static const char unnamed[] = "{\"jsonrpc\":\"2.0\",\"id\":null,\"error\":";
	const bool untouched = !r->started;
	if (r->opaque)
		return true;
	if (untouched && r->may_be_twin && r->batch >= 0 && length > sizeof unnamed && memcmp(text, unnamed, sizeof unnamed - 1) == 0)
		return true;
	if (untouched && r->may_be_busy && equals(text, length, wanted, failure(wanted, sizeof wanted, r, -32010)))
		return true;
	if (untouched && r->may_be_large && equals(text, length, wanted, failure(wanted, sizeof wanted, r, -32011)))
		return true;
	if ((r->expect == VERDICT || r->either) && equals(text, length, wanted, verdict(wanted, sizeof wanted, r)))
		return true;
	if (r->expect == RESULT && equals(text, length, wanted, result(wanted, sizeof wanted, r)))
		return true;
	if (r->expect == FAILURE && equals(text, length, wanted, failure(wanted, sizeof wanted, r, r->code)))
		return true;
	return r->internal && equals(text, length, wanted, failure(wanted, sizeof wanted, r, -32603));
}

size_t said_length(const struct record *r)
{
	static char wanted[2000];
	return r->expect == RESULT ? result(wanted, sizeof wanted, r) : failure(wanted, sizeof wanted, r, r->code);
}

static bool is_answer_to(const struct record *r, uint8_t link, const struct plain *id)
{
	if (r->link != link || r->notification || r->answers > 0)
		return false;
	if (id->kind == PLAIN_NULL)
		return r->batch >= 0 && (r->may_be_twin || (r->id_length == 0 && !r->number && r->method == NO_METHOD));
	return r->number == (id->kind == PLAIN_NUMBER) && r->id_length == id->length && memcmp(r->id, id->text, id->length) == 0;
}

static struct record *answered(uint8_t link, const struct plain *id, const char *text, size_t length, int batch)
{
	const struct record *refused = NULL;
	struct record *perhaps = NULL; /* one that need not be answered */
	for (size_t i = 0; i < sim.record_count; i++) {
		struct record *const r = &sim.records[i];
		if (!is_answer_to(r, link, id) || (batch != -2 && r->batch != batch))
			continue;
		if ((r->silent && !r->optional) || r->expect == NOTHING) {
			refused = r;
			continue;
		}
		if (!fits(r, text, length))
			refused = r;
		else if (!r->optional && !r->may_be_twin)
			return r;
		else
			perhaps = perhaps != NULL ? perhaps : r;
	}
	if (perhaps != NULL)
		return perhaps;
	if (refused != NULL)
		fail("law", "%.*s must not be answered so (expect %d, code %d, cause %d, silent %d, started %d, ended %d)", (int)length, text,
			refused->expect, (int)refused->code, refused->cause, refused->silent, refused->started, refused->ended);
	fail("answer", "nobody has asked for %.*s", (int)length, text);
}

static void answer(uint8_t link, const struct plain *value, const char *text, int batch)
{
	const struct plain *const id = plain_get(value, "id");
	const size_t length = value->to - value->from;
	const char *const from = text + value->from;
	oracle_count_said(link, plain_get(value, "error") == NULL);
	if ((id == NULL || id->kind == PLAIN_NULL) && batch < 0) {
		const int32_t code = (int32_t)plain_int(plain_get(plain_get(value, "error"), "code"), 0);
		struct refusals *const refusals = oracle_refusals(link, code);
		char wanted[200];
		const char *const null = sim.setup.dialect[link] == MCP ? "" : "\"id\":null,";
		const int n = snprintf(wanted, sizeof wanted, "{\"jsonrpc\":\"2.0\",%s\"error\":{\"code\":%d,\"message\":\"%s\"}}", null, (int)code, oracle_words(code));
		if (!equals(from, length, wanted, (size_t)n) || ++refusals->seen > refusals->sure + refusals->perhaps)
			fail("answer", "nothing is refused so: %.*s", (int)length, from);
		return;
	}
	if (id == NULL)
		fail("answer", "it has no id: %.*s", (int)length, from);
	struct record *const r = answered(link, id, from, length, batch);
	r->answers++;
	if (r->answered && !r->either)
		in_order(link, r->order);
}

/* --- Batches */

/* Each answer belongs to a member of its own. */
static bool take_member(uint8_t link, int number, const struct plain *answer, const char *text, bool twins, bool *taken)
{
	const struct plain *const id = plain_get(answer, "id");
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (id == NULL || taken[i] || r->batch != number || (r->may_be_twin && !twins) || !is_answer_to(r, link, id) ||
		    !fits(r, text + answer->from, answer->to - answer->from))
			continue;
		taken[i] = true;
		return true;
	}
	return false;
}

/* Says whether the array may answer that batch: it has all of its ids. */
static bool is_for_batch(uint8_t link, int number, const struct plain *array, const char *text, bool twins)
{
	static bool taken[RECORDS];
	unsigned answers = 0, members = 0;
	memset(taken, 0, sizeof taken);
	for (const struct plain *m = array->child; m != NULL; m = m->next) {
		answers++;
		if (!take_member(link, number, m, text, twins, taken))
			return false;
	}
	for (size_t i = 0; i < sim.record_count; i++)
		members += sim.records[i].batch == number && !sim.records[i].notification && !oracle_is_dead(&sim.records[i]);
	return answers == members;
}

static bool has_run(int number)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		if (sim.records[i].batch == number && sim.records[i].started)
			return true;
	}
	return false;
}

/* Ids may have been used again: the batch of which a member has run is it, else one without ids of others. */
static int batch_of(uint8_t link, const struct plain *array, const char *text)
{
	for (unsigned pass = 0; pass < 3; pass++) {
		for (size_t k = 0; k < sim.batch_count; k++) {
			if (sim.batches[k].link == link && !sim.batches[k].seen && (pass > 0 || has_run((int)k)) &&
			    is_for_batch(link, (int)k, array, text, pass != 1))
				return (int)k;
		}
	}
	return -1;
}

static void batch(uint8_t link, const struct plain *array, const char *text)
{
	const int number = batch_of(link, array, text);
	if (number < 0)
		fail("batch", "answers to no batch: %.*s", (int)(array->to - array->from), text);
	for (const struct plain *m = array->child; m != NULL; m = m->next)
		answer(link, m, text, number);
	sim.batches[number].seen = true;
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (r->batch == number && r->link == link && !r->notification && r->answers == 0 && !r->silent && !r->may_be_twin)
			fail("batch", "the answer of %.*s is missing in its batch", (int)r->id_length, r->id);
	}
}

/* --- What it asks and tells */

static void asked(uint8_t link, const struct plain *value)
{
	const uint32_t id = (uint32_t)plain_int(plain_get(value, "id"), 0);
	const struct plain *const params = plain_get(value, "params");
	const bool profile = sim.setup.profile != NO_PROFILE && link == 0;
	if (profile && oracle_ask(link, id) == NULL)
		oracle_asked(link, id, NULL);
	struct ask *const ask = oracle_ask(link, id);
	if (id <= lines[link].last_id)
		fail("calls", "the id %u does not rise", (unsigned)id);
	lines[link].last_id = id;
	if (ask == NULL || ask->written)
		fail("calls", "nobody has asked with the id %u, or it is asked twice", (unsigned)id);
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
	const struct plain *const count = plain_get(params, sim.setup.profile != NO_PROFILE && link == 0 ? "progress" : "k");
	const long token = plain_int(plain_get(params, "progressToken"), -1), k = plain_int(count, -1);
	for (size_t i = sim.record_count; i-- > 0;) {
		struct record *const r = &sim.records[i];
		if (r->link != link || r->token != token || token < 0)
			continue;
		if (r->answers > 0)
			fail("progress", "progress of %.*s behind its answer", (int)r->id_length, r->id);
		if (k <= r->progress)
			fail("progress", "progress of %.*s goes back from %ld to %ld", (int)r->id_length, r->id, r->progress, k);
		r->progress = k;
		return;
	}
	fail("progress", "progress with a token that nobody gave: %ld", token);
}

static void told(uint8_t link, const struct plain *params)
{
	const long serial = plain_int(plain_get(params, "n"), -1);
	size_t i = lines[link].first;
	while (i < lines[link].count && lines[link].waiting[i] != serial)
		i++;
	if (i != lines[link].first || i >= lines[link].count)
		fail("order", "notification %ld is not the next one", serial);
	in_order(link, lines[link].orders[i]);
	lines[link].first = i + 1;
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

static void message(uint8_t link, const char *text, size_t length)
{
	const struct plain *const value = plain_parse(text, length);
	const struct plain *const method = plain_get(value, "method");
	tell("%u< %.*s\n", link, (int)length, text);
	if (value == NULL)
		fail("json", "it is no JSON: %.*s", (int)length, text);
	if (value->from != 0 || value->to != length)
		fail("json", "white space around %.*s", (int)length, text);
	if (value->kind == PLAIN_ARRAY) {
		batch(link, value, text);
		return;
	}
	if (!plain_is(plain_get(value, "jsonrpc"), "2.0"))
		fail("json", "no JSON-RPC 2.0: %.*s", (int)length, text);
	const struct plain *const params = plain_get(value, "params");
	if (method == NULL)
		answer(link, value, text, -1);
	else if (plain_get(value, "id") != NULL)
		asked(link, value);
	else if (is_cancel(link, method))
		cancelled(link, params);
	else if (plain_is(method, "notifications/progress"))
		progressed(link, params);
	else if (plain_is(method, "news"))
		told(link, params);
	else if (plain_is(method, "relayed"))
		relayed(link, params);
	else if (sim.setup.profile == NO_PROFILE || link != 0)
		fail("calls", "nobody has told that: %.*s", (int)length, text);
}

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

void oracle_said(uint8_t link, const uint8_t *bytes, size_t n)
{
	size_t from, to, taken;
	for (size_t i = 0; i < n; i++)
		sim.digest = (sim.digest ^ bytes[i]) * 16777619u;
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
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].link == link && sim.asks[i].answers > 0)
			sim.asks[i].drained = true;
	}
}
