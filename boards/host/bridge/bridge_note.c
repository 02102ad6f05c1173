/* SPDX-License-Identifier: MIT
 * Notifications of servers, to all clients whom they concern. */
#include "bridge_forward.h"
#include "bridge_log.h"

enum { AGAIN_MS = 2 };

static bool send_to(const quash_request *request, struct client *client)
{
	const struct protocol *const protocol = bridge.options.protocol;
	quash_peer *const to = &client->wire.peer;
	const quash_value params = quash_params_of(request);
	quash_writer *const w = quash_notify(to, quash_method_of(request)->name);
	if (quash_kind_of(params) != QUASH_NONE && protocol->put_note != NULL)
		protocol->put_note(w, request, params);
	else if (quash_kind_of(params) != QUASH_NONE)
		quash_put_value(w, params);
	return quash_notify_send(to) || quash_is_gone(to) || !quash_notify_fits(to);
}

/* What names nobody is for one client alone, if there can be only one. */
static bool is_for_nobody(const quash_request *request)
{
	const struct protocol *const protocol = bridge.options.protocol;
	struct server *const s = server_of(request);
	const char *const name = quash_method_of(request)->name;
	if (!bridge.listens || protocol->one_client || bridge.options.clients == 1)
		return false;
	if (protocol->addresses != NULL && protocol->addresses(request))
		return false;
	if (texts_add(&s->unaddressed, name))
		log_line(LOG_WARNING, "%s: %s names no client: dropped", s->wire.name, name);
	return true;
}

static bool concerns(const quash_request *request, const struct client *client)
{
	const struct protocol *const protocol = bridge.options.protocol;
	return client != NULL && !client->leaving && (protocol->concerns == NULL || protocol->concerns(request, client));
}

/* True if all of them have it. */
static bool send_to_all(const quash_request *request, struct note *note)
{
	bool all = true;
	for (unsigned i = 0; i < MOST_CLIENTS; i++) {
		struct client *const client = bridge.clients[i];
		if ((note->done >> i & 1) != 0)
			continue;
		const bool waits = concerns(request, client) && !send_to(request, client);
		note->done |= (uint64_t)!waits << i;
		all = all && !waits;
	}
	return all;
}

static void begin(const quash_request *request, struct note *note)
{
	const struct protocol *const protocol = bridge.options.protocol;
	if (note->begun)
		return;
	note->begun = true;
	if (protocol->comes != NULL)
		protocol->comes(server_of(request), request);
}

/* It waits for no client, only for the turn in which what is there goes into a client's queue. */
int32_t server_note(quash_request *request)
{
	struct note *const note = wire_own(request);
	if (!note->begun && is_for_nobody(request))
		return QUASH_DONE;
	begin(request, note);
	const bool over = send_to_all(request, note) || quash_cancelled(request) != QUASH_NOT_CANCELLED;
	return over ? QUASH_DONE : quash_wait(request, AGAIN_MS);
}
