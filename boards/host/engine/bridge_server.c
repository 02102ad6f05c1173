/* SPDX-License-Identifier: MIT */
#include "bridge_server.h"

#include "bridge_forward.h"
#include "bridge_log.h"
#include "bridge_memory.h"
#include "bridge_waiting.h"
#include "text.h"
#include "bridge_window.h"
#include "least.h"
#include "diagnosis.h"

#include <stdio.h>
#include <string.h>

enum { FIRST_PAUSE = 50, LONGEST_PAUSE = 2000, NOISE_LINES = 10, SERIAL_TX = 4096, SOCKET_TX = 1 << 16,
	HANG_UP_MS = 500, SIGN_LOOK = 5, SURE_BYTES = 64 };

/* --- What is no message */

/* At each power of ten, and at the end. */
static void note_noise_so_far(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	if (s->noise > NOISE_LINES)
		log_line(b, LOG_INFO, "%s: %lu lines of noise so far", s->wire.name, (unsigned long)s->noise);
	s->noise_due = s->noise_due <= UINT32_MAX / 10 ? s->noise_due * 10 : UINT32_MAX;
}

static void end_noise(struct server *s)
{
	if (s->noise > NOISE_LINES && s->noise != s->noise_due / 10)
		note_noise_so_far(s);
	s->noise = 0;
	s->noise_due = 10 * NOISE_LINES;
}

static void note_noise(struct server *s, const char *text, size_t n)
{
	struct bridge *const b = s->wire.bridge;
	char shown[LOG_TEXT];
	s->noise++;
	symptoms_noise(&s->symptoms, text, n);
	log_text(shown, text, n);
	if (s->noise <= NOISE_LINES)
		log_line(b, LOG_INFO, "%s: noise: \"%s\"", s->wire.name, shown);
	if (s->noise == s->noise_due)
		note_noise_so_far(s);
	if (s->wire.recorded) {
		char line[LOG_TEXT + 16];
		const int length = snprintf(line, sizeof line, "noise \"%s\"", shown);
		record_line(b, s->wire.name, RECORD_NOTE, line, (size_t)length);
	}
}

/* Each once on a connection. */
static void note_diagnosis(struct server *s, enum diagnosis diagnosis)
{
	struct bridge *const b = s->wire.bridge;
	char words[SYMPTOMS_WORDS];
	size_t n;
	const char *const rest = cut_rest(&s->wire.in, &n);
	if (diagnosis == DIAGNOSIS_NONE || (s->diagnosed & 1u << diagnosis) != 0)
		return;
	s->diagnosed |= 1u << diagnosis;
	symptoms_words(&s->symptoms, diagnosis, rest, n, words);
	log_line(b, LOG_WARNING, "%s: %s: %s; remedy: %s", s->wire.name, diagnosis_name(diagnosis), words,
		diagnosis_remedy(diagnosis, s->device.kind == DEVICE_TTY));
}

/* A message that stands after a banner on the same line is found. */
static enum wire_verdict server_judge(struct wire *wire, struct look look, const char *text, size_t n, size_t *from)
{
	struct server *const s = (struct server *)(void *)wire;
	if (look.answers >= 0)
		window_answered(&s->window, look.answers, wire->now);
	if (!look.rpc) {
		*from = wire->in.framing == QUASH_LINES ? look_for(text, n) : n;
		note_noise(s, text, *from);
	}
	if (*from == n || symptoms_are_echo(&s->symptoms, text + *from, n - *from))
		return WIRE_DROP;
	symptoms_message(&s->symptoms, text + *from, n - *from);
	if (look.rpc && !look.array && look.answer && look.answers < 0 && symptoms_odd_answer(&s->symptoms, text, n))
		note_diagnosis(s, DIAGNOSIS_WRONG_ID);
	s->messages++;
	if (s->phase == SERVER_READY && s->greeted != NULL && look.answers >= 0 && text_denies_session(text + *from, n - *from)) {
		s->denied = true; /* the request is answered with all others */
		return WIRE_DROP;
	}
	return WIRE_TAKE;
}

/* --- What is wrong with it */

static void reads(struct wire *wire, const uint8_t *data, size_t n)
{
	symptoms_bytes(&((struct server *)(void *)wire)->symptoms, data, n);
}

/* What needs no end of a line, and no time, to be known. */
static void look_at_line(struct server *s)
{
	const enum diagnosis diagnosis = symptoms_tell(&s->symptoms, "", 0);
	const bool sure = diagnosis == DIAGNOSIS_ECHO || (diagnosis == DIAGNOSIS_GARBAGE && s->symptoms.bytes >= SURE_BYTES);
	if (sure)
		note_diagnosis(s, diagnosis);
}

void server_words(const struct server *s, char to[SERVER_WORDS])
{
	struct bridge *const b = s->wire.bridge;
	size_t n;
	const char *const rest = cut_rest(&s->wire.in, &n);
	const enum diagnosis diagnosis = symptoms_tell(&s->symptoms, rest, n);
	char line[128], words[SYMPTOMS_WORDS];
	device_name(&s->device, line, sizeof line);
	symptoms_words(&s->symptoms, diagnosis, rest, n, words);
	if (b->exit >= 0 || s->given_up)
		snprintf(to, SERVER_WORDS, "%s never became ready: %s", line, s->trouble);
	else if (s->phase == SERVER_AWAY || s->phase == SERVER_OPENING)
		snprintf(to, SERVER_WORDS, "%s: waiting: %s", line, s->trouble[0] != '\0' ? s->trouble : "it is being connected");
	else if (diagnosis == DIAGNOSIS_NONE)
		snprintf(to, SERVER_WORDS, "%s: it sends messages, but no answer to initialize", line);
	else
		snprintf(to, SERVER_WORDS, "%s: %s: %s; remedy: %s", line, diagnosis_name(diagnosis), words,
			diagnosis_remedy(diagnosis, s->device.kind == DEVICE_TTY));
}

void server_refused(struct server *s, quash_value error)
{
	struct bridge *const b = s->wire.bridge;
	int32_t code = QUASH_METHOD_NOT_FOUND;
	const bool foreign = quash_kind_of(error) == QUASH_NONE;
	(void)quash_int32(quash_get(error, "code"), &code);
	text_replace(&b->heap, &s->greeted, NULL);
	text_replace(&b->heap, &s->refused, foreign ? text_copy(&b->heap, "{\"code\":-32603,\"message\":\"What the device answers to initialize is of another protocol\"}") :
		text_of_error(&b->heap, error));
	s->refusal = diagnosis_of_code(code);
}

void server_unanswered(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	size_t n;
	const char *const rest = cut_rest(&s->wire.in, &n);
	log_line(b, LOG_INFO, "%s: no answer to initialize, asked again", s->wire.name);
	note_diagnosis(s, symptoms_tell(&s->symptoms, rest, n));
	server_end_greeting(s);
}

/* --- Its peer */

static void counts(struct wire *wire, size_t n)
{
	window_count(&((struct server *)(void *)wire)->window, n);
}

static void leaves(struct wire *wire, const char *message)
{
	struct server *const s = (struct server *)(void *)wire;
	window_message(&s->window, message, wire->now);
	symptoms_sent(&s->symptoms, message, strlen(message));
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

static void set_route(quash_route *route, struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	route->to = &s->wire.peer;
	route->progress = b->options.protocol->progress;
	route->token_size = WIRE_TOKEN;
}

static quash_size tx_size(struct bridge *b, const struct device_options *device)
{
	if (b->options.protocol->dialect->framing != QUASH_LINES)
		return 0;
	return device->kind == DEVICE_TTY ? SERIAL_TX : SOCKET_TX;
}

static bool open_wire(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	s->request = (quash_method){ .handler = server_request, .state_size = WIRE_STATE };
	s->note = (quash_method){ .handler = server_note, .state_size = WIRE_STATE, .marks = QUASH_NOTIFICATION };
	s->wire.other_request = &s->request;
	s->wire.other_note = &s->note;
	s->wire.judge = server_judge;
	s->wire.reads = reads;
	s->wire.counts = counts;
	s->wire.leaves = leaves;
	s->wire.traced = b->options.trace;
	s->wire.recorded = b->host.record != NULL;
	s->wire.config.tx_size = tx_size(b, &s->device);
	b->options.protocol->server_methods(s);
	if (!wire_open(&s->wire, b, b->options.protocol->dialect))
		return false;
	quash_call_ids_from(&s->wire.peer, random_id(b));
	quash_gone(&s->wire.peer);
	return true;
}

bool server_open(struct bridge *b, unsigned index)
{
	struct server *const s = heap_new(&b->heap, sizeof *s);
	if (s == NULL)
		return false;
	b->servers[index] = s;
	b->server_count = index + 1;
	s->index = index;
	s->device = b->options.servers[index].device;
	s->subscribed.heap = s->unaddressed.heap = &b->heap;
	s->wire.bridge = b;
	snprintf(s->wire.name, sizeof s->wire.name, "%s", b->options.servers[index].name);
	s->pause = FIRST_PAUSE;
	s->retry = s->away = b->now;
	s->level = NO_LEVEL;
	s->fetching = LIST_KINDS;
	set_route(&s->plain, s);
	set_route(&s->listen, s);
	set_route(&s->named, s);
	set_route(&s->resource, s);
	set_route(&s->reference, s);
	return open_wire(s);
}

/* --- Its line */

/* It answers, but serves neither era. */
static bool is_refusing(const struct server *s)
{
	return s->refused != NULL && s->modern == NULL;
}

const char *server_state(const struct server *s)
{
	switch (s->phase) {
	case SERVER_READY: return is_refusing(s) ? "refusing" : "ready";
	case SERVER_AWAY: return "waiting";
	default: return "connecting";
	}
}

static void note_line(struct server *s, enum log_level level, const char *what)
{
	struct bridge *const b = s->wire.bridge;
	char name[128];
	device_name(&s->device, name, sizeof name);
	log_line(b, level, "%s: %s (%s)", s->wire.name, what, name);
	if (s->wire.recorded) {
		char line[160];
		const int n = snprintf(line, sizeof line, "%s (%s)", what, name);
		record_line(b, s->wire.name, RECORD_NOTE, line, (size_t)n);
	}
}

static void try_later(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	s->phase = SERVER_AWAY;
	s->retry = b->now + s->pause;
	s->pause = s->pause * 2 < LONGEST_PAUSE ? s->pause * 2 : LONGEST_PAUSE;
}

static const char in_use[] = "Device or resource busy";

static void keep_trouble(struct server *s)
{
	const bool used = s->line->why == BRIDGE_IN_USE;
	snprintf(s->trouble, sizeof s->trouble, "%s%s", used ? "it is in use by " : "", s->line->words);
}

/* Once for each time that it is away. */
static void note_trouble(struct server *s)
{
	char name[128];
	keep_trouble(s);
	if (s->waits_noted)
		return;
	s->waits_noted = true;
	device_name(&s->device, name, sizeof name);
	log_line(s->wire.bridge, LOG_INFO, "%s: waiting for %s: %s", s->wire.name, name,
		s->line->why == BRIDGE_IN_USE ? in_use : s->line->words);
}

static void begin_session(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	s->phase = SERVER_GREETING;
	s->signs = s->denied = s->asked = false;
	s->waits_noted = s->ready_noted = false;
	s->symptoms = (struct symptoms){ .framing = s->wire.in.framing };
	s->diagnosed = 0;
	end_noise(s);
	note_line(s, LOG_INFO, "connected");
	quash_reopen(&s->wire.peer);
	window_begin(&s->window, s->device.baud, s->device.kind == DEVICE_COMMAND, b->now);
	wire_join(&s->wire, s->line, line_port(s->line));
	if (s->device.kind == DEVICE_TCP && b->options.token != NULL)
		wire_show_token(&s->wire, b->options.token);
	if (b->options.protocol->greet == NULL)
		server_ready(s);
}

/* The one that has to be there, `--wait` at most, is locked by another program, which is named. */
static void end_in_use(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	char name[128];
	device_name(&s->device, name, sizeof name);
	log_line(b, LOG_ERROR, "%s is in use by %s", name, s->line->words);
	b->exit = EXIT_IN_USE;
	forward_wake(b);
}

/* A command that does not begin will not begin later. One of several must not end what the others do. */
static void give_up(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	char name[128];
	device_name(&s->device, name, sizeof name);
	log_line(b, LOG_ERROR, "%s never became ready: %s", name, s->trouble);
	s->given_up = true;
	if (!b->options.many_servers)
		b->exit = EXIT_SERVER_LOST;
	forward_wake(b);
}

/* Without memory for its line it is tried again, as if it had failed. */
static void try_open(struct server *s)
{
	s->line = line_open(s->wire.bridge, s->index);
	if (s->line != NULL)
		s->phase = SERVER_OPENING;
	else
		try_later(s);
}

static void leave_line(struct server *s, uint32_t ms)
{
	wire_join(&s->wire, NULL, s->wire.under);
	if (s->line != NULL)
		line_close(s->line, ms);
	s->line = NULL;
}

static void fail_to_open(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	const bool used = s->line->why == BRIDGE_IN_USE;
	note_trouble(s);
	if (used && !s->was_ready && !b->options.many_servers && b->now - s->away >= b->options.wait)
		end_in_use(s);
	if (s->device.kind == DEVICE_COMMAND && !s->was_ready)
		give_up(s);
	leave_line(s, 0);
	try_later(s);
}

/* How many requests are answered with Link lost now. */
static void note_end_of_line(struct server *s, const char *what)
{
	struct bridge *const b = s->wire.bridge;
	end_noise(s);
	const unsigned live = forward_live(s);
	char answered[64] = "";
	if (live > 0)
		snprintf(answered, sizeof answered, ", %u request%s answered with Link lost", live, live == 1 ? "" : "s");
	log_line(b, b->shut_down ? LOG_DEBUG : LOG_WARNING, "%s: %s%s", s->wire.name, what, answered);
	if (s->wire.recorded)
		record_line(b, s->wire.name, RECORD_NOTE, what, strlen(what));
}

static void note_loss(struct server *s)
{
	keep_trouble(s);
	note_end_of_line(s, "lost");
	log_line(s->wire.bridge, LOG_DEBUG, "%s: %s", s->wire.name, s->trouble);
}

/* What is live is answered with Link lost. */
static void end_session(struct server *s)
{
	quash_gone(&s->wire.peer);
	(void)quash_step(&s->wire.peer);
}

/* The line stays: to close it would reset some boards once more. */
static void server_begins_anew(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	note_end_of_line(s, "restarted");
	end_session(s);
	if (b->options.protocol->lost != NULL)
		b->options.protocol->lost(s);
	forward_wake(b);
	begin_session(s);
}

static void server_lose(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	const bool was_ready = s->phase == SERVER_READY;
	note_loss(s);
	end_session(s);
	leave_line(s, was_ready ? 0 : HANG_UP_MS);
	s->away = b->now;
	if (b->options.protocol->lost != NULL)
		b->options.protocol->lost(s);
	try_later(s);
	forward_wake(b);
	if (was_ready && b->options.protocol->exits_when_lost)
		b->exit = b->shut_down ? EXIT_WELL : EXIT_SERVER_LOST;
	if (!s->was_ready && s->device.kind == DEVICE_COMMAND)
		give_up(s);
}

static bool is_lost(const struct server *s)
{
	return s->line->gone || s->line->ended || quash_is_gone(&s->wire.peer);
}

static void note_refusal(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	log_line(b, LOG_WARNING, "%s: refuses initialize: %s", s->wire.name, s->refused);
	log_line(b, LOG_WARNING, "%s: %s; remedy: %s", s->wire.name, diagnosis_name(s->refusal),
		diagnosis_remedy(s->refusal, s->device.kind == DEVICE_TTY));
}

/* Who has sent nothing yet may not be there at all. */
static void note_ready(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	const bool named = s->own_name[0] != '\0', versioned = s->own_version[0] != '\0';
	s->ready_noted = true;
	if (is_refusing(s))
		note_refusal(s);
	else
		log_line(b, LOG_INFO, "%s: ready%s%s%s%s", s->wire.name, named || versioned ? ": " : "", s->own_name,
			named && versioned ? " " : "", s->own_version);
}

static void move(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	size_t unsent = 0;
	wire_turn(&s->wire, b->now);
	if (s->window.granted > 0 && (quash_out(&s->wire.peer, &unsent), unsent == 0))
		window_settle(&s->window);
	look_at_line(s);
	if (s->phase == SERVER_READY && !s->ready_noted && s->symptoms.heard)
		note_ready(s);
	if (is_lost(s))
		server_lose(s);
	else if (s->denied)
		server_begins_anew(s);
	else if (s->phase == SERVER_GREETING && b->options.protocol->greet != NULL)
		b->options.protocol->greet(s);
	else if (s->phase == SERVER_READY && b->options.protocol->tend != NULL)
		b->options.protocol->tend(s);
}

static void look_whether_connected(struct server *s)
{
	if (s->line->state == LINE_FAILED)
		fail_to_open(s);
	else if (s->line->state == LINE_OPEN)
		begin_session(s);
}

static bool server_is_due(uint32_t now, uint32_t at)
{
	return (int32_t)(now - at) >= 0;
}

void server_ready(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	s->phase = SERVER_READY;
	s->was_ready = true;
	s->pause = FIRST_PAUSE;
	if (s->symptoms.heard)
		note_ready(s);
	forward_wake(b);
}

/* --- What the bridge asks itself */

void server_ask(struct server *s, quash_call *call, const char *method, quash_call_put *put, uint32_t ms)
{
	call->method = method;
	call->put = put;
	call->context = s;
	call->deadline = ms;
	(void)quash_call_start(&s->wire.peer, call);
}

void server_end_greeting(struct server *s)
{
	(void)quash_call_release(&s->greeting);
	s->greeting.method = NULL;
}

void server_note_name(struct server *s, quash_value info)
{
	text_fit(s->own_name, sizeof s->own_name, quash_text(quash_get(info, "name")));
	text_fit(s->own_version, sizeof s->own_version, quash_text(quash_get(info, "version")));
}

/* --- Turns */

void server_turn(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	if (s->phase == SERVER_AWAY && server_is_due(b->now, s->retry) && b->exit < 0 && !s->given_up)
		try_open(s);
	if (s->phase == SERVER_OPENING)
		look_whether_connected(s);
	if (s->phase == SERVER_GREETING || s->phase == SERVER_READY)
		move(s);
	else
		wire_turn(&s->wire, b->now);
	if (s->phase == SERVER_READY && sign_is_due(s) && forward_waits(s))
		(void)sign_give(s);
	waiting_grant(s);
}

/* One that is due stays due while the line takes nothing. */
static uint32_t until_sign(const struct server *s)
{
	const uint32_t ms = sign_left(s);
	return ms > 0 ? ms : SIGN_LOOK;
}

static uint32_t until_lists(const struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	const bool waits = s->phase == SERVER_READY && s->refused == NULL && s->fetching == LIST_KINDS && (s->rests || s->failed);
	return !waits ? UINT32_MAX : server_is_due(b->now, s->again) ? 0 : s->again - b->now;
}

uint32_t server_rest(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	if (wire_is_due(&s->wire))
		return 0;
	const uint32_t own = quash_idle_ms(&s->wire.peer), lists = until_lists(s), idle = own < lists ? own : lists;
	uint32_t rest = UINT32_MAX;
	if (s->phase == SERVER_AWAY)
		rest = b->exit >= 0 || s->given_up ? UINT32_MAX : server_is_due(b->now, s->retry) ? 0 : s->retry - b->now;
	else if (s->phase != SERVER_OPENING && s->lease != 0 && s->signs && forward_waits(s))
		rest = until_sign(s);
	return less(less(waiting_rest(s), memory_shrink_left(&s->wire)), less(idle, rest));
}

void server_hang_up(struct server *s)
{
	if (s->line != NULL && s->device.kind == DEVICE_COMMAND)
		line_hang_up(s->line);
}

void server_close(struct server *s, uint32_t ms)
{
	end_noise(s);
	leave_line(s, ms);
}

void server_free(struct server *s)
{
	const struct heap *const heap = &s->wire.bridge->heap;
	char *const texts[] = { s->greeted, s->refused, s->modern, s->subscription, s->cursor };
	for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++)
		heap_free(heap, texts[i]);
	texts_clear(&s->subscribed);
	texts_clear(&s->unaddressed);
	for (unsigned i = 0; i < MOST_LISTENERS; i++)
		heap_free(heap, s->listeners[i].id);
	for (unsigned i = 0; i < s->limit_count; i++)
		heap_free(heap, s->limits[i].tool);
	for (int kind = 0; kind < LIST_KINDS; kind++) {
		list_clear(heap, &s->list[kind]);
		list_clear(heap, &s->fresh[kind]);
	}
	wire_close(&s->wire);
	heap_free(heap, s);
}
