/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/arduino/README.md. */
#if NUMBER == 2
#include "quash_texts.h"
#endif

#include BLOCK

#if NUMBER == 2
static int32_t ping(quash_request *request) { return quash_reply_null(request); }
static const quash_method methods[] = { QUASH_METHOD("ping", ping, 0) };
QUASH_STORAGE(store, 1, 24, 0, 64, 64);
const quash_config one_tool = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };
#endif
