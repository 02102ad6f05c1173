/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/acp_client.h. */
#include "quash.h"

#define t QUASH_STATE(struct turn, request)

static int32_t turn(quash_request *request)
{
#include BLOCK
	return quash_acp_stop(request, quash_length(content) > 0 ? QUASH_ACP_END_TURN : QUASH_ACP_REFUSAL);
}
