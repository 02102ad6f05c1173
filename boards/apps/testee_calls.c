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

static bool prepare_call(struct testee_ask *s, quash_value params)
{
	const quash_kind kind = quash_kind_of(quash_get(params, "params"));
	if (quash_kind_of(params) != QUASH_OBJECT || !copy_name(s->name, quash_get(params, "method")))
		return false;
	s->call.method = s->name;
	s->call.put = kind == QUASH_NONE ? NULL : put_params;
	return kind == QUASH_NONE || kind == QUASH_ARRAY || kind == QUASH_OBJECT;
}

static void put_answer(quash_writer *w, const quash_request *request)
{
	const quash_call *const call = &QUASH_CONST_STATE(struct testee_ask, request)->call;
	quash_put_object(w);
	quash_put_key(w, quash_call_outcome(call) == QUASH_CALL_RESULT ? "result" : "error");
	quash_put_value(w, quash_call_answer(call));
	quash_put_end(w);
}

static int32_t pass_on(quash_request *request, const quash_call *call)
{
	const quash_outcome outcome = quash_call_outcome(call);
	const bool answered = outcome == QUASH_CALL_RESULT || outcome == QUASH_CALL_ERROR;
	return answered ? quash_reply(request, put_answer) : quash_call_code(call);
}

int32_t testee_call(quash_request *request)
{
	struct testee_ask *s = QUASH_STATE(struct testee_ask, request);
	if (!s->begun) {
		if (!prepare_call(s, quash_params_of(request)))
			return QUASH_INVALID_PARAMS;
		s->begun = true;
		quash_call_start_for(request, quash_peer_of(request), &s->call);
	}
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	return quash_call_has_ended(&s->call) ? pass_on(request, &s->call) : QUASH_PENDING;
}

/* --- fan */

static int32_t count_answer(quash_call *call)
{
	struct testee_fan *s = QUASH_STATE(struct testee_fan, call->parent);
	const quash_outcome outcome = quash_call_outcome(call);
	s->open--;
	if (outcome == QUASH_CALL_RESULT || outcome == QUASH_CALL_ERROR)
		s->answered++;
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
		quash_call_start_for(request, quash_peer_of(request), call);
		left--;
	}
}

static int32_t begin_fan(quash_request *request, struct testee_fan *s)
{
	const struct testee *testee = quash_context(quash_peer_of(request));
	int32_t width;
	if (!testee_read_count(request, "width", true, &width) || (uint32_t)width > testee->call_count)
		return QUASH_INVALID_PARAMS;
	if ((uint32_t)width > free_calls(testee))
		return QUASH_BUSY;
	s->begun = true;
	s->open = width;
	open_fan(request, testee, width);
	return QUASH_DONE;
}

static void put_answered(quash_writer *w, const quash_request *request)
{
	testee_put_count(w, "answered", QUASH_CONST_STATE(struct testee_fan, request)->answered);
}

int32_t testee_fan(quash_request *request)
{
	struct testee_fan *s = QUASH_STATE(struct testee_fan, request);
	const int32_t code = s->begun ? QUASH_DONE : begin_fan(request, s);
	if (code != QUASH_DONE)
		return code;
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	return s->open > 0 ? QUASH_PENDING : quash_reply(request, put_answered);
}

/* --- orphan */

int32_t testee_orphan(quash_request *request)
{
	struct testee_ask *s = QUASH_STATE(struct testee_ask, request);
	s->call.method = "ping";
	quash_call_start_for(request, quash_peer_of(request), &s->call);
	return quash_reply_json(request, "{}");
}
