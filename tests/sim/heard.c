/* SPDX-License-Identifier: MIT
 * What the other side has said, as the peer must take it: envelopes, requests, cancels, responses and batches. */
#include "heard.h"
#include "oracle.h"

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
	return !r->notification && r->number == id->number && r->id_length == id->length &&
		memcmp(r->id, id->text, id->length) == 0;
}

/* Whether a live request has that id. */
enum twin { NO_TWIN, TWIN, PERHAPS };

static enum twin twin_of(uint8_t link, const struct id *id)
{
	enum twin found = NO_TWIN;
	for (size_t i = 0; i < sim.record_count; i++) {
		const struct record *const r = &sim.records[i];
		if (r->link != link || !has_id(r, id) || oracle_is_dead(r) || r->answered)
			continue;
		const bool sure = r->expect == UNDECIDED && !r->opaque && !r->silent && !r->either &&
			(r->started || (!r->may_be_busy && !r->may_be_large && !r->may_be_twin));
		if (sure && (r->batch < 0 || !sim.batches[r->batch].may_be_refused))
			return TWIN;
		found = PERHAPS;
	}
	return found;
}

/* --- Records */

static struct record *new_record(uint8_t link, const struct id *id)
{
	static const struct record fresh = { .serial = -1, .token = -1, .batch = -1, .method = NO_METHOD };
	if (sim.record_count >= RECORDS)
		return NULL;
	struct record *const r = &sim.records[sim.record_count++];
	*r = fresh;
	r->link = link;
	r->heard_at = sim.told[link];
	if (id == NULL) {
		r->notification = true;
		return r;
	}
	r->number = id->number;
	memcpy(r->id, id->text, id->length);
	r->id_length = id->length;
	return r;
}

static void refuse_without_id(uint8_t link, int32_t code, bool sure)
{
	struct refusals *const r = oracle_refusals(link, code);
	tell("  %s without id: %d\n", sure ? "refused" : "may be refused", (int)code);
	if (sure)
		r->sure++;
	else
		r->perhaps++;
}

static int batch_now[LINKS];

static void refuse(uint8_t link, int32_t code, const struct id *id)
{
	const enum twin twin = id != NULL && id->usable ? twin_of(link, id) : NO_TWIN;
	struct record *r;
	if (id == NULL || !id->usable || twin == TWIN) {
		if (batch_now[link] < 0) {
			refuse_without_id(link, code, true);
			return;
		}
		static const struct id none = { .usable = true };
		r = new_record(link, &none);
		if (r == NULL)
			return;
		r->expect = FAILURE;
		r->code = code;
		r->batch = batch_now[link];
		r->id_length = 0;
		return;
	}
	if (twin == PERHAPS)
		refuse_without_id(link, code, false);
	r = new_record(link, id);
	if (r == NULL)
		return;
	r->expect = FAILURE;
	r->code = code;
	r->batch = batch_now[link];
	r->may_be_twin = twin == PERHAPS;
}

static unsigned method_of(const struct plain *name, bool notification)
{
	for (unsigned i = 0; i < METHODS; i++) {
		if (plain_is(name, methods[i].name) &&
			((methods[i].marks & IS_NOTIFICATION) != 0) == notification)
			return i;
	}
	return NO_METHOD;
}

/* Answers stand in the arena too, and members of a batch that came to nothing; what is relayed, which has no records, takes slots. */
static bool holds_more(uint8_t link)
{
	bool any = (sim.setup.topology == BRIDGE && link == 1) || ears[link].begun < ears[link].litter;
	for (size_t i = 0; i < sim.ask_count; i++)
		any = any || sim.asks[i].link == link;
	return any;
}

/* What params take in the arena: no less than their bytes, no more than these and some for each value. */
static void weigh(uint8_t link, struct record *r, const struct plain *params)
{
	size_t values = 0, bytes = 0, arena;
	unsigned slots;
	oracle_load(link, ears[link].begun, &slots, &arena);
	if (params != NULL)
		plain_size(params, &values, &bytes);
	const size_t most = bytes + 8 * values + 8;
	r->may_be_large = most > sim.setup.arena[link];
	r->may_be_busy = slots + 2 > sim.setup.slots[link] ||
		(params != NULL && arena + most > sim.setup.arena[link]) || r->batch >= 0;
	r->weight = most;
	r->may_be_busy = r->may_be_busy || holds_more(link);
	if (bytes > sim.setup.arena[link] && !r->notification) {
		r->expect = FAILURE;
		r->code = -32011;
	}
}

static void hear_request(uint8_t link, const struct plain *object, const struct id *id)
{
	const struct plain *const params = plain_get(object, "params");
	const bool profile = sim.setup.profile != NO_PROFILE && link == 0;
	const enum twin twin = twin_of(link, id);
	const unsigned method = method_of(plain_get(object, "method"), false);
	if (twin == TWIN) {
		refuse(link, -32600, NULL);
		return;
	}
	if (method == NO_METHOD && !profile) {
		if (twin == PERHAPS) {
			refuse_without_id(link, -32600, false);
			refuse_without_id(link, -32601, false);
		}
		refuse(link, -32601, id);
		return;
	}
	if (twin == PERHAPS)
		refuse_without_id(link, -32600, false);
	struct record *const r = new_record(link, id);
	if (r == NULL)
		return;
	r->batch = batch_now[link];
	r->may_be_twin = twin == PERHAPS;
	r->method = (uint8_t)method;
	r->opaque = profile;
	r->serial = plain_int(plain_get(params, "n"), -1);
	r->token = plain_int(plain_get(plain_get(params, "_meta"), "progressToken"), -1);
	if (profile && plain_is(plain_get(object, "method"), "initialize"))
		r->token = -2;
	weigh(link, r, params);
	tell("  request %.*s heard, %s\n", (int)id->length, id->text,
		method < METHODS ? methods[method].name : "?");
}

/* --- Cancels */

static struct record *doomed[RECORDS];
static size_t doomed_count;

static void cancel_target(struct record *r)
{
	if (batch_now[r->link] < 0)
		oracle_cancelled(r, OTHER_SIDE);
	else if (doomed_count < RECORDS)
		doomed[doomed_count++] = r;
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

static void hear_cancel(uint8_t link, const struct plain *params)
{
	const struct id id = id_of(link, target_of(link, params));
	if (!id.usable)
		return;
	for (size_t i = sim.record_count; i-- > 0;) {
		struct record *const r = &sim.records[i];
		const bool initialize = r->opaque && r->token == -2;
		if (r->link != link || !has_id(r, &id) || oracle_is_dead(r))
			continue;
		if (!initialize)
			cancel_target(r);
		else if (r->may_be_busy || r->may_be_large || r->may_be_twin)
			r->optional = true; /* refused, it is no initialize */
	}
}

static void hear_notification(uint8_t link, const struct plain *object)
{
	const struct plain *const params = plain_get(object, "params");
	const unsigned method = method_of(plain_get(object, "method"), true);
	if (is_cancel(link, plain_get(object, "method")))
		hear_cancel(link, params);
	if (method == NO_METHOD || (sim.setup.profile != NO_PROFILE && link == 0))
		return;
	struct record *const r = new_record(link, NULL);
	if (r == NULL)
		return;
	r->method = (uint8_t)method;
	r->serial = plain_int(plain_get(params, "n"), -1);
	weigh(link, r, params);
	r->may_be_busy = r->may_be_busy || batch_now[link] >= 0;
}

/* --- Responses */

static void hear_response(uint8_t link, const struct plain *object)
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

static void hear_object(uint8_t link, const struct plain *object)
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
		hear_response(link, object);
	else if (twice)
		refuse(link, -32600, NULL);
	else if (!good && (id_value != NULL || !named))
		refuse(link, -32600, &id);
	else if (!good)
		return;
	else if (id_value == NULL)
		hear_notification(link, object);
	else if (!id.usable)
		refuse(link, -32600, NULL);
	else
		hear_request(link, object, &id);
}

static bool wants_answer(const struct plain *member)
{
	const struct plain *const method = plain_get(member, "method");
	if (member->kind != PLAIN_OBJECT)
		return true;
	if (method == NULL && (plain_get(member, "result") != NULL || plain_get(member, "error") != NULL))
		return false;
	return plain_get(member, "id") != NULL || method == NULL || method->kind != PLAIN_STRING;
}

static bool is_under_way(uint8_t link)
{
	for (size_t i = 0; i < sim.batch_count; i++) {
		if (sim.batches[i].link == link && !sim.batches[i].seen)
			return true;
	}
	return false;
}

/* It lives from its end on, before that of the batch. */
static void hear_member(uint8_t link, const struct plain *m)
{
	const size_t first = sim.record_count;
	if (m->kind == PLAIN_OBJECT)
		hear_object(link, m);
	else
		refuse(link, -32600, NULL);
	for (size_t i = first; i < sim.record_count; i++) {
		sim.records[i].heard_at = ears[link].times[m->to - 1];
		if (m->to <= ears[link].cancelled)
			oracle_cancelled(&sim.records[i], OUR_SIDE);
	}
}

static void hear_batch(uint8_t link, const struct plain *array)
{
	unsigned answers = 0, members = 0, slots;
	size_t arena;
	for (const struct plain *m = array->child; m != NULL; m = m->next) {
		members++;
		answers += wants_answer(m);
	}
	if (members == 0) {
		refuse_without_id(link, -32600, true);
		return;
	}
	if (sim.batch_count >= BATCHES)
		return;
	struct batch *const batch = &sim.batches[sim.batch_count];
	oracle_load(link, ears[link].begun, &slots, &arena);
	const bool beside = is_under_way(link);
	batch->link = link;
	batch->may_be_refused = beside || slots + members + 1 > sim.setup.slots[link] ||
		arena + (array->to - array->from) * 9 + 9 > sim.setup.arena[link];
	batch->seen = answers == 0;
	batch->may_be_refused = batch->may_be_refused || holds_more(link);
	if (batch->may_be_refused)
		refuse_without_id(link, -32010, false);
	tell("  batch of %u heard%s\n", members, batch->may_be_refused ? ", may be refused" : "");
	batch_now[link] = (int)sim.batch_count++;
	const size_t first = sim.record_count;
	doomed_count = 0;
	for (const struct plain *m = array->child; m != NULL; m = m->next)
		hear_member(link, m);
	for (size_t i = first; i < sim.record_count && batch->may_be_refused; i++)
		sim.records[i].may_be_busy = true;
	const bool may_be_refused = batch->may_be_refused;
	batch_now[link] = -1;
	for (size_t i = 0; i < doomed_count; i++) {
		if (!may_be_refused)
			oracle_cancelled(doomed[i], OTHER_SIDE);
		else if (doomed[i]->cause == NO_CAUSE && !doomed[i]->answered)
			doomed[i]->either = true;
	}
}

void heard_message(uint8_t link)
{
	const struct plain *const value = plain_parse(ears[link].text, ears[link].length);
	tell("%u> %.*s\n", link, (int)ears[link].length, ears[link].text);
	if (value == NULL)
		ears[link].litter = sim.steps[link] + 1;
	if (value == NULL)
		refuse_without_id(link, -32700, true);
	else if (value->kind == PLAIN_ARRAY && sim.setup.dialect[link] == JSONRPC)
		hear_batch(link, value);
	else if (value->kind != PLAIN_OBJECT)
		refuse_without_id(link, -32600, true);
	else
		hear_object(link, value);
	ears[link].length = ears[link].cancelled = 0;
}

void heard_no_batch(uint8_t link)
{
	batch_now[link] = -1;
}
