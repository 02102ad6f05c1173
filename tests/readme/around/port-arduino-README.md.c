/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/arduino/README.md. */
#if NUMBER == 4
#include "quash_texts.h"
#elif NUMBER != 1
#include "quash_stream.h"

static class {
public:
	void requestTemperatures() { delay(750); }
	float getTempCByIndex(uint8_t) { return 20; }
} sensors;
static quash_peer peer;
static QuashStream port(Serial);
#endif
#if NUMBER == 3
static bool waits;
#endif

#include BLOCK

#if NUMBER == 4
static int32_t ping(quash_request *request) { return quash_reply_null(request); }
static const quash_method methods[] = { { .name = "ping", .handler = ping } };
QUASH_STORAGE(store, 1, 24, 0, 64, 64);
const quash_config one_tool = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };
#endif
