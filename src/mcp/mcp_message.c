/* SPDX-License-Identifier: MIT
 * Messages, of prompts and of sampling. */
#include "../../include/quash/mcp_prompts.h"

#include "mcp_inner.h"

void quash_mcp_message(quash_writer *w, const char *role)
{
	quash_put_object(w);
	quash_put_member(w, "role", role);
	quash_put_key(w, "content");
}

void quash_mcp_put_message(quash_writer *w, const char *role, const char *text)
{
	quash_mcp_message(w, role);
	quash_put_object(w);
	quash_put_member(w, "type", "text");
	quash_put_member(w, "text", text);
	quash_put_end(w);
	quash_put_end(w);
}
