/* SPDX-License-Identifier: MIT
 * Lists that are shown in pages, and what handlers of every kind are given. */
#include "mcp_inner.h"

static bool begins_page(uint8_t per_page, uint8_t count, uint16_t index)
{
	uint16_t first = 0;
	while (first < index && per_page > 0)
		first = (uint16_t)(first + per_page);
	return first == index && index < count;
}

/* A cursor is the index of the page's first entry. 0 if it is none that was given out. */
static uint8_t read_cursor(uint8_t per_page, uint8_t count, quash_value cursor)
{
	const char *const text = quash_text(cursor);
	const size_t length = quash_length(cursor);
	uint16_t index = 0;
	if (quash_kind_of(cursor) != QUASH_STRING || length > 3 || text[0] == '0')
		return 0;
	for (size_t i = 0; i < length; i++) {
		if (text[i] < '0' || text[i] > '9')
			return 0;
		index = (uint16_t)(index * 10u + (uint8_t)(text[i] - '0'));
	}
	return (uint8_t)(begins_page(per_page, count, index) ? index : 0);
}

bool quash_mcp_open_page(
	quash_request *request, quash_value params, uint8_t count, struct quash_mcp_page *page, int32_t *code)
{
	const uint8_t per_page = quash_mcp_server_of(request)->page;
	const quash_value cursor = quash_member(params, "cursor");
	if (!quash_mcp_open(request, params, code))
		return false;
	page->first = read_cursor(per_page, count, cursor);
	page->count = count;
	if (page->first == 0 && quash_kind_of(cursor) != QUASH_NONE) {
		*code = quash_fail(request, QUASH_INVALID_PARAMS, "Invalid cursor");
		return false;
	}
	const uint8_t left = (uint8_t)(count - page->first);
	page->end = (uint8_t)(page->first + (per_page != 0 && per_page < left ? per_page : left));
	return true;
}

quash_writer *quash_mcp_begin_page(quash_request *request, const char *key)
{
	quash_writer *const w = quash_mcp_begin(request);
	quash_put_key(w, key);
	quash_put_array(w);
	return w;
}

int32_t quash_mcp_send_page(quash_request *request, quash_writer *w, const struct quash_mcp_page *page)
{
	quash_put_end(w);
	if (page->end < page->count) {
		quash_put_key(w, "nextCursor");
		quash_put_string_open(w);
		quash_put_string_int(w, page->end);
		quash_put_string_close(w);
	}
	quash_mcp_put_cache(w, request, quash_mcp_server_of(request)->ttl);
	return quash_send(request);
}

bool quash_mcp_has_room(quash_request *request, uint32_t size)
{
	const uint32_t need = (uint32_t)QUASH_MCP_STATE(quash_mcp_server_of(request)->token_size, size);
	return need <= quash_peer_of(request)->config->state_size;
}
