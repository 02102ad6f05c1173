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
static bool grow(char **bytes, size_t *room)
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
		if (!grow(bytes, &room))
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

static const char first_line[] = "# quash-bridge record 1 ";

/* Takes a line off; false after the last. One without its end was being written when the bridge was killed. */
static bool next_line(struct text *rest, struct text *line)
{
	const char *const end = memchr(rest->at, '\n', rest->length);
	if (end == NULL)
		return false;
	*line = (struct text){ rest->at, (size_t)(end - rest->at) };
	rest->at = end + 1;
	rest->length -= line->length + 1;
	return true;
}

static struct text next_word(struct text *rest)
{
	const char *const end = memchr(rest->at, ' ', rest->length);
	const struct text word = { rest->at, end != NULL ? (size_t)(end - rest->at) : rest->length };
	const size_t used = word.length + (end != NULL);
	rest->at += used;
	rest->length -= used;
	return word;
}

static bool read_ms(struct text word, uint32_t *ms)
{
	*ms = 0;
	for (size_t i = 0; i < word.length; i++) {
		if (word.at[i] < '0' || word.at[i] > '9')
			return false;
		*ms = *ms * 10 + (uint32_t)(word.at[i] - '0'); /* it wraps around in the bridge too */
	}
	return word.length > 0;
}

static bool read_entry(struct entry *entry, struct text line)
{
	const struct text ms = next_word(&line);
	entry->name = next_word(&line);
	const struct text kind = next_word(&line);
	entry->text = line;
	entry->kind = kind.length == 1 ? (enum entry_kind)kind.at[0] : ENTRY_NOTE;
	entry->settled = entry->kind != ENTRY_RECEIVED;
	return read_ms(ms, &entry->ms) && kind.length == 1 && strchr("><!", kind.at[0]) != NULL;
}

static const char *take_entry(struct record *record, struct entry entry, const char *name)
{
	const struct text wanted = name != NULL ? text_from(name)
		: record->count > 0             ? record->entries[0].name
						: entry.name;
	const bool is_wanted = text_equals(entry.name, wanted);
	if (!is_wanted && name == NULL)
		return "has lines of several devices: choose one with --name";
	if (is_wanted)
		record->entries[record->count++] = entry;
	return NULL;
}

static const char *read_entries(struct record *record, struct text rest, const char *name)
{
	const char *wrong = NULL;
	struct text line;
	while (wrong == NULL && next_line(&rest, &line)) {
		struct entry entry;
		if (line.length == 0 || line.at[0] == '#')
			continue;
		wrong = read_entry(&entry, line) ? take_entry(record, entry, name)
						 : "has a line that is none of a record";
	}
	return wrong == NULL && record->count == 0 ? "has no line of such a device" : wrong;
}

static size_t count_lines(const char *bytes, size_t length)
{
	size_t count = 0;
	for (size_t i = 0; i < length; i++)
		count += bytes[i] == '\n';
	return count;
}

const char *record_read(struct record *record, const char *path, const char *name)
{
	size_t length = 0;
	struct text line;
	const char *const wrong = read_file(path, &record->bytes, &length);
	if (wrong != NULL)
		return wrong;
	struct text rest = { record->bytes, length };
	if (!next_line(&rest, &line) || strncmp(line.at, first_line, sizeof first_line - 1) != 0)
		return "is no record of quash-bridge";
	record->protocol = protocol_named(
		(struct text){ line.at + sizeof first_line - 1, line.length - (sizeof first_line - 1) });
	if (record->protocol == NULL)
		return "is a record of a protocol that is not known";
	record->entries = calloc(count_lines(rest.at, rest.length) + 1, sizeof *record->entries);
	return record->entries != NULL ? read_entries(record, rest, name) : "out of memory";
}

void record_free(struct record *record)
{
	free(record->entries);
	free(record->bytes);
}

static const char id_name[] = "\"id\"", method_name[] = "\"method\"";

/* --- Comparing: differences */

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

/* --- Comparing: ids of the device's requests */

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

/* --- Comparing: two messages */

bool compare_is_progress(struct text message)
{
	const struct text method = member_of(message, method_name);
	return text_equals(method, text_from("\"notifications/progress\"")) ||
		text_equals(method, text_from("\"$/progress\""));
}

static bool is_request(struct text message)
{
	return member_of(message, method_name).at != NULL && member_of(message, id_name).at != NULL;
}

static struct text before(struct text message, struct text part)
{
	return (struct text){ message.at, (size_t)(part.at - message.at) };
}

static struct text after(struct text message, struct text part)
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
	return text_equals(before(a, of_a), before(b, of_b)) && text_equals(after(a, of_a), after(b, of_b));
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

/* --- Comparing: the record */

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
