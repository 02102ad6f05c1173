/* SPDX-License-Identifier: MIT */
#include "bridge_wire.h"

#include "bridge_inner.h"
#include "bridge_log.h"
#include "bridge_memory.h"
#include "events.h"

#include <string.h>

/* --- A wire */

void wire_add_methods(struct wire *wire, const quash_method *methods, size_t count)
{
	(void)names_add(&wire->names, &wire->bridge->heap, &wire->config, methods, count);
}

enum { SLOTS = WIRE_LIVE, ID_SIZE = 255, READ_ROUNDS = 16, OUT_HEAD = 128 };

struct memory {
	quash_request slots[SLOTS];
	union {
		quash_word any;
		uint8_t text[LOOK_NAME + 4]; /* names are as long as they are looked at */
	} word;
	quash_counters counters;
	uint8_t ids[(SLOTS + 1) * ID_SIZE];
	uint8_t tags[(SLOTS + 1) * ID_SIZE];
	uint64_t states[SLOTS][WIRE_STATE / 8];
	char reason[128];
};
struct wire *wire_of(const quash_peer *peer)
{
	return quash_context(peer);
}

struct wire *wire_of_request(const quash_request *request)
{
	return wire_of(quash_peer_of(request));
}

void *wire_own(quash_request *request)
{
	uint8_t *const state = quash_state(request, WIRE_STATE);
	return state + WIRE_FORWARD;
}

const void *wire_const_own(const quash_request *request)
{
	const uint8_t *const state = quash_const_state(request, WIRE_STATE);
	return state + WIRE_FORWARD;
}

/* --- Seeing */

static void trace_event(quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why)
{
	struct wire *const wire = wire_of(peer);
	char line[EVENT_LINE];
	if (wire->sees != NULL)
		wire->sees(wire, event, request, detail);
	if (!wire->traced)
		return;
	event_line(line, event, request, detail, why);
	log_message(wire->bridge, LOG_TRACE, wire->name, "--", line, strlen(line));
}

static void show_message(const struct wire *wire, enum record_way way, const char *text, size_t n)
{
	struct bridge *const b = wire->bridge;
	if (wire->recorded)
		record_line(b, wire->name, way, text, n);
	if (wire->traced && n > 0)
		log_message(b, LOG_TRACE, wire->name, way == RECORD_TO ? "->" : "<-", text, n);
}

/* --- Receiving: whole messages only */

static const quash_method *like_of(const struct wire *wire, bool notification)
{
	return notification ? wire->other_note : wire->other_request;
}

static void learn(void *context, const char *method, bool notification)
{
	struct wire *const wire = context;
	const quash_method *const like = like_of(wire, notification);
	if (like != NULL)
		names_learn(wire->names, &wire->config, &wire->peer, method, like);
}

/* What a message holds. */
struct found {
	struct wire *wire;
	bool unknown; /* a name is not in the table */
	bool cancel;
	unsigned requests;
	unsigned calls; /* of these, which a Stop of everything ends */
	bool stopped; /* and it had come before one */
};

bool wire_may_stop(const struct wire *wire, const char *method)
{
	const struct bridge *const b = wire->bridge;
	return b->options.page != NULL && b->options.protocol->stops != NULL && b->options.protocol->stops(method);
}

static void note_name(void *context, const char *method, bool notification)
{
	struct found *const found = context;
	struct wire *const wire = found->wire;
	const quash_method *const like = like_of(wire, notification);
	found->unknown = found->unknown || (like != NULL && !names_know(wire->names, &wire->config, method, like));
	found->requests += !notification;
	found->calls += !notification && wire_may_stop(wire, method);
	found->cancel = found->cancel || (notification && names_is_cancel(wire->config.dialect, method));
}

static bool wire_is_held(const struct wire *wire)
{
	return wire->shown[0].n + wire->shown[1].n > 0;
}

/* --- Receiving: a message is shown to the peer */

static enum ahead_room room_for(struct wire *wire, size_t n, unsigned requests)
{
	return memory_arena_fits(wire, n) ? wire->room(wire, requests) : AHEAD_NO_REQUEST;
}

/* For the next one that was read ahead. */
static enum ahead_room room_ahead(struct wire *wire)
{
	const struct read_ahead *const next = ahead_next(&wire->ahead);
	return room_for(wire, next->n, next->asks);
}

/* The line's end takes the place of the NUL after the text. A head is taken when the peer holds no message for later any more:
 * then the names may change. */
static void show(struct wire *wire, char *text, size_t n)
{
	const bool lines = wire->in.framing == QUASH_LINES;
	memory_make_arena_room(wire, n);
	if (lines)
		text[n] = '\n';
	wire->shown[0].at = (const uint8_t *)(lines ? " " : wire->head);
	wire->shown[0].n = lines ? 1 : content_length_put(wire->head, n);
	wire->shown[1].at = (const uint8_t *)text;
	wire->shown[1].n = n + (lines ? 1 : 0);
	wire->message = text;
	wire->message_length = n;
	wire->learned = false;
}

const char *wire_message(const struct wire *wire, size_t *n)
{
	*n = wire->message_length;
	return wire->message;
}

/* One that was read ahead, whose memory stays until the peer has taken it. True if its turn has come. */
static bool show_ahead(struct wire *wire)
{
	if (ahead_is_empty(&wire->ahead))
		return false;
	struct read_ahead *const kept = ahead_take(&wire->ahead, room_ahead(wire));
	if (kept == NULL)
		return false;
	heap_free(wire->ahead.heap, wire->kept);
	wire->kept = kept;
	show(wire, kept->text, kept->n);
	wire->stopped = kept->stopped;
	return true;
}

/* What waits may need the answer to what the other side has asked: that overtakes it. */
static bool must_wait(struct wire *wire, const struct found *found, bool answer, size_t n)
{
	if (wire->room == NULL || (answer && found->requests == 0))
		return false;
	return !ahead_is_empty(&wire->ahead) || (found->requests > 0 && room_for(wire, n, found->requests) != AHEAD_ANY);
}

/* In a batch there may be requests that wait behind others. */
static bool keep_for_later(struct wire *wire, const struct found *found, const char *text, size_t n)
{
	if (found->cancel && found->requests == 0)
		return ahead_add_cancel(&wire->ahead, wire->config.dialect, text, n);
	struct read_ahead *const kept = ahead_add(&wire->ahead, text, n, found->requests);
	if (kept == NULL)
		return false;
	kept->calls = found->calls;
	kept->stopped = found->stopped;
	return true;
}

/* Behind the text stands a NUL. */
static void wire_judge(struct wire *wire, char *text, size_t n, bool stopped)
{
	size_t from = 0;
	struct found found = { wire, false, false, 0, 0, stopped };
	const struct look look = look_at(text, n, note_name, &found);
	const enum wire_verdict verdict = wire->judge != NULL ? wire->judge(wire, look, text, n, &from) : WIRE_TAKE;
	wire->closed = wire->closed || verdict == WIRE_CLOSE;
	if (verdict != WIRE_TAKE)
		return;
	show_message(wire, RECORD_FROM, text + from, n - from);
	if (must_wait(wire, &found, look.answer, n)) {
		wire->closed = wire->closed || !keep_for_later(wire, &found, text + from, n - from);
		return;
	}
	show(wire, text + from, n - from);
	wire->stopped = stopped;
	wire->learned = !found.unknown && from == 0;
}

/* It is no message, whatever it holds. */
static void judge_noise(struct wire *wire)
{
	static const struct look none = { .json = false };
	size_t from = 0;
	const enum wire_verdict verdict = wire->judge != NULL && wire->in.length > 0 ?
		wire->judge(wire, none, (const char *)wire->in.bytes, wire->in.length, &from) : WIRE_DROP;
	wire->closed = wire->closed || verdict == WIRE_CLOSE;
}

/* A request that nobody can answer is told of by the end of its line. */
static void end_starved(struct wire *wire)
{
	log_line(wire->bridge, LOG_ERROR, "%s: no memory for a message: closed", wire->name);
	wire->closed = true;
}

/* What stands without its line's end when the stream ends is a message if it is one. */
static int end_of_bytes(struct wire *wire, int mark)
{
	if ((mark == QUASH_END || mark == QUASH_GONE) && cut_end(&wire->in)) {
		wire_judge(wire, (char *)wire->in.bytes, wire->in.length, false);
		return 1;
	}
	return mark;
}

static void note_bytes(struct wire *wire, const uint8_t *data, size_t n)
{
	wire->heard = wire->now;
	if (wire->reads != NULL)
		wire->reads(wire, data, n);
}

static void take_bytes(struct wire *wire, size_t n)
{
	wire->under.take(wire->under.device, n);
	wire->stopped_bytes -= n < wire->stopped_bytes ? n : wire->stopped_bytes;
}

/* A line that has come whole is shown where it stands, in memory of the line, whose owner this is. */
static bool read_in_place(struct wire *wire, const uint8_t *data, size_t n)
{
	const size_t line = cut_line_in_place(&wire->in, data, n);
	char *const text = (char *)(uintptr_t)data;
	if (line == 0)
		return false;
	const size_t length = line - (text[line - 2] == '\r' ? 2 : 1);
	note_bytes(wire, data, line);
	text[length] = '\0';
	wire_judge(wire, text, length, line <= wire->stopped_bytes);
	if (wire_is_held(wire)) {
		wire->in_place = line;
		wire->message_place = (size_t)(wire->message - text);
		wire->shown_place = wire->message_place;
	} else {
		take_bytes(wire, line);
	}
	return true;
}

/* Reads on to the next message. 1: there may be one; else what the port has answered. */
static int read_message(struct wire *wire)
{
	const uint8_t *data = NULL;
	size_t at = 0;
	const int n = wire->under.peek(wire->under.device, &data);
	if (n <= 0)
		return end_of_bytes(wire, n);
	if (read_in_place(wire, data, (size_t)n))
		return 1;
	const enum cut_event event = cut_read(&wire->in, data, (size_t)n, &at);
	const bool stopped = at <= wire->stopped_bytes; /* its end had come */
	note_bytes(wire, data, at);
	take_bytes(wire, at);
	if (wire->in.starved)
		end_starved(wire);
	if (event == CUT_MESSAGE)
		wire_judge(wire, (char *)wire->in.bytes, wire->in.length, stopped);
	if (event == CUT_NOISE)
		judge_noise(wire);
	return 1;
}

/* Who hands in what is read has looked before whether there is room. */
static bool is_full_ahead(const struct wire *wire)
{
	return ahead_is_full(&wire->ahead) && wire->line->state != LINE_INNER;
}

/* Empty lines and noise without end must not hold up others: what is there after READ_ROUNDS is for the next turn. The wire
 * does not sleep until then, since what was not read still stands in the buffer or the system. */
static int read_on(struct wire *wire)
{
	int n = 1;
	for (unsigned rounds = 0; !wire_is_held(wire) && n > 0; rounds++) {
		if (!wire->closed && show_ahead(wire))
			return 1;
		if (rounds == READ_ROUNDS || is_full_ahead(wire))
			return 0;
		n = wire->closed ? QUASH_GONE : read_message(wire);
	}
	return n;
}

/* What has come since may have moved it. */
static void find_in_place(struct wire *wire)
{
	const uint8_t *data = NULL;
	if (wire->in_place == 0 || wire->under.peek(wire->under.device, &data) <= 0)
		return;
	wire->message = (const char *)data + wire->message_place;
	wire->shown[1].at = data + wire->shown_place;
}

static int wire_peek(void *device, const uint8_t **bytes)
{
	struct wire *const wire = device;
	const int n = read_on(wire);
	if (n <= 0)
		return n;
	find_in_place(wire);
	const int i = wire->shown[0].n > 0 ? 0 : 1;
	if (i == 1 && !wire->learned)
		(void)look_at((const char *)wire->shown[1].at, wire->shown[1].n, learn, wire);
	wire->learned = wire->learned || i == 1;
	*bytes = wire->shown[i].at;
	return (int)wire->shown[i].n;
}

static void end_message(struct wire *wire)
{
	if (wire->in_place > 0)
		take_bytes(wire, wire->in_place);
	wire->in_place = wire->message_length = 0;
}

static void wire_take(void *device, size_t n)
{
	struct wire *const wire = device;
	const int i = wire->shown[0].n > 0 ? 0 : 1;
	wire->shown[i].at += n;
	wire->shown[i].n -= n;
	wire->shown_place += i == 1 ? n : 0;
	if (!wire_is_held(wire))
		end_message(wire);
}

/* --- Transmitting */

/* What was not taken of the bytes from `from` to `to` waits. */
static bool queue_rest(struct wire *wire, const uint8_t *data, size_t from, size_t to, bool whole)
{
	return from >= to || queue_add(&wire->queue, data + from, to - from, whole);
}

/* `left` of them have left. False: the others cannot wait. */
static bool follow(struct wire *wire, const uint8_t *data, size_t left, size_t n)
{
	for (size_t at = 0, from = 0; at < n; from = at) {
		const bool whole = cut_read(&wire->out, data, n, &at) == CUT_MESSAGE;
		if (wire->out.starved)
			end_starved(wire);
		if (wire->closed || !queue_rest(wire, data, left > from ? left : from, at, whole))
			return false;
		if (wire->counts != NULL)
			wire->counts(wire, at - from);
		if (!whole)
			continue;
		show_message(wire, RECORD_TO, (const char *)wire->out.bytes, wire->out.length);
		if (wire->leaves != NULL)
			wire->leaves(wire, (const char *)wire->out.bytes);
	}
	return true;
}

/* An empty line of two bytes of which the line took one. */
static bool end_sign(struct wire *wire)
{
	if (!wire->half_signed)
		return true;
	wire->half_signed = wire->under.write(wire->under.device, (const uint8_t *)"\n", 1) != 1;
	if (!wire->half_signed && wire->counts != NULL)
		wire->counts(wire, 1);
	return !wire->half_signed;
}

/* What waits goes before all else. */
static void write_queue(struct wire *wire)
{
	size_t n;
	const uint8_t *data;
	while ((data = queue_next(&wire->queue, &n)) != NULL) {
		const int left = wire->under.write(wire->under.device, data, n);
		if (left <= 0)
			return;
		queue_taken(&wire->queue, (size_t)left);
	}
}

static int wire_write(void *device, const uint8_t *data, size_t n)
{
	struct wire *const wire = device;
	if (!wire->closed && !end_sign(wire))
		return 0;
	write_queue(wire);
	const bool waits = !queue_is_empty(&wire->queue);
	const int left = wire->closed ? QUASH_GONE : waits ? 0 : wire->under.write(wire->under.device, data, n);
	const size_t used = wire->queues ? n : (size_t)left;
	if (left < 0)
		return left;
	return follow(wire, data, (size_t)left, used) ? (int)used : 0; /* 0: who looks at the queue closes it */
}

/* True if a line is joined and works in both directions. */
static bool wire_is_up(const struct wire *wire)
{
	return wire->line != NULL && !wire->closed && !wire->line->gone && !quash_is_gone(&wire->peer);
}

bool wire_sign(struct wire *wire)
{
	struct bridge *const b = wire->bridge;
	static const uint8_t empty[] = "\r\n";
	const bool lines = wire->out.framing == QUASH_LINES;
	if (!wire_is_up(wire) || !cut_is_between(&wire->out) || !end_sign(wire))
		return false;
	const int left = wire->under.write(wire->under.device, empty + (lines ? 1 : 0), lines ? 1 : 2);
	if (left <= 0)
		return false;
	wire->half_signed = !lines && left == 1;
	if (wire->counts != NULL)
		wire->counts(wire, (size_t)left);
	if (wire->recorded)
		record_line(b, wire->name, RECORD_TO, "", 0);
	return true;
}

void wire_show_token(struct wire *wire, const char *token)
{
	/* A connection that has just been made takes so much. */
	(void)wire->under.write(wire->under.device, (const uint8_t *)token, strlen(token));
	(void)wire->under.write(wire->under.device, (const uint8_t *)"\n", 1);
}

static uint32_t read_clock(void *device)
{
	const struct wire *const wire = device;
	return wire->under.now(wire->under.device);
}

/* --- Its life */

bool wire_open(struct wire *wire, struct bridge *bridge, const quash_dialect *dialect)
{
	quash_config *const c = &wire->config;
	wire->bridge = bridge;
	wire->in.heap = wire->out.heap = wire->queue.heap = wire->ahead.heap = &bridge->heap;
	wire_add_methods(wire, NULL, 0);
	const bool grows = memory_open(wire);
	struct memory *const memory = wire->memory = heap_resize(&bridge->heap, NULL, sizeof *memory);
	if (memory == NULL || wire->names == NULL || !grows) {
		wire_close(wire); /* its peer was never begun */
		return false;
	}
	c->slot_count = SLOTS;
	c->id_size = ID_SIZE;
	c->state_size = WIRE_STATE;
	c->slots = memory->slots;
	c->word = &memory->word.any;
	c->word_size = sizeof memory->word.text;
	c->counters = &memory->counters;
	c->ids = memory->ids;
	c->states = memory->states;
	c->tags = memory->tags;
	c->tag_size = ID_SIZE - 1;
	c->reason = memory->reason;
	c->reason_size = sizeof memory->reason;
	c->dialect = dialect;
	c->trace = wire->traced || wire->sees != NULL ? trace_event : NULL;
	c->context = wire;
	c->calls = &quash_calls;
	c->reasons = &quash_modern_reasons;
	wire->in.framing = wire->out.framing = dialect->framing;
	wire->port = (quash_port){ wire_peek, wire_take, wire_write, read_clock, wire };
	return quash_init(&wire->peer, c, NULL);
}

void wire_let_go(struct wire *wire)
{
	if (wire->memory == NULL)
		return;
	quash_gone(&wire->peer);
	(void)quash_step(&wire->peer);
}

static void forget_ahead(struct wire *wire)
{
	ahead_free(&wire->ahead);
	heap_free(wire->ahead.heap, wire->kept);
	wire->kept = NULL;
}

unsigned wire_forget_ahead(struct wire *wire)
{
	const unsigned requests = wire->ahead.requests;
	ahead_free(&wire->ahead);
	return requests;
}

/* Of the lines that have come whole and were not read. */
static unsigned count_unread_calls(struct wire *wire)
{
	struct found found = { .wire = wire };
	const uint8_t *data = NULL, *end;
	int n = wire->under.peek(wire->under.device, &data);
	if (n <= 0)
		return 0;
	for (const uint8_t *at = data + wire->in_place; (end = memchr(at, '\n', (size_t)(data + n - at))) != NULL; at = end + 1)
		(void)look_at((const char *)at, (size_t)(end - at), note_name, &found);
	return found.calls;
}

/* What the peer is reading has come before what is unread. */
unsigned wire_stop(struct wire *wire)
{
	const unsigned read = ahead_stop(&wire->ahead);
	wire->stopped = true;
	wire->stopped_bytes = wire->line != NULL ? line_unread(wire->line) : 0;
	return read + (wire->stopped_bytes > 0 ? count_unread_calls(wire) : 0);
}

void wire_close(struct wire *wire)
{
	struct bridge *const b = wire->bridge;
	cut_free(&wire->in);
	cut_free(&wire->out);
	queue_free(&wire->queue);
	forget_ahead(wire);
	heap_free(&b->heap, wire->memory);
	memory_free(wire);
	heap_free(&b->heap, wire->names);
	wire->names = NULL;
	wire->memory = NULL;
}

static void forget_cut(struct cut *cut)
{
	const struct cut fresh = { .framing = cut->framing, .heap = cut->heap, .most = cut->most };
	cut_free(cut);
	*cut = fresh;
}

/* Somebody wants the whole text of what leaves: what a device is sent may come back as an echo. Else nothing but its end is looked for. */
static bool reads_own(const struct wire *wire, const struct bridge_line *line)
{
	return wire->recorded || wire->traced || !wire->queues || (line != NULL && line->state == LINE_INNER);
}

void wire_overlooks_own(struct wire *wire)
{
	wire->out.most = wire->recorded || wire->traced ? 0 : OUT_HEAD;
}

void wire_join(struct wire *wire, struct bridge_line *line, quash_port under)
{
	wire->out.most = reads_own(wire, line) ? 0 : OUT_HEAD;
	forget_cut(&wire->in);
	forget_cut(&wire->out);
	queue_free(&wire->queue);
	forget_ahead(wire);
	wire->shown[0].n = wire->shown[1].n = wire->message_length = wire->in_place = 0;
	wire->stopped_bytes = 0;
	wire->closed = wire->half_signed = wire->stopped = false;
	wire->line = line;
	wire->under = under;
}

void wire_shut(struct wire *wire)
{
	wire->closed = true;
	queue_free(&wire->queue);
}

bool wire_is_at_rest(const struct wire *wire)
{
	return quash_is_gone(&wire->peer) || (quash_is_at_rest(&wire->peer) && queue_is_empty(&wire->queue) && (wire->line == NULL || line_is_clear(wire->line)));
}

bool wire_is_idle(const struct wire *wire)
{
	return !wire_is_hung(wire) && wire_is_up(wire) && !wire->line->ended && !line_shows(wire->line) &&
		!wire_is_held(wire) && wire->tx_wanted == 0 && !memory_is_large(wire) && ahead_is_empty(&wire->ahead) && queue_is_empty(&wire->queue) &&
		quash_call_count(&wire->peer) == 0 && quash_is_at_rest(&wire->peer);
}

void wire_sleep(struct wire *wire)
{
	wire->asleep = true;
	wire->line->stirs = false;
}

bool wire_sleeps(const struct wire *wire)
{
	return wire->asleep && !wire->line->stirs;
}

void wire_wake(struct wire *wire)
{
	if (wire->asleep)
		quash_tick(&wire->peer, wire->bridge->now);
	wire->asleep = false;
}

/* What waits in TX is taken into the queue, and leaves as far as the line takes it. */
static bool flush(struct wire *wire)
{
	size_t n;
	const uint8_t *data;
	bool moved = false;
	while (wire->line != NULL && (data = quash_out(&wire->peer, &n), n > 0)) {
		const int left = wire_write(wire, data, n);
		if (left <= 0)
			return moved;
		quash_sent(&wire->peer, (size_t)left);
		moved = true;
	}
	return moved;
}

quash_writer *wire_notify(struct wire *wire, const char *method)
{
	size_t waiting;
	wire_wake(wire);
	quash_out(&wire->peer, &waiting);
	if (wire->queues && waiting > wire->config.tx_size / 2)
		(void)flush(wire);
	return quash_notify(&wire->peer, method);
}

bool wire_notify_send(struct wire *wire)
{
	quash_peer *const peer = &wire->peer;
	if (quash_notify_send(peer) || quash_is_gone(peer))
		return true;
	return !quash_notify_fits(peer) && !(wire->queues && memory_may_grow_tx(wire));
}

bool wire_makes_room(struct wire *wire)
{
	if (!wire->queues)
		return false;
	const bool moved = flush(wire);
	return quash_notify_fits(&wire->peer) || !memory_may_grow_tx(wire) ? moved : memory_double_tx(wire);
}

/* The pump has stopped between a request that was cancelled while it waited, and that cancel: a step would begin it. */
static bool is_split(const struct wire *wire)
{
	const struct read_ahead *const next = ahead_next(&wire->ahead);
	const bool shows = wire_is_held(wire) && wire->in_place == 0 && wire->kept != NULL && wire->shown[1].at >= (const uint8_t *)wire->kept->text &&
		wire->shown[1].at <= (const uint8_t *)wire->kept->text + wire->kept->n;
	return shows ? wire->kept->cancels : next != NULL && next->cancels;
}

void wire_turn(struct wire *wire, uint32_t now)
{
	wire->now = now;
	wire->asleep = false;
	write_queue(wire);
	if (wire->line != NULL)
		quash_pump(&wire->peer, &wire->port);
	else
		quash_tick(&wire->peer, now);
	memory_grow_tx(wire);
	wire->split = is_split(wire) && !wire->split; /* but once: what is shown may need a step */
	if (!wire->split)
		(void)quash_step(&wire->peer);
	if (wire->queues)
		(void)flush(wire);
	if (!wire_is_held(wire))
		memory_shrink(wire);
}

/* --- Waiting */

bool wire_is_hung(const struct wire *wire)
{
	return wire->ends && wire->line != NULL && wire->line->hung;
}

bool wire_has_ended(const struct wire *wire)
{
	const struct bridge_line *const line = wire->line;
	return line == NULL || line->hung || line->ended || line->gone || wire->closed;
}

/* What the peer has for the queue, which takes it in the next turn, or for a line that takes it. */
static bool has_to_write(struct wire *wire)
{
	size_t waiting;
	quash_out(&wire->peer, &waiting);
	if (wire->queues && waiting > 0)
		return true;
	return (waiting > 0 || !queue_is_empty(&wire->queue)) && !line_is_full(wire->line);
}

bool wire_is_due(struct wire *wire)
{
	if (!wire_is_up(wire))
		return false;
	if (has_to_write(wire))
		return true;
	if (wire_is_held(wire))
		return quash_idle_ms(&wire->peer) == 0;
	if (!ahead_is_empty(&wire->ahead) && ahead_has_next(&wire->ahead, room_ahead(wire)))
		return true;
	return line_shows(wire->line) && !is_full_ahead(wire);
}
