/* SPDX-License-Identifier: MIT */
#include "device.h"

#include <stdio.h>
#include <stdlib.h>

#include "core/state.h"
#include "quash/lex.h"

struct work {
	bool begun;
	int32_t steps;
};

loop device;
void (*device_busy_turn)(quash_request *request);
bool device_at_rest;

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

void device_write_down(const quash_request *request, const char *what)
{
	write_down("%s%s(%s)", log_text[0] ? " " : "", what, request ? id_of(request) : "");
}

void device_trace(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	static const char *const names[] = { "received", "kept", "parked", "started", "flagged", "recorded", "written",
		"silenced", "refused", "freed", "late", "dropped", "misused", "session" };
	assert_ptr_equal(peer, &device.peer);
	assert_in_range(event, 0, COUNT_OF(names) - 1);
	assert_in_range(why, 0, QUASH_WHYS - 1);
	if (request == NULL)
		assert_true(event == QUASH_KEPT || event == QUASH_LATE_CANCEL || event == QUASH_DROPPED || event == QUASH_MISUSED ||
			event == QUASH_NEW_SESSION);
	write_down("%s%s", log_text[0] ? " " : "", names[event]);
	if (detail != 0)
		write_down("(%ld)", (long)detail);
}

/* --- Methods */

/* Whether the work is done with this call. */
static bool work_on(quash_request *request)
{
	struct work *const w = QUASH_STATE(struct work, request);
	device_write_down(request, quash_method_of(request)->name);
	if (!w->begun) {
		w->begun = true;
		w->steps = -1;
		(void)quash_int32(quash_get(quash_params_of(request), "steps"), &w->steps);
	}
	if (w->steps > 0)
		w->steps--;
	else
		return w->steps == 0;
	return false;
}

static int32_t now(quash_request *request)
{
	device_write_down(request, "now");
	return quash_reply_int(request, 1);
}

static void put_params(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t echo(quash_request *request)
{
	return quash_reply(request, put_params);
}

static int32_t wait_for(quash_request *request)
{
	const bool done = work_on(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_INTERNAL_ERROR;
	return done ? quash_reply_text(request, "waited") : QUASH_PENDING;
}

static int32_t stubborn(quash_request *request)
{
	return work_on(request) ? quash_reply_text(request, "done") : QUASH_PENDING;
}

static int32_t partial(quash_request *request)
{
	const bool done = work_on(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return quash_reply_text(request, "part");
	return done ? quash_reply_text(request, "all") : QUASH_PENDING;
}

static int32_t returns(quash_request *request)
{
	int32_t code = 0;
	(void)quash_int32(quash_get(quash_params_of(request), "code"), &code);
	return code;
}

static int32_t busy(quash_request *request)
{
	int32_t turns = 0;
	device_write_down(request, "busy");
	(void)quash_int32(quash_get(quash_params_of(request), "steps"), &turns);
	for (int32_t i = 0; i < turns && quash_cancelled(request) == QUASH_NOT_CANCELLED; i++) {
		if (device_busy_turn)
			device_busy_turn(request);
	}
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return quash_reply_text(request, "stopped");
	return quash_reply_text(request, "was busy");
}

static int32_t note(quash_request *request)
{
	device_write_down(request, "note");
	return QUASH_DONE;
}

static int32_t end(quash_request *request)
{
	device_write_down(request, "end");
	return QUASH_DONE;
}

static int32_t end_ramp(quash_request *request)
{
	device_write_down(request, "end");
	return device_at_rest ? QUASH_DONE : QUASH_PENDING;
}

static void released(quash_request *request)
{
	device_write_down(request, "released");
}

enum { WORK = sizeof(struct work) };

const quash_method device_methods[DEVICE_METHODS] = {
	{ .name = "now", .handler = now },
	{ .name = "echo", .handler = echo },
	{ .name = "wait", .handler = wait_for, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .state_size = WORK, .marks = QUASH_FINISHES },
	{ .name = "stubborn", .handler = stubborn, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .state_size = WORK, .marks = QUASH_FINISHES },
	{ .name = "drops", .handler = wait_for, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .state_size = WORK },
	{ .name = "partial", .handler = partial, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .state_size = WORK, .marks = QUASH_PARTIAL | QUASH_FINISHES },
	{ .name = "limited", .handler = wait_for, .motion = { .end = end, .longest = 100 }, .state_size = WORK, .marks = QUASH_FINISHES },
	{ .name = "constant", .handler = wait_for, .cancelled = "{\"stop\":\"cancelled\"}", .state_size = WORK },
	{ .name = "session/prompt", .handler = wait_for, .cancelled = "{\"stopReason\":\"cancelled\"}", .state_size = WORK },
	{ .name = "initialize", .handler = wait_for, .state_size = WORK },
	{ .name = "returns", .handler = returns, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_FINISHES },
	{ .name = "busy", .handler = busy },
	{ .name = "ramp", .handler = now, .motion = { .end = end_ramp, .longest = QUASH_NO_LIMIT }, .released = released, .marks = QUASH_FINISHES },
	{ .name = "note", .handler = note, .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .marks = QUASH_NOTIFICATION | QUASH_FINISHES },
};

/* --- Talking */

void device_prepare(const quash_dialect *dialect)
{
	loop_init(&device, dialect, device_methods, DEVICE_METHODS);
	device_busy_turn = NULL;
	device_at_rest = true;
	log_text[0] = '\0';
}

void device_prepare_with(const quash_dialect *dialect, const quash_method *methods, uint8_t count)
{
	device_prepare(dialect);
	device.config.methods = methods;
	device.config.method_count = count;
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

void device_start_with_slots(const quash_dialect *dialect, uint8_t slots)
{
	device_prepare(dialect);
	device.config.slot_count = slots;
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
	device_check();
}

size_t offer(const char *text)
{
	const size_t taken = quash_feed(&device.peer, (const uint8_t *)quoted(text), strlen(text));
	device_check();
	return taken;
}

void takes_all(const char *text)
{
	assert_int_equal(offer(text), strlen(text));
}

void takes_nothing(const char *text)
{
	assert_int_equal(offer(text), 0);
}

void say_on(const char *text)
{
	feed_on(quoted(text), strlen(text));
}

void feed_on(const char *bytes, size_t n)
{
	size_t at = 0;
	for (unsigned tries = 0; at < n; tries++) {
		const size_t taken = quash_feed(&device.peer, (const uint8_t *)bytes + at, n - at);
		assert_in_range(tries, 0, 2 * n + 1000);
		device_check();
		if (taken == 0)
			step();
		at += taken;
	}
}

/* The shortest answer has 36 bytes, what stands around the text 46 to 68. */
void fill_tx(void)
{
	quash_writer *const w = quash_notify(&device.peer, "fill");
	quash_put_string_open(w);
	for (unsigned i = 80; i < device.config.tx_size; i++)
		quash_put_string_part(w, "x", 1);
	quash_put_string_close(w);
	assert_true(quash_notify_send(&device.peer));
	device.stalled = true;
}

void drain_fill(void)
{
	size_t n;
	(void)quash_out(&device.peer, &n);
	quash_sent(&device.peer, n);
	device.stalled = false;
	device_check();
}

void step(void)
{
	loop_step(&device, 1);
	device_check();
}

void steps(unsigned n)
{
	while (n-- > 0)
		step();
}

void say_and_step(const char *message)
{
	say(message);
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
	device_check();
	if (device.config.dialect->framing == QUASH_CONTENT_LENGTH)
		make_lines(device.heard);
	_assert_string_equal(device.heard, quoted(expected), file, line);
}

void device_answers_after(unsigned n, const char *expected, const char *file, int line)
{
	steps(n);
	device_answers(expected, file, line);
}

void device_answers_to(const char *message, unsigned n, const char *expected, const char *file, int line)
{
	say(message);
	device_answers_after(n, expected, file, line);
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

/* --- What must always hold */

static bool is_legal(const quash_request *slot)
{
	const bool recorded = slot->answer != ANSWER_NONE && slot->answer != ANSWER_SILENT;
	if (recorded && slot->form == FORM_NONE)
		return false;
	switch (slot->life) {
	case LIFE_FREE: return slot->tape_size == 0;
	case LIFE_PARKED: return !recorded && (slot->marks & (MARK_END | MARK_RELEASE | MARK_STARTED | MARK_WAITING)) == 0;
	case LIFE_RUNNING:
		return (slot->answer == ANSWER_NONE || slot->answer == ANSWER_RECORDED || slot->answer == ANSWER_SILENT) &&
			(slot->marks & MARK_STARTED) != 0;
	case LIFE_ENDED: return slot->answer != ANSWER_NONE && (slot->marks & MARK_TIMED) == 0;
	default: return false;
	}
}

void device_check(void)
{
	const quash_peer *const peer = &device.peer;
	unsigned live_ones = 0, listed = 0;
	for (uint8_t i = 0; i < device.config.slot_count; i++) {
		const quash_request *const slot = &device.config.slots[i];
		live_ones += slot->life != LIFE_FREE;
		if (!is_legal(slot))
			fail_msg("slot %u: life %u, answer %u, form %u, marks %x", i, slot->life, slot->answer, slot->form,
				slot->marks);
	}
	for (uint8_t i = peer->first; i != NO_INDEX; i = device.config.slots[i].next) {
		assert_in_range(++listed, 1, live_ones);
		assert_int_not_equal(device.config.slots[i].life, LIFE_FREE);
	}
	assert_int_equal(listed, live_ones);
	assert_true(peer->running != NO_INDEX || (peer->in.kept != KEPT_NOTHING) == (peer->in.pause == PAUSE_STEP || peer->in.pause == PAUSE_ROOM));
}

void device_refuses(const char *table, const char *name, const char *what, unsigned index)
{
	quash_fault fault;
	memset(&fault, 0xA5, sizeof fault);
	assert_false(quash_init(&device.peer, &device.config, &fault));
	assert_string_equal(fault.table, table);
	assert_fault(&fault, what);
	assert_says_fault(&device, &fault);
	assert_int_equal(fault.index, index);
	if (name == NULL)
		assert_null(fault.name);
	else
		assert_string_equal(fault.name, name);
}

void assert_json(const char *text, size_t n)
{
	uint8_t decoded[64];
	quash_lex lex;
	quash_lex_event event;
	size_t at = 0;
	quash_lex_init(&lex, decoded, sizeof decoded);
	do {
		lex.length = 0;
		event = quash_lex_run(&lex, (const uint8_t *)text, n, &at);
		assert_int_not_equal(event, QUASH_LEX_ERROR);
	} while (event != QUASH_LEX_MORE);
	assert_true(quash_lex_complete(&lex));
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
