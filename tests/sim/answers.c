/* SPDX-License-Identifier: MIT
 * How answers must look, byte by byte. */
#include "oracle.h"

#include <stdio.h>
#include <string.h>

const char *oracle_words(int32_t code)
{
	static const struct {
		int32_t code;
		const char *words;
	} table[] = {
		{ -32700, "Parse error" },
		{ -32600, "Invalid Request" },
		{ -32601, "Method not found" },
		{ -32602, "Invalid params" },
		{ -32603, "Internal error" },
		{ -32800, "Request cancelled" },
		{ -32010, "Busy" },
		{ -32011, "Message too large" },
		{ -32803, "Request failed" },
		{ -32012, "Link lost" },
		{ -32801, "Content modified" },
		{ -32802, "Server cancelled" },
		{ -32002, "Server not initialized" },
	};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		if (table[i].code == code)
			return table[i].words;
	}
	return "Server error";
}

/* --- Values */

static size_t pad(char *text, char c, size_t n)
{
	memset(text, c, n);
	text[n] = '\0';
	return n;
}

size_t oracle_result(char *text, size_t size, long serial, unsigned n)
{
	size_t length = (size_t)snprintf(text, size, "{\"serial\":%ld,\"pad\":\"", serial);
	length += pad(text + length, 'x', n);
	return length + (size_t)snprintf(text + length, size - length, "\"}");
}

bool oracle_item(char *text, size_t size, const struct record *r, unsigned i)
{
	const size_t n = (size_t)snprintf(text, size, "{\"i\":%u,\"s\":%ld,\"pad\":\"", i, r->serial);
	strcpy(text + n + pad(text + n, 'i', i * 7 % 23), "\"}");
	return i <= r->pad / 10;
}

static size_t items(char *text, size_t size, const struct record *r)
{
	size_t n = 0;
	text[n++] = '[';
	for (unsigned i = 0; oracle_item(text + n + 1, size - n - 1, r, i); i++) {
		if (i > 0)
			text[n++] = ',';
		(void)oracle_item(text + n, size - n, r, i);
		n += strlen(text + n);
	}
	text[n++] = ']';
	text[n] = '\0';
	return n;
}

size_t oracle_content(char *text, size_t size, const struct record *r)
{
	switch (r->content) {
	case RESULT_ITEMS: return items(text, size, r);
	case RESULT_INT: return (size_t)snprintf(text, size, "%ld", r->serial);
	case RESULT_TRUE: return (size_t)snprintf(text, size, "true");
	case RESULT_NULL: return (size_t)snprintf(text, size, "null");
	case RESULT_TEXT: return (size_t)snprintf(text, size, "\"a \\\"literal\\\" text\"");
	case RESULT_JSON: return (size_t)snprintf(text, size, "{\"constant\":[1,2,3]}");
	case RESULT_EMPTY: return (size_t)snprintf(text, size, "{}");
	case RESULT_CANCELLED: return (size_t)snprintf(text, size, CANCELLED_RESULT);
	case ERROR_WORDS:
	case ERROR_FORWARDED: return (size_t)snprintf(text, size, "\"%s\"", oracle_words(r->code));
	case ERROR_GROUP: return (size_t)snprintf(text, size, "\"Busy: one at a time\"");
	case ERROR_TEXT: return (size_t)snprintf(text, size, "\"made so\"");
	case ERROR_PUT:
		text[0] = '"';
		return pad(text + 1, 'm', r->pad) + (size_t)sprintf(text + 1 + r->pad, "\"") + 1;
	case ERROR_WHOLE:
		return (size_t)snprintf(text, size, "{\"code\":%d,\"message\":\"whole\",\"data\":%ld}", (int)r->code, r->serial);
	case RESULT_FORWARDED: return oracle_result(text, size, r->forwarded_serial, r->pad);
	default: return oracle_result(text, size, r->serial, r->pad + (r->settles && r->puts == 1));
	}
}

/* --- Whole answers */

static size_t put_id(char *text, const struct record *r)
{
	size_t n = 0;
	if (!r->named)
		return (size_t)sprintf(text, "null");
	if (!r->number)
		text[n++] = '"';
	for (size_t i = 0; i < r->id_length; i++) {
		static const char from[] = "\"\\\b\f\n\r\t", to[] = "\"\\bfnrt";
		const char c = r->id[i];
		const char *const found = c != '\0' ? strchr(from, c) : NULL;
		if (found != NULL)
			n += (size_t)sprintf(&text[n], "\\%c", to[found - from]);
		else if ((unsigned char)c < 0x20)
			n += (size_t)sprintf(&text[n], "\\u%04x", (unsigned)(unsigned char)c);
		else
			text[n++] = c;
	}
	if (!r->number)
		text[n++] = '"';
	return n;
}

static size_t put_head(char *text, const struct record *r)
{
	size_t n = (size_t)sprintf(text, "{\"jsonrpc\":\"2.0\",");
	if (!r->named && sim.setup.dialect[r->link] == MCP)
		return n;
	n += (size_t)sprintf(text + n, "\"id\":");
	n += put_id(text + n, r);
	text[n++] = ',';
	return n;
}

static size_t put_error(char *text, size_t size, const struct record *r)
{
	size_t n = (size_t)sprintf(text, "{\"code\":%d,\"message\":", (int)r->code);
	if (r->content == ERROR_DATA)
		n += (size_t)sprintf(text + n, "\"made so\",\"data\":");
	n += oracle_content(text + n, size - n, r);
	text[n++] = '}';
	return n;
}

size_t oracle_answer(char *text, size_t size, const struct record *r)
{
	size_t n = put_head(text, r);
	if (r->claim.changed)
		return n + (size_t)sprintf(text + n, "\"error\":{\"code\":-32603,\"message\":\"Internal error\"}}");
	n += (size_t)sprintf(text + n, r->code != 0 ? "\"error\":" : "\"result\":");
	if (r->code == 0 || r->content == ERROR_WHOLE)
		n += oracle_content(text + n, size - n, r);
	else
		n += put_error(text + n, size - n, r);
	text[n++] = '}';
	return n;
}
