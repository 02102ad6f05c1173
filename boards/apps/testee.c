/* SPDX-License-Identifier: MIT */
#include "testee.h"

#include "counters.h"

enum { TURNS_AFTER_END = 1000, MOST_DISPENSED = 100 };

static struct testee *testee_of(const quash_request *request)
{
	return quash_context(quash_peer_of(request));
}

/* --- Params */

bool testee_read_count(const quash_request *request, const char *name, bool required, int32_t *count)
{
	const quash_value params = quash_params_of(request);
	const quash_kind kind = quash_kind_of(params);
	if (kind != QUASH_OBJECT && kind != QUASH_NONE)
		return false;
	const quash_value value = quash_get(params, name);
	*count = 0;
	if (quash_kind_of(value) == QUASH_NONE)
		return !required;
	return quash_int32(value, count) == QUASH_NUMBER_OK && *count >= 0;
}

/* The state, filled from the params at the first call. NULL when they are wrong. */
static struct testee_steps *begin(quash_request *request, const char *name, bool required)
{
	struct testee_steps *s = QUASH_STATE(struct testee_steps, request);
	if (!s->begun)
		s->begun = testee_read_count(request, name, required, &s->total);
	return s->begun ? s : NULL;
}

static struct testee_steps *begin_optional(quash_request *request, const char *name)
{
	return begin(request, name, false);
}

static struct testee_steps *begin_required(quash_request *request, const char *name)
{
	return begin(request, name, true);
}

static int32_t total_of(const quash_request *request)
{
	return QUASH_CONST_STATE(struct testee_steps, request)->total;
}

/* --- Steps */

/* Takes a step. False until all of them are taken. */
static bool take_step(struct testee_steps *s)
{
	if (s->done == s->total)
		return true;
	s->done++;
	return false;
}

void testee_put_count(quash_writer *w, const char *name, int32_t count)
{
	quash_put_object(w);
	quash_put_key(w, name);
	quash_put_int(w, count);
	quash_put_end(w);
}

static void put_steps(quash_writer *w, const quash_request *request)
{
	testee_put_count(w, "steps", total_of(request));
}

static int32_t method_wait(quash_request *request)
{
	struct testee_steps *s = begin_optional(request, "steps");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	return s->total > 0 && take_step(s) ? quash_reply(request, put_steps) : QUASH_PENDING;
}

static int32_t method_stubborn(quash_request *request)
{
	struct testee_steps *s = begin_required(request, "steps");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	return take_step(s) ? quash_reply(request, put_steps) : QUASH_PENDING;
}

static int32_t method_failing(quash_request *request)
{
	struct testee_steps *s = begin_required(request, "steps");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	return take_step(s) ? QUASH_INTERNAL_ERROR : QUASH_PENDING;
}

static void put_partial(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "partial");
	quash_put_bool(w, QUASH_CONST_STATE(struct testee_steps, request)->partial);
	quash_put_end(w);
}

static int32_t method_partial(quash_request *request)
{
	struct testee_steps *s = begin_required(request, "steps");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	s->partial = quash_cancelled(request) != QUASH_NOT_CANCELLED;
	return s->partial || take_step(s) ? quash_reply(request, put_partial) : QUASH_PENDING;
}

/* --- Inside one call */

/* Stays inside until the turns are taken: true; or until it is cancelled: false. */
static bool take_turns(quash_request *request, struct testee_steps *s)
{
	const struct testee *testee = testee_of(request);
	int turns_after_end = 0;
	while (s->total == 0 || !take_step(s)) {
		testee->pump(quash_peer_of(request), testee->device);
		if (quash_cancelled(request))
			return false;
		if (testee->ended(testee->device) && ++turns_after_end > TURNS_AFTER_END)
			return false;
	}
	return true;
}

static void put_turns(quash_writer *w, const quash_request *request)
{
	testee_put_count(w, "turns", total_of(request));
}

static int32_t method_busy(quash_request *request)
{
	struct testee_steps *s = begin_optional(request, "turns");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	return take_turns(request, s) ? quash_reply(request, put_turns) : QUASH_CANCELLED;
}

/* --- Answers */

static void put_params(quash_writer *w, const quash_request *request)
{
	const quash_value params = quash_params_of(request);
	if (quash_kind_of(params) == QUASH_NONE)
		quash_put_null(w);
	else
		quash_put_value(w, params);
}

static int32_t method_echo(quash_request *request)
{
	return quash_reply(request, put_params);
}

/* A piece of the string, at least SHORTEST long, and as long as it must be for 16 bits to number all pieces. The last
 * one, which may be empty, closes the string. */
static bool put_run(quash_writer *w, const quash_request *request, uint16_t index)
{
	enum { SHORTEST = 64 };
	const int32_t most = 0xFFFE;
	static const char
		run[SHORTEST + 1] = "xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx";
	const int32_t total = total_of(request);
	const int32_t length = total / most < SHORTEST ? SHORTEST : total / most + 1;
	const int32_t last = total / length;
	if (index > last)
		return false;
	if (index == 0)
		quash_put_string_open(w);
	for (int32_t left = index < last ? length : total % length; left > 0; left -= SHORTEST)
		quash_put_string_part(w, run, (size_t)(left < SHORTEST ? left : SHORTEST));
	if (index == last)
		quash_put_string_close(w);
	return true;
}

static int32_t method_big(quash_request *request)
{
	if (begin_required(request, "bytes") == NULL)
		return QUASH_INVALID_PARAMS;
	return quash_reply_items(request, put_run);
}

static bool read_error(const quash_request *request, int32_t *code, quash_value *message)
{
	const quash_value params = quash_params_of(request);
	*message = quash_get(params, "message");
	return quash_kind_of(params) == QUASH_OBJECT && quash_kind_of(*message) == QUASH_STRING &&
		quash_int32(quash_get(params, "code"), code) == QUASH_NUMBER_OK;
}

static void put_error(quash_writer *w, const quash_request *request)
{
	int32_t code = 0;
	quash_value message;
	(void)read_error(request, &code, &message);
	quash_put_object(w);
	quash_put_key(w, "code");
	quash_put_int(w, code);
	quash_put_key(w, "message");
	quash_put_value(w, message);
	quash_put_end(w);
}

/* As an error from elsewhere, since the code may be any number. */
static int32_t method_fail(quash_request *request)
{
	int32_t code;
	quash_value message;
	return read_error(request, &code, &message) ? quash_fail_as(request, code, put_error)
						    : QUASH_INVALID_PARAMS;
}

static int32_t method_abort(quash_request *request)
{
	(void)request;
	return QUASH_CANCELLED;
}

static int32_t method_late(quash_request *request)
{
	const bool first = !QUASH_STATE(struct testee_steps, request)->begun;
	const struct testee_steps *s = begin_required(request, "ms");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	if (first)
		quash_deadline(request, (uint32_t)s->total);
	return quash_cancelled(request) ? QUASH_CANCELLED : QUASH_PENDING;
}

/* --- Notifications */

static bool send_tick(quash_peer *peer, int32_t n)
{
	testee_put_count(quash_notify(peer, "tick"), "n", n);
	return quash_notify_send(peer);
}

static void put_ticks(quash_writer *w, const quash_request *request)
{
	testee_put_count(w, "count", total_of(request));
}

/* The smallest TX has no room for a tick with its header: such ticks are left out. */
static int32_t method_notify(quash_request *request)
{
	quash_peer *const peer = quash_peer_of(request);
	struct testee_steps *s = begin_required(request, "count");
	if (s == NULL)
		return QUASH_INVALID_PARAMS;
	for (; s->done < s->total; s->done++) {
		if (quash_cancelled(request))
			return QUASH_CANCELLED;
		if (!send_tick(peer, s->done + 1) && quash_notify_fits(peer))
			return QUASH_PENDING;
	}
	return quash_reply(request, put_ticks);
}

/* --- An actuator */

static void put_dispensed(quash_writer *w, const quash_request *request)
{
	testee_put_count(w, "dispensed", total_of(request));
}

static int32_t method_dispense(quash_request *request)
{
	const struct testee_steps *s = begin_required(request, "n");
	if (s == NULL || s->total < 1 || s->total > MOST_DISPENSED)
		return QUASH_INVALID_PARAMS;
	testee_of(request)->dispensed += (uint32_t)s->total;
	return quash_reply(request, put_dispensed);
}

/* --- Counters */

static void put_stats(quash_writer *w, const quash_request *request)
{
	const struct testee_stats *s = QUASH_CONST_STATE(struct testee_stats, request);
	quash_put_object(w);
	put_counters(w, &s->counters);
	quash_put_key(w, "dispensed");
	quash_put_uint(w, s->dispensed);
	put_sizes(w, quash_config_of(quash_peer_of(request)), &s->counters);
	quash_put_end(w);
}

static int32_t method_stats(quash_request *request)
{
	struct testee_stats *s = QUASH_STATE(struct testee_stats, request);
	s->counters = *quash_counters_of(quash_peer_of(request));
	s->dispensed = testee_of(request)->dispensed;
	return quash_reply(request, put_stats);
}

enum { STEPS_SIZE = sizeof(struct testee_steps), ASK_SIZE = sizeof(struct testee_ask) };

const quash_method testee_methods[TESTEE_METHODS] = {
	{ .name = "echo", .handler = method_echo },
	{ .name = "wait", .handler = method_wait, .state_size = STEPS_SIZE },
	{ .name = "busy", .handler = method_busy, .state_size = STEPS_SIZE },
	{ .name = "partial", .handler = method_partial, .state_size = STEPS_SIZE, .marks = QUASH_PARTIAL },
	{ .name = "stubborn", .handler = method_stubborn, .state_size = STEPS_SIZE },
	{ .name = "failing", .handler = method_failing, .state_size = STEPS_SIZE },
	{ .name = "fail", .handler = method_fail },
	{ .name = "abort", .handler = method_abort },
	{ .name = "late", .handler = method_late, .state_size = STEPS_SIZE },
	{ .name = "notify", .handler = method_notify, .state_size = STEPS_SIZE },
	{ .name = "call", .handler = testee_call, .state_size = ASK_SIZE },
	{ .name = "fan", .handler = testee_fan, .state_size = sizeof(struct testee_fan) },
	{ .name = "orphan", .handler = testee_orphan, .state_size = ASK_SIZE },
	{ .name = "big", .handler = method_big, .state_size = STEPS_SIZE },
	{ .name = "dispense", .handler = method_dispense, .state_size = STEPS_SIZE },
	{ .name = "stats", .handler = method_stats, .state_size = sizeof(struct testee_stats) },
};
