/* SPDX-License-Identifier: MIT
 * A program of one method, which answers its params: one-way. With ASKS it asks the other side and answers what that answered:
 * two-way. */
#include "quash.h"

static int32_t handler(quash_request *request, quash_value params)
{
#ifdef ASKS
	static quash_call call = { .method = "ask" };
	(void)params;
	if (!quash_call_in_use(&call))
		quash_ask_for(request, quash_peer_of(request), &call);
	if (!quash_answered(&call))
		return QUASH_PENDING;
	if (quash_call_outcome(&call) != QUASH_CALL_RESULT)
		return QUASH_INTERNAL_ERROR;
	quash_put_value(quash_reply(request), quash_answer(&call));
#else
	quash_put_value(quash_reply(request), params);
#endif
	return quash_send(request);
}

static int nothing_read(void *device, uint8_t *data, size_t n)
{
	(void)device;
	(void)data;
	(void)n;
	return 0;
}

static int nothing_written(void *device, const uint8_t *data, size_t n)
{
	(void)device;
	(void)data;
	(void)n;
	return 0;
}

static uint32_t no_time(void *device)
{
	(void)device;
	return 0;
}

static const quash_method methods[] = { { .name = "method", .handler = handler } };
QUASH_STORAGE(store, 4, 40, 0, 512, 128);
static const quash_config config = { QUASH_STORED(store), .dialect = &quash_acp, .methods = methods,
	.method_count = 1 };
static const quash_port port = { nothing_read, nothing_written, no_time, NULL };

int main(void)
{
	static quash_peer peer;
	if (quash_init(&peer, &config) != NULL)
		return 1;
	for (;;) {
		quash_pump(&peer, &port);
		quash_step(&peer);
	}
}
