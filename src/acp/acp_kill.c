/* SPDX-License-Identifier: MIT
 * terminal/kill. */
#include "acp_inner.h"

int32_t quash_acp_kill(quash_request *request, quash_acp_look *look)
{
	return quash_acp_ask_terminal(request, look, "terminal/kill");
}
