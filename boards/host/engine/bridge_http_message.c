/* SPDX-License-Identifier: MIT */
#include "bridge_http_message.h"

#include <string.h>

enum message_part { PART_VERSION, PART_ID, PART_METHOD, PART_PARAMS, PART_RESULT, PART_ERROR, PARTS };

/* False: one of them stands there twice. */
static bool read_parts(struct span text, struct span *parts)
{
	static const char *const names[PARTS] = { "jsonrpc", "id", "method", "params", "result", "error" };
	struct span key, value;
	size_t place = 0;
	bool once = true;
	memset(parts, 0, PARTS * sizeof *parts);
	while (span_begins(text, '{') && span_next(text, &place, &key, &value)) {
		size_t i = 0;
		while (i < PARTS && !span_is(key, names[i]))
			i++;
		if (i == PARTS)
			continue;
		once = once && parts[i].at == NULL;
		parts[i] = value;
	}
	return once;
}

/* An integer within 2^53. */
static bool is_number_id(struct span id)
{
	static const char most[] = "9007199254740992";
	const size_t sign = span_begins(id, '-') ? 1 : 0, digits = id.n - sign, most_digits = sizeof most - 1;
	for (size_t i = sign; i < id.n; i++) {
		if (id.at[i] < '0' || id.at[i] > '9')
			return false;
	}
	return digits > 0 && (digits < most_digits || (digits == most_digits && memcmp(id.at + sign, most, digits) <= 0));
}

/* As long as the bridge takes them on other lines. */
static bool is_id(struct span id)
{
	enum { LONGEST = 255 };
	return span_begins(id, '"') ? span_length(id) <= LONGEST : is_number_id(id);
}

struct span message_plain_id(struct span id)
{
	return id.n == 2 && memcmp(id.at, "-0", 2) == 0 ? (struct span){ id.at + 1, 1 } : id;
}

static bool is_structure(struct span params)
{
	return params.at == NULL || span_begins(params, '{') || span_begins(params, '[') || span_begins(params, 'n');
}

static enum message_kind kind_of(const struct span *parts)
{
	const bool answers = parts[PART_RESULT].at != NULL || parts[PART_ERROR].at != NULL;
	if (!span_is(parts[PART_VERSION], "2.0") || (parts[PART_METHOD].at == NULL && !answers))
		return MESSAGE_WRONG;
	if (parts[PART_METHOD].at == NULL)
		return MESSAGE_ANSWER;
	if (answers || !span_begins(parts[PART_METHOD], '"') || !is_structure(parts[PART_PARAMS]))
		return MESSAGE_WRONG;
	if (parts[PART_ID].at == NULL)
		return MESSAGE_NOTE;
	return is_id(parts[PART_ID]) ? MESSAGE_REQUEST : MESSAGE_WRONG;
}

struct message message_read(struct span text)
{
	struct span parts[PARTS];
	const bool once = read_parts(text, parts);
	const enum message_kind kind = once ? kind_of(parts) : MESSAGE_WRONG;
	const bool named = once && kind != MESSAGE_ANSWER && is_id(parts[PART_ID]);
	return (struct message){ kind, text, parts[PART_METHOD], named ? parts[PART_ID] : (struct span){ NULL, 0 }, parts[PART_PARAMS] };
}
