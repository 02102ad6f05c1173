/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/method.h. */
#include "quash.h"

struct move { int32_t steps; };
static int32_t echo(quash_request *request) { return quash_reply_null(request); }
static int32_t move(quash_request *request) { return quash_reply_null(request); }
static int32_t stop(quash_request *request) { (void)request; return QUASH_DONE; }

#include BLOCK
