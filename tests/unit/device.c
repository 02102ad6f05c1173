/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

struct work {
	bool begun;
	int32_t steps;
};

loop device;
void (*device_turn)(quash_request *request);

static char log_text[UNIT_LOG];

/* --- What happens */

static void write_down(const char *format, ...)
{
	const size_t at = strlen(log_text);
	va_list list;
	va_start(list, format);
	vsnprintf(log_text + at, sizeof log_text - at, format, list);
	va_end(list);
	assert_room(strlen(log_text) < sizeof log_text - 1);
}

/* The id of a live request as it stands in a message; "-" for one without. */
static const char *id_of(const quash_request *request)
{
	static char text[80];
	quash_live live_one = { 0 };
	while (quash_next_live(&device.peer, &live_one)) {
		if (live_one.request != request)
			continue;
		if (!live_one.id)
			break;
		snprintf(text, sizeof text, live_one.id_is_number ? "%.*s" : "'%.*s'", live_one.id_length,
			live_one.id);
		return text;
	}
	return "-";
}

void device_note(const quash_request *request, const char *what)
{
	write_down("%s%s(%s)", log_text[0] ? " " : "", what, request ? id_of(request) : "");
}

void device_trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail)
{
	static const char *const names[] = { "heard", "parked", "started", "flagged", "committed", "silenced",
		"refused", "freed", "late" };
	assert_ptr_equal(peer, &device.peer);
	assert_in_range(event, 0, COUNT_OF(names) - 1);
	assert_true((request == NULL) == (event == QUASH_LATE_CANCEL));
	write_down("%s%s", log_text[0] ? " " : "", names[event]);
	if (detail != 0)
		write_down("(%ld)", (long)detail);
}

/* --- Methods */

static int32_t answer(quash_request *request, const char *text)
{
	quash_put_text(quash_reply(request), text);
	return quash_send(request);
}

/* Says whether the work is done with this call. */
static bool work_on(quash_request *request, quash_value params)
{
	struct work *const w = quash_state(request);
	device_note(request, quash_method_of(request)->name);
	if (!w->begun) {
		w->begun = true;
		w->steps = -1;
		(void)quash_int32(quash_get(params, "steps"), &w->steps);
	}
	if (w->steps > 0)
		w->steps--;
	else
		return w->steps == 0;
	return false;
}

static int32_t now(quash_request *request, quash_value params)
{
	(void)params;
	device_note(request, "now");
	quash_put_int(quash_reply(request), 1);
	return quash_send(request);
}

static int32_t echo(quash_request *request, quash_value params)
{
	quash_put_value(quash_reply(request), params);
	return quash_send(request);
}

static int32_t wait_for(quash_request *request, quash_value params)
{
	const bool done = work_on(request, params);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_INTERNAL_ERROR;
	return done ? answer(request, "waited") : QUASH_PENDING;
}

static int32_t stubborn(quash_request *request, quash_value params)
{
	return work_on(request, params) ? answer(request, "done") : QUASH_PENDING;
}

static int32_t partial(quash_request *request, quash_value params)
{
	const bool done = work_on(request, params);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return answer(request, "part");
	return done ? answer(request, "all") : QUASH_PENDING;
}

static int32_t returns(quash_request *request, quash_value params)
{
	int32_t code = 0;
	(void)request;
	(void)quash_int32(quash_get(params, "code"), &code);
	return code;
}

static int32_t busy(quash_request *request, quash_value params)
{
	int32_t turns = 0;
	device_note(request, "busy");
	(void)quash_int32(quash_get(params, "steps"), &turns);
	for (int32_t i = 0; i < turns && quash_cancelled(request) == QUASH_NOT_CANCELLED; i++) {
		if (device_turn)
			device_turn(request);
	}
	return answer(request, quash_cancelled(request) != QUASH_NOT_CANCELLED ? "stopped" : "was busy");
}

static int32_t note(quash_request *request, quash_value params)
{
	(void)params;
	device_note(request, "note");
	return QUASH_DONE;
}

static void end(quash_request *request)
{
	device_note(request, "end");
}

const quash_method device_methods[DEVICE_METHODS] = {
	{ .name = "now", .handler = now },
	{ .name = "echo", .handler = echo, .marks = QUASH_LONG },
	{ .name = "wait", .handler = wait_for, .end = end },
	{ .name = "stubborn", .handler = stubborn, .end = end },
	{ .name = "drops", .handler = wait_for, .end = end, .marks = QUASH_DROPS },
	{ .name = "partial", .handler = partial, .end = end, .marks = QUASH_PARTIAL },
	{ .name = "limited", .handler = wait_for, .end = end, .deadline = 100 },
	{ .name = "constant", .handler = wait_for, .cancelled = "{\"stop\":\"cancelled\"}" },
	{ .name = "session/prompt", .handler = wait_for, .cancelled = "{\"stopReason\":\"cancelled\"}" },
	{ .name = "initialize", .handler = wait_for },
	{ .name = "returns", .handler = returns, .end = end },
	{ .name = "busy", .handler = busy },
	{ .name = "note", .handler = note, .end = end, .marks = QUASH_NOTIFICATION },
};

/* --- Talking */

void device_prepare(const quash_dialect *dialect)
{
	loop_init(&device, dialect, device_methods, DEVICE_METHODS);
	device_turn = NULL;
	log_text[0] = '\0';
}

void device_begin(void)
{
	loop_start(&device);
}

void device_start(const quash_dialect *dialect)
{
	device_prepare(dialect);
	device_begin();
}

const char *quoted(const char *text)
{
	static char texts[UNIT_QUOTED];
	static size_t used;
	const size_t size = strlen(text) + 1;
	assert_room(size <= sizeof texts);
	if (size > sizeof texts - used)
		used = 0;
	char *const buffer = texts + used;
	used += size;
	strcpy(buffer, text);
	for (char *c = buffer; (c = strchr(c, '\'')) != NULL;)
		*c = '"';
	return buffer;
}

void say(const char *message)
{
	loop_say_message(&device, quoted(message));
}

void step(void)
{
	loop_step(&device, 1);
}

void steps(unsigned n)
{
	while (n-- > 0)
		step();
}

/* Content-Length messages as lines, in their place, with headers that must be exactly as they should be. */
static void make_lines(char *text)
{
	const char *framed = text;
	while (*framed) {
		char header[48];
		const char *const digits = framed + strlen("Content-Length: ");
		const size_t length = (size_t)strtoul(digits, NULL, 10);
		const int n = snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", length);
		assert_memory_equal(framed, header, (size_t)n);
		framed += n;
		assert_true(strlen(framed) >= length);
		memmove(text, framed, length);
		framed += length;
		text += length;
		*text++ = '\n';
	}
	*text = '\0';
}

void device_answers(const char *expected, const char *file, int line)
{
	(void)loop_heard(&device);
	if (device.config.dialect->framing == QUASH_CONTENT_LENGTH)
		make_lines(device.heard);
	_assert_string_equal(device.heard, quoted(expected), file, line);
}

void device_did(const char *expected, const char *file, int line)
{
	_assert_string_equal(log_text, expected, file, line);
	device_forget();
}

void device_forget(void)
{
	log_text[0] = '\0';
}

quash_request *live(const char *id)
{
	for (size_t i = 0; i < device.config.slot_count; i++) {
		quash_request *const request = &device.slots[i];
		if (strcmp(id_of(request), id) == 0)
			return request;
	}
	fail_msg("no live request %s", id);
	return NULL;
}
