/* SPDX-License-Identifier: MIT
 * cJSON: a tree on the heap. */
#include "parse.h"

#include <cjson/cJSON.h>
#include <string.h>

bool parse(const char *text, size_t n, struct found *found)
{
	cJSON *const message = cJSON_ParseWithLength(text, n);
	if (message == NULL)
		return false;
	const cJSON *const method = cJSON_GetObjectItemCaseSensitive(message, "method");
	found->has_id = cJSON_GetObjectItemCaseSensitive(message, "id") != NULL;
	found->method = method != NULL && method->valuestring != NULL ? strlen(method->valuestring) : 0;
	cJSON_Delete(message);
	return true;
}
