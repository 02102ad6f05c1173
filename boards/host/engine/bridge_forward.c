/* SPDX-License-Identifier: MIT */
#include "bridge_forward.h"

#include "bridge_alone.h"
#include "bridge_log.h"
#include "bridge_memory.h"
#include "text.h"
#include "bridge_waiting.h"
#include "bridge_window.h"

#include <limits.h>
#include <string.h>

enum { TX_AGAIN_MS = 2, MOST_ASKED = 16, MOST_HELD = 64, LIMIT_MORE_MS = 2000, MOST_EXTENSIONS = 20 };

_Static_assert(sizeof(struct own) <= WIRE_OWN_STATE, "the state has room for it");

void forward_released(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct own *const own = wire_own(request);
	waiting_remove(request);
	text_replace(&b->heap, &own->text, NULL);
	text_replace(&b->heap, &own->name, NULL);
}

quash_method forward_request(const char *name, const char *cancelled, uint8_t marks)
{
	return (quash_method){ .name = name, .handler = client_request, .released = forward_released, .cancelled = cancelled,
		.state_size = WIRE_STATE, .marks = marks };
}

quash_method forward_own(const char *name, quash_handler *handler, uint8_t marks)
{
	quash_method method = forward_request(name, NULL, marks);
	method.handler = handler;
	if ((marks & QUASH_NOTIFICATION) != 0)
		method.released = NULL;
	return method;
}

/* --- Whose answer it waits for */

const struct own *forward_of(const quash_request *request)
{
	const quash_method *const method = quash_method_of(request);
	if (method == NULL || (method->marks & QUASH_NOTIFICATION) != 0)
		return NULL;
	const struct own *const own = wire_const_own(request);
	return own->route != NULL ? own : NULL;
}

static bool is_listener(const quash_request *request)
{
	return strcmp(quash_method_of(request)->name, "subscriptions/listen") == 0;
}

bool forward_has_waited(quash_request *request, uint32_t ms)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct own *const own = wire_own(request);
	if (!own->waits)
		own->since = b->now;
	own->waits = true;
	return b->exit >= 0 || b->now - own->since >= ms;
}

/* A subscription is there to wait. */
static int32_t wait_for(quash_request *request, const struct device *device)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct protocol *const protocol = b->options.protocol;
	const bool waited = forward_has_waited(request, b->options.wait);
	if (protocol->absent != NULL && !is_listener(request) && waited)
		return protocol->absent(request, device);
	if (b->exit >= 0 && alone_is_silent(b))
		return protocol->never(request);
	return quash_wait(request, LOOK_AGAIN_MS);
}

const quash_route *forward_when_ready(quash_request *request, struct device *device, const quash_route *route,
	int32_t *verdict)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const bool away = device->phase == DEVICE_AWAY || device->phase == DEVICE_OPENING;
	const bool never_came = b->options.many_devices && (device->given_up || b->now - device->away >= OTHERS_MS);
	b->hello_known = true; /* who begins with something else has no greeting */
	if (device->phase == DEVICE_READY)
		return route;
	*verdict = away && (device->was_ready || never_came) ? QUASH_LINK_LOST : wait_for(request, device);
	return NULL;
}

static const quash_route *choose(quash_request *request, int32_t *verdict)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct protocol *const protocol = b->options.protocol;
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED || client_of(request)->leaving) {
		*verdict = QUASH_CANCELLED;
		return NULL;
	}
	if (protocol->admits != NULL && !protocol->admits(request, verdict))
		return NULL;
	if (b->options.many_devices)
		return protocol->choose(request, verdict);
	struct device *const d = b->devices[0];
	return forward_when_ready(request, d, is_listener(request) ? &d->listen : &d->plain, verdict);
}

static void wake_all(const quash_peer *peer)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(peer, &live))
		quash_wake((quash_request *)(uintptr_t)live.request);
}

void forward_wake(struct bridge *b)
{
	for (unsigned i = 0; i < b->client_places; i++) {
		if (b->clients[i] != NULL)
			wake_all(&b->clients[i]->wire.peer);
	}
	for (unsigned i = 0; i < b->device_count; i++)
		wake_all(&b->devices[i]->wire.peer);
}

/* --- Time */

/* Progress begins the idle time anew, and not the whole. */
static void renew(quash_request *request, const struct own *own)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const uint32_t whole = b->options.timeout, idle = b->options.idle;
	const uint32_t passed = quash_now(quash_peer_of(request)) - own->begun;
	const uint32_t rest = whole > passed ? whole - passed : 1;
	if (whole == 0 && idle == 0)
		return;
	quash_deadline(request, whole == 0 || (idle != 0 && idle < rest) ? idle : rest);
}

void forward_renew_session(struct bridge *b, const char *id)
{
	for (unsigned i = 0; i < b->client_places; i++) {
		quash_live live = { .request = NULL };
		while (b->clients[i] != NULL && quash_next_live(&b->clients[i]->wire.peer, &live)) {
			const struct own *const own = forward_of(live.request);
			if (own != NULL && own->device != NULL && quash_is(quash_get(quash_params_of(live.request), "sessionId"), id))
				renew((quash_request *)(uintptr_t)live.request, own);
		}
	}
}

/* --- Requests of clients */

static void look_at_result(quash_request *request, struct own *own)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const quash_value result = quash_forward_answer(request);
	if (own->passed || quash_kind_of(result) == QUASH_NONE)
		return;
	own->passed = true;
	own->failed = quash_kind_of(quash_get(result, "isError")) == QUASH_TRUE;
	if (b->options.protocol->passes != NULL)
		b->options.protocol->passes(request, result);
}

/* What changes the meaning of requests behind it waits for no room. */
static const quash_route *when_room(quash_request *request, struct own *own, const quash_route *route, int32_t *verdict)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct device *const d = (struct device *)(void *)wire_of(route->to);
	if (b->options.protocol->in_order) {
		own->device = d;
		if (sign_arm(d))
			return route;
		*verdict = quash_wait(request, TX_AGAIN_MS);
		return NULL;
	}
	if (own->device != d) { /* another device has its name now */
		waiting_remove(request);
		own->room = false;
	}
	if (!own->queued && !own->room && !waiting_passes(request, d)) {
		waiting_add(request, d);
		waiting_grant(d);
	}
	if (own->room)
		return route;
	*verdict = quash_wait(request, INT32_MAX);
	return NULL;
}

/* It sleeps: the end of its call wakes it, and so does a cancel. */
static int32_t hand_on(quash_request *request, const quash_route *route)
{
	wire_wake(wire_of(route->to));
	const int32_t outcome = quash_forward_to(request, route);
	return outcome == QUASH_PENDING ? quash_wait(request, INT32_MAX) : outcome;
}

/* The time in which a device notices that signs of life stop. */
static uint32_t slack_of(const struct device *device)
{
	return device->lease != 0 ? device->lease : LIMIT_MORE_MS;
}

/* Milliseconds until its device should have ended it; 0: it has not. On a slow line its answer may follow others: as long as
 * something comes it may be on its way. What came while the bridge itself did not run is read first. */
static uint32_t time_left_of(struct own *own, uint32_t passed)
{
	const struct wire *const line = &own->device->wire;
	const uint32_t slack = slack_of(own->device);
	if (passed < own->limit)
		return own->limit - passed;
	if ((int32_t)(line->now - own->begun - own->limit) < 0)
		return 1;
	if (own->extensions == MOST_EXTENSIONS || line->now - line->heard >= slack)
		return 0;
	own->extensions++;
	own->limit = passed + slack;
	return slack;
}

/* The end of its handler cancels its call. */
static int32_t hand_on_for(quash_request *request, struct own *own)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const uint32_t passed = quash_now(quash_peer_of(request)) - own->begun;
	const int32_t outcome = hand_on(request, own->route);
	if (outcome != QUASH_PENDING || own->limit == 0)
		return outcome;
	const uint32_t left = time_left_of(own, passed);
	return left == 0 ? b->options.protocol->over(request) : quash_wait(request, left);
}

static void note_begin(const quash_request *request, struct own *own)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const quash_forwarded *const forwarded = QUASH_CONST_STATE(quash_forwarded, request);
	own->noted = true;
	if (b->options.protocol->begins != NULL)
		b->options.protocol->begins(request, forwarded->call.id);
}

bool forward_is_early(const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct protocol *const protocol = b->options.protocol;
	const struct client *const client = client_of(request);
	return client->greeted && protocol->early != NULL && protocol->early(client, false) && quash_cancelled(request) == QUASH_NOT_CANCELLED;
}

int32_t client_request(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct own *const own = wire_own(request);
	if (own->route == NULL && forward_is_early(request))
		return quash_wait(request, LOOK_AGAIN_MS);
	if (own->stopped)
		return quash_fail(request, QUASH_CANCELLED, FORWARD_STOPPED);
	if (own->route == NULL) {
		int32_t verdict = QUASH_PENDING;
		const quash_route *const route = choose(request, &verdict);
		own->route = route != NULL ? when_room(request, own, route, &verdict) : NULL;
		if (own->route == NULL && verdict != QUASH_PENDING)
			waiting_remove(request);
		if (own->route == NULL)
			return verdict;
		own->begun = quash_now(quash_peer_of(request));
		const uint32_t longest = b->options.protocol->limit != NULL ? b->options.protocol->limit(request) : 0;
		own->limit = longest != 0 ? longest + slack_of(own->device) : 0;
		if (!is_listener(request))
			renew(request, own);
	}
	look_at_result(request, own);
	const quash_value answer = quash_forward_answer(request);
	if (memory_wants_tx(wire_of_request(request), (size_t)(answer.end - answer.at))) /* a long one leaves at once, and not in parts */
		return quash_wait(request, 0);
	const int32_t outcome = hand_on_for(request, own);
	if (outcome == QUASH_PENDING && !own->noted)
		note_begin(request, own);
	const bool unwanted = quash_is_gone(quash_peer_of(request)); /* a cancelled prompt would wait for its agent's answer */
	return outcome == QUASH_PENDING && unwanted ? QUASH_CANCELLED : outcome;
}

static void put_own_text(quash_writer *w, const quash_request *request)
{
	const struct own *const own = wire_const_own(request);
	quash_put_raw(w, own->text);
}

int32_t forward_reply_text(quash_request *request, char *text)
{
	struct own *const own = wire_own(request);
	own->text = text;
	return text != NULL ? quash_reply(request, put_own_text) : QUASH_INTERNAL_ERROR;
}

int32_t forward_fail_text(quash_request *request, char *text)
{
	struct own *const own = wire_own(request);
	own->text = text;
	return text != NULL ? quash_fail_as(request, QUASH_INTERNAL_ERROR, put_own_text) : QUASH_INTERNAL_ERROR;
}

static bool waits_for(const quash_request *request, const struct device *device)
{
	const struct own *const own = forward_of(request);
	return own != NULL && own->device == device && !own->passed && quash_cancelled(request) == QUASH_NOT_CANCELLED;
}

/* As many as there are, and not more than `most`. Who sleeps waits for nothing. */
static unsigned count_live(const struct device *device, unsigned most)
{
	struct bridge *const b = device->wire.bridge;
	unsigned count = 0;
	for (unsigned i = 0; i < b->client_places && count < most; i++) {
		const struct client *const client = b->clients[i];
		quash_live live = { .request = NULL };
		while (client != NULL && !client->leaving && !client->wire.asleep && count < most && quash_next_live(&client->wire.peer, &live))
			count += !live.ended && waits_for(live.request, device);
	}
	return count;
}

unsigned forward_live(const struct device *device)
{
	return count_live(device, UINT_MAX);
}

bool forward_waits(const struct device *device)
{
	return count_live(device, 1) > 0;
}

/* --- Notifications of clients */

/* To the one device, or to all: a name that only one of them knows is ignored by the others. */
int32_t client_note(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	b->hello_known = true; /* as in forward_when_ready */
	const bool starting = b->device_count == 1 && !b->devices[0]->was_ready;
	if (starting && b->devices[0]->phase != DEVICE_READY && quash_cancelled(request) == QUASH_NOT_CANCELLED)
		return quash_wait(request, LOOK_AGAIN_MS);
	bool waits = false;
	struct note *const note = wire_own(request);
	for (unsigned i = 0; i < b->device_count; i++) {
		struct wire *const wire = &b->devices[i]->wire;
		if ((note->done[0] >> i & 1) != 0)
			continue;
		quash_writer *const w = wire_notify(wire, quash_method_of(request)->name);
		if (quash_kind_of(quash_params_of(request)) != QUASH_NONE)
			quash_put_value(w, quash_params_of(request));
		const bool over = wire_notify_send(wire);
		note->done[0] |= over ? (uint64_t)1 << i : 0;
		waits = waits || !over;
	}
	return waits && quash_cancelled(request) == QUASH_NOT_CANCELLED ? quash_wait(request, TX_AGAIN_MS) : QUASH_DONE;
}

/* --- What devices ask */

/* One client of several that does not answer leaves room for what the others are asked. */
static bool is_asked_enough(const quash_request *request, const struct client *client)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	quash_live live = { .request = NULL };
	unsigned count = 0;
	while (b->listens && quash_next_live(quash_peer_of(request), &live)) {
		const struct own *const own = live.ended ? NULL : forward_of(live.request);
		count += own != NULL && own->route == &client->route;
	}
	return count >= MOST_ASKED;
}

int32_t device_request(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	struct own *const own = wire_own(request);
	if (own->route == NULL) {
		struct client *const client = b->options.protocol->asked(request);
		if (client == NULL)
			return QUASH_METHOD_NOT_FOUND;
		if (is_asked_enough(request, client))
			return QUASH_BUSY;
		if (b->options.protocol->early != NULL && b->options.protocol->early(client, true))
			return quash_cancelled(request) == QUASH_NOT_CANCELLED ? quash_wait(request, LOOK_AGAIN_MS) : QUASH_CANCELLED;
		own->route = &client->route;
	}
	return hand_on(request, own->route);
}

/* --- Notifications of devices, to all clients whom they concern */

enum { AGAIN_MS = 2 };

static bool try_to_send(const quash_request *request, struct client *client)
{
	const struct protocol *const protocol = wire_of_request(request)->bridge->options.protocol;
	const quash_value params = quash_params_of(request);
	quash_writer *const w = wire_notify(&client->wire, quash_method_of(request)->name);
	if (quash_kind_of(params) != QUASH_NONE && protocol->put_note != NULL)
		protocol->put_note(w, request, params);
	else if (quash_kind_of(params) != QUASH_NONE)
		quash_put_value(w, params);
	return wire_notify_send(&client->wire);
}

/* None of them overtakes another one. */
static bool send_to(const quash_request *request, struct client *client)
{
	bool sent = try_to_send(request, client);
	while (!sent && wire_makes_room(&client->wire))
		sent = try_to_send(request, client);
	return sent;
}

/* What names no client is for the one client, if there can be only one. */
static bool names_no_client(const quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct protocol *const protocol = b->options.protocol;
	struct device *const d = device_of(request);
	const char *const name = quash_method_of(request)->name;
	if (!b->listens || protocol->one_client || (b->options.clients == 1 && !b->options.listens_http))
		return false;
	if (protocol->addresses != NULL && protocol->addresses(request))
		return false;
	if (texts_add(&d->unaddressed, name))
		log_line(b, LOG_WARNING, "%s: %s names no client: dropped", d->wire.name, name);
	return true;
}

static bool concerns(const quash_request *request, const struct client *client)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct protocol *const protocol = b->options.protocol;
	return client != NULL && !client->leaving && (protocol->concerns == NULL || protocol->concerns(request, client));
}

/* So many wait for clients whose sessions begin; more are dropped. */
static bool note_is_held(const quash_request *request, struct note *note)
{
	quash_live live = { .request = NULL };
	unsigned count = 0;
	while (!note->held && quash_next_live(quash_peer_of(request), &live))
		count++;
	note->held = note->held || count <= MOST_HELD;
	return note->held;
}

static bool note_must_wait(const quash_request *request, struct note *note, struct client *client)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct protocol *const protocol = b->options.protocol;
	if (!concerns(request, client))
		return false;
	if (protocol->early != NULL && protocol->early(client, false))
		return note_is_held(request, note);
	if (!send_to(request, client))
		return true;
	if (protocol->sent != NULL)
		protocol->sent(request, client);
	return false;
}

/* True if all of them have it. */
static bool send_to_all(const quash_request *request, struct note *note)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	bool all = true;
	for (unsigned i = 0; i < MOST_CLIENTS; i++) { /* who comes later does not get it */
		struct client *const client = b->clients[i];
		if ((note->done[i / 64] >> i % 64 & 1) != 0)
			continue;
		const bool waits = note_must_wait(request, note, client);
		note->done[i / 64] |= (uint64_t)!waits << i % 64;
		all = all && !waits;
	}
	return all;
}

static void note_start(const quash_request *request, struct note *note)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const struct protocol *const protocol = b->options.protocol;
	if (note->begun)
		return;
	note->begun = true;
	const struct client *const client = protocol->whose != NULL ? protocol->whose(request) : NULL;
	note->client = client != NULL ? client->number : 0;
	if (protocol->comes != NULL)
		protocol->comes(device_of(request), request);
}

/* It waits for no client, only for the turn in which what is there goes into a client's queue. */
int32_t device_note(quash_request *request)
{
	struct note *const note = wire_own(request);
	if (!note->begun && names_no_client(request))
		return QUASH_DONE;
	note_start(request, note);
	const bool over = send_to_all(request, note) || quash_cancelled(request) != QUASH_NOT_CANCELLED;
	return over ? QUASH_DONE : quash_wait(request, AGAIN_MS);
}

/* --- Progress */

static bool is_token_of_ours(quash_value token)
{
	const char *const text = quash_text(token);
	return quash_kind_of(token) == QUASH_STRING && (text[0] == 'w' || text[0] == 'p') && text[1] >= '1' && text[1] <= '9';
}

/* With a token that the device has made itself it is a notification like any other (LSP 3.18 window/workDoneProgress). */
int32_t device_progress(quash_request *request)
{
	struct bridge *const b = wire_of_request(request)->bridge;
	const quash_route *const route = quash_data(request);
	quash_request *const asked = quash_forward_of_progress(request);
	const bool devices_own = route->progress == &quash_lsp_progress_form;
	if (asked == NULL && devices_own && !is_token_of_ours(quash_get(quash_params_of(request), route->progress->token)))
		return device_note(request);
	const struct own *const own = asked != NULL ? forward_of(asked) : NULL;
	if (own != NULL && own->device != NULL)
		renew(asked, own);
	if (asked == NULL || b->options.protocol->put_note == NULL)
		return quash_forward_progress(request);
	(void)send_to(request, client_of(asked));
	return QUASH_DONE;
}
