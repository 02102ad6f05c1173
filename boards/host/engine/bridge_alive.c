/* SPDX-License-Identifier: MIT */
#include "bridge_alive.h"

#include "bridge_forward.h"
#include "bridge_device.h"

/* Who has a session answers in a few bytes that there is no such page. */
static void put_no_page(quash_writer *w, const quash_call *call)
{
	(void)call;
	quash_put_object(w);
	quash_put_key(w, "cursor");
	quash_put_text(w, "?");
	quash_put_end(w);
}

static bool is_to_be_asked(const struct device *d)
{
	return d->phase == DEVICE_READY && d->lease != 0 && d->greeted != NULL && d->lists[LIST_TOOLS] && forward_waits(d);
}

static uint32_t passed(const struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	const uint32_t silent = b->now - d->wire.heard, asked = b->now - d->asked_at;
	return d->asked && asked < silent ? asked : silent;
}

uint32_t alive_left(const struct device *d)
{
	if (!is_to_be_asked(d) || quash_call_in_use(&d->asking))
		return UINT32_MAX;
	const uint32_t ms = passed(d);
	return ms < d->lease ? d->lease - ms : 0;
}

/* Its answer to this is no sign of its work: who waits for bytes of that waits on. */
static void forget_answer(struct device *d)
{
	(void)quash_call_release(&d->asking);
	if (d->messages == d->messages_before + 1 && cut_is_between(&d->wire.in))
		d->wire.heard = d->heard_before;
}

/* A question that was lost, as while the device boots, is asked again. */
void alive_ask(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	if (quash_call_in_use(&d->asking) && quash_call_has_ended(&d->asking))
		forget_answer(d);
	if (alive_left(d) > 0)
		return;
	d->asked = true;
	d->asked_at = b->now;
	d->heard_before = d->wire.heard;
	d->messages_before = d->messages;
	device_ask(d, &d->asking, "tools/list", put_no_page, d->lease);
}
