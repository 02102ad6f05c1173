/* SPDX-License-Identifier: MIT
 * fs/write_text_file. */
#include "acp_inner.h"

static void put_write(quash_writer *w, const quash_call *call)
{
	const quash_acp_write *const write = quash_acp_put_question(w, call);
	quash_put_member(w, "path", write->path);
	quash_put_key(w, "content");
	quash_put_string(w, write->content, write->length);
}

int32_t quash_acp_write_file(quash_request *request, quash_acp_write *write)
{
	return quash_acp_ask(request, &write->ask, QUASH_ACP_CAN_WRITE, "fs/write_text_file", put_write);
}
