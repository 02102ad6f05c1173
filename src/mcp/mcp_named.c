/* SPDX-License-Identifier: MIT
 * Errors that name what came in. */
#include "../core/answer.h"
#include "mcp_inner.h"

enum { PIECE = 256 }; /* the numbers of pieces do for the longest arena */

/* Where the text stands in the params is kept: to look for it again in each piece would cost the square of their length. */
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
	quash_value text = quash_params_of(request);
	quash_size length;
	text.at = (quash_size)(text.at + quash_mcp_const_slot_of(request)->call.extent.size);
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
