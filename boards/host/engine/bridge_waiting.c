/* SPDX-License-Identifier: MIT */
#include "bridge_waiting.h"

enum { LOOK_MS = 2 };

/* --- A client's own, in their order */

static struct waits *waits_of(const struct own *own)
{
	return &client_of(own->request)->waits[own->server->index];
}

/* --- Clients that take turns */

static void join_turns(struct server *s, struct client *c)
{
	struct waits *const waits = &c->waits[s->index];
	waits->next = NULL;
	waits->before = s->last_waits;
	if (s->last_waits != NULL)
		s->last_waits->waits[s->index].next = c;
	else
		s->first_waits = c;
	s->last_waits = c;
}

static void leave_turns(struct server *s, struct client *c)
{
	const struct waits *const waits = &c->waits[s->index];
	if (waits->before != NULL)
		waits->before->waits[s->index].next = waits->next;
	else
		s->first_waits = waits->next;
	if (waits->next != NULL)
		waits->next->waits[s->index].before = waits->before;
	else
		s->last_waits = waits->before;
}

/* --- One */

void waiting_add(quash_request *request, struct server *s)
{
	struct own *const own = wire_own(request);
	own->request = request;
	own->server = s;
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
		join_turns(s, client_of(request));
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
		leave_turns(own->server, client_of(request));
}

/* --- Room */

static bool is_granted(struct server *s)
{
	return s->phase == SERVER_READY && sign_arm(s) && window_grant(&s->window, s->wire.bridge->now);
}

bool waiting_passes(quash_request *request, struct server *s)
{
	struct own *const own = wire_own(request);
	own->room = s->first_waits == NULL && is_granted(s);
	own->server = s;
	return own->room;
}

/* Who has got room comes last. */
static void give_room(struct server *s)
{
	struct client *const c = s->first_waits;
	struct own *const own = c->waits[s->index].first;
	waiting_remove(own->request);
	own->room = true;
	quash_wake(own->request);
	if (c->waits[s->index].first == NULL)
		return;
	leave_turns(s, c);
	join_turns(s, c);
}

void waiting_grant(struct server *s)
{
	while (s->first_waits != NULL && is_granted(s))
		give_room(s);
}

uint32_t waiting_rest(const struct server *s)
{
	return s->first_waits != NULL && s->phase == SERVER_READY ? LOOK_MS : UINT32_MAX;
}
