/* SPDX-License-Identifier: MIT
 * http: the data are how a stream is cut, and the stream. What the reader of HTTP makes of it is the same however it is cut. A body is
 * never longer than it may be, and what stands in a head has no end of a line in it. A media type is one that is accepted by a list that is
 * just that. */
#include "drive.h"
#include "http/http.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 200, BODY = 64, CUTS = 16, STORY = 8192 };

/* What was read: events, with what they had. */
struct story {
	size_t n, body;
	char text[STORY];
};

static void tell(struct story *s, const char *text, size_t n)
{
	for (size_t i = 0; i < n && s->n < STORY; i++)
		s->text[s->n++] = text[i];
}

static void tell_text(struct story *s, const char *text)
{
	if (strpbrk(text, "\r\n") != NULL)
		broken("head", "a line ends in %s", text);
	tell(s, text, strlen(text) + 1);
}

/* In memory of just its size. */
static bool is_type(const char *value)
{
	const size_t size = strlen(value) + 1;
	char *const copy = malloc(size);
	if (copy == NULL)
		abort();
	memcpy(copy, value, size);
	const bool is = port_http_is_type(copy, "a/b");
	free(copy);
	return is;
}

static void tell_types(struct story *s, const port_http_reader *r)
{
	unsigned found = 0;
	const char *const type = port_http_field(r, "a", NULL), *const accept = port_http_single(r, "accept", &found);
	const bool is = type != NULL && is_type(type), accepts = port_http_accepts(r, "a/b");
	tell(s, is ? "t" : "-", 1);
	tell(s, accepts ? "a" : "-", 1);
	if (found == 1 && is_type(accept) && strchr(accept, 'q') == NULL && strchr(accept, 'Q') == NULL && !accepts)
		broken("accept", "%s has a/b", accept);
}

/* A name that no field can have is looked for up to their end. */
static void tell_fields(struct story *s, const port_http_reader *r)
{
	const char *const length = port_http_field(r, "content-length", NULL), *const host = port_http_field(r, "host", NULL);
	tell_text(s, length != NULL ? length : "no length");
	tell_text(s, host != NULL ? host : "no host");
	if (port_http_field(r, "no name", NULL) != NULL)
		broken("field", "a name has a blank");
}

/* The head in its plainest form, whose length depends on nothing that was cut. */
static void tell_head(struct story *s, const port_http_reader *r)
{
	tell_text(s, r->method);
	tell_text(s, r->target);
	tell_fields(s, r);
	tell_types(s, r);
	tell(s, r->closes ? "c" : "k", 1);
	tell(s, r->waits ? "w" : "-", 1);
	s->body = 0;
}

static void tell_event(struct story *s, const port_http_reader *r, port_http_event event)
{
	switch (event) {
	case HTTP_HEAD: tell_head(s, r); break;
	case HTTP_BODY:
		tell(s, (const char *)r->body, r->body_length);
		s->body += r->body_length;
		break;
	case HTTP_END:
		tell(s, "\xFF", 1);
		tell_fields(s, r);
		break;
	case HTTP_WRONG: tell(s, "\xFE", 1); break;
	default: break;
	}
	if (s->body > BODY)
		broken("body", "%zu bytes in a body of at most %d", s->body, BODY);
}

/* Bytes stand in memory of just their size. False: it is refused. */
static bool feed(port_http_reader *r, struct story *s, const uint8_t *data, size_t n)
{
	uint8_t *const piece = malloc(n + (n == 0));
	port_http_event event = HTTP_HEAD;
	size_t at = 0;
	if (piece == NULL)
		abort();
	memcpy(piece, data, n);
	while (event != HTTP_MORE && event != HTTP_WRONG) {
		event = port_http_read(r, piece, n, &at);
		if (at > n || (event == HTTP_MORE && at != n))
			broken("place", "%zu of %zu", at, n);
		tell_event(s, r, event);
		if (event == HTTP_END)
			port_http_next(r);
	}
	free(piece);
	return event != HTTP_WRONG;
}

/* Cut as the bytes of `cuts` say; NULL: not at all. */
static void read_story(struct story *s, const uint8_t *cuts, const uint8_t *data, size_t n)
{
	char *const head = malloc(HEAD);
	port_http_reader r;
	bool good = true;
	if (head == NULL)
		abort();
	s->n = s->body = 0;
	port_http_open(&r, head, HEAD, BODY);
	for (size_t at = 0, i = 0; at < n && good; i++) {
		const size_t wished = cuts != NULL ? 1u + cuts[i % CUTS] % 32u : n, step = wished < n - at ? wished : n - at;
		good = feed(&r, s, data + at, step);
		at += step;
	}
	free(head);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct story whole, cut;
	if (size < CUTS)
		return 0;
	read_story(&whole, NULL, data + CUTS, size - CUTS);
	read_story(&cut, data, data + CUTS, size - CUTS);
	if (whole.n != cut.n || memcmp(whole.text, cut.text, whole.n) != 0)
		broken("cut", "%zu bytes are told of the whole, %zu of what is cut", whole.n, cut.n);
	return 0;
}
