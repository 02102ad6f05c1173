/* SPDX-License-Identifier: MIT
 * terminal/output. */
#include "acp_inner.h"

int32_t quash_acp_get_output(quash_request *request, quash_acp_look *look)
{
	return quash_acp_ask_terminal(request, look, "terminal/output");
}

int32_t quash_acp_output_result(const quash_acp_look *look, quash_acp_output *result)
{
	const int32_t code = quash_acp_string_result(&look->ask, "output", &result->text);
	if (code != QUASH_DONE)
		return code;
	const quash_value answer = quash_call_answer(&look->ask.call);
	result->truncated = quash_kind_of(quash_get(answer, "truncated")) == QUASH_TRUE;
	quash_acp_read_exit(quash_get(answer, "exitStatus"), &result->end);
	return QUASH_DONE;
}
