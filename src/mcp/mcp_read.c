/* SPDX-License-Identifier: MIT
 * What readings of resources answer with, and what they are asked for. */
#include "../../include/quash/mcp_resources.h"

#include "mcp_inner.h"
#include "mcp_uri.h"

/* --- Variables */

static int8_t hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return (int8_t)(c - '0');
	c = (char)(c | 0x20);
	return (int8_t)(c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1);
}

/* One byte of a URI, decoded; a percent sign without two digits stands for itself. */
static char next_byte(const struct quash_mcp_span *span, size_t *at)
{
	const char *const text = &span->text[*at];
	const bool coded = text[0] == '%' && span->length - *at > 2 && hex_value(text[1]) >= 0 && hex_value(text[2]) >= 0;
	*at += coded ? 3 : 1;
	return coded ? (char)(hex_value(text[1]) << 4 | hex_value(text[2])) : text[0];
}

static bool decode(const struct quash_mcp_span *span, char *to, size_t size)
{
	size_t n = 0;
	for (size_t at = 0; at < span->length;) {
		const char c = next_byte(span, &at);
		if (c == '\0' || n + 1 >= size)
			return false;
		to[n++] = c;
	}
	to[n] = '\0';
	return true;
}

bool quash_mcp_variable(quash_request *request, const char *name, char *to, size_t size)
{
	const quash_mcp_resource *const resource = quash_mcp_resource_of(request);
	const char *const uri = quash_mcp_uri(request);
	struct quash_mcp_span value = { NULL, 0 };
	size_t length = 0;
	while (uri[length] != '\0')
		length++;
	if (resource != NULL && size > 0 && quash_mcp_fits(resource->uri, uri, length, name, &value) &&
		value.text != NULL && decode(&value, to, size))
		return true;
	if (size > 0)
		to[0] = '\0';
	return false;
}

/* --- Results */

quash_writer *quash_mcp_contents(quash_request *request)
{
	const quash_mcp_resource *const resource = quash_mcp_resource_of(request);
	quash_writer *const w = quash_mcp_begin(request);
	quash_mcp_put_cache(w, request, resource != NULL ? resource->ttl : 0);
	quash_put_key(w, "contents");
	quash_put_array(w);
	return w;
}

static quash_writer *begin_contents(quash_request *request, const char *key)
{
	const quash_mcp_resource *const resource = quash_mcp_resource_of(request);
	quash_writer *const w = quash_mcp_contents(request);
	quash_put_object(w);
	quash_mcp_put_member(w, "uri", quash_mcp_uri(request));
	quash_mcp_put_optional(w, "mimeType", resource != NULL ? resource->mime_type : NULL);
	quash_put_key(w, key);
	return w;
}

quash_writer *quash_mcp_read_reply(quash_request *request)
{
	return begin_contents(request, "text");
}

int32_t quash_mcp_read_text(quash_request *request, const char *text)
{
	quash_put_text(quash_mcp_read_reply(request), text);
	return quash_send(request);
}

int32_t quash_mcp_read_json(quash_request *request, quash_mcp_put *put, const void *data)
{
	quash_writer *const w = quash_mcp_read_reply(request);
	quash_put_quote_open(w);
	put(w, data);
	quash_put_quote_close(w);
	return quash_send(request);
}

void quash_mcp_blob_open(quash_request *request, quash_mcp_base64 *b)
{
	quash_mcp_base64_open(b, begin_contents(request, "blob"));
}

int32_t quash_mcp_read_blob(quash_request *request, const void *data, size_t size)
{
	quash_mcp_base64 b;
	quash_mcp_blob_open(request, &b);
	quash_mcp_base64_part(&b, data, size);
	quash_mcp_base64_close(&b);
	return quash_send(request);
}
