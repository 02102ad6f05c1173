/* SPDX-License-Identifier: MIT
 * The surroundings of the code of include/quash/method.h. */
#include "quash.h"

#if NUMBER == 1
static int32_t turn(quash_request *request) { return quash_reply_null(request); }
static int32_t off(quash_request *request) { (void)request; return QUASH_DONE; }
static quash_group motor;
#else
static int32_t stop(quash_request *request) { return quash_reply_null(request); }
#endif

#include BLOCK
