/* SPDX-License-Identifier: MIT
 * The data of errors: why, and for what has no room how much it needs. */
#include "../json/c_text.h"
#include "../json/writer.h"
#include "answer.h"
#include "reason_hooks.h"
#include "slots.h"

static void put_room(quash_writer *w, uint32_t is, uint32_t needs)
{
	quash_put_key(w, "is");
	quash_put_uint(w, is);
	quash_put_key(w, "needs");
	quash_put_uint(w, needs);
}

/* What has another code in this era is told from the rest by the library's text for its own. */
static void put_renumbered(quash_writer *w, const quash_request *slot)
{
	if (slot->code == quash_wire_code(slot))
		return;
	quash_put_head(w, ",\"data\":");
	quash_put_object(w);
	quash_put_member(w, "reason", quash_words_of(slot));
	quash_put_end(w);
}

static void put_reason(quash_writer *w, const quash_request *slot)
{
	const quash_config *const config = quash_config_of(slot->peer);
	const int32_t code = quash_wire_code(slot);
	const uint8_t why = slot->why;
	if (slot->form != FORM_WORDS) {
		put_renumbered(w, slot);
		return;
	}
	if ((code != QUASH_INTERNAL_ERROR && code != QUASH_TOO_LARGE) || why == QUASH_WHY_NONE)
		return;
	quash_put_head(w, ",\"data\":");
	quash_put_object(w);
	quash_put_member(w, "reason", quash_why_text((quash_why)why));
	if (why == QUASH_WHY_ARENA_SIZE)
		put_room(w, config->arena_size, (uint32_t)slot->content.number);
	if (why == QUASH_WHY_STATE_SIZE && slot->content.number != 0)
		put_room(w, config->state_size, (uint32_t)slot->content.number);
	quash_put_end(w);
}

const struct quash_reason_code quash_reasons = { put_reason };
const struct quash_reason_code quash_modern_reasons = { put_renumbered };
