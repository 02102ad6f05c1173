/* SPDX-License-Identifier: MIT */
#include "bridge_ahead.h"

#include "builder.h"

#include <string.h>

bool ahead_is_empty(const struct ahead *ahead)
{
	return ahead->waits.first == NULL && ahead->urgent.first == NULL;
}

/* However long the first one is: what cancels, and answers, are to be read behind it. */
bool ahead_is_full(const struct ahead *ahead)
{
	const size_t first = ahead->waits.first != NULL ? ahead->waits.first->n : 0;
	return ahead->bytes - first >= AHEAD_MOST;
}

bool ahead_has_room(const struct ahead *ahead, size_t n)
{
	return ahead_is_empty(ahead) || ahead->bytes + n <= AHEAD_MOST;
}

/* --- Lists */

static struct read_ahead *kept_new(const struct heap *heap, const char *text, size_t n, unsigned asks)
{
	struct read_ahead *const kept = heap_resize(heap, NULL, sizeof *kept + n + 1);
	if (kept == NULL)
		return NULL;
	kept->next = NULL;
	kept->asks = asks;
	kept->calls = 0;
	kept->cancels = kept->stopped = false;
	kept->n = n;
	memcpy(kept->text, text, n);
	kept->text[n] = '\0';
	return kept;
}

static void append_kept(struct kept_list *list, struct read_ahead *kept)
{
	if (list->first == NULL)
		list->last = &list->first;
	*list->last = kept;
	list->last = &kept->next;
	kept->next = NULL;
}

/* `at` is `&first`, or `&next` of the one before. */
static struct read_ahead *unlink_at(struct kept_list *list, struct read_ahead **at)
{
	struct read_ahead *const kept = *at;
	*at = kept->next;
	if (kept->next == NULL)
		list->last = at;
	return kept;
}

struct read_ahead *ahead_add(struct ahead *ahead, const char *text, size_t n, unsigned asks)
{
	struct read_ahead *const kept = kept_new(ahead->heap, text, n, asks);
	if (kept == NULL)
		return NULL;
	append_kept(&ahead->waits, kept);
	ahead->bytes += n;
	ahead->requests += asks;
	return kept;
}

/* --- Cancels */

/* What a cancel names: a request by its id, or all of a method that carry a value. `value` without text: nothing. */
struct named {
	bool cancels; /* else it is another notification */
	const char *method, *tag; /* NULL: it names one by its id */
	struct span value;
};

static struct named named_by(const quash_dialect *d, struct span cancel)
{
	static const char *const names[] = { "method", "params" };
	struct span parts[2];
	struct named named = { false, NULL, NULL, { NULL, 0 } };
	span_members(cancel, names, parts, 2);
	for (uint8_t i = 0; i < d->cancel_count; i++) {
		if (!span_is(parts[0], d->cancels[i].method))
			continue;
		named.cancels = true;
		named.method = d->cancels[i].target;
	}
	named.tag = named.method != NULL ? d->tag_member : NULL;
	named.value = span_member(parts[1], named.method != NULL ? d->tag_member : d->cancel_id);
	if (named.value.at == NULL && named.method == NULL && d->cancel_id_alias != NULL)
		named.value = span_member(parts[1], d->cancel_id_alias);
	return named;
}

static bool request_is_named(const struct named *named, struct span request)
{
	static const char *const names[] = { "method", "id", "params" };
	struct span parts[3];
	span_members(request, names, parts, 3);
	if (named->method == NULL)
		return parts[1].at != NULL && span_equals(parts[1], named->value);
	const struct span value = span_member(parts[2], named->tag);
	return span_is(parts[0], named->method) && value.at != NULL && span_equals(value, named->value);
}

/* Of a batch one is enough: it goes as a whole. */
static bool has_named(const struct named *named, const struct read_ahead *kept)
{
	const struct span text = span_container(kept->text, kept->n);
	struct span element;
	size_t place = 0;
	if (kept->asks == 0 || !span_begins(text, '['))
		return kept->asks > 0 && request_is_named(named, text);
	while (span_next(text, &place, NULL, &element)) {
		if (request_is_named(named, element))
			return true;
	}
	return false;
}

static struct read_ahead *take_named(struct ahead *ahead, const struct named *named, struct read_ahead **at)
{
	while (*at != NULL && !has_named(named, *at))
		at = &(*at)->next;
	return *at != NULL ? unlink_at(&ahead->waits, at) : NULL;
}

static struct read_ahead *cancel_new(const struct heap *heap, const char *text, size_t n)
{
	struct read_ahead *const cancel = kept_new(heap, text, n, 0);
	if (cancel != NULL)
		cancel->cancels = true;
	return cancel;
}

/* The same dialect's cancel of that one request. */
static struct read_ahead *cancel_of(const struct heap *heap, const quash_dialect *d, const struct read_ahead *request)
{
	struct builder made = build_begin(heap), *const to = &made;
	uint8_t i = 0;
	while (i + 1 < d->cancel_count && d->cancels[i].target != NULL)
		i++;
	build_text(to, "{\"jsonrpc\":\"2.0\",\"method\":\"");
	build_text(to, d->cancels[i].method);
	build_text(to, "\",\"params\":{\"");
	build_text(to, d->cancel_id);
	build_text(to, "\":");
	const struct span id = span_member(span_container(request->text, request->n), "id");
	build_bytes(to, id.at, id.n);
	build_text(to, "}}");
	char *const text = build_end(to);
	struct read_ahead *const kept = text != NULL ? cancel_new(heap, text, strlen(text)) : NULL;
	heap_free(heap, text);
	return kept;
}

/* Several may carry the same value. Each is cancelled for itself, right behind it: so it begins nothing, however many come first. */
static bool cancel_each(struct ahead *ahead, const quash_dialect *dialect, const struct named *named)
{
	struct read_ahead *kept;
	while ((kept = take_named(ahead, named, &ahead->waits.first)) != NULL) {
		struct read_ahead *const cancel = cancel_of(ahead->heap, dialect, kept);
		append_kept(&ahead->urgent, kept);
		if (cancel == NULL)
			return false;
		append_kept(&ahead->urgent, cancel);
		ahead->bytes += cancel->n;
	}
	return true;
}

static void prepend_kept(struct kept_list *list, struct read_ahead *kept)
{
	kept->next = list->first;
	if (list->first == NULL)
		list->last = &kept->next;
	list->first = kept;
}

static bool any_named(const struct named *named, const struct read_ahead *kept)
{
	while (kept != NULL && !has_named(named, kept))
		kept = kept->next;
	return kept != NULL;
}

/* What it names goes before it. True: it names something that stands there, and must not overtake that. */
static bool hurry_named(struct ahead *ahead, const struct named *named)
{
	if (named->method != NULL || named->value.at == NULL)
		return false;
	struct read_ahead *const one = take_named(ahead, named, &ahead->waits.first);
	if (one != NULL)
		append_kept(&ahead->urgent, one);
	return one != NULL || any_named(named, ahead->urgent.first);
}

/* One cancel, or a batch of notifications, of which some cancel. */
static bool hurry_all(struct ahead *ahead, const quash_dialect *dialect, struct span cancel)
{
	struct span element;
	size_t place = 0;
	bool behind = false;
	if (!span_begins(cancel, '[')) {
		const struct named named = named_by(dialect, cancel);
		return hurry_named(ahead, &named);
	}
	while (span_next(cancel, &place, NULL, &element)) {
		const struct named named = named_by(dialect, element);
		behind = (named.cancels && hurry_named(ahead, &named)) || behind;
	}
	return behind;
}

/* One that is for what is live waits for nothing: that may hold the room which others need. */
bool ahead_add_cancel(struct ahead *ahead, const quash_dialect *dialect, const char *text, size_t n)
{
	struct read_ahead *const cancel = cancel_new(ahead->heap, text, n);
	if (cancel == NULL)
		return false;
	const struct span whole = span_container(cancel->text, n);
	const struct named named = named_by(dialect, whole);
	if (hurry_all(ahead, dialect, whole))
		append_kept(&ahead->urgent, cancel);
	else
		prepend_kept(&ahead->urgent, cancel);
	ahead->bytes += n;
	return named.method == NULL || named.value.at == NULL || cancel_each(ahead, dialect, &named);
}

/* --- Their turn */

static bool may_go(const struct read_ahead *kept, enum ahead_room least, enum ahead_room room)
{
	return kept != NULL && (kept->asks == 0 || room >= least);
}

/* What is urgent and finds no room holds up the others. */
bool ahead_has_next(const struct ahead *ahead, enum ahead_room room)
{
	return ahead->urgent.first != NULL ? may_go(ahead->urgent.first, AHEAD_URGENT, room) : may_go(ahead->waits.first, AHEAD_ANY, room);
}

const struct read_ahead *ahead_next(const struct ahead *ahead)
{
	return ahead->urgent.first != NULL ? ahead->urgent.first : ahead->waits.first;
}

struct read_ahead *ahead_take(struct ahead *ahead, enum ahead_room room)
{
	struct kept_list *const list = ahead->urgent.first != NULL ? &ahead->urgent : &ahead->waits;
	if (!ahead_has_next(ahead, room))
		return NULL;
	struct read_ahead *const kept = unlink_at(list, &list->first);
	ahead->bytes -= kept->n;
	ahead->requests -= kept->asks;
	return kept;
}

static unsigned stop_list(struct read_ahead *kept)
{
	unsigned calls = 0;
	for (; kept != NULL; kept = kept->next) {
		calls += kept->stopped ? 0 : kept->calls;
		kept->stopped = true;
	}
	return calls;
}

unsigned ahead_stop(struct ahead *ahead)
{
	return stop_list(ahead->urgent.first) + stop_list(ahead->waits.first);
}

void ahead_free(struct ahead *ahead)
{
	struct read_ahead *kept;
	while ((kept = ahead_take(ahead, AHEAD_ANY)) != NULL)
		heap_free(ahead->heap, kept);
}
