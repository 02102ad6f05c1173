/* SPDX-License-Identifier: MIT */
#include "profile.h"

/* --- Checks */

bool quash_check_member(quash_fault *fault, const char *table, const char *name, const char *member)
{
	const quash_fault wrong = { table, name, member, 0, 0, 0 };
	if (member != NULL)
		*fault = wrong;
	return member == NULL;
}

bool quash_check_size(quash_fault *fault, const char *member, size_t is, size_t needs)
{
	if (is >= needs)
		return true;
	(void)quash_check_member(fault, "config", NULL, member);
	fault->is = (uint32_t)is;
	fault->needs = (uint32_t)needs;
	return false;
}

const void *quash_data_of(const quash_config *config, quash_handler *handler)
{
	for (uint8_t i = 0; i < config->method_count; i++) {
		if (config->methods[i].handler == handler)
			return config->methods[i].data;
	}
	return NULL;
}

/* --- Requests */

int32_t quash_send_report(const quash_request *request)
{
	quash_peer *const peer = quash_peer_of(request);
	if (quash_notify_send(peer))
		return QUASH_DONE;
	return quash_notify_fits(peer) ? QUASH_PENDING : QUASH_TOO_LARGE;
}
