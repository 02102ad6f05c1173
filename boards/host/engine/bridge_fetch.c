/* SPDX-License-Identifier: MIT
 * Fetching what a device offers, and noticing that it has changed. A list that does not end is cut, so that whoever is asked for ever
 * serves what he has listed. */
#include "bridge_lists.h"

#include "bridge_forward.h"
#include "bridge_log.h"
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "bridge_device.h"
#include "text.h"
#include "quash.h"

#include <string.h>

/* Of one list. PAGE_MS: a page; SAME_PAGES: those that have come before. */
enum { PAGE_MS = 10000, LIST_MS = 60000, AGAIN_MS = 5000, SAME_PAGES = 16, MOST_ITEMS = 10000, MOST_BYTES = 8 << 20 };
/* Of all of a device: so many times at once, then once in so long. */
enum { MOST_HASTE = 8, REST_MS = 1000 };

/* Sends `notifications/tools/list_changed` or its kin to every client that has begun with `initialize`. Who has no answer to that yet
 * asks for the list later. */
static void mcp_list_changed(struct bridge *b, enum list_kind kind)
{
	for (unsigned i = 0; i < b->client_places; i++) {
		struct client *const client = b->clients[i];
		if (client == NULL || client->leaving || !client->opened)
			continue;
		(void)wire_notify(&client->wire, mcp_lists[kind].changed);
		(void)quash_notify_send(&client->wire.peer);
	}
}

void mcp_lists_changed(const struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	for (int kind = 0; kind < LIST_KINDS; kind++) {
		if (d->lists[kind] && kind != LIST_TEMPLATES)
			mcp_list_changed(b, (enum list_kind)kind);
	}
}

/* --- Items */

/* An item as clients see it: with its name there. */
static char *item_json(const struct device *d, enum list_kind kind, quash_value item, const char *shown)
{
	struct bridge *const b = d->wire.bridge;
	quash_value cursor = { NULL, 0, 0 }, key, value;
	const char *comma = "";
	struct builder made = build_begin(&b->heap), *const to = &made;
	build_char(to, '{');
	while (quash_next(item, &cursor, &key, &value)) {
		build_text(to, comma);
		comma = ",";
		text_put_string(to, quash_text(key), quash_length(key));
		build_char(to, ':');
		if (quash_is(key, mcp_lists[kind].key)) {
			text_put_string(to, shown, strlen(shown));
		} else if (quash_is(key, "name")) {
			char *const name = many_label(d, quash_text(value));
			text_put_string(to, name != NULL ? name : "", name != NULL ? strlen(name) : 0);
			heap_free(&b->heap, name);
		} else {
			text_put(to, value);
		}
	}
	build_char(to, '}');
	return build_end(to);
}

static void append(struct device *d, enum list_kind kind, quash_value item)
{
	struct bridge *const b = d->wire.bridge;
	struct list *const list = &d->fresh[kind];
	const quash_value name = quash_get(item, mcp_lists[kind].key);
	const bool named = quash_kind_of(name) == QUASH_STRING && strlen(quash_text(name)) == quash_length(name);
	d->paging.unnamed += !named;
	d->paging.full = d->paging.full || list->count == MOST_ITEMS || d->paging.bytes >= MOST_BYTES;
	if (!named || d->paging.full)
		return;
	struct list_item *const items = heap_resize(&b->heap, list->items, (list->count + 1) * sizeof *items);
	if (items == NULL)
		return;
	list->items = items;
	struct list_item *const to = &items[list->count++];
	to->name = text_copy(&b->heap, quash_text(name));
	to->shown = many_shown(d, kind, quash_text(name));
	to->json = to->shown != NULL ? item_json(d, kind, item, to->shown) : NULL;
	d->paging.bytes += to->json != NULL ? strlen(to->json) : 0;
}

/* --- Fetching, one page after the other */

static void put_page(quash_writer *w, const quash_call *call)
{
	const struct device *const d = call->context;
	quash_put_object(w);
	if (d->cursor != NULL) {
		quash_put_key(w, "cursor");
		quash_put_text(w, d->cursor);
	}
	quash_put_end(w);
}

static void ask_page(struct device *d)
{
	device_ask(d, &d->listing, mcp_lists[d->fetching].method, put_page, PAGE_MS);
}

static void next_kind(struct device *d, unsigned from)
{
	struct bridge *const b = d->wire.bridge;
	heap_free(&b->heap, d->cursor);
	d->cursor = NULL;
	d->fetching = from;
	while (d->fetching < LIST_KINDS && !d->lists[d->fetching])
		d->fetching++;
	if (d->fetching < LIST_KINDS) {
		d->paging = (struct paging){ .since = b->now };
		list_clear(&b->heap, &d->fresh[d->fetching]);
		ask_page(d);
	}
}

/* True the first time in a session: whoever is asked again and again must not fill the log. */
static bool is_news(struct device *d, unsigned *noted)
{
	const unsigned bit = 1u << d->fetching;
	const bool news = (*noted & bit) == 0;
	*noted |= bit;
	return news;
}

/* Why no page is asked for behind this one, in words; NULL: nothing is against it. */
static const char *why_it_ends(struct bridge *b, struct paging *p, quash_value array, quash_value next)
{
	const char *const why = mcp_cursor_leads_nowhere(&p->cursors, &b->heap, next);
	p->same += mcp_seen_before(&p->pages, &b->heap, array);
	if (why != NULL)
		return why;
	if (p->same >= SAME_PAGES)
		return "it brings the same pages again";
	if (p->cursors.count == MCP_PAGES)
		return "it has more than 1000 pages";
	return b->now - p->since >= LIST_MS ? "it has taken more than 60 s" : NULL;
}

static void note_end_of_list(struct device *d, const char *why)
{
	struct bridge *const b = d->wire.bridge;
	const enum list_kind kind = (enum list_kind)d->fetching;
	if (is_news(d, &d->cut_noted))
		log_line(b, LOG_WARNING, "%s: %s does not end: %s; no more is asked for", d->wire.name, mcp_lists[kind].method, why);
}

static void take_page(struct device *d, quash_value result)
{
	struct bridge *const b = d->wire.bridge;
	const enum list_kind kind = (enum list_kind)d->fetching;
	const quash_value array = quash_get(result, mcp_lists[kind].member), next = quash_get(result, "nextCursor");
	quash_value cursor = { NULL, 0, 0 }, item;
	while (bridge_keeps_lists(b) && quash_next(array, &cursor, NULL, &item))
		append(d, kind, item);
	d->fresh[kind].print = text_print(&b->heap, d->fresh[kind].print, array);
	if (quash_kind_of(array) != QUASH_ARRAY && is_news(d, &d->failure_noted))
		log_line(b, LOG_WARNING, "%s: answers %s without %s", d->wire.name, mcp_lists[kind].method, mcp_lists[kind].member);
	const bool more = quash_kind_of(next) == QUASH_STRING;
	const char *const why = d->paging.full ? "it has more than 10000 items, or 8 MiB" : more ? why_it_ends(b, &d->paging, array, next) : NULL;
	if (why != NULL)
		note_end_of_list(d, why);
	text_replace(&b->heap, &d->cursor, more && why == NULL ? text_copy(&b->heap, quash_text(next)) : NULL);
}

static void note_unnamed(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (d->paging.unnamed > 0 && is_news(d, &d->unnamed_noted))
		log_line(b, LOG_WARNING, "%s: %u of its %s have no name that can be shown", d->wire.name, d->paging.unnamed, mcp_lists[d->fetching].member);
}

/* Each client has the list of before. One that has not come is complete too: it is not waited for any more. */
static void compare(struct device *d, enum list_kind kind)
{
	struct bridge *const b = d->wire.bridge;
	const uint64_t before = b->options.many_devices ? d->list[kind].print : d->given[kind];
	const uint64_t now = d->fresh[kind].print;
	if (b->options.many_devices)
		many_settle(d, kind, before != now);
	list_clear(&b->heap, &d->list[kind]);
	d->list[kind] = d->fresh[kind];
	d->list[kind].print += d->list[kind].print == 0;
	d->fresh[kind] = (struct list){ .items = NULL };
	if (b->options.many_devices || before == 0 || before == now)
		return;
	d->given[kind] = now;
	log_line(b, LOG_INFO, "%s: %s are others than before", d->wire.name, mcp_lists[kind].member);
	mcp_list_changed(b, kind);
}

/* Resources and their templates have one notification. */
static void end_list(struct device *d, enum list_kind kind)
{
	struct bridge *const b = d->wire.bridge;
	note_unnamed(d);
	compare(d, kind);
	if (b->options.many_devices && kind != LIST_RESOURCES)
		mcp_list_changed(b, kind);
}

/* A method that the device lacks is an empty list; what else it refuses may be served a little later. */
static bool is_refused(const quash_call *call)
{
	int32_t code = 0;
	(void)quash_int32(quash_get(quash_call_answer(call), "code"), &code);
	return quash_call_outcome(call) == QUASH_CALL_ERROR && code != QUASH_METHOD_NOT_FOUND;
}

static void note_failure(struct device *d, bool answered)
{
	struct bridge *const b = d->wire.bridge;
	const char *const method = mcp_lists[d->fetching].method;
	char *const error = answered ? text_of_error(&b->heap, quash_call_answer(&d->listing)) : NULL;
	d->failed = true;
	d->again = b->now + AGAIN_MS;
	d->missing |= 1u << d->fetching;
	if (is_news(d, &d->failure_noted) && error != NULL)
		log_line(b, LOG_WARNING, "%s: refuses %s: %s; asked again every %d s", d->wire.name, method, error, AGAIN_MS / 1000);
	else if (!answered && is_news(d, &d->silence_noted))
		log_line(b, LOG_WARNING, "%s: has not answered %s in %d s; asked again every %d s", d->wire.name, method, PAGE_MS / 1000, AGAIN_MS / 1000);
	heap_free(&b->heap, error);
}

/* A page that does not come is the end of its list. */
static void fetch_next(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	const quash_outcome outcome = quash_call_outcome(&d->listing);
	if (outcome == QUASH_CALL_RESULT) {
		d->missing &= ~(1u << d->fetching);
		take_page(d, quash_call_answer(&d->listing));
	} else {
		text_replace(&b->heap, &d->cursor, NULL);
		if (outcome != QUASH_CALL_ERROR || is_refused(&d->listing))
			note_failure(d, outcome == QUASH_CALL_ERROR);
	}
	(void)quash_call_release(&d->listing);
	if (d->cursor != NULL) {
		ask_page(d);
	} else {
		end_list(d, (enum list_kind)d->fetching);
		next_kind(d, d->fetching + 1);
	}
}

/* Who says with each list that it has changed would be asked for ever. */
static bool must_rest(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	const uint32_t passed = (b->now - d->fetched_at) / REST_MS;
	d->rests = d->haste >= MOST_HASTE && passed == 0;
	if (d->rests && !d->haste_noted)
		log_line(b, LOG_WARNING, "%s: says again and again that its lists change; they are asked for once a second", d->wire.name);
	d->haste_noted = d->haste_noted || d->rests;
	d->again = d->rests ? d->fetched_at + REST_MS : d->again;
	if (d->rests)
		return true;
	d->haste = (d->haste > passed ? d->haste - (unsigned)passed : 0) + 1;
	d->fetched_at = b->now;
	return false;
}

void mcp_fetch(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (d->fetching < LIST_KINDS) {
		if (quash_call_has_ended(&d->listing))
			fetch_next(d);
		return;
	}
	if (d->failed && (int32_t)(b->now - d->again) >= 0)
		d->stale = true;
	if (!d->stale || must_rest(d))
		return;
	d->stale = d->failed = false;
	for (int kind = 0; kind < LIST_KINDS; kind++) {
		if (!d->lists[kind])
			list_clear(&b->heap, &d->list[kind]); /* of a session before */
	}
	next_kind(d, 0);
}

void mcp_fetch_stop(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	(void)quash_call_release(&d->listing);
	d->fetching = LIST_KINDS;
	d->rests = d->haste_noted = false;
	d->haste = 0;
	d->missing = d->cut_noted = d->failure_noted = d->silence_noted = d->unnamed_noted = d->names_told = 0;
	for (int kind = 0; kind < LIST_KINDS; kind++)
		list_clear(&b->heap, &d->fresh[kind]);
}
