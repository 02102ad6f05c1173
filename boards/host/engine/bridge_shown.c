/* SPDX-License-Identifier: MIT
 * The names of several devices' tools, as clients see them. Who calls one moves something: so a name is made of its tool's and its
 * device's alone, whatever else is there, and never becomes that of another. */
#include "bridge_many.h"

#include "bridge_log.h"
#include "format.h"
#include "text.h"

#include <string.h>

/* --- URIs, and names of loggers */

/* A scheme may hold no underscore (RFC 3986 section 3.1). */
static size_t put_scheme(char scheme[DEVICE_NAME + 1], const struct device *d)
{
	size_t n = 0;
	for (; d->wire.name[n] != '\0' && n < DEVICE_NAME - 1; n++)
		scheme[n] = d->wire.name[n] == '_' ? '.' : d->wire.name[n];
	scheme[n++] = '+';
	scheme[n] = '\0';
	return n;
}

static char *shown_uri(const struct device *d, const char *uri)
{
	struct bridge *const b = d->wire.bridge;
	char scheme[DEVICE_NAME + 1];
	const size_t n = put_scheme(scheme, d) + strlen(uri) + 1;
	char *const text = heap_resize(&b->heap, NULL, n);
	if (text != NULL)
		format_text(text, n, "%s%s", scheme, uri);
	return text;
}

const char *many_own_uri(const struct device *d, const char *shown)
{
	struct bridge *const b = d->wire.bridge;
	char scheme[DEVICE_NAME + 1];
	if (!b->options.many_devices)
		return shown;
	const size_t n = put_scheme(scheme, d);
	return strncmp(shown, scheme, n) == 0 ? shown + n : NULL;
}

static void put_prefixed(quash_writer *w, const char *prefix, quash_value text)
{
	quash_put_string_open(w);
	quash_put_string_part(w, prefix, strlen(prefix));
	quash_put_string_part(w, quash_text(text), quash_length(text));
	quash_put_string_close(w);
}

void many_put_uri(quash_writer *w, const struct device *d, quash_value uri)
{
	struct bridge *const b = d->wire.bridge;
	char scheme[DEVICE_NAME + 1] = "";
	if (b->options.many_devices)
		(void)put_scheme(scheme, d);
	put_prefixed(w, scheme, uri);
}

void many_put_logger(quash_writer *w, const struct device *d, quash_value logger)
{
	struct bridge *const b = d->wire.bridge;
	char prefix[DEVICE_NAME + 2] = "";
	if (b->options.many_devices)
		format_text(prefix, sizeof prefix, "%.*s/", DEVICE_NAME, d->wire.name);
	put_prefixed(w, prefix, logger);
}

/* --- Names */

/* What hosts accept: so many of these characters. A name that must be changed ends with a mark of what it was. */
enum { LONGEST_NAME = 64, MARK = 9, TOLD_MOST = 20 };

static bool is_accepted(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

static size_t put_label(char to[LONGEST_NAME + 1], const struct device *d, const char *name)
{
	size_t n = format_text(to, LONGEST_NAME + 1, "%.*s_", DEVICE_NAME, d->wire.name);
	for (; n < LONGEST_NAME && *name != '\0'; name++)
		to[n++] = is_accepted(*name) ? *name : '_';
	to[n] = '\0';
	return n;
}

/* Not what ends as a mark does either: else a tool could be called like one that was changed. */
static bool must_be_marked(const struct device *d, const char *name)
{
	static const char digits[] = "0123456789abcdef";
	const size_t n = strlen(name), room = LONGEST_NAME - strlen(d->wire.name) - 1;
	const char *const end = n >= MARK ? name + n - MARK : "";
	bool accepted = n <= room;
	for (size_t i = 0; i < n; i++)
		accepted = accepted && is_accepted(name[i]);
	return !accepted || (end[0] == '_' && strspn(end + 1, digits) == MARK - 1);
}

/* FNV-1a. */
static uint32_t print_of(const char *name)
{
	uint32_t print = 0x811C9DC5u;
	for (; *name != '\0'; name++)
		print = (print ^ (unsigned char)*name) * 0x01000193u;
	return print;
}

char *many_label(const struct device *d, const char *name)
{
	struct bridge *const b = d->wire.bridge;
	char label[LONGEST_NAME + 1];
	if (!b->options.many_devices)
		return text_copy(&b->heap, name);
	(void)put_label(label, d, name);
	return text_copy(&b->heap, label);
}

char *many_shown(const struct device *d, enum list_kind kind, const char *name)
{
	struct bridge *const b = d->wire.bridge;
	char shown[LONGEST_NAME + 1];
	if (!b->options.many_devices)
		return text_copy(&b->heap, name);
	if (kind == LIST_RESOURCES || kind == LIST_TEMPLATES)
		return shown_uri(d, name);
	const size_t n = put_label(shown, d, name), at = n < LONGEST_NAME - MARK ? n : LONGEST_NAME - MARK;
	if (must_be_marked(d, name))
		format_text(shown + at, MARK + 1, "_%08lx", (unsigned long)print_of(name));
	return text_copy(&b->heap, shown);
}

/* --- A whole list */

static const char *const called[LIST_KINDS] = { "tool", "prompt", "resource", "template" };

/* Those of one shown name follow on each other, in the order in which they were listed. */
static bool is_before(const struct list_item *a, const struct list_item *b)
{
	const int shown = strcmp(a->shown, b->shown), name = strcmp(a->name, b->name);
	return shown != 0 ? shown < 0 : name != 0 ? name < 0 : a < b;
}

/* Of a heap of which `at` may be too small. */
static void sink(struct list_item **items, size_t at, size_t count)
{
	for (size_t child; (child = 2 * at + 1) < count; at = child) {
		struct list_item *const item = items[at];
		child += child + 1 < count && is_before(items[child], items[child + 1]);
		if (!is_before(item, items[child]))
			return;
		items[at] = items[child];
		items[child] = item;
	}
}

/* A heapsort: qsort of many C libraries takes memory of its own. */
static void sort_by_shown(struct list_item **items, size_t count)
{
	for (size_t i = count / 2; i-- > 0;)
		sink(items, i, count);
	for (size_t last = count; last-- > 1;) {
		struct list_item *const item = items[0];
		items[0] = items[last];
		items[last] = item;
		sink(items, 0, last);
	}
}

/* True if that is to be logged, too. */
static bool tell_names(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	d->names_told += d->names_told < UINT16_MAX;
	if (d->names_told == TOLD_MOST + 1)
		log_line(b, LOG_INFO, "%s: more about its names is not logged", d->wire.name);
	return d->names_told <= TOLD_MOST;
}

static void take_out(struct bridge *b, struct list_item *item)
{
	heap_free(&b->heap, item->shown);
	item->shown = NULL;
}

/* `count` items of one shown name, sorted. One stays if it is one name; else nobody could say which of them is called. */
static void settle_group(struct device *d, enum list_kind kind, struct list_item **items, size_t count)
{
	struct bridge *const b = d->wire.bridge;
	char name[LOG_TEXT];
	const bool same = strcmp(items[0]->name, items[count - 1]->name) == 0;
	log_text(name, items[0]->name, strlen(items[0]->name));
	if (tell_names(d) && same)
		log_line(b, LOG_WARNING, "%s: lists the %s \"%s\" more than once", d->wire.name, called[kind], name);
	else if (!same)
		log_line(b, LOG_WARNING, "%s: %lu of its %ss, such as \"%s\", have one name for clients: none is shown", d->wire.name,
			(unsigned long)count, called[kind], name);
	for (size_t i = same; i < count; i++)
		take_out(b, items[i]);
}

static void find_groups(struct device *d, enum list_kind kind, struct list_item **items, size_t count)
{
	size_t n;
	sort_by_shown(items, count);
	for (size_t i = 0; i < count; i += n) {
		const char *const shown = items[i]->shown;
		for (n = 1; i + n < count && strcmp(items[i + n]->shown, shown) == 0;)
			n++;
		if (n > 1)
			settle_group(d, kind, &items[i], n);
	}
}

static void note_changed(struct device *d, enum list_kind kind, const struct list *list)
{
	struct bridge *const b = d->wire.bridge;
	char name[LOG_TEXT];
	const size_t prefix = strlen(d->wire.name) + 1;
	for (size_t i = 0; i < list->count; i++) {
		const struct list_item *const item = &list->items[i];
		if (strcmp(item->shown + prefix, item->name) != 0 && tell_names(d))
			log_line(b, LOG_INFO, "%s: the %s \"%s\" is shown as %s", d->wire.name, called[kind],
				log_text(name, item->name, strlen(item->name)), item->shown);
	}
}

static void close_gaps(struct bridge *b, struct list *list)
{
	size_t n = 0;
	for (size_t i = 0; i < list->count; i++) {
		struct list_item *const item = &list->items[i];
		if (item->shown != NULL && item->name != NULL && item->json != NULL) {
			list->items[n++] = *item;
			continue;
		}
		heap_free(&b->heap, item->shown);
		heap_free(&b->heap, item->name);
		heap_free(&b->heap, item->json);
	}
	list->count = n;
}

void many_settle(struct device *d, enum list_kind kind, bool is_news)
{
	struct bridge *const b = d->wire.bridge;
	struct list *const list = &d->fresh[kind];
	close_gaps(b, list); /* of what no memory was left for */
	struct list_item **const items = list->count > 0 ? heap_resize(&b->heap, NULL, list->count * sizeof(struct list_item *)) : NULL;
	for (size_t i = 0; items != NULL && i < list->count; i++)
		items[i] = &list->items[i];
	if (items != NULL)
		find_groups(d, kind, items, list->count);
	heap_free(&b->heap, items);
	close_gaps(b, list);
	if (is_news && (kind == LIST_TOOLS || kind == LIST_PROMPTS))
		note_changed(d, kind, list);
}
