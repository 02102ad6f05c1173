/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/lsp.md. */
#include "quash.h"

#if NUMBER == 1
static uint32_t lines;
static uint32_t has_word(uint32_t line, const char *word) { return line + (uint8_t)word[0]; }
#include BLOCK
#else
static void put_locations(quash_writer *w, const quash_request *request) { (void)request; quash_put_null(w); }

static int32_t handler(quash_request *request)
{
	const bool more = false;
#include BLOCK
	return QUASH_PENDING;
}
#endif
