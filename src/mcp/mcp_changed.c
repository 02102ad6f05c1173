/* SPDX-License-Identifier: MIT
 * notifications/…/list_changed */
#include "mcp_watch.h"

#include "mcp_inner.h"

static bool send_changed(quash_peer *peer, const quash_request *listen, const char *method)
{
	quash_writer *const w = quash_notify(peer, method);
	quash_put_object(w);
	if (listen != NULL)
		quash_mcp_put_subscription(w, listen);
	return quash_notify_send(peer);
}

static bool send_to_all(quash_peer *peer, const quash_mcp_session *session, uint8_t which, const char *method)
{
	bool taken = session->version == NULL || send_changed(peer, NULL, method);
	for (const quash_mcp_listen *l = session->listens; l != NULL; l = l->next) {
		if ((l->wants & which) != 0 && l->acknowledged && quash_may_report(l->request))
			taken = send_changed(peer, l->request, method) && taken;
	}
	return taken;
}

bool quash_mcp_changed(quash_peer *peer, const quash_mcp_server *server, uint8_t which)
{
	static const char *const methods[] = { "notifications/tools/list_changed",
		"notifications/prompts/list_changed", "notifications/resources/list_changed" };
	bool taken = true;
	for (uint8_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
		const uint8_t bit = (uint8_t)(1u << i);
		if ((which & server->changes & bit) != 0)
			taken = send_to_all(peer, server->session, bit, methods[i]) && taken;
	}
	return taken;
}

/* Whether answers of the method read a list. */
static bool reads_lists(const char *method)
{
	static const char *const readers[] = { "initialize", "server/discover", "tools/list", "prompts/list",
		"resources/list", "resources/templates/list", "completion/complete" };
	enum { READERS = sizeof readers / sizeof readers[0] };
	uint8_t i = 0;
	while (i < READERS && !quash_is_same_text(method, readers[i]))
		i++;
	return i < READERS;
}

bool quash_mcp_may_change(const quash_peer *peer)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(peer, &live)) {
		if (reads_lists(live.method))
			return false;
	}
	return true;
}
