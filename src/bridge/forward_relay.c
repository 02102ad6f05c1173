/* SPDX-License-Identifier: MIT
 * Notifications that are sent on to another peer. */
#include "../core/slots.h"
#include "../json/rom.h"
#include "forward_inner.h"

const char *quash_forwarded_name(const quash_request *request, const quash_route *route)
{
	const char *const name = route->method != NULL ? route->method : quash_method_of(request)->name;
	return quash_rom(name) != '\0' ? name : NULL;
}

bool quash_relay_waits(const quash_peer *from, const quash_peer *to, const quash_request *before)
{
	quash_live live = { .request = NULL };
	while (quash_next_live(from, &live) && live.request != before) {
		const quash_method *const method = quash_method_of(live.request);
		if (live.ended || method == NULL || method->handler != quash_relay)
			continue;
		const quash_route *const route = method->data;
		if (route->to == to)
			return true;
	}
	return false;
}

/* What its sender sent before its link was lost still counts. */
static bool is_given_up(const quash_request *request, const quash_peer *to)
{
	const quash_cause cause = quash_cancelled(request);
	return quash_is_gone(to) || !quash_notify_fits(to) || (cause != QUASH_NOT_CANCELLED && cause != QUASH_BY_LINK);
}

static int32_t drop_nameless(quash_peer *to)
{
	quash_count_up(to, offsetof(quash_counters, dropped));
	quash_trace_event(to, QUASH_DROPPED, NULL, 0, QUASH_WHY_METHOD);
	return QUASH_DONE;
}

/* In the order that they came, whatever fits where. */
int32_t quash_relay(quash_request *request)
{
	const quash_route *const route = quash_data(request);
	const quash_value params = quash_params_of(request);
	const char *const method = quash_forwarded_name(request, route);
	if (method == NULL)
		return drop_nameless(route->to);
	if (quash_relay_waits(quash_peer_of(request), route->to, request))
		return QUASH_PENDING;
	quash_writer *const w = quash_notify(route->to, method);
	if (quash_kind_of(params) != QUASH_NONE)
		quash_put_value(w, params);
	return quash_notify_send(route->to) || is_given_up(request, route->to) ? QUASH_DONE : QUASH_PENDING;
}
