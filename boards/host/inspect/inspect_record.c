/* SPDX-License-Identifier: MIT */
#include "inspect_record.h"

#include "inspect_file.h"
#include "inspect_protocol.h"

#include <stdlib.h>
#include <string.h>

static const char first_line[] = "# quash-bridge record 1 ";

/* Takes a line off; false behind the last. One without its end was being written when the bridge was killed. */
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
	const struct text wanted = name != NULL ? text_of(name)
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
	record->protocol = protocol_recorded(
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
