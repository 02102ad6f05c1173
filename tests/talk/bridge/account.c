/* SPDX-License-Identifier: MIT
 * What holds whatever a scene expects: nothing is answered twice, or unasked; and when memory was refused, each request is answered in the
 * end, unless its client has cancelled it or its line is closed. */
#include "scene.h"

#include "plain.h"

#include <stdlib.h>
#include <string.h>

enum { TOO_LONG = 1 << 20 }; /* to be read here */

/* As it stands in the message, with its quotes. */
static void read_id(const struct plain *id, const char *message, struct text *to)
{
	text_clear(to);
	if (id != NULL && id->kind != PLAIN_NULL)
		text_add(to, message + id->from, id->to - id->from);
}

static struct asked *find(const struct account *a, const struct text *id)
{
	for (size_t i = a->count; i-- > 0;) {
		if (text_equals(&a->asked[i].id, id->data) && !a->asked[i].answered)
			return &a->asked[i];
	}
	return NULL;
}

static void add(struct account *a, const struct text *id)
{
	struct asked asked = { 0 };
	text_append(&asked.id, id->data);
	a->asked = grow(a->asked, (a->count + 1) * sizeof *a->asked);
	a->asked[a->count++] = asked;
}

/* A session that begins anew ends what was live, and so does the end of a line. */
void account_begin(struct account *a)
{
	for (size_t i = 0; i < a->count; i++)
		a->asked[i].excused = true;
}

/* In MCP what is cancelled gets no answer. */
static void excuse(struct account *a, const struct plain *params, const char *message)
{
	struct text id = { 0 };
	read_id(plain_get(params, "requestId"), message, &id);
	struct asked *const asked = id.length > 0 ? find(a, &id) : NULL;
	if (asked != NULL)
		asked->excused = true;
	text_free(&id);
}

void account_said(struct account *a, const char *message, size_t length)
{
	const struct plain *const root = plain_parse(message, length), *const method = plain_get(root, "method");
	struct text id = { 0 };
	a->blind = a->blind || length >= TOO_LONG;
	read_id(plain_get(root, "id"), message, &id);
	if (plain_is(method, "initialize"))
		account_begin(a);
	if (plain_is(method, "notifications/cancelled"))
		excuse(a, plain_get(root, "params"), message);
	if (method != NULL && id.length > 0)
		add(a, &id);
	text_free(&id);
}

/* False: nobody waits for it. */
static bool is_owed(struct account *a, const struct text *id)
{
	struct asked *const asked = find(a, id);
	if (asked != NULL)
		asked->answered = true;
	return asked != NULL || a->blind;
}

bool account_heard(struct account *a, const char *message, size_t length)
{
	const struct plain *const root = plain_parse(message, length);
	struct text id = { 0 };
	read_id(plain_get(root, "id"), message, &id);
	const bool answers = plain_get(root, "method") == NULL && id.length > 0;
	const bool owed = !answers || is_owed(a, &id);
	text_free(&id);
	return owed;
}

const char *account_open(const struct account *a)
{
	for (size_t i = 0; i < a->count; i++) {
		if (!a->asked[i].answered && !a->asked[i].excused)
			return a->asked[i].id.data;
	}
	return NULL;
}

void account_free(struct account *a)
{
	for (size_t i = 0; i < a->count; i++)
		text_free(&a->asked[i].id);
	free(a->asked);
}
