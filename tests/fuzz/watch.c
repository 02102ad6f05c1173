/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "watch.h"

#include "plain.h"

#include <stdio.h>
#include <string.h>

void watch_begin(struct watch *w, bool headers)
{
	w->headers = headers;
	w->by_line = true;
	w->any_token = w->skipping = w->unsure = w->related = false;
	w->messages = w->answers = w->unnamed = w->given_up = 0;
	w->id_count = w->token_count = w->call_count = 0;
	w->last_call = 0;
	w->digest = 2166136261u;
	w->last_code = 0;
	w->received_length = w->sent_length = 0;
}

/* --- Ids and tokens, by a number that stands for kind and text */

static uint64_t name_of(const struct plain *value)
{
	const bool zero = value->kind == PLAIN_NUMBER && strcmp(value->text, "-0") == 0;
	uint64_t name = 14695981039346656037u ^ (uint64_t)value->kind;
	for (size_t i = zero; i < value->length; i++)
		name = (name ^ (uint8_t)value->text[i]) * 1099511628211u;
	return name;
}

static bool is_name(const struct plain *value)
{
	return value != NULL && (value->kind == PLAIN_STRING || value->kind == PLAIN_NUMBER);
}

static size_t find_id(const struct watch *w, uint64_t id)
{
	size_t i = 0;
	while (i < w->id_count && w->ids[i].id != id)
		i++;
	return i;
}

static void note_id(struct watch *w, uint64_t id)
{
	const size_t i = find_id(w, id);
	if (i == WATCH_IDS) {
		w->unsure = true;
		return;
	}
	if (i == w->id_count) {
		w->ids[i].id = id;
		w->ids[i].asked = w->ids[i].answered = 0;
		w->id_count++;
	}
	w->ids[i].asked++;
}

static void note_token(struct watch *w, const struct plain *token, uint64_t id)
{
	if (!is_name(token))
		return;
	if (w->token_count == WATCH_TOKENS) {
		w->any_token = true;
		return;
	}
	w->tokens[w->token_count].token = name_of(token);
	w->tokens[w->token_count++].id = id;
}

/* --- What is received */

static void received_object(struct watch *w, const struct plain *object)
{
	const struct plain *const params = plain_get(object, "params");
	w->messages++;
	for (const struct plain *m = object->child; object->kind == PLAIN_OBJECT && m != NULL; m = m->next) {
		if (m->key_length != 2 || memcmp(m->key, "id", 2) != 0 || !is_name(m))
			continue;
		note_id(w, name_of(m));
		note_token(w, plain_get(plain_get(params, "_meta"), "progressToken"), name_of(m));
		note_token(w, plain_get(params, "workDoneToken"), name_of(m));
		note_token(w, plain_get(params, "partialResultToken"), name_of(m));
	}
}

/* JSON that this side's own parser has no room for is an unknown message. */
static bool is_beyond_parser(const char *text, size_t length)
{
	unsigned containers = 0;
	for (size_t i = 0; i < length; i++)
		containers += text[i] == '[' || text[i] == '{';
	return length > 2900 || containers > 60;
}

static void received_message(struct watch *w, const char *text, size_t length)
{
	const struct plain *const value = plain_parse(text, length);
	show("> %.*s\n", (int)length, text);
	w->related = w->related || memmem(text, length, "quash/related", sizeof "quash/related" - 1) != NULL;
	w->messages++;
	if (value == NULL) {
		w->unsure = w->unsure || is_beyond_parser(text, length);
		return;
	}
	if (value->kind != PLAIN_ARRAY) {
		received_object(w, value);
		return;
	}
	for (const struct plain *m = value->child; m != NULL; m = m->next)
		received_object(w, m);
}

/* The length of the header in front and of the body after it; 0 while it is not whole. */
static size_t header_length(const char *text, size_t length, size_t *body)
{
	static const char head[] = "Content-Length: ";
	size_t i = sizeof head - 1;
	*body = 0;
	if (memcmp(text, head, length < sizeof head - 1 ? length : sizeof head - 1) != 0)
		broken("framing", "no header: %.*s", (int)length, text);
	while (i < length && text[i] >= '0' && text[i] <= '9')
		*body = *body * 10 + (size_t)(text[i++] - '0');
	if (length < i + 4)
		return 0;
	if (memcmp(&text[i], "\r\n\r\n", 4) != 0)
		broken("framing", "a bad header: %.*s", (int)length, text);
	return i + 4;
}

/* Where the first whole message begins and how long it is; how many bytes it takes with its framing, 0 for none. */
static size_t first_message(const char *text, size_t length, bool headers, size_t *from, size_t *n)
{
	if (headers) {
		*from = header_length(text, length, n);
		return *from > 0 && length >= *from + *n ? *from + *n : 0;
	}
	const char *const end = memchr(text, '\n', length);
	*from = 0;
	*n = end != NULL ? (size_t)(end - text) : 0;
	return end != NULL ? *n + 1 : 0;
}

static void keep_received(struct watch *w, const uint8_t *bytes, size_t n)
{
	if (w->received_length + n > WATCH_TEXT) {
		w->unsure = true;
		n = WATCH_TEXT - w->received_length;
	}
	memcpy(&w->received[w->received_length], bytes, n);
	w->received_length += n;
}

void watch_received(struct watch *w, const uint8_t *bytes, size_t n)
{
	size_t from, length, taken, at = 0;
	if (!w->by_line)
		return;
	keep_received(w, bytes, n);
	while ((taken = first_message(&w->received[at], w->received_length - at, w->headers, &from, &length)) > 0) {
		if (!w->skipping)
			received_message(w, &w->received[at + from], length);
		w->skipping = false;
		at += taken;
	}
	w->received_length -= at;
	memmove(w->received, &w->received[at], w->received_length);
}

void watch_lost(struct watch *w)
{
	w->received_length = 0;
	w->skipping = !w->headers;
}

void watch_ended(struct watch *w)
{
	if (w->by_line && !w->headers && !w->skipping && w->received_length > 0)
		received_message(w, w->received, w->received_length);
	w->received_length = 0;
	w->call_count = 0;
}

void watch_gone(struct watch *w)
{
	w->received_length = w->sent_length = 0;
	w->skipping = false;
	w->call_count = 0;
	for (size_t i = 0; i < w->id_count; i++)
		w->ids[i].answered = w->ids[i].asked;
}

/* --- What is put out */

static void sent_answer(struct watch *w, const struct plain *answer, const char *text, size_t length)
{
	const struct plain *const id = plain_get(answer, "id"), *const error = plain_get(answer, "error");
	const struct plain *const code = plain_get(error, "code");
	if ((plain_get(answer, "result") == NULL) == (error == NULL))
		broken("answer", "neither result nor error, or both: %.*s", (int)length, text);
	if (error != NULL && (code == NULL || code->kind != PLAIN_NUMBER || plain_get(error, "message") == NULL))
		broken("answer", "an error without code or message: %.*s", (int)length, text);
	w->last_code = error == NULL ? 0 : (int32_t)plain_int(code, -1);
	w->answers++;
	if (!is_name(id)) {
		if (error == NULL)
			broken("answer", "a result without an id: %.*s", (int)length, text);
		if (++w->unnamed > w->messages && w->by_line && !w->unsure)
			broken("answer", "more refusals than messages: %.*s", (int)length, text);
		return;
	}
	const size_t i = find_id(w, name_of(id));
	if (i == w->id_count) {
		if (w->by_line && !w->unsure)
			broken("answer", "nobody has asked that: %.*s", (int)length, text);
		return;
	}
	if (++w->ids[i].answered > w->ids[i].asked && w->by_line && !w->unsure)
		broken("answer", "answered twice: %.*s", (int)length, text);
}

static void sent_call(struct watch *w, const struct plain *call, const char *text, size_t length)
{
	const uint32_t id = (uint32_t)plain_int(plain_get(call, "id"), 0);
	const struct plain *const method = plain_get(call, "method");
	if (id <= w->last_call)
		broken("call", "its id does not rise: %.*s", (int)length, text);
	w->last_call = id;
	if (w->call_count == WATCH_CALLS)
		return;
	w->calls[w->call_count].id = id;
	snprintf(w->calls[w->call_count++].method, sizeof w->calls[0].method, "%s", method->text);
}

static void sent_progress(struct watch *w, const struct plain *params, const char *text, size_t length)
{
	const struct plain *const own = plain_get(params, "token");
	const struct plain *const token = own != NULL ? own : plain_get(params, "progressToken");
	bool known = false, open = false;
	if (!is_name(token))
		broken("progress", "it has no token: %.*s", (int)length, text);
	for (size_t i = 0; i < w->token_count; i++) {
		const size_t id = find_id(w, w->tokens[i].id);
		if (w->tokens[i].token != name_of(token))
			continue;
		known = true;
		open = open || id == w->id_count || w->ids[id].answered < w->ids[id].asked;
	}
	if (known ? !open : !w->any_token && w->by_line && !w->unsure)
		broken("progress", "%s: %.*s", known ? "behind the answer" : "a token that nobody gave",
			(int)length, text);
}

/* A message names the request that has caused it, to whom asks for that. */
static void sent_name(const struct watch *w, const struct plain *name, const char *text, size_t length)
{
	const size_t i = is_name(name) ? find_id(w, name_of(name)) : w->id_count;
	if (!w->by_line || w->unsure || name == NULL)
		return;
	if (!w->related)
		broken("related", "nobody wants to know: %.*s", (int)length, text);
	if (i == w->id_count || w->ids[i].answered == w->ids[i].asked)
		broken("related", "no such request is open: %.*s", (int)length, text);
}

static void sent_object(struct watch *w, const struct plain *object, const char *text, size_t length)
{
	const struct plain *const method = plain_get(object, "method");
	if (!plain_is(plain_get(object, "jsonrpc"), "2.0"))
		broken("json", "no JSON-RPC 2.0: %.*s", (int)length, text);
	if (method != NULL)
		sent_name(w, plain_get(plain_get(plain_get(object, "params"), "_meta"), "quash/request"), text, length);
	if (method == NULL)
		sent_answer(w, object, text, length);
	else if (method->kind != PLAIN_STRING)
		broken("json", "a method that is no name: %.*s", (int)length, text);
	else if (plain_get(object, "id") != NULL)
		sent_call(w, object, text, length);
	else if (plain_is(method, "notifications/progress") || plain_is(method, "$/progress"))
		sent_progress(w, plain_get(object, "params"), text, length);
}

static void sent_message(struct watch *w, const char *text, size_t length)
{
	const struct plain *const value = plain_parse(text, length);
	show("< %.*s\n", (int)length, text);
	if (value == NULL && length > 15000)
		return;
	if (value == NULL) {
		w->given_up++;
		return;
	}
	if (value->from != 0 || value->to != length)
		broken("json", "white space around %.*s", (int)length, text);
	if (value->kind == PLAIN_ARRAY && value->child == NULL)
		broken("json", "an empty batch");
	if (value->kind != PLAIN_ARRAY)
		sent_object(w, value, text, length);
	for (const struct plain *m = value->child; value->kind == PLAIN_ARRAY && m != NULL; m = m->next)
		sent_object(w, m, text, length);
}

void watch_sent(struct watch *w, const uint8_t *bytes, size_t n)
{
	size_t from, length, taken, at = 0;
	for (size_t i = 0; i < n; i++)
		w->digest = (w->digest ^ bytes[i]) * 16777619u;
	if (w->sent_length + n > WATCH_TEXT)
		broken("json", "a message without end");
	memcpy(&w->sent[w->sent_length], bytes, n);
	w->sent_length += n;
	while ((taken = first_message(&w->sent[at], w->sent_length - at, w->headers, &from, &length)) > 0) {
		sent_message(w, &w->sent[at + from], length);
		at += taken;
	}
	w->sent_length -= at;
	memmove(w->sent, &w->sent[at], w->sent_length);
}

void watch_rest(const struct watch *w)
{
	if (w->sent_length > 0)
		broken("rest", "half a message: %.*s", (int)w->sent_length, w->sent);
}
