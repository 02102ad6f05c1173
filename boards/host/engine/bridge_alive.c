/* SPDX-License-Identifier: MIT */
#include "bridge_alive.h"

#include "bridge_forward.h"
#include "bridge_server.h"

/* Who has a session answers in a few bytes that there is no such page. */
static void put_no_page(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_object(w);
	quash_put_key(w, "cursor");
	quash_put_text(w, "?");
	quash_put_end(w);
}

static bool is_to_be_asked(const struct server *s)
{
	return s->phase == SERVER_READY && s->lease != 0 && s->greeted != NULL && s->lists[LIST_TOOLS] && forward_waits(s);
}

static uint32_t passed(const struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	const uint32_t silent = b->now - s->wire.heard, asked = b->now - s->asked_at;
	return s->asked && asked < silent ? asked : silent;
}

uint32_t alive_left(const struct server *s)
{
	if (!is_to_be_asked(s) || quash_call_in_use(&s->asking))
		return UINT32_MAX;
	const uint32_t ms = passed(s);
	return ms < s->lease ? s->lease - ms : 0;
}

/* Its answer to this is no sign of its work: who waits for bytes of that waits on. */
static void forget_answer(struct server *s)
{
	(void)quash_call_release(&s->asking);
	if (s->messages == s->messages_before + 1 && cut_is_between(&s->wire.in))
		s->wire.heard = s->heard_before;
}

/* A question that was lost, as while the device boots, is asked again. */
void alive_ask(struct server *s)
{
	struct bridge *const b = s->wire.bridge;
	if (quash_call_in_use(&s->asking) && quash_call_has_ended(&s->asking))
		forget_answer(s);
	if (alive_left(s) > 0)
		return;
	s->asked = true;
	s->asked_at = b->now;
	s->heard_before = s->wire.heard;
	s->messages_before = s->messages;
	server_ask(s, &s->asking, "tools/list", put_no_page, s->lease);
}
