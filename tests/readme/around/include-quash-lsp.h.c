/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/lsp.h. */
#include "quash.h"

#include BLOCK

static int32_t hover(quash_request *request) { return quash_reply_null(request); }
