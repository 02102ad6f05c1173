/* SPDX-License-Identifier: MIT */
#include "profile.h"

int32_t quash_send_report(const quash_request *request)
{
	quash_peer *const peer = quash_peer_of(request);
	if (quash_notify_send(peer))
		return QUASH_DONE;
	return quash_notify_fits(peer) ? QUASH_PENDING : QUASH_TOO_LARGE;
}

bool quash_refuse_lease(quash_request *request, uint32_t lease, const struct quash_lease_code *leases)
{
	if (leases != NULL || lease == 0 || quash_config_of(quash_peer_of(request))->lease_always)
		return false;
	(void)quash_fail(request, QUASH_INTERNAL_ERROR, "leases is needed and not named");
	return true;
}
