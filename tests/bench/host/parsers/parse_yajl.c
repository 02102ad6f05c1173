/* SPDX-License-Identifier: MIT
 * yajl: calls back for each event; a handle for each message, for it cannot be used again. */
#include "parse.h"

#include <string.h>
#include <yajl/yajl_parse.h>

struct envelope {
	struct found *found;
	unsigned depth;
	bool method; /* the value that comes is the method's */
};

static int begin(void *context)
{
	((struct envelope *)context)->depth++;
	return 1;
}

static int end(void *context)
{
	((struct envelope *)context)->depth--;
	return 1;
}

static int key(void *context, const unsigned char *text, size_t n)
{
	struct envelope *const e = context;
	if (e->depth != 1)
		return 1;
	e->method = n == 6 && memcmp(text, "method", 6) == 0;
	if (n == 2 && memcmp(text, "id", 2) == 0)
		e->found->has_id = true;
	return 1;
}

static int string(void *context, const unsigned char *text, size_t n)
{
	struct envelope *const e = context;
	(void)text;
	if (e->depth == 1 && e->method)
		e->found->method = n;
	return 1;
}

bool parse(const char *text, size_t n, struct found *found)
{
	static const yajl_callbacks callbacks = { .yajl_start_map = begin, .yajl_end_map = end,
		.yajl_start_array = begin, .yajl_end_array = end, .yajl_map_key = key, .yajl_string = string };
	struct envelope e = { found, 0, false };
	const yajl_handle handle = yajl_alloc(&callbacks, NULL, &e);
	const bool read = yajl_parse(handle, (const unsigned char *)text, n) == yajl_status_ok &&
		yajl_complete_parse(handle) == yajl_status_ok;
	yajl_free(handle);
	return read;
}
