/* SPDX-License-Identifier: MIT
 * What questions about a terminal share. */
#include "acp_inner.h"

static void put_look(quash_writer *w, const quash_call *call)
{
	const quash_acp_look *const look = quash_acp_put_question(w, call);
	quash_acp_put_terminal(w, look->terminal);
}

int32_t quash_acp_ask_terminal(quash_request *request, quash_acp_look *look, const char *method)
{
	const quash_call *const created = &look->terminal->ask.call;
	if (quash_kind_of(quash_get(quash_call_answer(created), "terminalId")) != QUASH_STRING)
		return QUASH_INVALID_REQUEST;
	return quash_acp_ask(request, &look->ask, QUASH_ACP_HAS_TERMINAL, method, put_look);
}

/* An exit code is an integer of 32 bits without sign. */
static bool read_code(quash_value value, uint32_t *code)
{
	int64_t wide;
	if (quash_int64(value, &wide) != QUASH_NUMBER_OK || wide < 0 || wide > (int64_t)UINT32_MAX)
		return false;
	*code = (uint32_t)wide;
	return true;
}

void quash_acp_read_exit(quash_value status, quash_acp_exit *result)
{
	static const quash_value none = { NULL, 0, 0 };
	const quash_value signal = quash_get(status, "signal");
	result->exited = quash_kind_of(status) == QUASH_OBJECT;
	result->code = 0;
	result->has_code = read_code(quash_get(status, "exitCode"), &result->code);
	result->signal = quash_kind_of(signal) == QUASH_STRING ? signal : none;
}
