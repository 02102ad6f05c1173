/* SPDX-License-Identifier: MIT
 * What a peer has said: messages in the stream, what it asks and tells. */
#include "oracle.h"
#include "said.h"

#include <stdio.h>
#include <string.h>

static struct {
	char text[MESSAGE];
	size_t length;
	unsigned order;        /* of the last message that had one */
	uint32_t last_id;      /* that was asked */
	long relayed;          /* the last one */
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

void said_in_order(uint8_t link, unsigned order)
{
	if (order == 0)
		return;
	if (order <= lines[link].order)
		fail("order", "a message overtakes another");
	lines[link].order = order;
}

/* --- What it asks and tells */

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
	ask->written = true;
	ask->serial = plain_int(plain_get(params, "n"), -1);
	ask->token = plain_get(plain_get(params, "_meta"), "progressToken") != NULL ? (long)id : -1;
}

static void cancelled(uint8_t link, const struct plain *params)
{
	const struct plain *const target = plain_get(
		params, sim.setup.dialect[link] == LSP ? "id" : "requestId");
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
	const struct plain *const count = plain_get(
		params, sim.setup.profile != NO_PROFILE && link == 0 ? "progress" : "k");
	const long token = plain_int(plain_get(params, "progressToken"), -1), k = plain_int(count, -1);
	for (size_t i = sim.record_count; i-- > 0;) {
		struct record *const r = &sim.records[i];
		if (r->link != link || r->token != token || token < 0)
			continue;
		if (r->answers > 0)
			fail("progress", "progress of %.*s behind its answer", (int)r->id_length, r->id);
		if (k <= r->progress)
			fail("progress", "progress of %.*s goes back from %ld to %ld", (int)r->id_length,
				r->id, r->progress, k);
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
	said_in_order(link, lines[link].orders[i]);
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
	return plain_is(method,
		d == MCP           ? "notifications/cancelled"
			: d == LSP ? "$/cancelRequest"
				   : "$/cancel_request");
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
		said_batch(link, value, text);
		return;
	}
	if (!plain_is(plain_get(value, "jsonrpc"), "2.0"))
		fail("json", "no JSON-RPC 2.0: %.*s", (int)length, text);
	const struct plain *const params = plain_get(value, "params");
	if (method == NULL)
		said_answer(link, value, text);
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
