/* SPDX-License-Identifier: MIT */
#include "handlers.h"

#include "core/state.h"
#include "puts.h"
#include "quash/call.h"

#include <string.h>

enum { HANDLES = 4, LEASE = 30, GROUP = 3, HELD = 4, GROUPS = 5 };

static quash_group groups[GROUPS];

struct work {
	quash_call call;
	bool begun, over, hooked, released, asked;
	uint8_t acts, turns, hook_turns, group;
	uint8_t verdict; /* enum puts_verdict */
	uint32_t params; /* their digest */
	uint32_t over_in; /* the step */
	uint32_t length;
};
_Static_assert(sizeof(struct work) <= HANDLER_STATE, "the state of a handler");

static struct drive *device;
static unsigned started, hooked, released, sessions, depth;
static quash_handle handles[HANDLES];
static unsigned next_handle;
static uint32_t times; /* that put_anew was called */
static quash_call own;
static const quash_request *holders[256];

/* --- Beginning and end */

/* What each call of a handler begins with. */
static struct work *work_of(quash_request *request)
{
	struct work *const w = QUASH_STATE(struct work, request);
	const uint32_t params = puts_digest(quash_params_of(request));
	if (w->over)
		broken("handler", "it is called again though it has ended");
	if (w->begun && w->params != params)
		broken("params", "they are others than at the first call");
	if (w->begun)
		return w;
	for (size_t i = 0; i < sizeof *w; i++) {
		if (((const uint8_t *)w)[i] != 0)
			broken("memory", "a new request's state is not zero");
	}
	w->begun = true;
	w->params = params;
	handles[next_handle++ % HANDLES] = quash_handle_of(request);
	started += quash_method_of(request)->motion.end != NULL;
	released += quash_method_of(request)->released != NULL;
	return w;
}

/* The same, of one that does what it does at its first call. */
static struct work *act(quash_request *request)
{
	struct work *const w = work_of(request);
	if (++w->acts != 1)
		broken("acts", "a handler that acts once has acted again");
	return w;
}

/* What it returns in the end. */
static int32_t over(quash_request *request, int32_t outcome)
{
	struct work *const w = QUASH_STATE(struct work, request);
	w->over = true;
	w->over_in = device->steps;
	return outcome;
}

static int32_t cancelled(quash_request *request)
{
	return over(request, QUASH_CANCELLED);
}

static int32_t number_of(quash_request *request, int32_t otherwise)
{
	int32_t n = otherwise;
	(void)quash_int32(quash_get(quash_params_of(request), "n"), &n);
	return n;
}

static void let_go(quash_request *request, uint8_t group)
{
	if (group == 0)
		return;
	if (holders[group] != request)
		broken("group", "two hold group %u", group);
	holders[group] = NULL;
}

static struct work *hook(quash_request *request)
{
	struct work *const w = QUASH_STATE(struct work, request);
	if (!w->begun || w->hooked)
		broken("hook", "an end hook runs twice, or of what was never called");
	if (w->hook_turns == 0 && w->over && w->over_in != device->steps)
		broken("hook", "an end hook runs in another step than its handler has ended in");
	w->hook_turns++;
	return w;
}

static int32_t hook_over(quash_request *request, struct work *w)
{
	w->hooked = true;
	hooked++;
	let_go(request, w->group);
	return QUASH_DONE;
}

static int32_t end(quash_request *request)
{
	return hook_over(request, hook(request));
}

/* Until the actuator is at rest. */
static int32_t end_later(quash_request *request)
{
	struct work *const w = hook(request);
	if (w->hook_turns < 3)
		return QUASH_PENDING;
	return w->hook_turns < 5 ? quash_wait(request, 7) : hook_over(request, w);
}

static void release(quash_request *request)
{
	struct work *const w = QUASH_STATE(struct work, request);
	if (!w->begun || w->released || (quash_method_of(request)->motion.end != NULL && !w->hooked))
		broken("hook", "a released hook runs twice, too early, or of what was never called");
	w->released = true;
	released--;
}

void handlers_rest(void)
{
	if (started != hooked)
		broken("hook", "%u were called and %u end hooks have come to their end", started, hooked);
	if (released != 0)
		broken("hook", "%u released hooks have not run", released);
	if (sessions != device->counters.sessions)
		broken("session", "%u were begun, and the library counts %u", sessions,
			(unsigned)device->counters.sessions);
}

/* --- Put functions */

/* Params and state are those of the handler. */
static const struct work *read_work(const quash_request *request)
{
	const struct work *const w = QUASH_CONST_STATE(struct work, request);
	if (!w->begun || w->released || w->params != puts_digest(quash_params_of(request)))
		broken("put", "state or params are not there any more");
	return w;
}

static void put_params(quash_writer *w, const quash_request *request)
{
	(void)read_work(request);
	if (quash_kind_of(quash_params_of(request)) == QUASH_NONE)
		quash_put_null(w);
	else
		quash_put_value(w, quash_params_of(request));
}

static void put_length(quash_writer *w, const quash_request *request)
{
	quash_put_uint(w, read_work(request)->length);
}

static void put_numbers(quash_writer *w, const quash_request *request)
{
	quash_put_array(w);
	for (uint32_t i = 0; i < read_work(request)->length; i++)
		quash_put_uint(w, i);
	quash_put_end(w);
}

static bool put_number(quash_writer *w, const quash_request *request, uint16_t index)
{
	if (index == 0)
		quash_put_array(w);
	if (index >= read_work(request)->length)
		return false;
	quash_put_uint(w, index);
	return true;
}

static void put_random(quash_writer *w, const quash_request *request)
{
	(void)read_work(request);
	puts_all(w, quash_params_of(request));
}

static bool put_random_piece(quash_writer *w, const quash_request *request, uint16_t index)
{
	(void)read_work(request);
	return puts_one(w, quash_params_of(request), index);
}

/* Breaks the rules: something else each time. */
static void put_anew(quash_writer *w, const quash_request *request)
{
	times++;
	quash_put_array(w);
	for (uint32_t i = 0; i < read_work(request)->length + times % 3; i++)
		quash_put_uint(w, times);
	quash_put_end(w);
}

static void put_message(quash_writer *w, const quash_request *request)
{
	(void)read_work(request);
	quash_put_text(w, "a message");
}

static void put_error(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "code");
	quash_put_int(w, -7);
	quash_put_key(w, "message");
	quash_put_text(w, "from elsewhere");
	quash_put_key(w, "data");
	put_params(w, request);
	quash_put_end(w);
}

/* --- Handlers */

static int32_t echo(quash_request *request)
{
	(void)act(request);
	return over(request, quash_reply(request, put_params));
}

static int32_t later(quash_request *request)
{
	struct work *const w = work_of(request);
	if (w->turns == 0)
		w->length = (uint32_t)number_of(request, 3) % 8;
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return cancelled(request);
	return w->turns++ < w->length ? QUASH_PENDING : over(request, quash_reply(request, put_length));
}

static int32_t wait(quash_request *request)
{
	(void)work_of(request);
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? cancelled(request) : quash_wait(request, 1000);
}

static int32_t longer(quash_request *request)
{
	struct work *const w = act(request);
	const int32_t n = number_of(request, 100);
	w->length = n > 0 ? (uint32_t)n % 2000 : 0;
	if (n % 2 == 0)
		return over(request, quash_reply_items(request, put_number));
	w->length %= 300;
	return over(request, quash_reply(request, put_numbers));
}

static void put_question(quash_writer *out, const quash_call *call)
{
	quash_put_object(out);
	quash_put_key(out, "n");
	quash_put_uint(out, call->id);
	quash_put_key(out, "pad");
	quash_put_text(out, "0123456789012345678901234567890123456789012345678901234567890123456789");
	quash_put_end(out);
}

/* An error is handed on as it came, sound or not. */
static bool is_sound(quash_value error)
{
	int32_t code;
	return quash_int32(quash_get(error, "code"), &code) == QUASH_NUMBER_OK &&
		quash_kind_of(quash_get(error, "message")) == QUASH_STRING;
}

static void put_answer(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_call_answer(&read_work(request)->call));
}

static struct work *asking(quash_request *request)
{
	struct work *const w = work_of(request);
	if (w->asked)
		return w;
	w->asked = true;
	w->call.method = "ask";
	w->call.put = put_question;
	if (!quash_call_start_for(request, quash_peer_of(request), &w->call))
		broken("call", "a new call is in use");
	return w;
}

/* Does not wait for what it asks. */
static int32_t hurry(quash_request *request)
{
	(void)asking(request);
	return over(request, quash_reply_bool(request, true));
}

static int32_t ask(quash_request *request)
{
	struct work *const w = asking(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return cancelled(request);
	if (!quash_call_has_ended(&w->call))
		return QUASH_PENDING;
	const int32_t code = quash_call_code(&w->call);
	if (quash_call_outcome(&w->call) == QUASH_CALL_ERROR && is_sound(quash_call_answer(&w->call)))
		return over(request, quash_fail_as(request, code, put_answer));
	if (quash_call_outcome(&w->call) != QUASH_CALL_RESULT)
		return over(request, code);
	return over(request, quash_reply(request, put_answer));
}

/* Stays inside, and lets its peer receive and transmit; answers before that, or after. */
static int32_t stay(quash_request *request)
{
	struct work *const w = act(request);
	const bool first = number_of(request, 0) % 2 != 0;
	if (first)
		(void)quash_reply(request, put_params);
	depth++;
	while (depth == 1 && w->turns < 5 && quash_cancelled(request) == QUASH_NOT_CANCELLED) {
		w->turns++;
		drive_tick(device, 1);
		drive_pump(device, 50);
	}
	depth--;
	return over(request, first ? QUASH_DONE : quash_reply_text(request, "it \"stayed\""));
}

static int32_t fail_somehow(quash_request *request, uint32_t n)
{
	const int32_t code = -(int32_t)(n % 65000) - 1;
	switch (n % 6) {
	case 0: return quash_fail(request, code, "a \"reason\"\n");
	case 1: return quash_fail_data(request, code, "a \"reason\"\n", put_params);
	case 2: return quash_fail_put(request, code, put_message);
	case 3: return quash_fail_as(request, -7, put_error);
	case 4: return quash_reply_json(request, "{\"constant\":[]}");
	default: return quash_reply_int(request, INT32_MIN);
	}
}

static int32_t refuse(quash_request *request)
{
	(void)act(request);
	return over(request, fail_somehow(request, (uint32_t)number_of(request, 0)));
}

static int32_t forget(quash_request *request)
{
	(void)act(request);
	const int32_t code = number_of(request, 0);
	return over(request, code > 0 ? QUASH_DONE : code);
}

/* The second answer and what is returned after it do not count. */
static int32_t twice(quash_request *request)
{
	(void)act(request);
	(void)quash_reply_null(request);
	(void)quash_reply_bool(request, false);
	return over(request, -5);
}

static int32_t put(quash_request *request)
{
	struct work *const w = act(request);
	w->verdict = (uint8_t)puts_judge(quash_params_of(request));
	return over(request, quash_reply(request, put_random));
}

static int32_t put_pieces(quash_request *request)
{
	struct work *const w = act(request);
	w->verdict = (uint8_t)puts_judge(quash_params_of(request));
	return over(request, quash_reply_items(request, put_random_piece));
}

/* What is answered must be as it was judged. */
static void note_written(const quash_request *request, int32_t code)
{
	const quash_method *const method = quash_method_of(request);
	if (method == NULL || (method->handler != put && method->handler != put_pieces) || (request->marks & MARK_STARTED) == 0)
		return;
	const struct work *const w = QUASH_CONST_STATE(struct work, request);
	if ((code == 0 && w->verdict == PUTS_VOID) || (code == QUASH_INTERNAL_ERROR && w->verdict == PUTS_JSON))
		broken("writer", "%s is answered %d", w->verdict == PUTS_VOID ? "what is no JSON" : "JSON", (int)code);
}

static int32_t fickle(quash_request *request)
{
	struct work *const w = act(request);
	device->may_change = true;
	w->length = (uint32_t)number_of(request, 50) % 200;
	return over(request, quash_reply(request, put_anew));
}

static int32_t leased(quash_request *request)
{
	(void)work_of(request);
	if (quash_cancelled(request) == QUASH_BY_LEASE && device->counters.life_signs == 0 &&
		!device->config.lease_always)
		broken("lease", "it ends though there never was a sign of life");
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? cancelled(request) : QUASH_PENDING;
}

static int32_t take_group(quash_request *request, uint8_t group)
{
	struct work *const w = QUASH_STATE(struct work, request);
	if (holders[group] != NULL)
		broken("group", "group %u is held already", group);
	holders[group] = request;
	w->group = group;
	return QUASH_PENDING;
}

/* Its method has the group. */
static int32_t grip(quash_request *request)
{
	struct work *const w = work_of(request);
	if (w->turns++ == 0)
		return take_group(request, GROUP);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return cancelled(request);
	return w->turns < 4 ? QUASH_PENDING : over(request, quash_reply(request, put_params));
}

/* It takes the group for itself, as soon as that is free. */
static int32_t hold(quash_request *request)
{
	struct work *const w = work_of(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return cancelled(request);
	if (w->group == 0)
		return quash_hold(request, &groups[HELD]) ? take_group(request, HELD) : QUASH_PENDING;
	quash_release_params(request);
	w->params = puts_digest(quash_params_of(request));
	return over(request, quash_reply(request, put_length));
}

/* Its news must not be lost. */
static int32_t insist(quash_request *request)
{
	struct work *const w = work_of(request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return cancelled(request);
	puts_all(quash_notify(&device->peer, "news"), quash_params_of(request));
	if (!quash_notify_send(&device->peer) && quash_notify_fits(&device->peer) && w->turns++ < 200)
		return QUASH_PENDING;
	return over(request, quash_reply(request, put_length));
}

static int32_t news(quash_request *request)
{
	(void)act(request);
	handlers_notify();
	return over(request, QUASH_DONE);
}

#define ENTRY(word, function, bits) \
	{ .name = (word), .handler = (function), .motion = { .end = end, .longest = QUASH_NO_LIMIT }, .released = release, \
	  .state_size = HANDLER_STATE, .marks = (bits) | QUASH_FINISHES }

const quash_method handler_methods[HANDLER_METHODS] = {
	ENTRY("echo", echo, 0),
	ENTRY("echoes", echo, 0),
	ENTRY("later", later, 0),
	ENTRY("part", later, QUASH_PARTIAL),
	ENTRY("wait", wait, 0),
	{ .name = "drop", .handler = wait, .state_size = HANDLER_STATE, .motion = { .end = end, .longest = 40 } },
	{ .name = "known", .handler = wait, .state_size = HANDLER_STATE, .cancelled = "{\"stopped\":true}" },
	ENTRY("long", longer, 0),
	ENTRY("ask", ask, 0),
	ENTRY("hurry", hurry, 0),
	ENTRY("stay", stay, 0),
	{ .name = "refuse", .handler = refuse, .state_size = HANDLER_STATE },
	ENTRY("", forget, 0),
	ENTRY("", news, QUASH_NOTIFICATION),
	{ .name = "linger", .handler = later, .state_size = HANDLER_STATE, .motion = { .end = end_later, .longest = QUASH_NO_LIMIT }, .released = release, .marks = QUASH_FINISHES },
	{ .name = "grip", .handler = grip, .state_size = HANDLER_STATE, .motion = { .end = end_later, .longest = QUASH_NO_LIMIT, .group = &groups[GROUP] }, .released = release, .marks = QUASH_FINISHES },
	ENTRY("hold", hold, 0),
	{ .name = "lease", .handler = leased, .state_size = HANDLER_STATE, .motion = { .end = end_later, .longest = QUASH_NO_LIMIT, .lease = LEASE }, .marks = QUASH_FINISHES },
	ENTRY("begin", echo, QUASH_SESSION),
	ENTRY("insist", insist, 0),
	ENTRY("twice", twice, 0),
	ENTRY("put", put, 0),
	ENTRY("pieces", put_pieces, 0),
	ENTRY("fickle", fickle, 0),
	{ .name = "dropped", .handler = wait, .state_size = HANDLER_STATE, .motion = { .end = end_later, .longest = QUASH_NO_LIMIT }, .released = release },
};

/* --- The program */

void handlers_begin(struct drive *d)
{
	static const quash_handle none;
	static const quash_call fresh;
	device = d;
	d->written = note_written;
	started = hooked = released = sessions = next_handle = depth = times = 0;
	own = fresh;
	for (unsigned i = 0; i < HANDLES; i++)
		handles[i] = none;
	for (unsigned i = 0; i < sizeof holders / sizeof *holders; i++)
		holders[i] = NULL;
	memset(groups, 0, sizeof groups);
}

void handlers_session(quash_peer *peer)
{
	if (peer != &device->peer)
		broken("session", "it is another peer's");
	sessions++;
}

void handlers_interrupt(unsigned which)
{
	const quash_handle handle = handles[which % HANDLES];
	if (handle.request == NULL)
		return;
	if (which / HANDLES % 2 == 0)
		quash_cancel_async(handle);
	else
		quash_wake(handle.request);
}

void handlers_call(void)
{
	static const quash_call fresh;
	if (quash_call_in_use(&own)) {
		quash_call_cancel(&own);
		return;
	}
	own = fresh;
	own.method = "own";
	own.put = put_question;
	(void)quash_call_start(&device->peer, &own);
}

void handlers_stop(void)
{
	(void)quash_call_release(&own);
}

/* What is not taken is counted. */
void handlers_notify(void)
{
	const quash_count dropped = device->counters.dropped;
	quash_put_uint(quash_notify(&device->peer, "news"), 7);
	const bool taken = quash_notify_send(&device->peer);
	if ((device->counters.dropped == dropped) != taken && device->linked)
		broken("notify", "it is %s, and %u are dropped", taken ? "taken" : "not taken",
			(unsigned)(device->counters.dropped - dropped));
}
