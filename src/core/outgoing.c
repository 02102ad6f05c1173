/* SPDX-License-Identifier: MIT
 * What was put is read again: a message has its kind in its first bytes, whoever put it. */
#include "../../include/quash/carrier.h"

#include "../json/rom.h"

/* What is left to read. `short_of`: it has ended where more was wanted. */
struct head {
	const uint8_t *at, *end;
	bool short_of;
};

static bool has_more(struct head *h)
{
	h->short_of = h->at == h->end;
	return !h->short_of;
}

/* Passes over the text, if that stands there. */
static bool passes(struct head *h, const char *text)
{
	const uint8_t *const from = h->at;
	for (; quash_rom(text) != '\0'; text++, h->at++) {
		if (has_more(h) && *h->at == (uint8_t)quash_rom(text))
			continue;
		h->at = from;
		return false;
	}
	return true;
}

static void pass_id(struct head *h)
{
	const bool string = passes(h, "\"");
	while (has_more(h) && *h->at != (string ? '"' : ',')) {
		if (*h->at == '\\' && h->end - h->at > 1)
			h->at++;
		h->at++;
	}
	if (string)
		(void)passes(h, "\"");
}

/* Without a digit, or without the byte behind the last one, it is 0. */
static int32_t read_error_code(struct head *h)
{
	const bool negative = passes(h, "-");
	int32_t code = 0;
	while (has_more(h) && *h->at >= '0' && *h->at <= '9' && code < 100000)
		code = code * 10 + (*h->at++ - '0');
	if (h->short_of)
		return 0;
	return negative ? -code : code;
}

static quash_outgoing head_kind(struct head *h, int32_t *code)
{
	if (!passes(h, "{\"jsonrpc\":\"2.0\","))
		return passes(h, "[") ? QUASH_OUT_BATCH : QUASH_OUT_UNKNOWN;
	const bool named = passes(h, "\"id\":");
	if (named)
		pass_id(h);
	if (named && !passes(h, ","))
		return QUASH_OUT_UNKNOWN;
	if (passes(h, "\"method\":"))
		return named ? QUASH_OUT_CALL : QUASH_OUT_NOTIFICATION;
	if (passes(h, "\"result\":"))
		return QUASH_OUT_RESULT;
	if (!passes(h, "\"error\":{"))
		return QUASH_OUT_UNKNOWN;
	if (passes(h, "\"code\":"))
		*code = read_error_code(h);
	return h->short_of ? QUASH_OUT_UNKNOWN : QUASH_OUT_ERROR;
}

quash_outgoing quash_outgoing_of(const uint8_t *bytes, size_t n, int32_t *code)
{
	struct head head = { bytes, bytes + n, false };
	*code = 0;
	return head_kind(&head, code);
}
