/* SPDX-License-Identifier: MIT
 * A peer without a device makes the call again: what it would transmit is what was refused. */
#include "inspect_refused.h"

#include "inspect_needs.h"

#include "quash.h"

#include <string.h>

enum { SLOTS = 1, ID_SIZE = 17, ARENA = 16, TX_SIZE = 1 << 16 };

static struct text message_in(const uint8_t *bytes, size_t n)
{
	const uint8_t *const begin = n > 0 ? memchr(bytes, '{', n) : NULL; /* behind a header */
	if (begin == NULL)
		return text_of("");
	return (struct text){ (const char *)begin, n - (size_t)(begin - bytes) };
}

uint32_t arena_of_call(const quash_call *call, const quash_dialect *dialect)
{
	quash_peer peer;
	quash_call again = { .method = call->method, .put = call->put, .context = call->context };
	QUASH_STORAGE(store, SLOTS, ID_SIZE, 0, ARENA, TX_SIZE);
	const quash_config config = { QUASH_STORED(store), .dialect = dialect };
	size_t n = 0;
	if (!quash_init(&peer, &config, NULL))
		return 0;
	quash_call_start(&peer, &again);
	quash_step(&peer);
	const uint8_t *const bytes = quash_out(&peer, &n);
	return needs_arena(member_of(message_in(bytes, n), "\"params\""));
}
