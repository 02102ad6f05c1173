/* SPDX-License-Identifier: MIT
 * Methods beside testee's, for what testee has no method for. */
#include "end.h"

#include <string.h>

enum { LETTERS = 100, LEASE = 1000, GROUP = 7, GROUPS = 16 };

/* An int of AVRs has no room for it. */
#define LONGEST 600000

static quash_group groups[GROUPS];

void methods_reset_groups(void)
{
	memset(groups, 0, sizeof groups);
}

static struct end *end_for(const quash_request *request)
{
	return end_of(quash_peer_of(request));
}

static int32_t count_hook(quash_request *request)
{
	end_for(request)->hooks++;
	return QUASH_DONE;
}

static void count_release(quash_request *request)
{
	end_for(request)->released++;
}

/* --- Handlers that do not end by themselves */

/* Never looks at its flag. */
static int32_t run_for_ever(quash_request *request)
{
	(void)request;
	return QUASH_PENDING;
}

/* As testee's `wait`. */
static int32_t wait_steps(quash_request *request)
{
	unsigned i = 0;
	while (strcmp(testee_methods[i].name, "wait") != 0)
		i++;
	return testee_methods[i].handler(request);
}

static int32_t until_cancelled(quash_request *request)
{
	return quash_cancelled(request) ? QUASH_CANCELLED : QUASH_PENDING;
}

static quash_group *group_of(int32_t number)
{
	return &groups[(uint32_t)number % GROUPS];
}

/* `{"group":g}`: holds it at run time. */
static int32_t hold_group(quash_request *request)
{
	int32_t group = 0;
	if (!testee_read_count(request, "group", true, &group))
		return QUASH_INVALID_PARAMS;
	if (!quash_hold(request, group_of(group)))
		return quash_fail(request, 5, "held");
	return until_cancelled(request);
}

/* `{"group":g}`: wants it beside the group of its method, and goes on without it. */
static int32_t hold_both(quash_request *request)
{
	bool *asked = QUASH_STATE(bool, request);
	int32_t group = 0;
	if (!testee_read_count(request, "group", true, &group))
		return QUASH_INVALID_PARAMS;
	if (!*asked)
		(void)quash_hold(request, group_of(group));
	*asked = true;
	return until_cancelled(request);
}

/* Sleeps for 100 ms. */
static int32_t sleep_a_while(quash_request *request)
{
	bool *slept = QUASH_STATE(bool, request);
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	if (*slept)
		return quash_reply_null(request);
	*slept = true;
	return quash_wait(request, 100);
}

static int32_t sleep_until_cancelled(quash_request *request)
{
	return quash_cancelled(request) ? QUASH_CANCELLED : quash_wait(request, 1000000);
}

/* --- A motor that is ramped down */

struct ramp {
	int32_t total, done; /* steps */
	int32_t end, ms;     /* calls of `end` that pend, and how long each waits */
	bool begun;
};

static void put_ramp(quash_writer *w, const quash_request *request)
{
	testee_put_count(w, "steps", QUASH_CONST_STATE(struct ramp, request)->total);
}

static bool read_ramp(const quash_request *request, struct ramp *s)
{
	return testee_read_count(request, "steps", false, &s->total) && testee_read_count(request, "end", false, &s->end) &&
	       testee_read_count(request, "ms", false, &s->ms);
}

/* `{"steps":n,"end":m,"ms":t}` */
static int32_t ramp(quash_request *request)
{
	struct ramp *s = QUASH_STATE(struct ramp, request);
	if (!s->begun)
		s->begun = read_ramp(request, s);
	if (!s->begun)
		return QUASH_INVALID_PARAMS;
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	return s->done++ < s->total ? QUASH_PENDING : quash_reply(request, put_ramp);
}

static int32_t ramp_down(quash_request *request)
{
	struct ramp *s = QUASH_STATE(struct ramp, request);
	(void)count_hook(request);
	if (s->end == 0)
		return QUASH_DONE;
	s->end--;
	return s->ms > 0 ? quash_wait(request, (uint32_t)s->ms) : QUASH_PENDING;
}

/* --- Answers */

static int32_t forget_the_answer(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static int32_t code_of(const quash_request *request, int32_t otherwise)
{
	int32_t code = otherwise;
	(void)quash_int32(quash_get(quash_params_of(request), "code"), &code);
	return code;
}

/* `{"code":c}`: returns it. */
static int32_t return_code(quash_request *request)
{
	return code_of(request, QUASH_INVALID_PARAMS);
}

/* `{"code":c}`: answers, answers again and returns it. */
static int32_t answer_twice(quash_request *request)
{
	(void)quash_reply_text(request, "first");
	(void)quash_fail(request, 5, "second");
	return code_of(request, QUASH_DONE);
}

static void put_letters(quash_writer *w, char letter, uint32_t n)
{
	quash_put_string_open(w);
	while (n-- > 0)
		quash_put_string_part(w, &letter, 1);
	quash_put_string_close(w);
}

/* Other letters each time. */
static void put_changing(quash_writer *w, const quash_request *request)
{
	put_letters(w, (char)('a' + end_for(request)->puts++ % 26), LETTERS);
}

static int32_t changing(quash_request *request)
{
	return quash_reply(request, put_changing);
}

/* One letter more each time. */
static void put_growing(quash_writer *w, const quash_request *request)
{
	put_letters(w, 'a', LETTERS + end_for(request)->puts++);
}

static int32_t growing(quash_request *request)
{
	return quash_reply(request, put_growing);
}

/* Other letters the first time only. */
static void put_settling(quash_writer *w, const quash_request *request)
{
	const uint32_t before = end_for(request)->puts++;
	put_letters(w, before == 0 ? 'b' : 'a', before == 0 ? LETTERS + 1 : LETTERS);
}

static int32_t settling(quash_request *request)
{
	return quash_reply(request, put_settling);
}

static bool is_named(const quash_request *request, const char *word)
{
	return quash_is(quash_get(quash_params_of(request), "how"), word);
}

/* More than the smallest TX holds, and then a key where none may stand. */
static void put_late_key(quash_writer *w)
{
	quash_put_array(w);
	for (int i = 0; i < 40; i++)
		quash_put_text(w, "0123456789");
	quash_put_key(w, "key");
}

/* `{"how":...}`: no JSON, in one of some ways. */
static void put_spoilt(quash_writer *w, const quash_request *request)
{
	if (is_named(request, "quote"))
		quash_put_quote_open(w);
	else if (is_named(request, "object"))
		quash_put_object(w);
	else if (is_named(request, "late"))
		put_late_key(w);
	else if (is_named(request, "open"))
		quash_put_string_open(w);
	else if (is_named(request, "key"))
		quash_put_key(w, "key");
	else if (is_named(request, "two"))
		quash_put_null(w);
	else if (is_named(request, "end"))
		quash_put_end(w);
	else if (is_named(request, "string"))
		quash_put_string_part(w, "x", 1);
	if (!is_named(request, "nothing") && !is_named(request, "open") && !is_named(request, "quote"))
		quash_put_null(w);
	if (is_named(request, "ended"))
		quash_put_end(w);
}

static int32_t spoil(quash_request *request)
{
	return quash_reply(request, put_spoilt);
}

static void put_nested(quash_writer *w, const quash_request *request)
{
	int32_t depth = 0;
	(void)quash_int32(quash_get(quash_params_of(request), "depth"), &depth);
	for (int32_t i = 0; i < depth; i++)
		quash_put_array(w);
}

/* `{"depth":n}`: so many arrays, one in the other. */
static int32_t nested(quash_request *request)
{
	return quash_reply(request, put_nested);
}

static bool put_item(quash_writer *w, const quash_request *request, uint16_t index)
{
	if (index > *QUASH_CONST_STATE(int32_t, request))
		return false;
	if (index == 0)
		quash_put_array(w);
	else
		quash_put_int(w, index);
	return true;
}

/* `{"items":n}`: the numbers from 1 to n, item by item. */
static int32_t list(quash_request *request)
{
	if (!testee_read_count(request, "items", true, QUASH_STATE(int32_t, request)))
		return QUASH_INVALID_PARAMS;
	return quash_reply_items(request, put_item);
}

static void put_how(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_get(quash_params_of(request), "how"));
}

static void put_error(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "code");
	quash_put_int(w, 7);
	quash_put_key(w, "message");
	put_how(w, request);
}

/* `{"how":...}`: an answer of that kind. */
static int32_t answer(quash_request *request)
{
	if (is_named(request, "int"))
		return quash_reply_int(request, -12);
	if (is_named(request, "bool"))
		return quash_reply_bool(request, true);
	if (is_named(request, "text"))
		return quash_reply_text(request, "a \"text\"");
	if (is_named(request, "json"))
		return quash_reply_json(request, "[{},1.50]");
	if (is_named(request, "fail"))
		return quash_fail(request, 5, "failed");
	if (is_named(request, "data"))
		return quash_fail_data(request, -5, "failed", put_how);
	if (is_named(request, "as"))
		return quash_fail_as(request, 7, put_error);
	if (is_named(request, "values"))
		return quash_reply_textf(request, "%d of %ld, %s", 3, 7L, quash_text(quash_get(quash_params_of(request), "name")));
	if (is_named(request, "failed values"))
		return quash_failf(request, -7, "%.1d V are too few for %s", 115, quash_text(quash_get(quash_params_of(request), "name")));
	return quash_reply_null(request);
}

static void put_dispensed(quash_writer *w, const quash_request *request)
{
	testee_put_count(w, "dispensed", *QUASH_CONST_STATE(int32_t, request));
}

/* What was dispensed up to now. */
static int32_t look_at_dispensed(quash_request *request)
{
	*QUASH_STATE(int32_t, request) = (int32_t)end_for(request)->testee.dispensed;
	return quash_reply(request, put_dispensed);
}

/* --- Notifications */

static int32_t count_note(quash_request *request)
{
	end_for(request)->notes++;
	return QUASH_DONE;
}

/* As an emergency stop: cancels the oldest request. */
static int32_t freeze(quash_request *request)
{
	quash_live live = { 0 };
	end_for(request)->notes++;
	if (quash_next_live(quash_peer_of(request), &live) && live.request != request)
		quash_cancel((quash_request *)live.request);
	return quash_reply_text(request, "frozen");
}

/* --- All of them */

static int32_t no_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

/* The first ones are filled in later. */
quash_method end_methods[METHODS] = {
	[TESTEE_METHODS + CALLERS] =
	{ .name = "drops", .handler = run_for_ever, .motion = { .end = count_hook, .longest = QUASH_NO_LIMIT } },
	{ .name = "named",
		.handler = until_cancelled,
		.motion = { .end = count_hook, .longest = QUASH_NO_LIMIT },
		.cancelled = "{\"stopReason\":\"cancelled\"}", .marks = QUASH_FINISHES },
	{ .name = "limited", .handler = wait_steps, .motion = { .end = no_end, .longest = 100 }, .state_size = sizeof(struct testee_steps), .marks = QUASH_FINISHES },
	{ .name = "leased",
		.handler = wait_steps,
		.motion = { .end = count_hook, .longest = LONGEST, .lease = LEASE },
		.state_size = sizeof(struct testee_steps), .marks = QUASH_FINISHES },
	{ .name = "leased-asleep", .handler = sleep_until_cancelled, .motion = { .end = count_hook, .longest = LONGEST, .lease = LEASE }, .marks = QUASH_FINISHES },
	{ .name = "alone", .handler = wait_steps, .state_size = sizeof(struct testee_steps), .motion = { .end = no_end, .longest = QUASH_NO_LIMIT, .group = &groups[GROUP] }, .marks = QUASH_FINISHES },
	{ .name = "ramps",
		.handler = ramp,
		.motion = { .end = ramp_down, .longest = QUASH_NO_LIMIT, .group = &groups[GROUP] },
		.released = count_release,
		.state_size = sizeof(struct ramp), .marks = QUASH_FINISHES },
	{ .name = "ends-late",
		.handler = ramp,
		.motion = { .end = ramp_down, .longest = QUASH_NO_LIMIT },
		.released = count_release,
		.state_size = sizeof(struct ramp), .marks = QUASH_FINISHES },
	{ .name = "group", .handler = hold_group },
	{ .name = "group-beside", .handler = hold_both, .state_size = sizeof(bool), .motion = { .end = no_end, .longest = QUASH_NO_LIMIT, .group = &groups[GROUP] }, .marks = QUASH_FINISHES },
	{ .name = "forgets", .handler = forget_the_answer },
	{ .name = "returns", .handler = return_code },
	{ .name = "twice", .handler = answer_twice },
	{ .name = "sleeps", .handler = sleep_a_while, .state_size = sizeof(bool) },
	{ .name = "changes", .handler = changing },
	{ .name = "grows", .handler = growing },
	{ .name = "settles", .handler = settling },
	{ .name = "spoils", .handler = spoil },
	{ .name = "nested", .handler = nested },
	{ .name = "list", .handler = list, .state_size = sizeof(int32_t) },
	{ .name = "answer", .handler = answer },
	{ .name = "dispensed", .handler = look_at_dispensed, .state_size = sizeof(int32_t) },
	{ .name = "begin", .handler = answer, .marks = QUASH_SESSION },
	{ .name = "initialize", .handler = wait_steps, .state_size = sizeof(struct testee_steps) },
	{ .name = "session/prompt",
		.handler = wait_steps,
		.motion = { .end = count_hook, .longest = QUASH_NO_LIMIT },
		.cancelled = "{\"stopReason\":\"cancelled\"}",
		.state_size = sizeof(struct testee_steps), .marks = QUASH_FINISHES },
	{ .name = "halt", .handler = wait_steps, .state_size = sizeof(struct testee_steps) },
	{ .name = "halt", .handler = count_note, .marks = QUASH_NOTIFICATION },
	{ .name = "freeze", .handler = freeze, .marks = QUASH_BOTH },
	{ .name = "$/note", .handler = count_note, .marks = QUASH_NOTIFICATION },
	{ .name = "$/unknown", .handler = count_note, .marks = QUASH_NOTIFICATION },
};

static void make_prompt(quash_method *method, bool asking)
{
	method->handler = asking ? caller_methods[0].handler : wait_steps;
	method->data = asking ? caller_methods[0].data : NULL;
	method->state_size = asking ? caller_methods[0].state_size : (quash_size)sizeof(struct testee_steps);
}

void methods_make(const char *watched, bool asking)
{
	for (unsigned i = 0; i < TESTEE_METHODS; i++)
		end_methods[i] = testee_methods[i];
	for (unsigned i = 0; i < CALLERS; i++)
		end_methods[TESTEE_METHODS + i] = caller_methods[i];
	for (unsigned i = 0; i < METHODS - 1; i++) {
		if (strcmp(end_methods[i].name, "session/prompt") == 0)
			make_prompt(&end_methods[i], asking);
	}
	end_methods[METHODS - 1].name = watched; /* of the library, whose texts may stand in flash */
}
