/* SPDX-License-Identifier: MIT
 * What results of tools are made of. */
#ifndef QUASH_SRC_MCP_RESULT_H
#define QUASH_SRC_MCP_RESULT_H

#include "../../include/quash/mcp.h"

/* Puts the beginning of a result of one text, which is to be put next. */
void quash_mcp_put_text_key(quash_writer *w, const quash_request *request);

/* Records a result that shows a failure, which `put` puts whole. */
int32_t quash_mcp_reply_failed(quash_request *request, quash_put *put);

/* Puts a structured result: `put` puts the value. */
void quash_mcp_put_structured(quash_writer *w, const quash_request *request, quash_put *put);

#endif
