/* SPDX-License-Identifier: MIT
 * Notifications that are said again on another peer. */
#include "forward_inner.h"

bool quash_relay_waits(const quash_peer *from, const quash_peer *to, const quash_request *before)
{
	quash_live live = { NULL, NULL, NULL, 0, false, false, 0, QUASH_NOT_CANCELLED };
	while (quash_next_live(from, &live) && live.request != before) {
		const quash_method *const method = quash_method_of(live.request);
		const quash_route *const route = quash_data(live.request);
		if (method != NULL && method->handler == quash_relay && route->to == to)
			return true;
	}
	return false;
}

/* In the order that they came, whatever fits where. */
int32_t quash_relay(quash_request *request, quash_value params)
{
	const quash_route *const route = quash_data(request);
	if (quash_relay_waits(quash_peer_of(request), route->to, request))
		return QUASH_RETRY;
	const char *const method = route->method != NULL ? route->method : quash_method_of(request)->name;
	quash_writer *const w = quash_notify(route->to, method);
	if (quash_kind_of(params) != QUASH_NONE)
		quash_put_value(w, params);
	return quash_notify_send(route->to) == QUASH_RETRY ? QUASH_RETRY : QUASH_DONE;
}
