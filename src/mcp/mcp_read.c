/* SPDX-License-Identifier: MIT
 * Results of resources/read, and the variables of its URI. */
#include "../../include/quash/mcp_resources.h"

#include "mcp_inner.h"
#include "mcp_uri.h"

/* --- Base64 */

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
	b->held[1] = b->held[2] = 0;
	b->count = 0;
}

void quash_mcp_base64_open(quash_mcp_base64 *b, quash_writer *w)
{
	b->writer = w;
	b->held[1] = b->held[2] = 0;
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

/* --- Variables */

static int8_t hex_value(char c)
{
	if (c >= '0' && c <= '9')
		return (int8_t)(c - '0');
	c = (char)(c | 0x20);
	return (int8_t)(c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1);
}

/* A percent sign without two digits stands for itself. */
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

bool quash_mcp_variable(const quash_request *request, const char *name, char *to, size_t size)
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

static void put_contents_key(quash_writer *w, const quash_request *request)
{
	const quash_mcp_resource *const resource = quash_mcp_resource_of(request);
	quash_mcp_begin(w, request);
	quash_mcp_put_cache(w, request, resource != NULL ? resource->ttl : 0);
	quash_put_key(w, "contents");
	quash_put_array(w);
}

static void put_only_content(quash_writer *w, const quash_request *request, const char *key)
{
	const quash_mcp_resource *const resource = quash_mcp_resource_of(request);
	put_contents_key(w, request);
	quash_put_object(w);
	quash_put_member(w, "uri", quash_mcp_uri(request));
	quash_put_optional(w, "mimeType", resource != NULL ? resource->mime_type : NULL);
	quash_put_key(w, key);
}

static void put_read_contents(quash_writer *w, const quash_request *request)
{
	put_contents_key(w, request);
	quash_mcp_put_content(w, request);
}

static void put_read_literal(quash_writer *w, const quash_request *request)
{
	put_only_content(w, request, "text");
	quash_put_text(w, quash_mcp_const_slot_of(request)->call.content.text);
}

static void put_read_text(quash_writer *w, const quash_request *request)
{
	put_only_content(w, request, "text");
	quash_mcp_put_content(w, request);
}

static void put_read_json(quash_writer *w, const quash_request *request)
{
	put_only_content(w, request, "text");
	quash_put_quote_open(w);
	quash_mcp_put_content(w, request);
	quash_put_quote_close(w);
}

static void put_read_blob(quash_writer *w, const quash_request *request)
{
	put_only_content(w, request, "blob");
	quash_mcp_put_content(w, request);
}

static void put_bytes(quash_writer *w, const quash_request *request)
{
	const quash_mcp_slot *const slot = quash_mcp_const_slot_of(request);
	quash_mcp_base64 b;
	put_only_content(w, request, "blob");
	quash_mcp_base64_open(&b, w);
	quash_mcp_base64_part(&b, slot->call.content.bytes, (size_t)slot->call.extent.size);
	quash_mcp_base64_close(&b);
}

int32_t quash_mcp_contents(quash_request *request, quash_put *put)
{
	return quash_mcp_reply_put(request, put, put_read_contents);
}

int32_t quash_mcp_read_text_(quash_request *request, const char *text)
{
	return quash_mcp_reply_literal(request, text, put_read_literal);
}

int32_t quash_mcp_read_put(quash_request *request, quash_put *put)
{
	return quash_mcp_reply_put(request, put, put_read_text);
}

int32_t quash_mcp_read_json(quash_request *request, quash_put *put)
{
	return quash_mcp_reply_put(request, put, put_read_json);
}

int32_t quash_mcp_read_blob_put(quash_request *request, quash_put *put)
{
	return quash_mcp_reply_put(request, put, put_read_blob);
}

int32_t quash_mcp_read_blob(quash_request *request, const void *data, uint32_t size)
{
	quash_mcp_slot *const slot = quash_mcp_slot_of(request);
	if (slot != NULL && quash_may_report(request)) {
		slot->call.content.bytes = data;
		slot->call.extent.size = size;
	}
	return quash_reply(request, put_bytes);
}
