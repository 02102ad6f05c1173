/* SPDX-License-Identifier: MIT
 * Notifications of servers, to all clients whom they concern. */
#include "bridge_forward.h"
#include "bridge_log.h"

enum { PATIENCE_MS = 1000, AGAIN_MS = 2 };

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

static void begin(const quash_request *request, struct note *note, uint32_t now)
{
	const struct protocol *const protocol = bridge.options.protocol;
	if (note->begun)
		return;
	note->begun = true;
	note->since = now;
	if (protocol->comes != NULL)
		protocol->comes(server_of(request), request);
}

/* A client that does not read may not hold up the device. */
int32_t server_note(quash_request *request)
{
	struct note *const note = wire_own(request);
	const uint32_t now = quash_now(quash_peer_of(request));
	if (!note->begun && is_for_nobody(request))
		return QUASH_DONE;
	begin(request, note, now);
	if (send_to_all(request, note))
		return QUASH_DONE;
	if (now - note->since < PATIENCE_MS && quash_cancelled(request) == QUASH_NOT_CANCELLED)
		return quash_wait(request, AGAIN_MS);
	log_line(LOG_WARNING, "%s: a client reads too slowly: %s is dropped for it", server_of(request)->wire.name,
		quash_method_of(request)->name);
	return QUASH_DONE;
}
