/* SPDX-License-Identifier: MIT
 * The methods of testee that ask the other side. */
#include "testee.h"

/* --- call */

/* False when it is no name, or too long a one. */
static bool copy_name(char *to, quash_value name)
{
	const char *const text = quash_text(name);
	const size_t length = quash_length(name);
	if (quash_kind_of(name) != QUASH_STRING || length >= TESTEE_NAME_SIZE)
		return false;
	for (size_t i = 0; i < length; i++) {
		if (text[i] == '\0')
			return false;
		to[i] = text[i];
	}
	to[length] = '\0';
	return true;
}

static void put_params(quash_writer *w, const quash_call *call)
{
	quash_put_value(w, quash_get(quash_params_of(call->parent), "params"));
}

static bool begin_call(struct testee_state *s, quash_value params)
{
	const quash_kind kind = quash_kind_of(quash_get(params, "params"));
	if (quash_kind_of(params) != QUASH_OBJECT || !copy_name(s->name, quash_get(params, "method")))
		return false;
	s->call.method = s->name;
	s->call.put = kind == QUASH_NONE ? NULL : put_params;
	return kind == QUASH_NONE || kind == QUASH_ARRAY || kind == QUASH_OBJECT;
}

static int32_t pass_on(quash_request *request, const quash_call *call)
{
	const quash_outcome outcome = quash_call_outcome(call);
	if (outcome != QUASH_CALL_RESULT && outcome != QUASH_CALL_ERROR)
		return quash_call_code(call);
	quash_writer *w = quash_reply(request);
	quash_put_object(w);
	quash_put_key(w, outcome == QUASH_CALL_RESULT ? "result" : "error");
	quash_put_value(w, quash_answer(call));
	return quash_send(request);
}

/* The params stay until they are written. */
int32_t testee_call(quash_request *request, quash_value params)
{
	struct testee_state *s = quash_state(request);
	if (s->stage == TESTEE_FRESH) {
		if (!begin_call(s, params))
			return QUASH_INVALID_PARAMS;
		s->stage = TESTEE_WORKING;
		quash_ask_for(request, quash_peer_of(request), &s->call);
	}
	if (!quash_asked(&s->call))
		return QUASH_RETRY;
	if (s->stage == TESTEE_WORKING && quash_cancelled(request))
		return QUASH_CANCELLED;
	if (!quash_answered(&s->call))
		return QUASH_PENDING;
	s->stage = TESTEE_ANSWERING;
	return pass_on(request, &s->call);
}

/* --- fan */

static int32_t count_answer(quash_call *call, quash_value answer)
{
	struct testee_state *s = quash_state(call->parent);
	const quash_outcome outcome = quash_call_outcome(call);
	(void)answer;
	s->total--;
	if (outcome == QUASH_CALL_RESULT || outcome == QUASH_CALL_ERROR)
		s->done++;
	return QUASH_DONE;
}

static uint32_t free_calls(const struct testee *testee)
{
	uint32_t n = 0;
	for (uint32_t i = 0; i < testee->call_count; i++)
		n += quash_call_in_use(&testee->calls[i]) ? 0 : 1;
	return n;
}

static void open_fan(quash_request *request, const struct testee *testee, int32_t width)
{
	int32_t left = width;
	for (uint32_t i = 0; i < testee->call_count && left > 0; i++) {
		quash_call *call = &testee->calls[i];
		if (quash_call_in_use(call))
			continue;
		call->method = "ping";
		call->done = count_answer;
		quash_ask_for(request, quash_peer_of(request), call);
		left--;
	}
}

int32_t testee_fan(quash_request *request, quash_value params)
{
	const struct testee *testee = quash_context(quash_peer_of(request));
	const struct testee_state *before = quash_state(request);
	const bool first = before->stage == TESTEE_FRESH;
	struct testee_state *s = testee_begin(request, params, "width", true);
	if (s == NULL || (first && (uint32_t)s->total > testee->call_count))
		return QUASH_INVALID_PARAMS;
	if (first && (uint32_t)s->total > free_calls(testee))
		return QUASH_BUSY;
	if (first)
		open_fan(request, testee, s->total);
	if (s->stage == TESTEE_WORKING && quash_cancelled(request))
		return QUASH_CANCELLED;
	if (s->total > 0)
		return QUASH_PENDING;
	s->stage = TESTEE_ANSWERING;
	return testee_send_count(request, "answered", s->done);
}

/* --- orphan */

int32_t testee_orphan(quash_request *request, quash_value params)
{
	struct testee_state *s = quash_state(request);
	(void)params;
	if (s->stage == TESTEE_FRESH) {
		s->stage = TESTEE_ANSWERING;
		s->call.method = "ping";
		quash_ask_for(request, quash_peer_of(request), &s->call);
	}
	quash_put_object(quash_reply(request));
	return quash_send(request);
}
