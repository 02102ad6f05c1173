/* SPDX-License-Identifier: MIT
 * terminal/wait_for_exit. */
#include "acp_inner.h"

int32_t quash_acp_wait_for_exit(quash_request *request, quash_acp_look *look)
{
	return quash_acp_ask_terminal(request, look, "terminal/wait_for_exit");
}

int32_t quash_acp_exit_result(const quash_acp_look *look, quash_acp_exit *result)
{
	const int32_t code = quash_acp_result(&look->ask);
	if (code != QUASH_DONE)
		return code;
	quash_acp_read_exit(quash_call_answer(&look->ask.call), result);
	return result->exited ? QUASH_DONE : QUASH_INTERNAL_ERROR;
}
