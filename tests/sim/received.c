/* SPDX-License-Identifier: MIT
 * What the other side has sent, as the peer must take it: envelopes, requests, cancels, responses and batches. What the
 * library has decided about each of them must be what is allowed. */
#include "oracle.h"
#include "received.h"

#include <string.h>

/* --- Ids */

static bool normal_number(const char *text, size_t length, char *to, size_t *to_length)
{
	static const char most[] = "9007199254740992";
	const size_t sign = length > 0 && text[0] == '-';
	const size_t digits = length - sign;
	for (size_t i = sign; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return false;
	}
	if (digits == 0 || digits > 16 || (digits == 16 && memcmp(text + sign, most, 16) > 0))
		return false;
	if (sign == 1 && text[1] == '0') {
		to[0] = '0';
		*to_length = 1;
		return true;
	}
	memcpy(to, text, length);
	*to_length = length;
	return true;
}

struct id {
	bool usable, number;
	char text[ID_ROOM];
	size_t length;
};

static struct id id_of(uint8_t link, const struct plain *value)
{
	struct id id = { .usable = false };
	if (value == NULL || value->length > sim.setup.id_size[link] || value->length >= ID_ROOM)
		return id;
	if (value->kind == PLAIN_STRING && !value->lone) {
		memcpy(id.text, value->text, value->length);
		id.length = value->length;
		id.usable = true;
	} else if (value->kind == PLAIN_NUMBER) {
		id.number = true;
		id.usable = normal_number(value->text, value->length, id.text, &id.length);
	}
	return id;
}

static bool has_id(const struct record *r, const struct id *id)
{
	return r->named && r->number == id->number && r->id_length == id->length &&
		memcmp(r->id, id->text, id->length) == 0;
}

static struct record *live_with(uint8_t link, const struct id *id)
{
	for (size_t i = sim.record_count; i-- > 0;) {
		struct record *const r = &sim.records[i];
		if (r->link == link && has_id(r, id) && oracle_is_live(r))
			return r;
	}
	return NULL;
}

/* Some request has had that id. */
static bool was_used(uint8_t link, const struct id *id)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		if (sim.records[i].link == link && has_id(&sim.records[i], id))
			return true;
	}
	return false;
}

static void name(struct record *r, const struct id *id)
{
	r->named = true;
	r->number = id->number;
	memcpy(r->id, id->text, id->length);
	r->id_length = id->length;
}

/* --- What was decided */

static int batch_now[LINKS]; /* whose members are judged; -1: none */
static bool is_profile(uint8_t link)
{
	return sim.setup.profile != NO_PROFILE && link == 0;
}

/* The decision about the next message or member. */
static const struct decision *decided(uint8_t link)
{
	const struct decision *const d = claims_next(link);
	if (d == NULL)
		fail("received", "nothing was decided about a message");
	claims_taken(link);
	if (d->record != NULL)
		d->record->batch = batch_now[link];
	return d;
}

/* It must be refused so. Without an id unless it may be named. */
static void must_be_refused(uint8_t link, int32_t code, enum reason reason, const struct id *id)
{
	const struct decision *const d = decided(link);
	if (d->claim != CLAIM_REFUSED || d->code != code || d->reason != reason)
		fail("received", "%d (reason %d) is decided, and not %d", (int)d->code, d->reason, (int)code);
	if (id != NULL && id->usable && live_with(link, id) == NULL) {
		d->record->may_be_unnamed = batch_now[link] >= 0 && was_used(link, id); /* it was live then, and has left since */
		name(d->record, id);
	}
	oracle_refused(d->record, ERROR_WORDS, code);
	if (d->record->claim.silent && d->record->batch >= 0)
		d->record->answer = SILENT;
	show("  refused: %d\n", (int)code);
}

static unsigned method_of(const struct plain *text, bool notification)
{
	for (unsigned i = 0; i < METHODS; i++) {
		if (plain_is(text, methods[i].name) &&
			((methods[i].marks & IS_NOTIFICATION) != 0) == notification)
			return i;
	}
	return NO_METHOD;
}

/* Answers that are kept stand in the arena too. */
static bool holds_answers(uint8_t link)
{
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].link == link)
			return true;
	}
	return sim.setup.topology == BRIDGE && link == 1;
}

/* What may have stood in the arena while a message was received. */
static size_t arena_load(uint8_t link, unsigned since)
{
	size_t load = 0;
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (r->link == link && (r->packed_in != 0 ? r->packed_in > since : r->stage != DEAD))
			load += r->weight;
	}
	return load;
}

/* Params take no less than their bytes, and no more than these and some for each value. */
static void weigh(const struct plain *params, size_t *least, size_t *most)
{
	size_t values = 0;
	*least = 0;
	if (params != NULL)
		plain_size(params, &values, least);
	*most = params != NULL ? *least + 8 * values + 8 : 0;
}

static void check_refusal(uint8_t link, const struct decision *d, size_t least, size_t most)
{
	const size_t arena = sim.setup.arena[link];
	const size_t load = arena_load(link, inputs[link].begun);
	switch (d->reason) {
	case REASON_LARGE:
		if (most <= arena)
			fail("received", "%zu bytes are too large for an arena of %zu", most, arena);
		break;
	case REASON_ARENA:
		if (load + most + 8 < arena && !holds_answers(link))
			fail("busy", "%zu of %zu bytes are taken, and %zu are refused", load, arena, most);
		break;
	case REASON_SLOTS:
	case REASON_CANCEL: break;
	default: fail("received", "refused for reason %d", d->reason);
	}
	if (least > arena && d->reason != REASON_LARGE && d->reason != REASON_CANCEL)
		fail("received", "what is too large is refused for reason %d", d->reason);
}

/* --- Requests and notifications that may be kept */

static struct {
	bool any, notification;
	char text[MESSAGE];
	size_t length;
} waiting[LINKS];

static void bind_request(uint8_t link, const struct plain *object)
{
	const struct plain *const params = plain_get(object, "params");
	const struct id id = id_of(link, plain_get(object, "id"));
	const struct decision *const d = decided(link);
	struct record *const r = d->record;
	size_t least, most;
	weigh(params, &least, &most);
	if (r == NULL)
		fail("received", "a request is dropped");
	name(r, &id);
	r->opaque = is_profile(link);
	if (r->opaque)
		least = 0; /* a profile keeps what it lists */
	r->method = r->opaque ? NO_METHOD : (uint8_t)method_of(plain_get(object, "method"), false);
	r->serial = plain_int(plain_get(params, "n"), -1);
	r->token = plain_int(plain_get(plain_get(params, "_meta"), "progressToken"), -1);
	if (d->claim == CLAIM_REFUSED) {
		if (!r->opaque)
			check_refusal(link, d, least, most);
		r->opaque = false;
		if (d->code == 0 && !plain_is(plain_get(object, "method"), "ping"))
			fail("received", "what is no ping is answered without a slot");
		oracle_refused(r, d->code == 0 ? RESULT_EMPTY : ERROR_WORDS, d->code);
		if (r->claim.silent && r->batch >= 0) /* by a member after it that began a session */
			r->answer = SILENT;
		show("  refused: %d\n", (int)d->code);
		return;
	}
	r->weight = most;
	if (least > sim.setup.arena[link])
		fail("received", "what is larger than the arena is accepted");
	oracle_parked(r);
	if (r->claim.cause != NO_CAUSE && !r->opaque) /* a member of a batch lives before its bracket has come */
		(void)oracle_cancelled(r, r->claim.cause);
	if (r->claim.silent && r->batch >= 0 && !r->opaque) /* and is cancelled more than once */
		(void)oracle_cancelled(r, BY_SESSION);
}

static void bind_notification(uint8_t link, const struct plain *object)
{
	const struct plain *const params = plain_get(object, "params");
	const struct decision *const d = decided(link);
	struct record *const r = d->record;
	size_t least, most;
	weigh(params, &least, &most);
	if (d->claim == CLAIM_REFUSED)
		fail("received", "a notification is refused");
	if (d->claim == CLAIM_DROPPED) {
		check_refusal(link, d, least, most);
		return;
	}
	r->notification = true;
	r->opaque = method_of(plain_get(object, "method"), true) == NO_METHOD;
	r->method = (uint8_t)method_of(plain_get(object, "method"), true);
	r->serial = plain_int(plain_get(params, "n"), -1);
	r->weight = most;
	oracle_parked(r);
	if (r->claim.cause != NO_CAUSE)
		(void)oracle_cancelled(r, r->claim.cause);
}

static void bind(uint8_t link, const struct plain *object, bool notification)
{
	if (notification)
		bind_notification(link, object);
	else
		bind_request(link, object);
}

/* Now, or when what is kept goes on. */
static void bind_or_wait(uint8_t link, const struct plain *object, bool notification)
{
	if (claims_next(link) != NULL) {
		bind(link, object, notification);
		return;
	}
	if (!claims_has_kept(link) || batch_now[link] >= 0)
		fail("received", "nothing was decided about a message");
	show("  kept\n");
	waiting[link].any = true;
	waiting[link].notification = notification;
	waiting[link].length = object->to - object->from;
	memcpy(waiting[link].text, inputs[link].text + object->from, waiting[link].length);
}

void received_goes_on(uint8_t link)
{
	if (!waiting[link].any)
		return;
	waiting[link].any = false;
	bind(link, plain_parse(waiting[link].text, waiting[link].length), waiting[link].notification);
}

bool received_waits(uint8_t link)
{
	return waiting[link].any;
}

void received_sessions(uint8_t link)
{
	const bool seen_late = is_profile(link) || sim.setup.dialect[link] == JSONRPC; /* in a batch that has not ended */
	while (claims_new_session(link)) {
		if (!seen_late)
			fail("session", "a new session is begun by nobody");
		oracle_new_session(link);
	}
}

void received_begin(uint8_t link)
{
	waiting[link].any = false;
	batch_now[link] = -1;
}

static void receive_request(uint8_t link, const struct plain *object, const struct id *id)
{
	const struct decision *const d = claims_next(link);
	const unsigned method = method_of(plain_get(object, "method"), false);
	const bool refused = d != NULL && d->claim == CLAIM_REFUSED;
	if (method < METHODS && (methods[method].marks & IS_SESSION) != 0 && !is_profile(link))
		oracle_session_request(link, batch_now[link] >= 0);
	const bool same = live_with(link, id) != NULL;
	if (is_profile(link) ? refused && d->reason == REASON_TWICE : same) {
		must_be_refused(link, -32600, REASON_TWICE, NULL);
		return;
	}
	/* Members are judged after their batch: of two with one id the first may have been answered since. */
	if (batch_now[link] >= 0 && refused && d->reason == REASON_TWICE) {
		must_be_refused(link, -32600, REASON_TWICE, NULL);
		return;
	}
	if (method == NO_METHOD && (!is_profile(link) || (refused && d->reason == REASON_METHOD))) {
		must_be_refused(link, -32601, REASON_METHOD, id);
		return;
	}
	show("  request %.*s, %s\n", (int)id->length, id->text, method < METHODS ? methods[method].name : "?");
	bind_or_wait(link, object, false);
}

/* --- Cancels */

static struct record *targets[RECORDS];
static size_t target_count;

static void cancel_target(struct record *r)
{
	if (batch_now[r->link] < 0)
		(void)oracle_cancelled(r, BY_OTHER_SIDE);
	else if (target_count < RECORDS)
		targets[target_count++] = r;
}

static const char *cancel_method(enum dialect d)
{
	return d == MCP ? "notifications/cancelled" : d == LSP ? "$/cancelRequest" : "$/cancel_request";
}

static bool is_cancel(uint8_t link, const struct plain *method)
{
	const enum dialect d = sim.setup.dialect[link];
	return plain_is(method, cancel_method(d)) ||
		((d == ACP || d == JSONRPC) && plain_is(method, "$/cancelRequest"));
}

/* The target: the last member of that name counts, whichever of the names it is. */
static const struct plain *target_of(uint8_t link, const struct plain *params)
{
	const enum dialect d = sim.setup.dialect[link];
	const struct plain *const target = plain_get(params, d == LSP ? "id" : "requestId");
	const struct plain *const other = d == JSONRPC ? plain_get(params, "id") : NULL;
	return other != NULL && (target == NULL || other->from > target->from) ? other : target;
}

static void receive_cancel(uint8_t link, const struct plain *params)
{
	const struct id id = id_of(link, target_of(link, params));
	struct record *const r = id.usable ? live_with(link, &id) : NULL;
	if (r != NULL)
		cancel_target(r);
}

static void receive_notification(uint8_t link, const struct plain *object)
{
	if (is_cancel(link, plain_get(object, "method")))
		receive_cancel(link, plain_get(object, "params"));
	const struct plain *const method = plain_get(object, "method");
	const bool handed_on = sim.setup.topology == BRIDGE && link == 1 &&
		(plain_is(method, "relayed") || plain_is(method, "notifications/progress"));
	if (!is_profile(link) && (handed_on || method_of(method, true) != NO_METHOD))
		bind_or_wait(link, object, true);
}

/* --- Responses */

static void receive_response(uint8_t link, const struct plain *object)
{
	const struct id id = id_of(link, plain_get(object, "id"));
	if (!id.usable || !id.number || id.length > 9)
		return;
	uint32_t number = 0;
	for (size_t i = 0; i < id.length; i++)
		number = number * 10 + (uint32_t)(id.text[i] - '0');
	struct ask *const ask = oracle_ask(link, number);
	if (ask != NULL)
		ask->answers++;
}

/* --- Messages */

static void must_be_dropped(uint8_t link)
{
	const struct decision *const d = decided(link);
	if (d->claim != CLAIM_DROPPED || d->reason != REASON_MESSAGE)
		fail("received", "a malformed notification is not dropped");
}

static void receive_object(uint8_t link, const struct plain *object)
{
	static const char *const names[] = { "jsonrpc", "id", "method", "params", "result", "error" };
	const struct plain *const method = plain_get(object, "method"), *const params = plain_get(object, "params");
	const struct plain *const id_value = plain_get(object, "id");
	const bool answer = plain_get(object, "result") != NULL || plain_get(object, "error") != NULL;
	const bool named = method != NULL && method->kind == PLAIN_STRING;
	const struct id id = id_of(link, id_value);
	bool twice = false;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++)
		twice = twice || plain_count(object, names[i]) > 1;
	const bool good = plain_is(plain_get(object, "jsonrpc"), "2.0") && named && !answer &&
		(params == NULL || params->kind == PLAIN_OBJECT || params->kind == PLAIN_ARRAY);
	if (method == NULL && answer)
		receive_response(link, object);
	else if (twice)
		must_be_refused(link, -32600, REASON_MESSAGE, NULL);
	else if (!good && (id_value != NULL || !named))
		must_be_refused(link, -32600, REASON_MESSAGE, &id);
	else if (!good)
		must_be_dropped(link);
	else if (id_value == NULL)
		receive_notification(link, object);
	else if (!id.usable)
		must_be_refused(link, -32600, REASON_MESSAGE, NULL);
	else
		receive_request(link, object, &id);
}

/* --- Batches */

static int batch_count;

/* What was decided about members of a batch that comes to nothing. */
static bool forget_members(uint8_t link, int32_t code, enum reason reason)
{
	bool busy = false;
	for (const struct decision *d = claims_next(link); d != NULL; d = claims_next(link)) {
		if (d->claim == CLAIM_REFUSED && d->code == code && d->reason == reason)
			return busy;
		busy = busy || (d->claim == CLAIM_REFUSED && (d->code == -32010 || !d->record->claim.slot));
		if (d->record != NULL) {
			d->record->stage = DEAD;
			d->record->weight = 9 * inputs[link].length; /* no less than all of them took */
		}
		claims_taken(link);
	}
	fail("received", "a message is not refused with %d", (int)code);
}

static bool was_refused(uint8_t link)
{
	return claims_last(link) != NULL && claims_last(link)->reason == REASON_BATCH;
}

static bool is_under_way(uint8_t link)
{
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		const bool over = r->claim.written || r->answer == SILENT || r->stage == DEAD;
		const bool lately = r->ended_in + 1 >= inputs[link].begun || r->left_in >= inputs[link].begun;
		if (r->link == link && r->batch >= 0 && !r->notification && (!over || lately))
			return true;
	}
	return false;
}

static void judge_members(uint8_t link, const struct plain *array)
{
	target_count = 0;
	batch_now[link] = batch_count++;
	for (const struct plain *m = array->child; m != NULL; m = m->next) {
		if (m->kind == PLAIN_OBJECT)
			receive_object(link, m);
		else
			must_be_refused(link, -32600, REASON_MESSAGE, NULL);
	}
	batch_now[link] = -1;
	for (size_t i = 0; i < target_count; i++)
		(void)oracle_cancelled(targets[i], BY_OTHER_SIDE);
}

/* Responses count all the same. */
static void judge_responses(uint8_t link, const struct plain *array)
{
	for (const struct plain *m = array->child; m != NULL; m = m->next) {
		const bool answer = plain_get(m, "result") != NULL || plain_get(m, "error") != NULL;
		if (m->kind == PLAIN_OBJECT && plain_get(m, "method") == NULL && answer)
			receive_response(link, m);
	}
}

static void receive_batch(uint8_t link, const struct plain *array)
{
	show("  a batch\n");
	if (array->child == NULL) {
		must_be_refused(link, -32600, REASON_MESSAGE, NULL);
	} else if (was_refused(link)) {
		const bool beside = is_under_way(link);
		const bool busy = forget_members(link, -32010, REASON_BATCH);
		if (!beside && !busy)
			fail("busy", "a batch is refused, and there was room");
		judge_responses(link, array);
		must_be_refused(link, -32010, REASON_BATCH, NULL);
	} else {
		judge_members(link, array);
	}
}

bool received_is_json(uint8_t link)
{
	return plain_parse(inputs[link].text, inputs[link].length) != NULL;
}

void received_message(uint8_t link)
{
	const struct input *const in = &inputs[link];
	const bool batches = sim.setup.dialect[link] == JSONRPC;
	const struct plain *const value = plain_parse(in->text, in->length);
	show("%u> %.*s\n", link, (int)in->length, in->text);
	if (is_profile(link) || (batches && (value == NULL || value->kind == PLAIN_ARRAY)))
		received_sessions(link);
	if (value == NULL && batches)
		(void)forget_members(link, -32700, REASON_MESSAGE);
	if (value == NULL)
		must_be_refused(link, -32700, REASON_MESSAGE, NULL);
	else if (value->kind == PLAIN_ARRAY && batches)
		receive_batch(link, value);
	else if (value->kind != PLAIN_OBJECT)
		must_be_refused(link, -32600, REASON_MESSAGE, NULL);
	else
		receive_object(link, value);
	while (is_profile(link) && !waiting[link].any && claims_next(link) != NULL) { /* its notifications are its own */
		struct record *const r = claims_next(link)->record;
		if (r != NULL) {
			r->opaque = r->notification = true;
			r->stage = PARKED;
		}
		claims_taken(link);
	}
	if (is_profile(link) && !waiting[link].any && claims_has_kept(link)) {
		waiting[link].any = waiting[link].notification = true;
		waiting[link].length = value->to - value->from;
		memcpy(waiting[link].text, in->text + value->from, waiting[link].length);
	}
	if ((batches || is_profile(link)) && claims_next(link) != NULL)
		fail("received", "something is decided about nothing");
}
