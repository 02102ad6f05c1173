/* SPDX-License-Identifier: MIT */
#include "record.h"

#include "format.h"

#include <string.h>

static const char head[] = "# quash-bridge record 1 ";

/* --- Writing */

void record_put_head(struct builder *to, const char *protocol)
{
	build_text(to, head);
	build_text(to, protocol);
	build_char(to, '\n');
}

static void put_in_one_line(struct builder *to, struct span text)
{
	for (size_t from = 0, at = 0; at <= text.n; at++) {
		const bool ends = at < text.n && (text.at[at] == '\n' || text.at[at] == '\r');
		if (!ends && at < text.n)
			continue;
		build_bytes(to, text.at + from, at - from);
		if (ends)
			build_char(to, ' ');
		from = at + 1;
	}
}

void record_put(struct builder *to, const struct record_entry *entry)
{
	char ms[16];
	format_text(ms, sizeof ms, "%lu ", (unsigned long)entry->ms);
	build_text(to, ms);
	build_bytes(to, entry->device.at, entry->device.n);
	build_char(to, ' ');
	build_char(to, (char)entry->way);
	if (entry->text.n > 0) {
		build_char(to, ' ');
		put_in_one_line(to, entry->text);
	}
	build_char(to, '\n');
}

/* --- Reading */

/* False after the last one. One without its end was being written when the bridge was killed. */
static bool take_line(struct span *rest, struct span *line)
{
	const char *const end = rest->n > 0 ? memchr(rest->at, '\n', rest->n) : NULL;
	if (end == NULL)
		return false;
	*line = (struct span){ rest->at, (size_t)(end - rest->at) };
	*rest = (struct span){ end + 1, rest->n - line->n - 1 };
	return true;
}

static struct span take_word(struct span *rest)
{
	const char *const end = rest->n > 0 ? memchr(rest->at, ' ', rest->n) : NULL;
	const struct span word = { rest->at, end != NULL ? (size_t)(end - rest->at) : rest->n };
	const size_t used = word.n + (end != NULL);
	*rest = (struct span){ rest->at + used, rest->n - used };
	return word;
}

struct span record_take_head(struct span *rest)
{
	struct span line = { NULL, 0 };
	const size_t n = sizeof head - 1;
	if (!take_line(rest, &line) || line.n < n || memcmp(line.at, head, n) != 0)
		return (struct span){ NULL, 0 };
	return (struct span){ line.at + n, line.n - n };
}

static bool read_ms(struct span word, uint32_t *ms)
{
	*ms = 0;
	for (size_t i = 0; i < word.n; i++) {
		if (word.at[i] < '0' || word.at[i] > '9')
			return false;
		*ms = *ms * 10 + (uint32_t)(word.at[i] - '0');
	}
	return word.n > 0;
}

static bool read_entry(struct record_entry *entry, struct span line)
{
	const struct span ms = take_word(&line), device = take_word(&line), way = take_word(&line);
	if (way.n != 1 || strchr("><!", way.at[0]) == NULL || way.at[0] == '\0')
		return false;
	entry->way = (enum record_way)way.at[0];
	entry->device = device;
	entry->text = line;
	return read_ms(ms, &entry->ms);
}

bool record_take(struct span *rest, struct record_entry *entry, bool *wrong)
{
	struct span line;
	while (take_line(rest, &line)) {
		if (line.n == 0 || line.at[0] == '#')
			continue;
		*wrong = !read_entry(entry, line);
		return !*wrong;
	}
	return false;
}
