/* SPDX-License-Identifier: MIT */
#include "text.h"

#include "answer.h"

bool quash_keep_text(quash_request *request, struct text_room room, const char *format, va_list args)
{
	if (!quash_takes_answer(request))
		return false;
	request->content.text = format;
	if (!quash_keep_values(format, args, room.at, room.size))
		quash_note_misuse(request->peer, request, 0, QUASH_WHY_TEXT_SIZE);
	return true;
}

void quash_put_kept_text(quash_writer *w, const quash_request *request, struct text_room room)
{
	quash_put_kept_values(w, request->content.text, room.at, room.size);
}

/* --- Where the config has room for them */

static struct text_room config_room(const quash_request *request)
{
	const quash_config *const c = quash_config_of(request->peer);
	struct text_room room = { c->arena, 0 }; /* no byte of it */
	if (c->text_size > 0 && request->index < c->slot_count) {
		room.at = &c->texts[(size_t)request->index * c->text_size];
		room.size = c->text_size;
	}
	return room;
}

static void put_answer_text(quash_writer *w, const quash_request *request)
{
	quash_put_kept_text(w, request, config_room(request));
}

int32_t quash_reply_textf_(quash_request *request, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const bool taken = quash_keep_text(request, config_room(request), format, args);
	va_end(args);
	return taken ? quash_reply(request, put_answer_text) : QUASH_DONE;
}

int32_t quash_failf_(quash_request *request, int32_t code, const char *format, ...)
{
	va_list args;
	va_start(args, format);
	const bool taken = quash_keep_text(request, config_room(request), format, args);
	va_end(args);
	return taken ? quash_fail_put(request, code, put_answer_text) : QUASH_DONE;
}
