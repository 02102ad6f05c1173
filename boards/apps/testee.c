/* SPDX-License-Identifier: MIT */
#include "testee.h"

#include "counters.h"

enum { TURNS_AFTER_END = 1000 };

static struct testee *testee_of(const quash_request *request)
{
	return quash_context(quash_peer_of(request));
}

/* --- Params */

static bool read_count(quash_value params, const char *name, bool required, int32_t *count)
{
	const quash_kind kind = quash_kind_of(params);
	if (kind != QUASH_OBJECT && kind != QUASH_NONE)
		return false;
	const quash_value value = quash_get(params, name);
	*count = 0;
	if (quash_kind_of(value) == QUASH_NONE)
		return !required;
	return quash_int32(value, count) == QUASH_NUMBER_OK && *count >= 0;
}

struct testee_state *testee_begin(quash_request *request, quash_value params, const char *name, bool required)
{
	struct testee_state *s = quash_state(request);
	if (s->stage != TESTEE_FRESH)
		return s;
	if (!read_count(params, name, required, &s->total))
		return NULL;
	s->stage = TESTEE_WORKING;
	return s;
}

static struct testee_state *begin_optional(quash_request *request, quash_value params, const char *name)
{
	return testee_begin(request, params, name, false);
}

static struct testee_state *begin_required(quash_request *request, quash_value params, const char *name)
{
	return testee_begin(request, params, name, true);
}

/* --- Steps */

/* Takes a step. False until all of them are taken. */
static bool step_done(struct testee_state *s)
{
	if (s->stage == TESTEE_WORKING && s->done < s->total) {
		s->done++;
		return false;
	}
	s->stage = TESTEE_ANSWERING;
	return true;
}

int32_t testee_send_count(quash_request *request, const char *name, int32_t count)
{
	quash_writer *w = quash_reply(request);
	quash_put_object(w);
	quash_put_key(w, name);
	quash_put_int(w, count);
	return quash_send(request);
}

static int32_t method_wait(quash_request *request, quash_value params)
{
	struct testee_state *s = begin_optional(request, params, "steps");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	if (s->stage == TESTEE_WORKING && quash_cancelled(request))
		return QUASH_CANCELLED;
	if (s->total == 0 || !step_done(s))
		return QUASH_PENDING;
	return testee_send_count(request, "steps", s->total);
}

static int32_t method_stubborn(quash_request *request, quash_value params)
{
	struct testee_state *s = begin_required(request, params, "steps");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	return step_done(s) ? testee_send_count(request, "steps", s->total) : QUASH_PENDING;
}

static int32_t method_failing(quash_request *request, quash_value params)
{
	struct testee_state *s = begin_required(request, params, "steps");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	return step_done(s) ? QUASH_INTERNAL_ERROR : QUASH_PENDING;
}

static int32_t method_partial(quash_request *request, quash_value params)
{
	struct testee_state *s = begin_required(request, params, "steps");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	if (s->stage == TESTEE_WORKING && quash_cancelled(request)) {
		s->partial = true;
		s->stage = TESTEE_ANSWERING;
	}
	if (!step_done(s))
		return QUASH_PENDING;
	quash_writer *w = quash_reply(request);
	quash_put_object(w);
	quash_put_key(w, "partial");
	quash_put_bool(w, s->partial);
	return quash_send(request);
}

/* --- Inside one call */

/* Stays inside until the turns are taken: true; or until it is cancelled: false. */
static bool take_turns(quash_request *request, struct testee_state *s)
{
	const struct testee *testee = testee_of(request);
	int turns_after_end = 0;
	while (s->total == 0 || s->done < s->total) {
		testee->pump(quash_peer_of(request), testee->device);
		if (quash_cancelled(request))
			return false;
		if (testee->ended(testee->device) && ++turns_after_end > TURNS_AFTER_END)
			return false;
		if (s->total > 0)
			s->done++;
	}
	s->stage = TESTEE_ANSWERING;
	return true;
}

static int32_t method_busy(quash_request *request, quash_value params)
{
	struct testee_state *s = begin_optional(request, params, "turns");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	if (s->stage == TESTEE_WORKING && !take_turns(request, s))
		return QUASH_CANCELLED;
	return testee_send_count(request, "turns", s->total);
}

/* --- Answers */

static int32_t method_echo(quash_request *request, quash_value params)
{
	quash_writer *w = quash_reply(request);
	if (quash_kind_of(params) == QUASH_NONE)
		quash_put_null(w);
	else
		quash_put_value(w, params);
	return quash_send(request);
}

static int32_t method_big(quash_request *request, quash_value params)
{
	static const char run[] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
	const int32_t run_length = (int32_t)sizeof run - 1;
	struct testee_state *s = begin_required(request, params, "bytes");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	quash_writer *w = quash_reply(request);
	quash_put_string_open(w);
	for (int32_t left = s->total; left > 0; left -= run_length)
		quash_put_string_part(w, run, (size_t)(left < run_length ? left : run_length));
	quash_put_string_close(w);
	return quash_send(request);
}

static int32_t method_fail(quash_request *request, quash_value params)
{
	int32_t code;
	const quash_value message = quash_get(params, "message");
	if (quash_kind_of(params) != QUASH_OBJECT || quash_kind_of(message) != QUASH_STRING)
		return QUASH_INVALID_PARAMS;
	if (quash_int32(quash_get(params, "code"), &code) != QUASH_NUMBER_OK)
		return QUASH_INVALID_PARAMS;
	return quash_fail_string(request, code, quash_text(message), quash_length(message));
}

static int32_t method_abort(quash_request *request, quash_value params)
{
	(void)request;
	(void)params;
	return QUASH_CANCELLED;
}

static int32_t method_late(quash_request *request, quash_value params)
{
	struct testee_state *s = quash_state(request);
	const bool first = s->stage == TESTEE_FRESH;
	s = begin_required(request, params, "ms");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	if (first)
		quash_deadline(request, (uint32_t)s->total);
	return quash_cancelled(request) ? QUASH_CANCELLED : QUASH_PENDING;
}

/* --- Notifications */

static int32_t send_tick(quash_request *request, int32_t n)
{
	quash_writer *w = quash_notify(quash_peer_of(request), "tick");
	quash_put_object(w);
	quash_put_key(w, "n");
	quash_put_int(w, n);
	return quash_notify_send(quash_peer_of(request));
}

/* The smallest TX has no room for a tick with its header: such ticks are left out. */
static int32_t method_notify(quash_request *request, quash_value params)
{
	struct testee_state *s = begin_required(request, params, "count");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	for (; s->stage == TESTEE_WORKING && s->done < s->total; s->done++) {
		if (quash_cancelled(request))
			return QUASH_CANCELLED;
		if (send_tick(request, s->done + 1) == QUASH_RETRY)
			return QUASH_PENDING;
	}
	s->stage = TESTEE_ANSWERING;
	return testee_send_count(request, "count", s->total);
}

/* --- Counters */

/* The counters go on while a long answer leaves, so each request says them as they stood at its first call. */
static int32_t method_stats(quash_request *request, quash_value params)
{
	struct testee_state *s = quash_state(request);
	(void)params;
	if (s->stage == TESTEE_FRESH) {
		s->stage = TESTEE_ANSWERING;
		s->counters = quash_peer_of(request)->counters;
	}
	quash_writer *w = quash_reply(request);
	quash_put_object(w);
	put_counters(w, &s->counters);
	return quash_send(request);
}

const quash_method testee_methods[TESTEE_METHODS] = {
	{ .name = "echo", .handler = method_echo, .marks = QUASH_LONG },
	{ .name = "wait", .handler = method_wait, .marks = QUASH_LONG },
	{ .name = "busy", .handler = method_busy, .marks = QUASH_LONG },
	{ .name = "partial", .handler = method_partial, .marks = QUASH_LONG | QUASH_PARTIAL },
	{ .name = "stubborn", .handler = method_stubborn, .marks = QUASH_LONG },
	{ .name = "failing", .handler = method_failing, .marks = QUASH_LONG },
	{ .name = "fail", .handler = method_fail, .marks = QUASH_LONG },
	{ .name = "abort", .handler = method_abort, .marks = QUASH_LONG },
	{ .name = "late", .handler = method_late, .marks = QUASH_LONG },
	{ .name = "notify", .handler = method_notify, .marks = QUASH_LONG },
	{ .name = "call", .handler = testee_call, .marks = QUASH_LONG },
	{ .name = "fan", .handler = testee_fan, .marks = QUASH_LONG },
	{ .name = "orphan", .handler = testee_orphan, .marks = QUASH_LONG },
	{ .name = "big", .handler = method_big, .marks = QUASH_LONG },
	{ .name = "stats", .handler = method_stats, .marks = QUASH_LONG },
};
