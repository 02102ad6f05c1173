/* SPDX-License-Identifier: MIT */
#include "bridge_device.h"

#include "bridge_forward.h"
#include "bridge_log.h"
#include "bridge_memory.h"
#include "bridge_waiting.h"
#include "format.h"
#include "text.h"
#include "bridge_window.h"
#include "least.h"
#include "diagnosis.h"

#include <string.h>

enum { FIRST_PAUSE = 50, LONGEST_PAUSE = 2000, NOISE_LINES = 10, SERIAL_TX = 4096, SOCKET_TX = 1 << 16,
	HANG_UP_MS = 500, SIGN_LOOK = 5, SURE_BYTES = 64 };

/* --- What is no message */

/* At each power of ten, and at the end. */
static void note_noise_so_far(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (d->noise > NOISE_LINES)
		log_line(b, LOG_INFO, "%s: %lu lines of noise so far", d->wire.name, (unsigned long)d->noise);
	d->noise_due = d->noise_due <= UINT32_MAX / 10 ? d->noise_due * 10 : UINT32_MAX;
}

static void end_noise(struct device *d)
{
	if (d->noise > NOISE_LINES && d->noise != d->noise_due / 10)
		note_noise_so_far(d);
	d->noise = 0;
	d->noise_due = 10 * NOISE_LINES;
}

static void note_noise(struct device *d, const char *text, size_t n)
{
	struct bridge *const b = d->wire.bridge;
	char shown[LOG_TEXT];
	d->noise++;
	symptoms_noise(&d->symptoms, text, n);
	log_text(shown, text, n);
	if (d->noise <= NOISE_LINES)
		log_line(b, LOG_INFO, "%s: noise: \"%s\"", d->wire.name, shown);
	if (d->noise == d->noise_due)
		note_noise_so_far(d);
	if (d->wire.recorded) {
		char line[LOG_TEXT + 16];
		const size_t length = format_text(line, sizeof line, "noise \"%s\"", shown);
		record_line(b, d->wire.name, RECORD_NOTE, line, length);
	}
}

/* Each once on a connection. */
static void note_diagnosis(struct device *d, enum diagnosis diagnosis)
{
	struct bridge *const b = d->wire.bridge;
	char words[SYMPTOMS_WORDS];
	size_t n;
	const char *const rest = cut_rest(&d->wire.in, &n);
	if (diagnosis == DIAGNOSIS_NONE || (d->diagnosed & 1u << diagnosis) != 0)
		return;
	d->diagnosed |= 1u << diagnosis;
	symptoms_words(&d->symptoms, diagnosis, rest, n, words);
	log_line(b, LOG_WARNING, "%s: %s: %s; remedy: %s", d->wire.name, diagnosis_name(diagnosis), words,
		diagnosis_remedy(diagnosis, d->options.kind == DEVICE_TTY));
}

/* A message that stands after a banner on the same line is found. */
static enum wire_verdict device_judge(struct wire *wire, struct look look, const char *text, size_t n, size_t *from)
{
	struct device *const d = (struct device *)(void *)wire;
	if (look.answers >= 0)
		window_answered(&d->window, look.answers, wire->now);
	if (!look.rpc) {
		*from = wire->in.framing == QUASH_LINES ? look_for(text, n) : n;
		note_noise(d, text, *from);
	}
	if (*from == n || symptoms_are_echo(&d->symptoms, text + *from, n - *from))
		return WIRE_DROP;
	symptoms_message(&d->symptoms, text + *from, n - *from);
	if (look.rpc && !look.array && look.answer && look.answers < 0 && symptoms_odd_answer(&d->symptoms, text, n))
		note_diagnosis(d, DIAGNOSIS_WRONG_ID);
	d->messages++;
	if (d->phase == DEVICE_READY && d->greeted != NULL && look.answers >= 0 && text_denies_session(text + *from, n - *from)) {
		d->denied = true; /* the request is answered with all others */
		return WIRE_DROP;
	}
	return WIRE_TAKE;
}

/* --- What is wrong with it */

static void reads(struct wire *wire, const uint8_t *data, size_t n)
{
	symptoms_bytes(&((struct device *)(void *)wire)->symptoms, data, n);
}

/* What needs no end of a line, and no time, to be known. */
static void look_at_line(struct device *d)
{
	const enum diagnosis diagnosis = symptoms_tell(&d->symptoms, "", 0);
	const bool sure = diagnosis == DIAGNOSIS_ECHO || (diagnosis == DIAGNOSIS_GARBAGE && d->symptoms.bytes >= SURE_BYTES);
	if (sure)
		note_diagnosis(d, diagnosis);
}

void device_words(const struct device *d, char to[DEVICE_WORDS])
{
	struct bridge *const b = d->wire.bridge;
	size_t n;
	const char *const rest = cut_rest(&d->wire.in, &n);
	const enum diagnosis diagnosis = symptoms_tell(&d->symptoms, rest, n);
	char line[128], words[SYMPTOMS_WORDS];
	device_name(&d->options, line, sizeof line);
	symptoms_words(&d->symptoms, diagnosis, rest, n, words);
	if (b->exit >= 0 || d->given_up)
		format_text(to, DEVICE_WORDS, "%s never became ready: %s", line, d->trouble);
	else if (d->phase == DEVICE_AWAY || d->phase == DEVICE_OPENING)
		format_text(to, DEVICE_WORDS, "%s: waiting: %s", line, d->trouble[0] != '\0' ? d->trouble : "it is being connected");
	else if (diagnosis == DIAGNOSIS_NONE)
		format_text(to, DEVICE_WORDS, "%s: it sends messages, but no answer to initialize", line);
	else
		format_text(to, DEVICE_WORDS, "%s: %s: %s; remedy: %s", line, diagnosis_name(diagnosis), words,
			diagnosis_remedy(diagnosis, d->options.kind == DEVICE_TTY));
}

void device_refused(struct device *d, quash_value error)
{
	struct bridge *const b = d->wire.bridge;
	int32_t code = QUASH_METHOD_NOT_FOUND;
	const bool foreign = quash_kind_of(error) == QUASH_NONE;
	(void)quash_int32(quash_get(error, "code"), &code);
	text_replace(&b->heap, &d->greeted, NULL);
	text_replace(&b->heap, &d->refused, foreign ? text_copy(&b->heap, "{\"code\":-32603,\"message\":\"What the device answers to initialize is of another protocol\"}") :
		text_of_error(&b->heap, error));
	d->refusal = diagnosis_of_code(code);
}

void device_unanswered(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	size_t n;
	const char *const rest = cut_rest(&d->wire.in, &n);
	log_line(b, LOG_INFO, "%s: no answer to initialize, asked again", d->wire.name);
	note_diagnosis(d, symptoms_tell(&d->symptoms, rest, n));
	device_end_greeting(d);
}

/* --- Its peer */

static void counts(struct wire *wire, size_t n)
{
	window_count(&((struct device *)(void *)wire)->window, n);
}

static void leaves(struct wire *wire, const char *message)
{
	struct device *const d = (struct device *)(void *)wire;
	window_message(&d->window, message, wire->now);
	symptoms_sent(&d->symptoms, message, strlen(message));
	if (!symptoms_look_at_own(&d->symptoms))
		wire_overlooks_own(wire);
}

/* Short: a progress token holds it, and small devices have little room for one. */
enum { FIRST_ID = 1000, FIRST_IDS = 49000 };

static uint32_t random_id(struct bridge *b)
{
	uint32_t id = 0;
	if (!b->host.random(b->host.context, &id, sizeof id))
		id = b->now * 2654435761u;
	return FIRST_ID + id % FIRST_IDS;
}

static void set_route(quash_route *route, struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	route->to = &d->wire.peer;
	route->progress = b->options.protocol->progress;
	route->token_size = WIRE_TOKEN;
}

static quash_size tx_size(struct bridge *b, const struct device_options *device)
{
	if (b->options.protocol->dialect->framing != QUASH_LINES)
		return 0;
	return device->kind == DEVICE_TTY ? SERIAL_TX : SOCKET_TX;
}

static bool open_wire(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	d->request = (quash_method){ .handler = device_request, .state_size = WIRE_STATE };
	d->note = (quash_method){ .handler = device_note, .state_size = WIRE_STATE, .marks = QUASH_NOTIFICATION };
	d->wire.other_request = &d->request;
	d->wire.other_note = &d->note;
	d->wire.judge = device_judge;
	d->wire.reads = reads;
	d->wire.counts = counts;
	d->wire.leaves = leaves;
	d->wire.traced = b->options.trace;
	d->wire.recorded = b->host.record != NULL;
	d->wire.config.tx_size = tx_size(b, &d->options);
	b->options.protocol->device_methods(d);
	if (!wire_open(&d->wire, b, b->options.protocol->dialect))
		return false;
	quash_call_ids_from(&d->wire.peer, random_id(b));
	quash_gone(&d->wire.peer);
	return true;
}

bool device_open(struct bridge *b, unsigned index)
{
	struct device *const d = heap_new(&b->heap, sizeof *d);
	if (d == NULL)
		return false;
	b->devices[index] = d;
	b->device_count = index + 1;
	d->index = index;
	d->options = b->options.devices[index].options;
	d->subscribed.heap = d->unaddressed.heap = &b->heap;
	d->wire.bridge = b;
	format_text(d->wire.name, sizeof d->wire.name, "%s", b->options.devices[index].name);
	d->pause = FIRST_PAUSE;
	d->retry = d->away = b->now;
	d->level = NO_LEVEL;
	d->fetching = LIST_KINDS;
	set_route(&d->plain, d);
	set_route(&d->listen, d);
	set_route(&d->named, d);
	set_route(&d->resource, d);
	set_route(&d->reference, d);
	return open_wire(d);
}

/* --- Its line */

/* It answers, but serves neither era. */
static bool is_refusing(const struct device *d)
{
	return d->refused != NULL && d->modern == NULL;
}

const char *device_state(const struct device *d)
{
	switch (d->phase) {
	case DEVICE_READY: return is_refusing(d) ? "refusing" : "ready";
	case DEVICE_AWAY: return "waiting";
	default: return "connecting";
	}
}

static void note_line(struct device *d, enum log_level level, const char *what)
{
	struct bridge *const b = d->wire.bridge;
	char name[128];
	device_name(&d->options, name, sizeof name);
	log_line(b, level, "%s: %s (%s)", d->wire.name, what, name);
	if (d->wire.recorded) {
		char line[160];
		const size_t n = format_text(line, sizeof line, "%s (%s)", what, name);
		record_line(b, d->wire.name, RECORD_NOTE, line, n);
	}
}

static void try_later(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	d->phase = DEVICE_AWAY;
	d->retry = b->now + d->pause;
	d->pause = d->pause * 2 < LONGEST_PAUSE ? d->pause * 2 : LONGEST_PAUSE;
}

static const char in_use[] = "Device or resource busy";

static void keep_trouble(struct device *d)
{
	const bool used = d->line->why == BRIDGE_IN_USE;
	format_text(d->trouble, sizeof d->trouble, "%s%s", used ? "it is in use by " : "", d->line->words);
}

/* Once for each time that it is away, and again when it is away for another reason. */
static void note_trouble(struct device *d)
{
	char name[128], before[sizeof d->trouble];
	memcpy(before, d->trouble, sizeof before);
	keep_trouble(d);
	if (d->waits_noted && strcmp(before, d->trouble) == 0)
		return;
	d->waits_noted = true;
	device_name(&d->options, name, sizeof name);
	log_line(d->wire.bridge, LOG_INFO, "%s: waiting for %s: %s", d->wire.name, name,
		d->line->why == BRIDGE_IN_USE ? in_use : d->line->words);
}

static void begin_session(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	d->phase = DEVICE_GREETING;
	d->signs = d->denied = d->asked = false;
	d->waits_noted = d->ready_noted = false;
	d->symptoms = (struct symptoms){ .framing = d->wire.in.framing };
	d->diagnosed = 0;
	end_noise(d);
	note_line(d, LOG_INFO, "connected");
	quash_reopen(&d->wire.peer);
	window_begin(&d->window, d->options.baud, d->options.kind == DEVICE_COMMAND, b->now);
	wire_join(&d->wire, d->line, line_port(d->line));
	if (d->options.kind == DEVICE_TCP && b->options.token != NULL)
		wire_show_token(&d->wire, b->options.token);
	if (b->options.protocol->greet == NULL)
		device_ready(d);
}

/* The one that has to be there, `--wait` at most, is locked by another program, which is named. */
static void end_in_use(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	char name[128];
	device_name(&d->options, name, sizeof name);
	log_line(b, LOG_ERROR, "%s is in use by %s", name, d->line->words);
	b->exit = EXIT_IN_USE;
	forward_wake(b);
}

/* A command that does not begin will not begin later. One of several must not end what the others do. */
static void give_up(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	char name[128];
	device_name(&d->options, name, sizeof name);
	log_line(b, LOG_ERROR, "%s never became ready: %s", name, d->trouble);
	d->given_up = true;
	if (!b->options.many_devices)
		b->exit = EXIT_DEVICE_LOST;
	forward_wake(b);
}

/* Without memory for its line it is tried again, as if it had failed. */
static void try_open(struct device *d)
{
	d->line = line_open(d->wire.bridge, d->index);
	if (d->line != NULL)
		d->phase = DEVICE_OPENING;
	else
		try_later(d);
}

static void leave_line(struct device *d, uint32_t ms)
{
	wire_join(&d->wire, NULL, d->wire.under);
	if (d->line != NULL)
		line_close(d->line, ms);
	d->line = NULL;
}

static void fail_to_open(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	const bool used = d->line->why == BRIDGE_IN_USE;
	note_trouble(d);
	if (used && !d->was_ready && !b->options.many_devices && b->now - d->away >= b->options.wait)
		end_in_use(d);
	if (d->options.kind == DEVICE_COMMAND && !d->was_ready)
		give_up(d);
	leave_line(d, 0);
	try_later(d);
}

/* How many requests are answered with Link lost now. */
static void note_end_of_line(struct device *d, const char *what)
{
	struct bridge *const b = d->wire.bridge;
	end_noise(d);
	const unsigned live = forward_live(d);
	char answered[64] = "";
	if (live > 0)
		format_text(answered, sizeof answered, ", %u request%s answered with Link lost", live, live == 1 ? "" : "s");
	log_line(b, b->shut_down ? LOG_DEBUG : LOG_WARNING, "%s: %s%s", d->wire.name, what, answered);
	if (d->wire.recorded)
		record_line(b, d->wire.name, RECORD_NOTE, what, strlen(what));
}

static void note_loss(struct device *d)
{
	keep_trouble(d);
	note_end_of_line(d, "lost");
	log_line(d->wire.bridge, LOG_DEBUG, "%s: %s", d->wire.name, d->trouble);
}

/* What is live is answered with Link lost. */
static void end_session(struct device *d)
{
	quash_gone(&d->wire.peer);
	(void)quash_step(&d->wire.peer);
}

/* The line stays: to close it would reset some boards once more. */
static void device_begins_anew(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	note_end_of_line(d, "restarted");
	end_session(d);
	if (b->options.protocol->lost != NULL)
		b->options.protocol->lost(d);
	forward_wake(b);
	begin_session(d);
}

static void device_lose(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	const bool was_ready = d->phase == DEVICE_READY;
	note_loss(d);
	end_session(d);
	leave_line(d, was_ready ? 0 : HANG_UP_MS);
	d->away = b->now;
	if (b->options.protocol->lost != NULL)
		b->options.protocol->lost(d);
	try_later(d);
	forward_wake(b);
	if (was_ready && b->options.protocol->exits_when_lost)
		b->exit = b->shut_down ? EXIT_WELL : EXIT_DEVICE_LOST;
	if (!d->was_ready && d->options.kind == DEVICE_COMMAND)
		give_up(d);
}

static bool is_lost(const struct device *d)
{
	return d->line->gone || d->line->ended || quash_is_gone(&d->wire.peer);
}

static void note_refusal(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	log_line(b, LOG_WARNING, "%s: refuses initialize: %s", d->wire.name, d->refused);
	log_line(b, LOG_WARNING, "%s: %s; remedy: %s", d->wire.name, diagnosis_name(d->refusal),
		diagnosis_remedy(d->refusal, d->options.kind == DEVICE_TTY));
}

/* Who has sent nothing yet may not be there at all. */
static void note_ready(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	const bool named = d->own_name[0] != '\0', versioned = d->own_version[0] != '\0';
	d->ready_noted = true;
	if (is_refusing(d))
		note_refusal(d);
	else
		log_line(b, LOG_INFO, "%s: ready%s%s%s%s", d->wire.name, named || versioned ? ": " : "", d->own_name,
			named && versioned ? " " : "", d->own_version);
}

static void move(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	size_t unsent = 0;
	wire_turn(&d->wire, b->now);
	if (d->window.granted > 0 && (quash_out(&d->wire.peer, &unsent), unsent == 0))
		window_settle(&d->window);
	look_at_line(d);
	if (d->phase == DEVICE_READY && !d->ready_noted && d->symptoms.heard)
		note_ready(d);
	if (is_lost(d))
		device_lose(d);
	else if (d->denied)
		device_begins_anew(d);
	else if (d->phase == DEVICE_GREETING && b->options.protocol->greet != NULL)
		b->options.protocol->greet(d);
	else if (d->phase == DEVICE_READY && b->options.protocol->tend != NULL)
		b->options.protocol->tend(d);
}

static void look_whether_connected(struct device *d)
{
	if (d->line->state == LINE_FAILED)
		fail_to_open(d);
	else if (d->line->state == LINE_OPEN)
		begin_session(d);
}

static bool device_is_due(uint32_t now, uint32_t at)
{
	return (int32_t)(now - at) >= 0;
}

void device_ready(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	d->phase = DEVICE_READY;
	d->was_ready = true;
	d->pause = FIRST_PAUSE;
	if (d->symptoms.heard)
		note_ready(d);
	forward_wake(b);
}

/* --- What the bridge asks itself */

void device_ask(struct device *d, quash_call *call, const char *method, quash_call_put *put, uint32_t ms)
{
	call->method = method;
	call->put = put;
	call->context = d;
	call->deadline = ms;
	(void)quash_call_start(&d->wire.peer, call);
}

void device_end_greeting(struct device *d)
{
	(void)quash_call_release(&d->greeting);
	d->greeting.method = NULL;
}

void device_note_name(struct device *d, quash_value info)
{
	text_fit(d->own_name, sizeof d->own_name, quash_text(quash_get(info, "name")));
	text_fit(d->own_version, sizeof d->own_version, quash_text(quash_get(info, "version")));
}

/* --- Turns */

void device_turn(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (d->phase == DEVICE_AWAY && device_is_due(b->now, d->retry) && b->exit < 0 && !d->given_up)
		try_open(d);
	if (d->phase == DEVICE_OPENING)
		look_whether_connected(d);
	if (d->phase == DEVICE_GREETING || d->phase == DEVICE_READY)
		move(d);
	else
		wire_turn(&d->wire, b->now);
	if (d->phase == DEVICE_READY && sign_is_due(d) && forward_waits(d))
		(void)sign_give(d);
	waiting_grant(d);
}

/* One that is due stays due while the line takes nothing. */
static uint32_t until_sign(const struct device *d)
{
	const uint32_t ms = sign_left(d);
	return ms > 0 ? ms : SIGN_LOOK;
}

static uint32_t until_lists(const struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	const bool waits = d->phase == DEVICE_READY && d->refused == NULL && d->fetching == LIST_KINDS && (d->rests || d->failed);
	return !waits ? UINT32_MAX : device_is_due(b->now, d->again) ? 0 : d->again - b->now;
}

uint32_t device_rest(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (wire_is_due(&d->wire))
		return 0;
	const uint32_t own = quash_idle_ms(&d->wire.peer), lists = until_lists(d), idle = own < lists ? own : lists;
	uint32_t rest = UINT32_MAX;
	if (d->phase == DEVICE_AWAY)
		rest = b->exit >= 0 || d->given_up ? UINT32_MAX : device_is_due(b->now, d->retry) ? 0 : d->retry - b->now;
	else if (d->phase != DEVICE_OPENING && d->lease != 0 && d->signs && forward_waits(d))
		rest = until_sign(d);
	return less(less(waiting_rest(d), memory_shrink_left(&d->wire)), less(idle, rest));
}

void device_hang_up(struct device *d)
{
	if (d->line != NULL && d->options.kind == DEVICE_COMMAND)
		line_hang_up(d->line);
}

void device_close(struct device *d, uint32_t ms)
{
	end_noise(d);
	leave_line(d, ms);
}

void device_free(struct device *d)
{
	const struct heap *const heap = &d->wire.bridge->heap;
	char *const texts[] = { d->greeted, d->refused, d->modern, d->subscription, d->cursor };
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		heap_free(heap, texts[i]);
	texts_clear(&d->subscribed);
	texts_clear(&d->unaddressed);
	for (unsigned i = 0; i < MOST_LISTENERS; i++)
		heap_free(heap, d->listeners[i].id);
	for (unsigned i = 0; i < d->limit_count; i++)
		heap_free(heap, d->limits[i].tool);
	for (int kind = 0; kind < LIST_KINDS; kind++) {
		list_clear(heap, &d->list[kind]);
		list_clear(heap, &d->fresh[kind]);
	}
	wire_close(&d->wire);
	heap_free(heap, d);
}
