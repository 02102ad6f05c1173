/* SPDX-License-Identifier: MIT
 * Requests of HTTP/1.1, whole and in all pieces: what is read is the same. */
#include "unit.h"

#include "http/http.h"

#include <stdio.h>
#include <stdlib.h>

enum { HEAD = 128, BODY = 20, STORY = 600 };

/* What was read, as a text: `POST /mcp [body] end`, or the status of what was refused. */
static char story[STORY];
static size_t told;

static void tell(const char *text, size_t n)
{
	assert_true(told + n < sizeof story);
	memcpy(story + told, text, n);
	told += n;
	story[told] = '\0';
}

static void tell_event(const port_http_reader *r, port_http_event event)
{
	char text[HEAD + 40];
	switch (event) {
	case HTTP_HEAD:
		snprintf(text, sizeof text, "%s %s%s%s%s [", r->method, r->target, r->minor > 0 ? "" : " old", r->closes ? " closes" : "", r->waits ? " waits" : "");
		tell(text, strlen(text));
		break;
	case HTTP_BODY: tell((const char *)r->body, r->body_length); break;
	case HTTP_END: tell("] ", 2); break;
	case HTTP_WRONG:
		snprintf(text, sizeof text, "wrong %u", r->status);
		tell(text, strlen(text));
		break;
	default: break;
	}
}

/* Feeds bytes, which stand in memory of just their size. Returns false once the request is refused. */
static bool feed(port_http_reader *r, const char *bytes, size_t n)
{
	uint8_t *const piece = malloc(n + (n == 0)); /* its end is guarded where memory is checked */
	port_http_event event = HTTP_HEAD;
	memcpy(piece, bytes, n);
	for (size_t at = 0; event != HTTP_MORE && event != HTTP_WRONG;) {
		event = port_http_read(r, piece, n, &at);
		assert_true(at <= n);
		if (event == HTTP_BODY)
			assert_true(r->body >= piece && r->body + r->body_length <= piece + n);
		tell_event(r, event);
		if (event == HTTP_END)
			port_http_next(r);
	}
	free(piece);
	return event != HTTP_WRONG;
}

static const char *read_in(const char *text, size_t first, size_t each)
{
	static char head[HEAD];
	port_http_reader r;
	const size_t n = strlen(text);
	told = 0;
	story[0] = '\0';
	memset(head, 0x55, sizeof head);
	port_http_open(&r, head, sizeof head, BODY);
	for (size_t at = 0, step = first; at < n; at += step, step = each) {
		step = step < n - at ? step : n - at;
		if (!feed(&r, text + at, step))
			break;
	}
	return story;
}

/* Whole, cut in two anywhere, and byte by byte. */
static void check_read(const char *text, const char *expected)
{
	const size_t n = strlen(text);
	assert_string_equal(read_in(text, n, n), expected);
	for (size_t i = 1; i < n; i++)
		assert_string_equal(read_in(text, i, n), expected);
	assert_string_equal(read_in(text, 1, 1), expected);
}

#define HOST "Host: h\r\n"

static void test_requests(void **state)
{
	(void)state;
	check_read("GET /mcp HTTP/1.1\r\n" HOST "\r\n", "GET /mcp [] ");
	check_read("POST /mcp HTTP/1.1\r\n" HOST "Content-Length: 5\r\n\r\nhello", "POST /mcp [hello] ");
	check_read("\r\n\r\nGET / HTTP/1.1\r\n" HOST "\r\nGET /b HTTP/1.1\r\n" HOST "Connection: x, Close\r\n\r\n", "GET / [] GET /b closes [] ");
	check_read("POST / HTTP/1.1\r\n" HOST "Content-Length: 0\r\nExpect: 100-continue\r\n\r\n", "POST / waits [] ");
	check_read("GET http://h/x HTTP/1.1\r\n" HOST "\r\n", "GET http://h/x [] ");
	check_read("GET / HTTP/1.0\r\n\r\n", "GET / old closes [] ");
	check_read("GET / HTTP/1.0\r\nConnection: keep-alive\r\n\r\n", "GET / old [] ");
}

#define CHUNKED "POST / HTTP/1.1\r\n" HOST "Transfer-Encoding: chunked\r\n\r\n"

static void test_chunks(void **state)
{
	(void)state;
	check_read(CHUNKED "5\r\nhello\r\n0\r\n\r\n", "POST / [hello] ");
	check_read(CHUNKED "00a;a=\"b\"\r\n0123456789\r\nA\r\n0123456789\r\n0\r\nTrailer: x\r\n\r\nGET / HTTP/1.1\r\n" HOST "\r\n",
		"POST / [01234567890123456789] GET / [] ");
	check_read(CHUNKED "0\r\n\r\n", "POST / [] ");
	check_read(CHUNKED "a\r\n0123456789\r\nb\r\n", "POST / [0123456789wrong 413");
	check_read(CHUNKED "000000005\r\n", "POST / [wrong 413");
	check_read(CHUNKED "5\r\nhello0\r\n", "POST / [hellowrong 400");
	check_read(CHUNKED "5\nhello", "POST / [wrong 400");
	check_read(CHUNKED "\r\n", "POST / [wrong 400");
	check_read(CHUNKED "-5\r\n", "POST / [wrong 400");
	check_read(CHUNKED "5x\r\n", "POST / [wrong 400");
}

static void test_trailers(void **state)
{
	(void)state;
	check_read(CHUNKED "0\r\na: b\r\nC:\r\n\r\nGET / HTTP/1.1\r\n" HOST "\r\n", "POST / [] GET / [] ");
	check_read(CHUNKED "0\r\n\n", "POST / [wrong 400");
	check_read(CHUNKED "0\r\nx\n", "POST / [wrong 400");
	check_read(CHUNKED "0\r\nx\r\n", "POST / [wrong 400");
	check_read(CHUNKED "0\r\na: b\n\r\n", "POST / [wrong 400");
	check_read(CHUNKED "0\r\na: b\rc\r\n", "POST / [wrong 400");
	check_read(CHUNKED "0\r\na: b\r\n c\r\n", "POST / [wrong 400");
	check_read(CHUNKED "0\r\n\rx", "POST / [wrong 400");
}

/* What follows a chunked body is no field, and none of an earlier request comes back. */
static void test_fields_after_a_trailer(void **state)
{
	static const char first[] = "GET / HTTP/1.1\r\nHost: h\r\nA: 0123456789012345678901234567890123456789\r\nSession: secret\r\n\r\n";
	static const char second[] = CHUNKED "1;abcdefgh=ijklmnop\r\nx\r\n0\r\nLong: 0123456789012345678901234567890123456789\r\n\r\n";
	char head[HEAD];
	port_http_reader r;
	port_http_event event;
	size_t at = 0;
	(void)state;
	port_http_open(&r, head, sizeof head, 20);
	assert_int_equal(port_http_read(&r, (const uint8_t *)first, sizeof first - 1, &at), HTTP_HEAD);
	assert_int_equal(port_http_read(&r, (const uint8_t *)first, sizeof first - 1, &at), HTTP_END);
	assert_string_equal(port_http_field(&r, "session", NULL), "secret");
	port_http_next(&r);
	at = 0;
	do
		event = port_http_read(&r, (const uint8_t *)second, sizeof second - 1, &at);
	while (event != HTTP_END && event != HTTP_WRONG);
	assert_int_equal(event, HTTP_END);
	assert_string_equal(port_http_field(&r, "host", NULL), "h");
	assert_null(port_http_field(&r, "session", NULL));
	assert_null(port_http_field(&r, "secret", NULL)); /* in whatever pairs its bytes would be taken */
	assert_null(port_http_field(&r, "long", NULL));
}

/* Two readers of one stream must not differ. */
static const struct {
	const char *text;
	unsigned status;
} wrong[] = {
	{ "GET / HTTP/1.1\n" HOST "\r\n\r\n", 400 }, { "GET / HTTP/1.1\r\nHost: h\n\r\n\r\n", 400 }, { "GET / HTTP/1.1\r\nHost: h\r\n x\r\n\r\n", 400 },
	{ "GET / HTTP/1.1\r\nHost : h\r\n\r\n", 400 }, { "GET / HTTP/1.1\r\n" HOST HOST "\r\n", 400 }, { "GET / HTTP/1.1\r\n\r\n", 400 },
	{ "GET / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nContent-Length: 1\r\n\r\n", 400 }, { "GET / HTTP/1.1\r\n" HOST "Content-Length: 1, 1\r\n\r\n", 400 },
	{ "GET / HTTP/1.1\r\n" HOST "Content-Length: +1\r\n\r\n", 400 }, { "GET / HTTP/1.1\r\n" HOST "Content-Length: \r\n\r\n", 400 },
	{ "GET / HTTP/1.1\r\n" HOST "Content-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n", 400 },
	{ "GET / HTTP/1.1\r\n" HOST "Transfer-Encoding: gzip, chunked\r\n\r\n", 501 }, { "GET / HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n", 400 },
	{ "GET  / HTTP/1.1\r\n" HOST "\r\n", 400 }, { "GET / HTTP/1.1 \r\n" HOST "\r\n", 400 }, { "GET /\r\n" HOST "\r\n", 400 }, { " / HTTP/1.1\r\n" HOST "\r\n", 400 },
	{ "G(T / HTTP/1.1\r\n" HOST "\r\n", 400 }, { "GET / HTTP/2.0\r\n" HOST "\r\n", 505 }, { "GET / http/1.1\r\n" HOST "\r\n", 400 },
	{ "GET / HTTP/1.1\r\n" HOST "no colon\r\n\r\n", 400 }, { "GET / HTTP/1.1\r\n" HOST "a: \x01\r\n\r\n", 400 }, { "GET / HTTP/1.1\r\n" HOST ": x\r\n\r\n", 400 },
	{ "GET / HTTP/1.1\r\n" HOST "Content-Length: 21\r\n\r\n", 413 }, { "GET / HTTP/1.1\r\n" HOST "Content-Length: 99999999999999999999\r\n\r\n", 413 },
};

static void test_what_could_be_read_in_two_ways(void **state)
{
	char expected[20];
	(void)state;
	for (size_t i = 0; i < COUNT_OF(wrong); i++) {
		snprintf(expected, sizeof expected, "wrong %u", wrong[i].status);
		check_read(wrong[i].text, expected);
	}
}

static void test_the_longest_head(void **state)
{
	char text[HEAD + 20];
	(void)state;
	for (size_t n = HEAD - 1; n <= HEAD + 1; n++) {
		const int begin = snprintf(text, sizeof text, "GET / HTTP/1.1\r\n" HOST "A: ");
		memset(text + begin, 'x', n - (size_t)begin - 4);
		memcpy(text + n - 4, "\r\n\r\n", 5);
		check_read(text, n <= HEAD ? "GET / [] " : "wrong 431");
	}
}

static void test_fields(void **state)
{
	static const char text[] = "GET / HTTP/1.1\r\nHost:h\r\nACCEPT: text/html;q=1 , Application/JSON\r\naccept:text/*\r\nEmpty:\r\nX:  a b\t\r\n\r\n";
	char head[HEAD];
	port_http_reader r;
	unsigned found;
	size_t at = 0;
	(void)state;
	port_http_open(&r, head, sizeof head, 0);
	assert_true(port_http_is_idle(&r));
	assert_int_equal(port_http_read(&r, (const uint8_t *)text, sizeof text - 1, &at), HTTP_HEAD);
	assert_false(port_http_is_idle(&r));
	assert_true(port_http_takes_chunks(&r));
	assert_string_equal(port_http_field(&r, "host", NULL), "h");
	assert_null(port_http_field(&r, "hos", NULL));
	assert_string_equal(port_http_single(&r, "x", &found), "a b");
	assert_int_equal(found, 1);
	assert_string_equal(port_http_single(&r, "empty", NULL), "");
	assert_null(port_http_single(&r, "accept", &found));
	assert_int_equal(found, 2);
	assert_null(port_http_single(&r, "y", &found));
	assert_int_equal(found, 0);
	assert_string_equal(port_http_field(&r, "accept", port_http_field(&r, "accept", NULL)), "text/*");
	assert_true(port_http_lists(&r, "accept", "application/json") && port_http_lists(&r, "accept", "text/html") && port_http_lists(&r, "accept", "text/*"));
	assert_false(port_http_lists(&r, "accept", "text/htm") || port_http_lists(&r, "accept", "html") || port_http_lists(&r, "empty", "x"));
}

static bool accepts(const char *accept, const char *type)
{
	char text[400], head[400];
	port_http_reader r;
	size_t at = 0;
	const int n = snprintf(text, sizeof text, "GET / HTTP/1.1\r\nHost:h\r\n%s\r\n\r\n", accept);
	port_http_open(&r, head, sizeof head, 0);
	assert_int_equal(port_http_read(&r, (const uint8_t *)text, (size_t)n, &at), HTTP_HEAD);
	return port_http_accepts(&r, type);
}

/* RFC 9110 section 12.5.1: the most precise range that has the type counts. */
static void test_accept(void **state)
{
	static const char *const good[] = { "X: y", "Accept: a/b", "Accept: x/y, A/B", "Accept: */*", "Accept: a/*;q=0.1", "Accept: a/b;q=0.001", "Accept: a/b ; Q=1.000", "Accept: */*;q=0, a/b",
		"Accept: a/*;q=0\r\nAccept: a/b", "Accept: a/b;q=0, a/b;q=1", "Accept: a/b;x=\"q=0, \\\"\";q=1", "Accept: , ,a/b;;", "Accept: (, a/b", "Accept: a/b;q=0;q=1" };
	static const char *const bad[] = { "Accept:", "Accept: a/c", "Accept: b/*", "Accept: a/bc", "Accept: a/", "Accept: a", "Accept: */b", "Accept: a/b;q=0", "Accept: a/b;q=0.000", "Accept: */*, a/b;q=0",
		"Accept: a/*, a/b;q=0.0", "Accept: a/b;q=1.1", "Accept: a/b;q=0.0001", "Accept: a/b;q=.5", "Accept: a/b;q=", "Accept: a/b;q=-1", "Accept: a/b x", "Accept: x/y;z=\"a/b, a/b\"", "Accept: a/b;z=\"",
		"Accept: a/b;z=\"\\" };
	(void)state;
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		if (!accepts(good[i], "a/b"))
			fail_msg("%s", good[i]);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		if (accepts(bad[i], "a/b"))
			fail_msg("%s", bad[i]);
	}
}

static void test_type(void **state)
{
	static const char *const good[] = { "a/b", "A/B", "a/b;", "a/b ; c=d;e=\"f, g\"" }, *const bad[] = { "", "a", "a/b, a/b", "a/bc", "a/*", "*/*", "a/b c", "a/b;c", "a/b;=d", "a/b;c=", "a/b;c=\"d", "a /b", "x/y; z=w, a/b" };
	(void)state;
	assert_false(port_http_is_type(NULL, "a/b"));
	for (size_t i = 0; i < sizeof good / sizeof good[0]; i++) {
		if (!port_http_is_type(good[i], "a/b"))
			fail_msg("%s", good[i]);
	}
	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		if (port_http_is_type(bad[i], "a/b"))
			fail_msg("%s", bad[i]);
	}
}

/* Each byte of a request changed: whatever is made of it, nothing is read or written elsewhere. */
static void test_any_byte(void **state)
{
	static const char text[] = "POST /mcp HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\nA: b\r\n\r\n3\r\nabc\r\n0\r\n\r\n";
	char changed[sizeof text];
	(void)state;
	for (size_t i = 0; i < sizeof text - 1; i++) {
		for (unsigned byte = 1; byte < 256; byte += 1 + byte % 5) {
			memcpy(changed, text, sizeof text);
			changed[i] = (char)byte;
			const char *const whole = read_in(changed, sizeof text, sizeof text);
			char first[STORY];
			memcpy(first, whole, STORY);
			assert_string_equal(read_in(changed, 1, 1), first);
		}
	}
}

/* A peer takes of a body what it has room for; the rest is shown again, with the length or in chunks. */
static void leaves_all_but(size_t taken, const char *request)
{
	char head[HEAD], body[BODY + 1] = "";
	port_http_reader r;
	const size_t n = strlen(request);
	port_http_open(&r, head, sizeof head, BODY);
	port_http_event event = HTTP_MORE;
	for (size_t at = 0; event != HTTP_END;) {
		event = port_http_read(&r, (const uint8_t *)request, n, &at);
		assert_true(event != HTTP_MORE && event != HTTP_WRONG);
		if (event != HTTP_BODY)
			continue;
		const size_t some = r.body_length < taken ? r.body_length : taken;
		strncat(body, (const char *)r.body, some);
		port_http_leave(&r, &at, r.body_length - some);
	}
	assert_string_equal(body, "{\"a\":1,\"b\":[]}");
}

static void test_what_is_not_taken_stays(void **state)
{
	(void)state;
	for (size_t taken = 1; taken <= BODY; taken++) {
		leaves_all_but(taken, "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 14\r\n\r\n{\"a\":1,\"b\":[]}");
		leaves_all_but(taken, "POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n5\r\n{\"a\":\r\n9\r\n1,\"b\":[]}\r\n0\r\n\r\n");
	}
}

static void test_heads_of_responses(void **state)
{
	char memory[80], chunk[HTTP_CHUNK_HEAD];
	port_http_text text = { memory, sizeof memory, 0 };
	(void)state;
	port_http_put_status(&text, 404);
	port_http_put_field(&text, "A", "b c");
	port_http_put_length(&text, 1203);
	port_http_put_end(&text);
	assert_int_equal(text.length, 56);
	assert_memory_equal(memory, "HTTP/1.1 404 Not Found\r\nA: b c\r\nContent-Length: 1203\r\n\r\n", 56);
	text = (port_http_text){ memory, 10, 0 };
	memset(memory, 'x', sizeof memory);
	port_http_put_status(&text, 200);
	assert_int_equal(text.length, 17);
	assert_memory_equal(memory, "HTTP/1.1 2xxx", 13);
	assert_int_equal(port_http_put_chunk(chunk, 0), 3);
	assert_memory_equal(chunk, "0\r\n", 3);
	assert_int_equal(port_http_put_chunk(chunk, 0xFFFFFFFFu), 10);
	assert_memory_equal(chunk, "ffffffff\r\n", 10);
	assert_int_equal(port_http_put_chunk(chunk, 0x1a0), 5);
	assert_memory_equal(chunk, "1a0\r\n", 5);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_requests),
		cmocka_unit_test(test_chunks),
		cmocka_unit_test(test_trailers),
		cmocka_unit_test(test_fields_after_a_trailer),
		cmocka_unit_test(test_what_could_be_read_in_two_ways),
		cmocka_unit_test(test_the_longest_head),
		cmocka_unit_test(test_fields),
		cmocka_unit_test(test_accept),
		cmocka_unit_test(test_type),
		cmocka_unit_test(test_any_byte),
		cmocka_unit_test(test_what_is_not_taken_stays),
		cmocka_unit_test(test_heads_of_responses),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
