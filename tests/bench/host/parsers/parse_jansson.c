/* SPDX-License-Identifier: MIT
 * jansson: a tree on the heap. */
#include "parse.h"

#include <jansson.h>

bool parse(const char *text, size_t n, struct found *found)
{
	json_t *const message = json_loadb(text, n, 0, NULL);
	if (message == NULL)
		return false;
	found->has_id = json_object_get(message, "id") != NULL;
	found->method = json_string_length(json_object_get(message, "method"));
	json_decref(message);
	return true;
}
