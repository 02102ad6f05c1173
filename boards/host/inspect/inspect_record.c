/* SPDX-License-Identifier: MIT */
#include "inspect_record.h"

#include "host_escape.h"
#include "inspect_protocol.h"
#include "inspect_show.h"

#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- Files */

enum { LEAST_ROOM = 1 << 12 };

/* Room for twice as much, and a NUL. */
static bool grow_file(char **bytes, size_t *room)
{
	const size_t more = *room > 0 ? 2 * *room : LEAST_ROOM;
	char *const grown = realloc(*bytes, more + 1);
	if (grown == NULL)
		return false;
	*bytes = grown;
	*room = more;
	return true;
}

static const char *read_open(FILE *file, char **bytes, size_t *length)
{
	for (size_t room = 0; *length == room;) {
		if (!grow_file(bytes, &room))
			return strerror(ENOMEM);
		*length += fread(*bytes + *length, 1, room - *length, file);
	}
	(*bytes)[*length] = '\0';
	return ferror(file) ? strerror(errno) : NULL;
}

const char *read_file(const char *path, char **bytes, size_t *length)
{
	FILE *const file = fopen(path, "re");
	if (file == NULL)
		return strerror(errno);
	const char *const wrong = read_open(file, bytes, length);
	fclose(file);
	const size_t mark = wrong == NULL ? escape_mark(*bytes, *length) : 0;
	if (mark > 0)
		memmove(*bytes, *bytes + mark, *length - mark + 1);
	*length -= mark;
	return wrong;
}

/* --- The record */

static const char *add_entry(struct record *record, const struct record_entry *line, const char *name)
{
	const struct span wanted = name != NULL ? span_of(name)
		: record->count > 0             ? record->entries[0].device
						: line->device;
	const bool is_wanted = span_same(line->device, wanted);
	if (!is_wanted && name == NULL)
		return "has lines of several devices: choose one with --name";
	if (is_wanted)
		record->entries[record->count++] = (struct entry){ line->ms, line->way, line->device,
			record_message_of(line->text.at, line->text.n), line->way != RECORD_FROM };
	return NULL;
}

static const char *read_entries(struct record *record, struct span rest, const char *name)
{
	const char *wrong = NULL;
	struct record_entry line;
	bool is_none = false;
	while (wrong == NULL && record_take(&rest, &line, &is_none))
		wrong = add_entry(record, &line, name);
	if (is_none)
		return "has a line that is none of a record";
	return wrong == NULL && record->count == 0 ? "has no line of such a device" : wrong;
}

static size_t lines_in(const char *bytes, size_t length)
{
	size_t count = 0;
	for (size_t i = 0; i < length; i++)
		count += bytes[i] == '\n';
	return count;
}

const char *record_read(struct record *record, const char *path, const char *name)
{
	size_t length = 0;
	const char *const wrong = read_file(path, &record->bytes, &length);
	if (wrong != NULL)
		return wrong;
	struct span rest = { record->bytes, length };
	const struct span protocol = record_take_head(&rest);
	if (protocol.at == NULL)
		return "is no record of quash-bridge";
	record->protocol = inspect_protocol_named(protocol);
	if (record->protocol == NULL)
		return "is a record of a protocol that is not known";
	record->entries = calloc(lines_in(rest.at, rest.n) + 1, sizeof *record->entries);
	return record->entries != NULL ? read_entries(record, rest, name) : "out of memory";
}

void record_free(struct record *record)
{
	free(record->entries);
	free(record->bytes);
}

/* --- Messages */

struct record_message record_message_of(const char *text, size_t n)
{
	static const char *const names[] = { "id", "method" };
	struct span members[2];
	span_members(span_container(text, n), names, members, 2);
	return (struct record_message){ { text, n }, members[0], members[1] };
}

static bool is_request(struct record_message message)
{
	return message.method.at != NULL && message.id.at != NULL;
}

/* --- Comparing: differences */

static void show_side(const char *side, struct span text)
{
	show_text(side, strlen(side));
	if (text.n > 0)
		show_text(text.at, text.n);
	else
		show_text("nothing", strlen("nothing"));
	show_line_end();
}

/* Either may be empty: nothing. */
static void differ(struct compare *compare, struct span expected, struct span received)
{
	compare->differences++;
	show_side("expected: ", expected);
	show_side("received: ", received);
}

/* --- Comparing: ids of the device's requests */

struct renamed {
	struct span recorded;
	char *now;
	size_t length;
};

static void rename_id(struct compare *compare, struct span recorded, struct span now)
{
	struct renamed *const all = realloc(compare->renamed, (compare->renamed_count + 1) * sizeof *all);
	char *const copy = malloc(now.n);
	if (all != NULL)
		compare->renamed = all;
	if (all == NULL || copy == NULL) {
		free(copy);
		return;
	}
	memcpy(copy, now.at, now.n);
	all[compare->renamed_count++] = (struct renamed){ recorded, copy, now.n };
}

struct span compare_id(const struct compare *compare, struct span recorded)
{
	for (size_t i = compare->renamed_count; i-- > 0;) {
		const struct renamed *const r = &compare->renamed[i];
		if (span_equals(r->recorded, recorded))
			return (struct span){ r->now, r->length };
	}
	return recorded;
}

/* --- Comparing: two messages */

bool compare_is_progress(struct record_message message)
{
	return span_is(message.method, "notifications/progress") || span_is(message.method, "$/progress");
}

static struct span before(struct span text, struct span part)
{
	return (struct span){ text.at, (size_t)(part.at - text.at) };
}

static struct span after(struct span text, struct span part)
{
	const size_t from = (size_t)(part.at - text.at) + part.n;
	return (struct span){ text.at + from, text.n - from };
}

static bool same(struct record_message a, struct record_message b)
{
	if (span_same(a.text, b.text))
		return true;
	if (!is_request(a) || !is_request(b))
		return false;
	return span_same(before(a.text, a.id), before(b.text, b.id)) && span_same(after(a.text, a.id), after(b.text, b.id));
}

/* Whether one stands in the place of the other: answers to one request, or the same method. */
static bool correspond(struct record_message a, struct record_message b)
{
	if (a.method.at != NULL || b.method.at != NULL)
		return span_equals(a.method, b.method);
	return a.id.at != NULL && span_equals(a.id, b.id);
}

/* --- Comparing: the record */

size_t compare_open(const struct compare *compare, size_t end)
{
	return compare->open < end ? compare->open : end;
}

static void settle_entry(struct compare *compare, struct entry *entry)
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
		const bool progress = entry->way == RECORD_FROM && compare_is_progress(entry->message);
		count += progress;
		if (progress || entry->settled)
			settle_entry(compare, entry);
	}
	return count;
}

/* The first entry that is not settled and goes with the message; the count when none does. */
static size_t find_entry(const struct compare *compare, struct record_message message, bool (*goes)(struct record_message, struct record_message))
{
	const struct record *const r = compare->record;
	size_t i = compare_open(compare, r->count);
	while (i < r->count && (r->entries[i].settled || !goes(r->entries[i].message, message)))
		i++;
	return i;
}

static void settle_with(struct compare *compare, struct entry *entry, struct record_message message)
{
	if (is_request(message) && is_request(entry->message))
		rename_id(compare, entry->message.id, message.id);
	settle_entry(compare, entry);
}

/* As recorded, though perhaps sooner than what stands before it there. */
static void take_same(struct compare *compare, size_t at, struct record_message message)
{
	struct entry *const entries = compare->record->entries;
	const size_t first = compare_open(compare, at);
	if (first == at)
		compare->same++;
	else
		differ(compare, entries[first].message.text, message.text);
	settle_with(compare, &entries[at], message);
}

static void take_other(struct compare *compare, size_t at, struct record_message message)
{
	const struct span nothing = { NULL, 0 };
	if (at == compare->record->count) {
		differ(compare, nothing, message.text);
		return;
	}
	struct entry *const entry = &compare->record->entries[at];
	differ(compare, entry->message.text, message.text);
	settle_with(compare, entry, message);
}

void compare_received(struct compare *compare, struct record_message message)
{
	const size_t at = find_entry(compare, message, same);
	if (at < compare->record->count)
		take_same(compare, at, message);
	else
		take_other(compare, find_entry(compare, message, correspond), message);
}

void compare_missing(struct compare *compare, size_t end)
{
	const struct span nothing = { NULL, 0 };
	for (size_t i = 0; i < end; i++) {
		struct entry *const entry = &compare->record->entries[i];
		if (!entry->settled)
			differ(compare, entry->message.text, nothing);
		settle_entry(compare, entry);
	}
}

void compare_free(struct compare *compare)
{
	for (size_t i = 0; i < compare->renamed_count; i++)
		free(compare->renamed[i].now);
	free(compare->renamed);
}
