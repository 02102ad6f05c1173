/* SPDX-License-Identifier: MIT */
#include "handlers.h"

#include "quash/call.h"

enum { HANDLES = 4 };

struct work {
	quash_call call;
	bool begun, hooked, told;
	uint8_t turns;
	uint32_t length;
};
_Static_assert(sizeof(struct work) <= HANDLER_STATE, "the state of a handler");

static struct drive *device;
static unsigned started, hooked;
static quash_handle handles[HANDLES];
static unsigned next_handle, depth;
static quash_call own;

/* --- Beginning and end */

static struct work *work_of(quash_request *request)
{
	struct work *const w = quash_state(request);
	if (w->begun)
		return w;
	for (size_t i = 0; i < sizeof *w; i++) {
		if (((const uint8_t *)w)[i] != 0)
			broken("memory", "a new request's state is not zero");
	}
	w->begun = true;
	handles[next_handle++ % HANDLES] = quash_handle_of(request);
	if (quash_method_of(request)->end != NULL)
		started++;
	return w;
}

static void end(quash_request *request)
{
	struct work *const w = quash_state(request);
	if (!w->begun || w->hooked)
		broken("hook", "an end hook runs twice, or of what was never called");
	w->hooked = true;
	hooked++;
}

void handlers_rest(void)
{
	if (started != hooked)
		broken("hook", "%u were called and %u end hooks have run", started, hooked);
}

/* --- Handlers */

static int32_t echo(quash_request *request, quash_value params)
{
	(void)work_of(request);
	if (quash_kind_of(params) == QUASH_NONE)
		quash_put_null(quash_reply(request));
	else
		quash_put_value(quash_reply(request), params);
	return quash_send(request);
}

/* Calls with params come again after QUASH_PENDING only without them. */
static int32_t later(quash_request *request, quash_value params)
{
	struct work *const w = work_of(request);
	int32_t turns = 3;
	if (w->turns == 0)
		(void)quash_int32(quash_get(params, "n"), &turns);
	else if (quash_kind_of(params) != QUASH_NONE)
		broken("params", "they are there though they must have gone");
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (w->turns == 0)
		w->length = turns > 0 ? (uint32_t)turns % 8 : 0;
	if (w->turns++ < w->length)
		return QUASH_PENDING;
	quash_put_uint(quash_reply(request), w->length);
	w->turns--;
	return quash_send(request);
}

static int32_t wait(quash_request *request, quash_value params)
{
	(void)params;
	(void)work_of(request);
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_CANCELLED : quash_wait(request, 1000);
}

static int32_t longer(quash_request *request, quash_value params)
{
	struct work *const w = work_of(request);
	int32_t n = 100;
	if (!w->told && quash_int32(quash_get(params, "n"), &n) != QUASH_NUMBER_TYPE && n < 0)
		n = 0;
	if (!w->told)
		w->length = (uint32_t)n % 2000;
	w->told = true;
	quash_writer *const out = quash_reply(request);
	quash_put_array(out);
	for (uint32_t i = 0; i < w->length; i++)
		quash_put_uint(out, i);
	quash_put_end(out);
	return quash_send(request);
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

/* quash_fail_as hands on what came, sound or not. */
static bool is_sound(quash_value error)
{
	int32_t code;
	return quash_int32(quash_get(error, "code"), &code) == QUASH_NUMBER_OK &&
		quash_kind_of(quash_get(error, "message")) == QUASH_STRING;
}

static struct work *asking(quash_request *request)
{
	struct work *const w = work_of(request);
	if (w->told)
		return w;
	w->told = true;
	w->call.method = "ask";
	w->call.put = put_question;
	if (!quash_ask_for(request, quash_peer_of(request), &w->call))
		broken("call", "a new call is in use");
	return w;
}

/* Does not wait for what it asks. */
static int32_t hurry(quash_request *request, quash_value params)
{
	(void)asking(request);
	(void)params;
	quash_put_bool(quash_reply(request), true);
	return quash_send(request);
}

static int32_t ask(quash_request *request, quash_value params)
{
	struct work *const w = asking(request);
	(void)params;
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return QUASH_CANCELLED;
	if (!quash_answered(&w->call))
		return QUASH_PENDING;
	if (quash_call_outcome(&w->call) == QUASH_CALL_ERROR && is_sound(quash_answer(&w->call)))
		return quash_fail_as(request, quash_answer(&w->call));
	if (quash_call_outcome(&w->call) != QUASH_CALL_RESULT)
		return quash_call_code(&w->call);
	quash_put_value(quash_reply(request), quash_answer(&w->call));
	return quash_send(request);
}

/* Stays inside, and lets its peer hear and speak. */
static int32_t stay(quash_request *request, quash_value params)
{
	struct work *const w = work_of(request);
	(void)params;
	depth++;
	while (depth == 1 && w->turns < 5 && quash_cancelled(request) == QUASH_NOT_CANCELLED) {
		w->turns++;
		drive_tick(device, 1);
		drive_pump(device, 50);
	}
	depth--;
	quash_put_bool(quash_reply(request), true);
	return quash_send(request);
}

static int32_t refuse(quash_request *request, quash_value params)
{
	int32_t code = -32000;
	(void)work_of(request);
	(void)quash_int32(quash_get(params, "n"), &code);
	quash_put_value(
		quash_error_reply(request, code < 0 && code > -65535 ? code : -1, "a \"reason\"\n"), params);
	return quash_send(request);
}

static int32_t forget(quash_request *request, quash_value params)
{
	int32_t code = 0;
	(void)work_of(request);
	(void)quash_int32(quash_get(params, "n"), &code);
	return code > 0 ? QUASH_DONE : code;
}

static int32_t news(quash_request *request, quash_value params)
{
	struct work *const w = work_of(request);
	(void)params;
	if (!w->told)
		handlers_notify();
	w->told = true;
	return QUASH_DONE;
}

const quash_method handler_methods[HANDLER_METHODS] = {
	{ .name = "echo", .handler = echo, .end = end },
	{ .name = "echoes", .handler = echo, .end = end, .marks = QUASH_LONG },
	{ .name = "later", .handler = later, .end = end },
	{ .name = "part", .handler = later, .end = end, .marks = QUASH_PARTIAL },
	{ .name = "wait", .handler = wait, .end = end },
	{ .name = "drop", .handler = wait, .end = end, .deadline = 40, .marks = QUASH_DROPS },
	{ .name = "known", .handler = wait, .cancelled = "{\"stopped\":true}" },
	{ .name = "long", .handler = longer, .end = end, .marks = QUASH_LONG },
	{ .name = "ask", .handler = ask, .end = end, .marks = QUASH_LONG },
	{ .name = "hurry", .handler = hurry, .end = end },
	{ .name = "stay", .handler = stay, .end = end },
	{ .name = "refuse", .handler = refuse, .marks = QUASH_LONG },
	{ .name = "", .handler = forget, .end = end },
	{ .name = "", .handler = news, .end = end, .marks = QUASH_NOTIFICATION },
};

/* --- The program */

void handlers_begin(struct drive *d)
{
	static const quash_handle none;
	static const quash_call fresh;
	device = d;
	started = hooked = next_handle = depth = 0;
	own = fresh;
	for (unsigned i = 0; i < HANDLES; i++)
		handles[i] = none;
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
	(void)quash_ask(&device->peer, &own);
}

void handlers_stop(void)
{
	(void)quash_call_release(&own);
}

void handlers_notify(void)
{
	quash_put_uint(quash_notify(&device->peer, "news"), 7);
	(void)quash_notify_send(&device->peer);
}
