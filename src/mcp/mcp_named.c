/* SPDX-License-Identifier: MIT
 * Errors that name what came in. */
#include "../core/answer_inner.h"
#include "mcp_inner.h"

enum { PIECE = 256 }; /* the numbers of pieces do for the longest arena */

/* Where the text stands in the params is kept: to look for it again in each piece would cost the square of their length. */
int32_t quash_mcp_fail_naming(quash_request *request, int32_t code, quash_value text, quash_put_item *put)
{
	const quash_value params = quash_params_of(request);
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot != NULL && quash_may_report(request))
		slot->call.extent.size = (uint32_t)(quash_value_kind(&text) == QUASH_STRING ? text.at : params.end) - params.at;
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

static quash_value named_text(const quash_request *request)
{
	quash_value v = quash_params_of(request);
	v.at = (quash_size)(v.at + quash_mcp_const_slot_of(request)->call.extent.size);
	return v;
}

bool quash_mcp_put_named(quash_writer *w, const quash_request *request, uint16_t index)
{
	const quash_value text = named_text(request);
	const size_t length = quash_length(text), from = (size_t)index * PIECE;
	if (quash_value_kind(&text) != QUASH_STRING || (index > 0 && from >= length))
		return false;
	if (index == 0)
		quash_put_string_open(w);
	const size_t n = length - from < PIECE ? length - from : PIECE;
	quash_put_string_part(w, &quash_text(text)[from], n);
	if (from + n == length)
		quash_put_string_close(w);
	return true;
}
