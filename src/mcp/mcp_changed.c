/* SPDX-License-Identifier: MIT
 * notifications/…/list_changed */
#include "mcp_watch.h"

#include "mcp_inner.h"

static bool tell_changed(quash_peer *peer, const quash_request *listen, const char *method)
{
	quash_writer *const w = quash_notify(peer, method);
	quash_put_object(w);
	if (listen != NULL)
		quash_mcp_put_subscription(w, listen);
	return quash_notify_send(peer) == QUASH_DONE;
}

static bool tell_all(quash_peer *peer, const quash_mcp_session *session, uint8_t which, const char *method)
{
	bool told = session->version == NULL || tell_changed(peer, NULL, method);
	for (const quash_mcp_listen *l = session->listens; l != NULL; l = l->next) {
		if ((l->wants & which) != 0 && l->acknowledged && quash_may_report(l->request))
			told = tell_changed(peer, l->request, method) && told;
	}
	return told;
}

bool quash_mcp_changed(quash_peer *peer, const quash_mcp_server *server, uint8_t which)
{
	static const char *const methods[] = { "notifications/tools/list_changed",
		"notifications/prompts/list_changed", "notifications/resources/list_changed" };
	bool told = true;
	for (uint8_t i = 0; i < sizeof methods / sizeof methods[0]; i++) {
		const uint8_t bit = (uint8_t)(1u << i);
		if ((which & server->changes & bit) != 0)
			told = tell_all(peer, server->session, bit, methods[i]) && told;
	}
	return told;
}

static bool is_list(const char *method)
{
	static const char ending[] = "/list";
	size_t at = 0; /* of what matches of the ending */
	for (; *method != '\0'; method++) {
		if (*method == '/')
			at = 1;
		else
			at = at > 0 && ending[at] == *method ? at + 1 : 0;
	}
	return at == sizeof ending - 1;
}

bool quash_mcp_may_change(const quash_peer *peer)
{
	quash_live live = { NULL, NULL, NULL, 0, false, false, 0, QUASH_NOT_CANCELLED };
	while (quash_next_live(peer, &live)) {
		if (is_list(live.method))
			return false;
	}
	return true;
}
