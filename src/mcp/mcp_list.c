/* SPDX-License-Identifier: MIT
 * Answers in pieces: pages of lists, and errors that quote the request. */
#include "../core/answer.h"
#include "mcp_inner.h"

static bool begins_page(uint8_t per_page, uint8_t count, uint16_t index)
{
	uint16_t first = 0;
	while (first < index && per_page > 0)
		first = (uint16_t)(first + per_page);
	return first == index && index < count;
}

/* A cursor is the index of a page's first entry. 0: the server never gave this cursor out. */
QUASH_OUTLINED_ static uint8_t read_cursor(uint8_t per_page, uint8_t count, const quash_value *cursor)
{
	quash_size length;
	const quash_size from = quash_value_text(cursor, &length);
	uint16_t index = 0;
	if (quash_value_kind(cursor) != QUASH_STRING || quash_value_byte(cursor, from) == '0')
		return 0;
	for (quash_size i = 0; i < length; i++) {
		const uint8_t digit = (uint8_t)(quash_value_byte(cursor, (quash_size)(from + i)) - '0');
		if (digit > 9 || index > count)
			return 0;
		index = (uint16_t)(index * 10u + digit);
	}
	return (uint8_t)(begins_page(per_page, count, index) ? index : 0);
}

int32_t quash_mcp_reply_page(quash_request *request, uint8_t count, quash_put_item *put)
{
	const uint8_t per_page = quash_mcp_server_of(request)->page;
	const quash_value cursor = quash_argument(request, "cursor");
	const uint8_t first = read_cursor(per_page, count, &cursor);
	const uint8_t left = (uint8_t)(count - first);
	if (!quash_mcp_open(request))
		return QUASH_DONE;
	if (first == 0 && quash_value_kind(&cursor) != QUASH_NONE)
		return quash_fail(request, QUASH_INVALID_PARAMS, "Invalid cursor");
	quash_mcp_page *const page = &quash_mcp_slot_of(request)->call.extent.page;
	page->first = first;
	page->end = (uint8_t)(first + (per_page != 0 && per_page < left ? per_page : left));
	page->count = count;
	return quash_reply_items(request, put);
}

static void put_page_end(quash_writer *w, const quash_request *request, const quash_mcp_page *page)
{
	quash_put_end(w);
	if (page->end < page->count) {
		quash_put_key(w, "nextCursor");
		quash_put_string_open(w);
		quash_put_string_int(w, page->end);
		quash_put_string_close(w);
	}
	quash_mcp_put_cache(w, request, quash_mcp_server_of(request)->ttl);
}

bool quash_mcp_put_page(quash_writer *w, const quash_request *request, uint16_t index, const char *key,
	quash_mcp_put_entry *put)
{
	const quash_mcp_page *const page = &quash_mcp_const_slot_of(request)->call.extent.page;
	const uint16_t entries = (uint16_t)(page->end - page->first);
	if (index == 0) {
		quash_mcp_begin(w, request);
		quash_put_key(w, key);
		quash_put_array(w);
	} else if (index <= entries) {
		put(w, request, (uint8_t)(page->first + index - 1));
	} else if (index == entries + 1) {
		put_page_end(w, request, page);
	}
	return index <= entries + 1;
}

/* --- Errors that quote the request */

enum { PIECE = 256 }; /* 16 bits number the pieces of the longest arena */

/* The slot stores where the text is: to search for it in each piece would cost the square of the params' length. */
int32_t quash_mcp_fail_naming(quash_request *request, int32_t code, const quash_value *text, quash_put_item *put)
{
	const quash_value params = quash_params_of(request);
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot != NULL && quash_may_report(request))
		slot->call.extent.size = (uint32_t)(quash_value_kind(text) == QUASH_STRING ? text->at : params.end) - params.at;
	return quash_fail_items(request, code, put);
}

void quash_mcp_put_error(quash_writer *w, const quash_request *request, const char *message)
{
	quash_put_object(w);
	quash_put_key(w, "code");
	quash_put_int(w, request->code);
	quash_put_member(w, "message", message);
	quash_put_key(w, "data");
	quash_put_object(w);
}

bool quash_mcp_put_named(quash_writer *w, const quash_request *request, uint16_t index)
{
	const quash_value params = quash_params_of(request);
	const quash_size at = (quash_size)(params.at + quash_mcp_const_slot_of(request)->call.extent.size);
	const quash_value text = quash_value_of(params.arena, params.end, at, params.end);
	quash_size length;
	const quash_size begin = quash_value_text(&text, &length);
	const size_t from = (size_t)index * PIECE, n = length - from < PIECE ? length - from : PIECE;
	if (quash_value_kind(&text) != QUASH_STRING || (index > 0 && from >= length))
		return false;
	if (index == 0)
		quash_put_string_open(w);
	quash_put_string_part(w, (const char *)&text.arena[begin + from], n);
	if (from + n == length)
		quash_put_string_close(w);
	return true;
}
