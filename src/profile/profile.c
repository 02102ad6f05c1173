/* SPDX-License-Identifier: MIT */
#include "profile.h"

int32_t quash_send_report(const quash_request *request)
{
	quash_peer *const peer = quash_peer_of(request);
	if (quash_notify_send(peer))
		return QUASH_DONE;
	return quash_notify_fits(peer) ? QUASH_PENDING : QUASH_TOO_LARGE;
}

bool quash_notify_is_done(quash_peer *peer)
{
	return quash_notify_send(peer) || !quash_notify_fits(peer) || quash_is_gone(peer);
}
