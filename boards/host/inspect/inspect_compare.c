/* SPDX-License-Identifier: MIT */
#include "inspect_compare.h"

#include "inspect_show.h"

#include <stdlib.h>
#include <string.h>

static const char id_name[] = "\"id\"", method_name[] = "\"method\"";

/* --- Differences */

static void show_side(const char *side, struct text text)
{
	show_text(side, strlen(side));
	if (text.length > 0)
		show_text(text.at, text.length);
	else
		show_text("nothing", strlen("nothing"));
	show_line_end();
}

/* Either may be empty: nothing. */
static void differ(struct compare *compare, struct text expected, struct text received)
{
	compare->differences++;
	show_side("expected: ", expected);
	show_side("received: ", received);
}

/* --- Ids of the device's requests */

struct renamed {
	struct text recorded;
	char *now;
	size_t length;
};

static void rename_id(struct compare *compare, struct text recorded, struct text now)
{
	struct renamed *const all = realloc(compare->renamed, (compare->renamed_count + 1) * sizeof *all);
	char *const copy = malloc(now.length);
	if (all != NULL)
		compare->renamed = all;
	if (all == NULL || copy == NULL) {
		free(copy);
		return;
	}
	memcpy(copy, now.at, now.length);
	all[compare->renamed_count++] = (struct renamed){ recorded, copy, now.length };
}

struct text compare_id(const struct compare *compare, struct text recorded)
{
	for (size_t i = compare->renamed_count; i-- > 0;) {
		const struct renamed *const r = &compare->renamed[i];
		if (text_equals(r->recorded, recorded))
			return (struct text){ r->now, r->length };
	}
	return recorded;
}

/* --- Two messages */

bool compare_is_progress(struct text message)
{
	const struct text method = member_of(message, method_name);
	return text_equals(method, text_of("\"notifications/progress\"")) ||
		text_equals(method, text_of("\"$/progress\""));
}

static bool is_request(struct text message)
{
	return member_of(message, method_name).at != NULL && member_of(message, id_name).at != NULL;
}

static struct text before(struct text message, struct text part)
{
	return (struct text){ message.at, (size_t)(part.at - message.at) };
}

static struct text behind(struct text message, struct text part)
{
	const size_t from = (size_t)(part.at - message.at) + part.length;
	return (struct text){ message.at + from, message.length - from };
}

static bool same(struct text a, struct text b)
{
	if (text_equals(a, b))
		return true;
	if (!is_request(a) || !is_request(b))
		return false;
	const struct text of_a = member_of(a, id_name), of_b = member_of(b, id_name);
	return text_equals(before(a, of_a), before(b, of_b)) && text_equals(behind(a, of_a), behind(b, of_b));
}

/* Whether one stands in the place of the other: answers to one request, or the same method. */
static bool correspond(struct text a, struct text b)
{
	const struct text of_a = member_of(a, method_name), of_b = member_of(b, method_name);
	if (of_a.at != NULL || of_b.at != NULL)
		return text_equals(of_a, of_b);
	const struct text id = member_of(a, id_name);
	return id.at != NULL && text_equals(id, member_of(b, id_name));
}

/* --- The record */

size_t compare_open(const struct compare *compare, size_t end)
{
	return compare->open < end ? compare->open : end;
}

static void settle(struct compare *compare, struct entry *entry)
{
	const struct record *const r = compare->record;
	entry->settled = true;
	while (compare->open < r->count && r->entries[compare->open].settled)
		compare->open++;
}

size_t compare_begin(struct compare *compare, struct record *record)
{
	size_t count = 0;
	compare->record = record;
	for (size_t i = 0; i < record->count; i++) {
		struct entry *const entry = &record->entries[i];
		const bool progress = entry->kind == ENTRY_RECEIVED && compare_is_progress(entry->text);
		count += progress;
		if (progress || entry->settled)
			settle(compare, entry);
	}
	return count;
}

/* The first entry that is not settled and goes with the message; the count when none does. */
static size_t find(const struct compare *compare, struct text message, bool (*goes)(struct text, struct text))
{
	const struct record *const r = compare->record;
	size_t i = compare_open(compare, r->count);
	while (i < r->count && (r->entries[i].settled || !goes(r->entries[i].text, message)))
		i++;
	return i;
}

static void settle_with(struct compare *compare, struct entry *entry, struct text message)
{
	if (is_request(message) && is_request(entry->text))
		rename_id(compare, member_of(entry->text, id_name), member_of(message, id_name));
	settle(compare, entry);
}

/* As recorded, though perhaps sooner than what stands before it there. */
static void take_same(struct compare *compare, size_t at, struct text message)
{
	struct entry *const entries = compare->record->entries;
	const size_t first = compare_open(compare, at);
	if (first == at)
		compare->same++;
	else
		differ(compare, entries[first].text, message);
	settle_with(compare, &entries[at], message);
}

static void take_other(struct compare *compare, size_t at, struct text message)
{
	const struct text nothing = { NULL, 0 };
	if (at == compare->record->count) {
		differ(compare, nothing, message);
		return;
	}
	struct entry *const entry = &compare->record->entries[at];
	differ(compare, entry->text, message);
	settle_with(compare, entry, message);
}

void compare_received(struct compare *compare, struct text message)
{
	const size_t at = find(compare, message, same);
	if (at < compare->record->count)
		take_same(compare, at, message);
	else
		take_other(compare, find(compare, message, correspond), message);
}

void compare_missing(struct compare *compare, size_t end)
{
	const struct text nothing = { NULL, 0 };
	for (size_t i = 0; i < end; i++) {
		struct entry *const entry = &compare->record->entries[i];
		if (!entry->settled)
			differ(compare, entry->text, nothing);
		settle(compare, entry);
	}
}

void compare_free(struct compare *compare)
{
	for (size_t i = 0; i < compare->renamed_count; i++)
		free(compare->renamed[i].now);
	free(compare->renamed);
}
