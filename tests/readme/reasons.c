/* SPDX-License-Identifier: MIT
 * Brings about each reason, for docs/codes.md: a line with its constant, the code of the answer (`-` without one) and the
 * counters that grew. */
#include "quash.h"

#include <stdio.h>
#include <string.h>

#define COUNT_OF(a) (sizeof(a) / sizeof(a)[0])
#define ASK(id, method) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"" method "\"}"

static quash_peer peer;
static quash_group group, other_group;
static quash_config config;
static quash_why wanted;
static bool found;
static char written[4096];
static size_t length;

QUASH_STORAGE(store, 2, 24, 16, 64, 100);
QUASH_STORAGE(small, 2, 24, 0, 64, 100);

/* --- What a program does wrong, and right */

static int32_t mute(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static int32_t null(quash_request *request)
{
	return quash_reply_null(request);
}

static void put_two(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_int(w, 1);
	quash_put_int(w, 2);
}

static int32_t unbalanced(quash_request *request)
{
	return quash_reply(request, put_two);
}

static void put_deep(quash_writer *w, const quash_request *request)
{
	(void)request;
	for (unsigned i = 0; i <= QUASH_DEPTH; i++)
		quash_put_array(w);
}

static int32_t deep(quash_request *request)
{
	return quash_reply(request, put_deep);
}

/* Longer than TX, so it runs again. */
static void put_changing(quash_writer *w, const quash_request *request)
{
	static uint32_t runs;
	(void)request;
	quash_put_array(w);
	quash_put_uint(w, runs++);
	for (unsigned i = 0; i < 20; i++)
		quash_put_text(w, "0123456789");
}

static int32_t changing(quash_request *request)
{
	return quash_reply(request, put_changing);
}

static int32_t twice(quash_request *request)
{
	(void)quash_reply_null(request);
	return quash_reply_null(request);
}

/* It asks for a state that has no room, and does not touch it. */
static int32_t stateful(quash_request *request)
{
	(void)QUASH_STATE(uint64_t, request);
	return QUASH_DONE;
}

static int32_t telling(quash_request *request)
{
	return quash_reply_textf(request, "%d", 1);
}

static int32_t odd(quash_request *request)
{
	(void)request;
	return 7;
}

static int32_t fails(quash_request *request)
{
	(void)request;
	return -5;
}

static int32_t pends(quash_request *request)
{
	(void)request;
	return QUASH_PENDING;
}

static int32_t holds_two(quash_request *request)
{
	(void)quash_hold(request, &group);
	(void)quash_hold(request, &other_group);
	return quash_reply_null(request);
}

static int32_t asks(quash_request *request)
{
	static quash_call call;
	call = (quash_call){ .method = "ping" };
	(void)quash_call_start_for(request, quash_peer_of(request), &call);
	return quash_reply_null(request);
}

static int32_t no_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static const quash_method methods[] = {
	{ .name = "unbalanced", .handler = unbalanced }, { .name = "deep", .handler = deep }, { .name = "changing", .handler = changing },
	{ .name = "twice", .handler = twice }, { .name = "mute", .handler = mute }, { .name = "odd", .handler = odd },
	{ .name = "fails", .handler = fails }, { .name = "pends", .handler = pends }, { .name = "asks", .handler = asks },
	{ .name = "alone", .handler = pends, .motion = { .end = no_end, .longest = QUASH_NO_LIMIT, .group = &group }, .marks = QUASH_FINISHES }, { .name = "holds", .handler = holds_two },
	{ .name = "stateful", .handler = stateful }, { .name = "null", .handler = null }, { .name = "telling", .handler = telling },
	{ .name = "yields", .handler = pends, .motion = { .end = no_end, .longest = QUASH_NO_LIMIT } },
};

/* --- What befalls it */

static quash_request *first_live(void)
{
	quash_live live = { 0 };
	return quash_next_live(&peer, &live) ? (quash_request *)(uintptr_t)live.request : NULL;
}

static void cancel_here(void)
{
	quash_cancel(first_live());
}

static void lose_link(void)
{
	quash_gone(&peer);
}

static void begin_session(void)
{
	quash_new_session(&peer);
}

static void notify(unsigned n)
{
	quash_writer *const w = quash_notify(&peer, "n");
	quash_put_string_open(w);
	while (n-- > 0)
		quash_put_string_part(w, "x", 1);
	quash_put_string_close(w);
	(void)quash_notify_send(&peer);
}

static void notify_much(void)
{
	notify(200);
}

static void notify_often(void)
{
	notify(30);
	notify(30);
}

/* An answer waits behind a notification that fills TX. */
static void notify_behind_answer(void)
{
	static const char request[] = ASK(1, "null") "\n";
	notify(55);
	(void)quash_feed(&peer, (const uint8_t *)request, sizeof request - 1);
	(void)quash_step(&peer);
	notify(1);
}

/* --- Reasons */

#define ASK_WITH(id, method, params) "{\"jsonrpc\":\"2.0\",\"id\":" #id ",\"method\":\"" method "\",\"params\":" params "}"
#define TEN "0123456789"
#define BRACKETS "[[[[[[[[[[["

static const struct scene {
	const char *name;
	quash_why why;
	const char *before, *input; /* lines; or NULL. What is before counts nothing */
	void (*act)(void);
	bool lacks_room;
} scenes[] = {
#define WHY(name) #name, name
	{ WHY(QUASH_WHY_NO_JSON), NULL, "{", NULL, false },
	{ WHY(QUASH_WHY_ENVELOPE), NULL, "{\"id\":1}", NULL, false },
	{ WHY(QUASH_WHY_ID), NULL, "{\"jsonrpc\":\"2.0\",\"id\":1.5,\"method\":\"pends\"}", NULL, false },
	{ WHY(QUASH_WHY_DUPLICATE_ID), ASK(1, "pends"), ASK(1, "pends"), NULL, false },
	{ WHY(QUASH_WHY_METHOD), NULL, ASK(1, "nobody"), NULL, false },
	{ WHY(QUASH_WHY_DEEP), NULL, ASK_WITH(1, "pends", BRACKETS BRACKETS BRACKETS "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"), NULL, false },
	{ WHY(QUASH_WHY_ARENA_SIZE), NULL, ASK_WITH(1, "pends", "[\"" TEN TEN TEN TEN TEN TEN TEN "\"]"), NULL, false },
	{ WHY(QUASH_WHY_ARENA_FULL), ASK_WITH(1, "pends", "[\"" TEN TEN TEN "\"]"), ASK_WITH(2, "pends", "[\"" TEN TEN TEN "\"]"), NULL, false },
	{ WHY(QUASH_WHY_SLOTS_FULL), ASK(1, "pends") "\n" ASK(2, "pends"), ASK(3, "pends"), NULL, false },
	{ WHY(QUASH_WHY_BATCH), "[" ASK(1, "pends") "]", "[" ASK(2, "pends") "]", NULL, false },
	{ WHY(QUASH_WHY_GROUP), ASK(1, "alone"), ASK(2, "alone"), NULL, false },
	{ WHY(QUASH_WHY_CANCELLED), ASK(1, "yields"), "{\"jsonrpc\":\"2.0\",\"method\":\"$/cancelRequest\",\"params\":{\"id\":1}}", NULL, false },
	{ WHY(QUASH_WHY_OWN_CANCEL), ASK(1, "yields"), NULL, cancel_here, false },
	{ WHY(QUASH_WHY_LINK), ASK(1, "pends"), NULL, lose_link, false },
	{ WHY(QUASH_WHY_SESSION), ASK(1, "pends"), NULL, begin_session, false },
	{ WHY(QUASH_WHY_NO_ANSWER), NULL, ASK(1, "mute"), NULL, false },
	{ WHY(QUASH_WHY_BAD_CODE), NULL, ASK(1, "odd"), NULL, false },
	{ WHY(QUASH_WHY_SECOND_ANSWER), NULL, ASK(1, "twice"), NULL, false },
	{ WHY(QUASH_WHY_UNBALANCED), NULL, ASK(1, "unbalanced"), NULL, false },
	{ WHY(QUASH_WHY_PUT_DEEP), NULL, ASK(1, "deep"), NULL, false },
	{ WHY(QUASH_WHY_CHANGED), NULL, ASK(1, "changing"), NULL, false },
	{ WHY(QUASH_WHY_STATE_SIZE), NULL, ASK(1, "stateful"), NULL, true },
	{ WHY(QUASH_WHY_TX_FULL), NULL, NULL, notify_often, false },
	{ WHY(QUASH_WHY_TX_SIZE), NULL, NULL, notify_much, false },
	{ WHY(QUASH_WHY_ANSWER_WAITS), NULL, NULL, notify_behind_answer, false },
	{ WHY(QUASH_WHY_HANDLER), NULL, ASK(1, "fails"), NULL, false },
	{ WHY(QUASH_WHY_SECOND_GROUP), NULL, ASK(1, "holds"), NULL, false },
	{ WHY(QUASH_WHY_NO_CALLS), NULL, ASK(1, "asks"), NULL, false },
	{ WHY(QUASH_WHY_CONFIG), NULL, ASK(1, "pends"), NULL, false },
	{ WHY(QUASH_WHY_TEXT_SIZE), NULL, ASK(1, "telling"), NULL, false },
};

/* Each but QUASH_WHY_NONE. */
typedef char every_reason[COUNT_OF(scenes) == QUASH_WHYS - 1 ? 1 : -1];

static void note(quash_peer *p, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	(void)p;
	(void)event;
	(void)request;
	(void)detail;
	found = found || why == wanted;
}

/* A refused config has a state that is not aligned. */
static void begin(const struct scene *s)
{
	static const quash_config whole = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };
	static const quash_config narrow = { QUASH_CONFIG(small, &quash_jsonrpc, methods) };
	memset(&group, 0, sizeof group);
	memset(&other_group, 0, sizeof other_group);
	config = s->lacks_room ? narrow : whole;
	config.trace = note;
	if (s->why == QUASH_WHY_CONFIG)
		config.state_size--;
	if (s->lacks_room)
		quash_start_with_(&peer, &config);
	else
		(void)quash_init(&peer, &config, NULL);
	wanted = s->why;
	found = false;
	length = 0;
}

static void empty(void)
{
	size_t n;
	const uint8_t *bytes;
	while ((bytes = quash_out(&peer, &n)) != NULL && n > 0) {
		const size_t taken = n < sizeof written - 1 - length ? n : sizeof written - 1 - length;
		memcpy(written + length, bytes, taken);
		length += taken;
		quash_sent(&peer, n);
	}
	written[length] = '\0';
}

static void play(const char *lines)
{
	size_t at = 0;
	for (unsigned i = 0; lines != NULL && i < 8; i++) {
		at += quash_feed(&peer, (const uint8_t *)lines + at, strlen(lines) - at);
		if (at == strlen(lines) && i < 4) {
			(void)quash_feed(&peer, (const uint8_t *)"\n", 1);
			i = 4;
		}
		(void)quash_step(&peer);
		empty();
	}
}

/* --- What it prints */

static const struct {
	const char *name;
	size_t at;
} counters[] = {
#define COUNTER(name) { #name, offsetof(quash_counters, name) }
	COUNTER(parse_errors), COUNTER(invalid), COUNTER(duplicate_ids), COUNTER(unknown_methods), COUNTER(too_large), COUNTER(busy),
	COUNTER(held), COUNTER(dropped), COUNTER(changed), COUNTER(misuses), COUNTER(silenced), COUNTER(discarded),
};

static quash_count value_at(const quash_counters *c, size_t at)
{
	quash_count value;
	memcpy(&value, (const uint8_t *)c + at, sizeof value);
	return value;
}

static void show(const struct scene *s, const quash_counters *before)
{
	const char *const code = strstr(written, "\"code\":");
	int number = 0;
	if (code != NULL && sscanf(code, "\"code\":%d", &number) == 1)
		printf("%s %d", s->name, number);
	else
		printf("%s -", s->name);
	for (size_t i = 0; i < COUNT_OF(counters); i++) {
		if (value_at(config.counters, counters[i].at) != value_at(before, counters[i].at))
			printf(" %s", counters[i].name);
	}
	for (unsigned cause = 0; cause < QUASH_CAUSES; cause++) {
		if (config.counters->cancelled[cause] != before->cancelled[cause])
			printf(" cancelled");
	}
	printf("%s\n", found ? "" : " NEVER");
}

int main(void)
{
	for (size_t i = 0; i < COUNT_OF(scenes); i++) {
		const struct scene *const s = &scenes[i];
		begin(s);
		play(s->before);
		const quash_counters before = *config.counters;
		length = 0;
		written[0] = '\0';
		if (s->act != NULL)
			s->act();
		play(s->input != NULL ? s->input : "");
		show(s, &before);
	}
	return 0;
}
