/* SPDX-License-Identifier: MIT
 * A server of one method without params, which can be cancelled. Nothing is counted. */
#include "quash.h"
#include "store.h"

static int32_t handler(quash_request *request)
{
	return quash_cancelled(request) == QUASH_NOT_CANCELLED ? quash_reply_null(request) : quash_wait(request, 10);
}

static const quash_method methods[] = { { .name = "method", .handler = handler } };
QUASH_STORAGE(store, 4, 40, 0, 64, 128);
const quash_config device = {
	STORED_WITHOUT_STATES(store),
	.dialect = &quash_acp,
	.methods = methods,
	.method_count = 1,
};

#include "endless.h"
