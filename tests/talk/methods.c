/* SPDX-License-Identifier: MIT
 * Methods beside testee's, for what testee has no method for. */
#include "end.h"

#include <string.h>

static void count_hook(quash_request *request)
{
	end_of(quash_peer_of(request))->hooks++;
}

/* Never ends by itself, and never looks at its flag. */
static int32_t run_for_ever(quash_request *request, quash_value params)
{
	(void)request;
	(void)params;
	return QUASH_PENDING;
}

/* As testee's `wait`. */
static int32_t wait_steps(quash_request *request, quash_value params)
{
	unsigned i = 0;
	while (strcmp(testee_methods[i].name, "wait") != 0)
		i++;
	return testee_methods[i].handler(request, params);
}

static int32_t until_cancelled(quash_request *request, quash_value params)
{
	(void)params;
	return quash_cancelled(request) ? QUASH_CANCELLED : QUASH_PENDING;
}

static int32_t forget_the_answer(quash_request *request, quash_value params)
{
	(void)request;
	(void)params;
	return QUASH_DONE;
}

/* `{"code":c}`: returns it. */
static int32_t return_code(quash_request *request, quash_value params)
{
	int32_t code = QUASH_INVALID_PARAMS;
	(void)request;
	quash_int32(quash_get(params, "code"), &code);
	return code;
}

/* Sleeps for 100 ms. */
static int32_t sleep_a_while(quash_request *request, quash_value params)
{
	(void)params;
	bool *slept = quash_state(request);
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	if (!*slept) {
		*slept = true;
		return quash_wait(request, 100);
	}
	quash_put_null(quash_reply(request));
	return quash_send(request);
}

/* A string of a hundred letters, which is the same for every call or not. */
static int32_t say_letters(quash_request *request, char letter)
{
	quash_writer *w = quash_reply(request);
	quash_put_string_open(w);
	for (int i = 0; i < 100; i++)
		quash_put_string_part(w, &letter, 1);
	quash_put_string_close(w);
	return quash_send(request);
}

static int32_t same_letters(quash_request *request, quash_value params)
{
	(void)params;
	return say_letters(request, 'a');
}

static int32_t other_letters(quash_request *request, quash_value params)
{
	uint8_t *calls = quash_state(request);
	(void)params;
	return say_letters(request, (char)('a' + (*calls)++ % 26));
}

/* As many letters as it was called so often. */
static int32_t more_letters(quash_request *request, quash_value params)
{
	uint8_t *calls = quash_state(request);
	(void)params;
	++*calls;
	quash_writer *w = quash_reply(request);
	quash_put_string_open(w);
	for (int i = 0; i < 100 + *calls; i++)
		quash_put_string_part(w, "a", 1);
	quash_put_string_close(w);
	return quash_send(request);
}

/* A long answer that it gives up as soon as a part of it has been said. */
static int32_t half_an_answer(quash_request *request, quash_value params)
{
	uint8_t *calls = quash_state(request);
	(void)params;
	return ++*calls < 3 ? say_letters(request, 'a') : QUASH_INTERNAL_ERROR;
}

/* `{"depth":n}`: so many arrays, one in the other. */
static int32_t nested(quash_request *request, quash_value params)
{
	int32_t depth = 0;
	quash_int32(quash_get(params, "depth"), &depth);
	quash_writer *w = quash_reply(request);
	for (int32_t i = 0; i < depth; i++)
		quash_put_array(w);
	return quash_send(request);
}

static int32_t count_note(quash_request *request, quash_value params)
{
	(void)params;
	end_of(quash_peer_of(request))->notes++;
	return QUASH_DONE;
}

void methods_all(quash_method *table, const char *watched, bool asking)
{
	static const quash_method extra[EXTRA_METHODS] = {
		{ .name = "drops", .handler = run_for_ever, .end = count_hook, .marks = QUASH_DROPS | QUASH_LONG },
		{ .name = "named",
			.handler = until_cancelled,
			.end = count_hook,
			.marks = QUASH_LONG,
			.cancelled = "{\"stopReason\":\"cancelled\"}" },
		{ .name = "limited", .handler = until_cancelled, .deadline = 100, .marks = QUASH_LONG },
		{ .name = "forgets", .handler = forget_the_answer, .marks = QUASH_LONG },
		{ .name = "returns", .handler = return_code, .marks = QUASH_LONG },
		{ .name = "sleeps", .handler = sleep_a_while, .marks = QUASH_LONG },
		{ .name = "short", .handler = same_letters },
		{ .name = "changes", .handler = other_letters, .marks = QUASH_LONG },
		{ .name = "grows", .handler = more_letters, .marks = QUASH_LONG },
		{ .name = "leaves", .handler = half_an_answer, .marks = QUASH_LONG },
		{ .name = "nested", .handler = nested, .marks = QUASH_LONG },
		{ .name = "initialize", .handler = wait_steps, .marks = QUASH_LONG },
		{ .name = "session/prompt",
			.handler = wait_steps,
			.end = count_hook,
			.marks = QUASH_LONG,
			.cancelled = "{\"stopReason\":\"cancelled\"}" },
		{ .name = "$/note", .handler = count_note, .marks = QUASH_NOTIFICATION },
		{ .name = "$/unknown", .handler = count_note, .marks = QUASH_NOTIFICATION },
	};
	for (unsigned i = 0; i < TESTEE_METHODS; i++)
		table[i] = testee_methods[i];
	for (unsigned i = 0; i < CALLERS; i++)
		table[TESTEE_METHODS + i] = caller_methods[i];
	for (unsigned i = 0; i < EXTRA_METHODS; i++)
		table[TESTEE_METHODS + CALLERS + i] = extra[i];
	table[METHODS - 1].name = watched;
	for (unsigned i = 0; asking && i < METHODS; i++) {
		if (strcmp(table[i].name, "session/prompt") == 0) {
			table[i].handler = caller_methods[0].handler;
			table[i].data = caller_methods[0].data;
		}
	}
}
