/* SPDX-License-Identifier: MIT
 * The loop of http.h: two requests on one connection, however they are cut, and what is none. */
#include "http/http.h"

#include <stdio.h>
#include <string.h>

static char seen[512];

static void see(const char *what, const void *text, size_t n)
{
	const size_t length = strlen(seen);
	snprintf(seen + length, sizeof seen - length, "%s%.*s", what, (int)n, (const char *)text);
}

static void begin(const char *type) { see(" type:", type, type == NULL ? 0 : strlen(type)); }
static void keep(const uint8_t *bytes, size_t n) { see("", bytes, n); }
static void answer(const port_http_reader *reader) { see(" answered:", reader->target, strlen(reader->target)); }

static void refuse(unsigned status)
{
	char text[8];
	see(" refused:", text, (size_t)snprintf(text, sizeof text, "%u", status));
}

#include PAGE

static int is(const char *stream, size_t first, size_t second, const char *expected)
{
	const uint8_t *const bytes = (const uint8_t *)stream;
	seen[0] = '\0';
	connected();
	if (received(bytes, first) && received(bytes + first, second - first))
		(void)received(bytes + second, strlen(stream) - second);
	if (strcmp(seen, expected) == 0)
		return 1;
	printf("it sees%s, cut at %u and %u\n", seen, (unsigned)first, (unsigned)second);
	return 0;
}

int main(void)
{
	static const char two[] = "POST /a HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n<c\r\n1\r\n>\r\n0\r\n\r\n"
		"POST /b HTTP/1.1\r\nHost: h\r\nContent-Type: text/x\r\nContent-Length: 5\r\n\r\n<ab>.";
	static const char no_body[] = "GET /c HTTP/1.1\r\nHost: h\r\n\r\n", wrong[] = "POST /d HTTP/9.1\r\nHost: h\r\n\r\n";
	for (size_t first = 0; first < sizeof two; first++)
		for (size_t second = first; second < sizeof two; second++)
			if (!is(two, first, second, " type:<c> answered:/a type:text/x<ab>. answered:/b"))
				return 1;
	return !is(no_body, 3, sizeof no_body - 1, " type: answered:/c") || !is(wrong, 3, 9, " refused:505");
}
