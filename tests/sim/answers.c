/* SPDX-License-Identifier: MIT
 * The answers that a peer gives, alone and in batches: byte by byte what the law demands. */
#include "oracle.h"
#include "said.h"

#include <stdio.h>
#include <string.h>

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
			n += (size_t)sprintf(&id[n],
				c == '\n'           ? "\\n"
					: c == '\t' ? "\\t"
					: c == '\r' ? "\\r"
					: c == '\b' ? "\\b"
					: c == '\f' ? "\\f"
						    : "\\u%04x",
				c);
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
	snprintf(rest, sizeof rest, "\"error\":{\"code\":%d,\"message\":\"%s\"}", (int)code,
		oracle_words(code));
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
	if (untouched && r->may_be_twin && r->batch >= 0 && length > sizeof unnamed &&
		memcmp(text, unnamed, sizeof unnamed - 1) == 0)
		return true;
	if (untouched && r->may_be_busy &&
		equals(text, length, wanted, failure(wanted, sizeof wanted, r, -32010)))
		return true;
	if (untouched && r->may_be_large &&
		equals(text, length, wanted, failure(wanted, sizeof wanted, r, -32011)))
		return true;
	if ((r->expect == VERDICT || r->either) &&
		equals(text, length, wanted, verdict(wanted, sizeof wanted, r)))
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
	return r->expect == RESULT ? result(wanted, sizeof wanted, r)
				   : failure(wanted, sizeof wanted, r, r->code);
}

static bool is_answer_to(const struct record *r, uint8_t link, const struct plain *id)
{
	if (r->link != link || r->notification || r->answers > 0)
		return false;
	if (id->kind == PLAIN_NULL)
		return r->batch >= 0 &&
			(r->may_be_twin || (r->id_length == 0 && !r->number && r->method == NO_METHOD));
	return r->number == (id->kind == PLAIN_NUMBER) && r->id_length == id->length &&
		memcmp(r->id, id->text, id->length) == 0;
}

static bool is_refusal(const struct plain *value)
{
	const long code = plain_int(plain_get(plain_get(value, "error"), "code"), 0);
	return code == -32010 || code == -32011;
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
		fail("law", "%.*s must not be answered so (expect %d, code %d, cause %d, silent %d, started %d, ended %d)",
			(int)length, text, refused->expect, (int)refused->code, refused->cause,
			refused->silent, refused->started, refused->ended);
	fail("answer", "nobody has asked for %.*s", (int)length, text);
}

static void look_at_answer(uint8_t link, const struct plain *value, const char *text, int batch)
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
		const int n = snprintf(wanted, sizeof wanted,
			"{\"jsonrpc\":\"2.0\",%s\"error\":{\"code\":%d,\"message\":\"%s\"}}", null, (int)code,
			oracle_words(code));
		if (!equals(from, length, wanted, (size_t)n) ||
			++refusals->seen > refusals->sure + refusals->perhaps)
			fail("answer", "nothing is refused so: %.*s", (int)length, from);
		return;
	}
	if (id == NULL)
		fail("answer", "it has no id: %.*s", (int)length, from);
	struct record *const r = answered(link, id, from, length, batch);
	r->answers++;
	r->refused = !r->started && is_refusal(value);
	if (r->answered && !r->either)
		said_in_order(link, r->order);
}

/* --- Batches */

/* Each answer belongs to a member of its own. */
static bool take_member(
	uint8_t link, int number, const struct plain *answer, const char *text, bool twins, bool *taken)
{
	const struct plain *const id = plain_get(answer, "id");
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (id == NULL || taken[i] || r->batch != number || (r->may_be_twin && !twins) ||
			!is_answer_to(r, link, id) || !fits(r, text + answer->from, answer->to - answer->from))
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
		members += sim.records[i].batch == number && !sim.records[i].notification &&
			!oracle_is_dead(&sim.records[i]);
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
			if (sim.batches[k].link == link && !sim.batches[k].seen &&
				(pass > 0 || has_run((int)k)) &&
				is_for_batch(link, (int)k, array, text, pass != 1))
				return (int)k;
		}
	}
	return -1;
}

void said_batch(uint8_t link, const struct plain *array, const char *text)
{
	const int number = batch_of(link, array, text);
	if (number < 0)
		fail("batch", "answers to no batch: %.*s", (int)(array->to - array->from), text);
	for (const struct plain *m = array->child; m != NULL; m = m->next)
		look_at_answer(link, m, text, number);
	sim.batches[number].seen = true;
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (r->batch == number && r->link == link && !r->notification && r->answers == 0 &&
			!r->silent && !r->may_be_twin)
			fail("batch", "the answer of %.*s is missing in its batch", (int)r->id_length, r->id);
	}
}

void said_answer(uint8_t link, const struct plain *value, const char *text)
{
	look_at_answer(link, value, text, -1);
}
