/* SPDX-License-Identifier: MIT */
#include "bridge_waiting.h"

enum { LOOK_MS = 2 };

/* --- A client's own, in their order */

static struct waits *waits_of(const struct own *own)
{
	return &client_of(own->request)->waits[own->device->index];
}

/* --- Clients that take turns */

static void join_turns(struct device *d, struct client *c)
{
	struct waits *const waits = &c->waits[d->index];
	waits->next = NULL;
	waits->before = d->last_waits;
	if (d->last_waits != NULL)
		d->last_waits->waits[d->index].next = c;
	else
		d->first_waits = c;
	d->last_waits = c;
}

static void leave_turns(struct device *d, struct client *c)
{
	const struct waits *const waits = &c->waits[d->index];
	if (waits->before != NULL)
		waits->before->waits[d->index].next = waits->next;
	else
		d->first_waits = waits->next;
	if (waits->next != NULL)
		waits->next->waits[d->index].before = waits->before;
	else
		d->last_waits = waits->before;
}

/* --- One */

void waiting_add(quash_request *request, struct device *d)
{
	struct own *const own = wire_own(request);
	own->request = request;
	own->device = d;
	own->queued = true;
	client_of(request)->waiting++;
	struct waits *const waits = waits_of(own);
	own->next = NULL;
	own->before = waits->last;
	if (waits->last != NULL)
		waits->last->next = own;
	else
		waits->first = own;
	waits->last = own;
	if (waits->first == own)
		join_turns(d, client_of(request));
}

void waiting_remove(quash_request *request)
{
	struct own *const own = wire_own(request);
	if (!own->queued)
		return;
	struct waits *const waits = waits_of(own);
	own->queued = false;
	client_of(request)->waiting--;
	if (own->before != NULL)
		own->before->next = own->next;
	else
		waits->first = own->next;
	if (own->next != NULL)
		own->next->before = own->before;
	else
		waits->last = own->before;
	if (waits->first == NULL)
		leave_turns(own->device, client_of(request));
}

/* --- Room */

static bool is_granted(struct device *d)
{
	return d->phase == DEVICE_READY && sign_arm(d) && window_grant(&d->window, d->wire.bridge->now);
}

bool waiting_passes(quash_request *request, struct device *d)
{
	struct own *const own = wire_own(request);
	own->room = d->first_waits == NULL && is_granted(d);
	own->device = d;
	return own->room;
}

/* Who has got room comes last. */
static void give_room(struct device *d)
{
	struct client *const c = d->first_waits;
	struct own *const own = c->waits[d->index].first;
	waiting_remove(own->request);
	own->room = true;
	quash_wake(own->request);
	if (c->waits[d->index].first == NULL)
		return;
	leave_turns(d, c);
	join_turns(d, c);
}

void waiting_grant(struct device *d)
{
	while (d->first_waits != NULL && is_granted(d))
		give_room(d);
}

uint32_t waiting_rest(const struct device *d)
{
	return d->first_waits != NULL && d->phase == DEVICE_READY ? LOOK_MS : UINT32_MAX;
}
