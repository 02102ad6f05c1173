/* SPDX-License-Identifier: MIT */
#include "hops.h"

#include "values.h"

#include <stdio.h>

/* A firmware has only those that its tests name. */
#pragma weak back
#pragma weak side
#pragma weak far
#pragma weak farther
#pragma weak farthest

int32_t done_returns;

static char ends_text[UNIT_LOG];

void hop_start(loop *hop, const quash_dialect *dialect, quash_size tx)
{
	loop_init(hop, dialect, device_methods, DEVICE_METHODS);
	hop->config.tx_size = tx;
	hop->config.calls = &quash_calls;
	loop_start(hop);
}

void hops_start(const quash_dialect *dialect)
{
	loop *const all[] = { &back, &side, &far, &farther, &farthest };
	device_prepare(dialect);
	device.config.calls = &quash_calls;
	device_begin();
	for (unsigned i = 0; i < COUNT_OF(all); i++) {
		if (all[i] != NULL)
			hop_start(all[i], dialect, LOOP_TX);
	}
	ends_text[0] = '\0';
	done_returns = QUASH_DONE;
}

void hop_receive(loop *hop, const char *message)
{
	loop_say_message(hop, quoted(message));
}

void hop_receive_and_step(loop *hop, const char *message)
{
	char line[400];
	const int length = snprintf(line, sizeof line, "%s\n", quoted(message));
	const size_t n = (size_t)length;
	assert_in_range(length, 1, sizeof line - 1);
	size_t at = 0;
	for (unsigned tries = 0; at < n; tries++) {
		assert_true(tries < 10);
		at += quash_feed(&hop->peer, (const uint8_t *)&line[at], n - at);
		hop_step(hop);
	}
}

void hop_step(loop *hop)
{
	loop_step(hop, 1);
}

void hop_write(loop *hop)
{
	size_t n;
	(void)quash_out(&hop->peer, &n);
}

void hop_start_call(loop *hop, quash_call *call)
{
	assert_true(quash_call_start(&hop->peer, call));
	hop_write(hop);
}

void hop_start_call_for(quash_request *request, loop *hop, quash_call *call)
{
	assert_true(quash_call_start_for(request, &hop->peer, call));
	hop_write(hop);
}

quash_request *hop_request(loop *hop)
{
	quash_live live_one = { 0 };
	if (!quash_next_live(&hop->peer, &live_one))
		fail_msg("nothing is live there");
	return (quash_request *)(uintptr_t)live_one.request;
}

void hops_exchange(loop *a, loop *b)
{
	for (unsigned turn = 0; turn < 100; turn++) {
		hop_step(a);
		hop_step(b);
		if (a->heard_length + b->heard_length == 0)
			return;
		loop_say(b, loop_heard(a));
		loop_say(a, loop_heard(b));
	}
	fail_msg("they never fall silent");
}

quash_request *parent(const char *id)
{
	char text[80];
	snprintf(text, sizeof text, REQUEST("%s", "wait"), id);
	say_and_step(text);
	return live(id);
}

quash_call *fresh(quash_call *call, const char *method)
{
	memset(call, 0, sizeof *call);
	call->method = method;
	return call;
}

const char *ending(const quash_call *call)
{
	static const char *const names[] = { "open", "result", "error", "cancelled", "overdue", "link",
		"too large", "malformed", "unwritten" };
	static char text[600];
	const quash_value answer = quash_call_answer(call);
	const bool any = quash_kind_of(answer) != QUASH_NONE;
	snprintf(text, sizeof text, "%s%s%s", names[quash_call_outcome(call)], any ? " " : "",
		any ? json_of(answer) : "");
	return text;
}

int32_t note_end(quash_call *call)
{
	const size_t at = strlen(ends_text);
	const int n = snprintf(
		ends_text + at, sizeof ends_text - at, "%u: %s\n", (unsigned)call->id, ending(call));
	assert_room((size_t)n < sizeof ends_text - at);
	return done_returns;
}

void was_called_back(const char *expected, const char *file, int line)
{
	_assert_string_equal(ends_text, expected, file, line);
	ends_text[0] = '\0';
}

static const char *without_headers(const char *heard)
{
	static char lines[LOOP_HEARD];
	const char *at = heard, *body;
	lines[0] = '\0';
	while ((body = strstr(at, "\r\n\r\n")) != NULL) {
		unsigned length = 0;
		assert_int_equal(sscanf(at, "Content-Length: %u", &length), 1);
		strncat(lines, body + 4, length);
		strcat(lines, "\n");
		at = body + 4 + length;
	}
	return lines;
}

void hop_writes(loop *hop, const char *expected, const char *file, int line)
{
	const char *heard = loop_heard(hop);
	if (hop->config.dialect->framing == QUASH_CONTENT_LENGTH)
		heard = without_headers(heard);
	_assert_string_equal(heard, quoted(expected), file, line);
}
