/* SPDX-License-Identifier: MIT
 * json-c: a tree on the heap, from a tokener that is used again. */
#include "parse.h"

#include <json-c/json.h>

static void look_up(struct json_object *message, struct found *found)
{
	struct json_object *member;
	found->has_id = json_object_object_get_ex(message, "id", &member);
	if (json_object_object_get_ex(message, "method", &member))
		found->method = (size_t)json_object_get_string_len(member);
}

bool parse(const char *text, size_t n, struct found *found)
{
	static struct json_tokener *tokener;
	if (tokener == NULL)
		tokener = json_tokener_new();
	json_tokener_reset(tokener);
	struct json_object *const message = json_tokener_parse_ex(tokener, text, (int)n);
	if (message == NULL)
		return false;
	look_up(message, found);
	json_object_put(message);
	return true;
}
