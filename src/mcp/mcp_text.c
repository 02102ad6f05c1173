/* SPDX-License-Identifier: MIT
 * Results of one text with values in it. */
#include "../core/slots.h"
#include "../core/text.h"
#include "mcp_inner.h"

/* That of the progress token: nobody needs it once the answer is recorded. */
static struct text_room token_room(quash_request *request)
{
	const struct text_room room = { (uint8_t *)quash_mcp_progress_token(request),
		(size_t)quash_mcp_server_of(request)->token_size + 1 };
	return room;
}

static void put_tool_text(quash_writer *w, const quash_request *request)
{
	const struct text_room room = token_room(quash_slot(quash_peer_of(request), request->index));
	if (room.at != NULL)
		quash_put_kept_text(w, request, room);
}

static int32_t keep(quash_request *request, const char *format, va_list args)
{
	const struct text_room room = token_room(request);
	if (room.at == NULL)
		return QUASH_INTERNAL_ERROR;
	return quash_keep_text(request, room, format, args) ? QUASH_PENDING : QUASH_DONE;
}

int32_t quash_mcp_textf_(quash_request *request, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const int32_t kept = keep(request, format, args);
	va_end(args);
	return kept == QUASH_PENDING ? quash_mcp_reply(request, put_tool_text) : kept;
}

int32_t quash_mcp_failuref_(quash_request *request, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const int32_t kept = keep(request, format, args);
	va_end(args);
	return kept == QUASH_PENDING ? quash_mcp_failure_put(request, put_tool_text) : kept;
}
