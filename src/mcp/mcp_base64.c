/* SPDX-License-Identifier: MIT */
#include "../../include/quash/mcp_resources.h"

static void put_group(quash_mcp_base64 *b)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const uint8_t *const in = b->held;
	const char out[4] = {
		digits[in[0] >> 2],
		digits[(in[0] << 4 | in[1] >> 4) & 63],
		b->count > 1 ? digits[(in[1] << 2 | in[2] >> 6) & 63] : '=',
		b->count > 2 ? digits[in[2] & 63] : '=',
	};
	quash_put_string_part(b->writer, out, sizeof out);
	b->held[0] = b->held[1] = b->held[2] = 0;
	b->count = 0;
}

void quash_mcp_base64_open(quash_mcp_base64 *b, quash_writer *w)
{
	b->writer = w;
	b->held[0] = b->held[1] = b->held[2] = 0;
	b->count = 0;
	quash_put_string_open(w);
}

void quash_mcp_base64_part(quash_mcp_base64 *b, const void *data, size_t size)
{
	const uint8_t *const bytes = data;
	for (size_t i = 0; i < size; i++) {
		b->held[b->count++] = bytes[i];
		if (b->count == sizeof b->held)
			put_group(b);
	}
}

void quash_mcp_base64_close(quash_mcp_base64 *b)
{
	if (b->count > 0)
		put_group(b);
	quash_put_string_close(b->writer);
}
