/* SPDX-License-Identifier: MIT
 * fs/read_text_file. */
#include "acp_inner.h"

static void put_read(quash_writer *w, const quash_call *call)
{
	const quash_acp_read *const read = quash_acp_put_question(w, call);
	quash_put_member(w, "path", read->path);
	quash_acp_put_nonzero(w, "line", read->line);
	quash_acp_put_nonzero(w, "limit", read->limit);
}

int32_t quash_acp_read_file(quash_request *request, quash_acp_read *read)
{
	return quash_acp_ask(request, &read->ask, QUASH_ACP_CAN_READ, "fs/read_text_file", put_read);
}

int32_t quash_acp_read_result(const quash_acp_read *read, quash_value *content)
{
	return quash_acp_string_result(&read->ask, "content", content);
}
