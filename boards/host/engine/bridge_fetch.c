/* SPDX-License-Identifier: MIT
 * Fetching what a device offers, and noticing that it has changed. A list that does not end is cut, so that whoever is asked for ever
 * serves what he has listed. */
#include "bridge_lists.h"

#include "bridge_forward.h"
#include "bridge_log.h"
#include "bridge_many.h"
#include "bridge_mcp.h"
#include "bridge_server.h"
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

void mcp_lists_changed(const struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	for (int kind = 0; kind < LIST_KINDS; kind++) {
		if (s->lists[kind] && kind != LIST_TEMPLATES)
			mcp_list_changed(b, (enum list_kind)kind);
	}
}

/* --- Items */

/* An item as clients see it: with its name there. */
static char *item_json(const struct server *s, enum list_kind kind, quash_value item, const char *shown)
{
	struct bridge *const b = s->wire.bridge;
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
			char *const name = many_label(s, quash_text(value));
			text_put_string(to, name != NULL ? name : "", name != NULL ? strlen(name) : 0);
			heap_free(&b->heap, name);
		} else {
			text_put(to, value);
		}
	}
	build_char(to, '}');
	return build_end(to);
}

static void append(struct server *s, enum list_kind kind, quash_value item)
{
	struct bridge *const b = s->wire.bridge;
	struct list *const list = &s->fresh[kind];
	const quash_value name = quash_get(item, mcp_lists[kind].key);
	const bool named = quash_kind_of(name) == QUASH_STRING && strlen(quash_text(name)) == quash_length(name);
	s->paging.unnamed += !named;
	s->paging.full = s->paging.full || list->count == MOST_ITEMS || s->paging.bytes >= MOST_BYTES;
	if (!named || s->paging.full)
		return;
	struct list_item *const items = heap_resize(&b->heap, list->items, (list->count + 1) * sizeof *items);
	if (items == NULL)
		return;
	list->items = items;
	struct list_item *const to = &items[list->count++];
	to->name = text_copy(&b->heap, quash_text(name));
	to->shown = many_shown(s, kind, quash_text(name));
	to->json = to->shown != NULL ? item_json(s, kind, item, to->shown) : NULL;
	s->paging.bytes += to->json != NULL ? strlen(to->json) : 0;
}

/* --- Fetching, one page after the other */

static void put_page(quash_writer *w, const quash_call *call)
{
	const struct server *const s = call->context;
	quash_put_object(w);
	if (s->cursor != NULL) {
		quash_put_key(w, "cursor");
		quash_put_text(w, s->cursor);
	}
	quash_put_end(w);
}

static void ask_page(struct server *s)
{
	server_ask(s, &s->listing, mcp_lists[s->fetching].method, put_page, PAGE_MS);
}

static void next_kind(struct server *s, unsigned from)
{
	struct bridge *const b = s->wire.bridge;
	heap_free(&b->heap, s->cursor);
	s->cursor = NULL;
	s->fetching = from;
	while (s->fetching < LIST_KINDS && !s->lists[s->fetching])
		s->fetching++;
	if (s->fetching < LIST_KINDS) {
		s->paging = (struct paging){ .since = b->now };
		list_clear(&b->heap, &s->fresh[s->fetching]);
		ask_page(s);
	}
}

/* True the first time in a session: whoever is asked again and again must not fill the log. */
static bool is_news(struct server *s, unsigned *noted)
{
	const unsigned bit = 1u << s->fetching;
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

static void note_end_of_list(struct server *s, const char *why)
{
	struct bridge *const b = s->wire.bridge;
	const enum list_kind kind = (enum list_kind)s->fetching;
	if (is_news(s, &s->cut_noted))
		log_line(b, LOG_WARNING, "%s: %s does not end: %s; no more is asked for", s->wire.name, mcp_lists[kind].method, why);
}

static void take_page(struct server *s, quash_value result)
{
	struct bridge *const b = s->wire.bridge;
	const enum list_kind kind = (enum list_kind)s->fetching;
	const quash_value array = quash_get(result, mcp_lists[kind].member), next = quash_get(result, "nextCursor");
	quash_value cursor = { NULL, 0, 0 }, item;
	while (bridge_keeps_lists(b) && quash_next(array, &cursor, NULL, &item))
		append(s, kind, item);
	s->fresh[kind].print = text_print(&b->heap, s->fresh[kind].print, array);
	if (quash_kind_of(array) != QUASH_ARRAY && is_news(s, &s->failure_noted))
		log_line(b, LOG_WARNING, "%s: answers %s without %s", s->wire.name, mcp_lists[kind].method, mcp_lists[kind].member);
	const bool more = quash_kind_of(next) == QUASH_STRING;
	const char *const why = s->paging.full ? "it has more than 10000 items, or 8 MiB" : more ? why_it_ends(b, &s->paging, array, next) : NULL;
	if (why != NULL)
		note_end_of_list(s, why);
	text_replace(&b->heap, &s->cursor, more && why == NULL ? text_copy(&b->heap, quash_text(next)) : NULL);
}

static void note_unnamed(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	if (s->paging.unnamed > 0 && is_news(s, &s->unnamed_noted))
		log_line(b, LOG_WARNING, "%s: %u of its %s have no name that can be shown", s->wire.name, s->paging.unnamed, mcp_lists[s->fetching].member);
}

/* Each client has the list of before. One that has not come is complete too: it is not waited for any more. */
static void compare(struct server *s, enum list_kind kind)
{
	struct bridge *const b = s->wire.bridge;
	const uint64_t before = b->options.many_servers ? s->list[kind].print : s->given[kind];
	const uint64_t now = s->fresh[kind].print;
	if (b->options.many_servers)
		many_settle(s, kind, before != now);
	list_clear(&b->heap, &s->list[kind]);
	s->list[kind] = s->fresh[kind];
	s->list[kind].print += s->list[kind].print == 0;
	s->fresh[kind] = (struct list){ .items = NULL };
	if (b->options.many_servers || before == 0 || before == now)
		return;
	s->given[kind] = now;
	log_line(b, LOG_INFO, "%s: %s are others than before", s->wire.name, mcp_lists[kind].member);
	mcp_list_changed(b, kind);
}

/* Resources and their templates have one notification. */
static void end_list(struct server *s, enum list_kind kind)
{
	struct bridge *const b = s->wire.bridge;
	note_unnamed(s);
	compare(s, kind);
	if (b->options.many_servers && kind != LIST_RESOURCES)
		mcp_list_changed(b, kind);
}

/* A method that the device lacks is an empty list; what else it refuses may be served a little later. */
static bool is_refused(const quash_call *call)
{
	int32_t code = 0;
	(void)quash_int32(quash_get(quash_call_answer(call), "code"), &code);
	return quash_call_outcome(call) == QUASH_CALL_ERROR && code != QUASH_METHOD_NOT_FOUND;
}

static void note_failure(struct server *s, bool answered)
{
	struct bridge *const b = s->wire.bridge;
	const char *const method = mcp_lists[s->fetching].method;
	char *const error = answered ? text_of_error(&b->heap, quash_call_answer(&s->listing)) : NULL;
	s->failed = true;
	s->again = b->now + AGAIN_MS;
	s->missing |= 1u << s->fetching;
	if (is_news(s, &s->failure_noted) && error != NULL)
		log_line(b, LOG_WARNING, "%s: refuses %s: %s; asked again every %d s", s->wire.name, method, error, AGAIN_MS / 1000);
	else if (!answered && is_news(s, &s->silence_noted))
		log_line(b, LOG_WARNING, "%s: has not answered %s in %d s; asked again every %d s", s->wire.name, method, PAGE_MS / 1000, AGAIN_MS / 1000);
	heap_free(&b->heap, error);
}

/* A page that does not come is the end of its list. */
static void fetch_next(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	const quash_outcome outcome = quash_call_outcome(&s->listing);
	if (outcome == QUASH_CALL_RESULT) {
		s->missing &= ~(1u << s->fetching);
		take_page(s, quash_call_answer(&s->listing));
	} else {
		text_replace(&b->heap, &s->cursor, NULL);
		if (outcome != QUASH_CALL_ERROR || is_refused(&s->listing))
			note_failure(s, outcome == QUASH_CALL_ERROR);
	}
	(void)quash_call_release(&s->listing);
	if (s->cursor != NULL) {
		ask_page(s);
	} else {
		end_list(s, (enum list_kind)s->fetching);
		next_kind(s, s->fetching + 1);
	}
}

/* Who says with each list that it has changed would be asked for ever. */
static bool must_rest(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	const uint32_t passed = (b->now - s->fetched_at) / REST_MS;
	s->rests = s->haste >= MOST_HASTE && passed == 0;
	if (s->rests && !s->haste_noted)
		log_line(b, LOG_WARNING, "%s: says again and again that its lists change; they are asked for once a second", s->wire.name);
	s->haste_noted = s->haste_noted || s->rests;
	s->again = s->rests ? s->fetched_at + REST_MS : s->again;
	if (s->rests)
		return true;
	s->haste = (s->haste > passed ? s->haste - (unsigned)passed : 0) + 1;
	s->fetched_at = b->now;
	return false;
}

void mcp_fetch(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	if (s->fetching < LIST_KINDS) {
		if (quash_call_has_ended(&s->listing))
			fetch_next(s);
		return;
	}
	if (s->failed && (int32_t)(b->now - s->again) >= 0)
		s->stale = true;
	if (!s->stale || must_rest(s))
		return;
	s->stale = s->failed = false;
	for (int kind = 0; kind < LIST_KINDS; kind++) {
		if (!s->lists[kind])
			list_clear(&b->heap, &s->list[kind]); /* of a session before */
	}
	next_kind(s, 0);
}

void mcp_fetch_stop(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	(void)quash_call_release(&s->listing);
	s->fetching = LIST_KINDS;
	s->rests = s->haste_noted = false;
	s->haste = 0;
	s->missing = s->cut_noted = s->failure_noted = s->silence_noted = s->unnamed_noted = s->names_told = 0;
	for (int kind = 0; kind < LIST_KINDS; kind++)
		list_clear(&b->heap, &s->fresh[kind]);
}
