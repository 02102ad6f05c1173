/* SPDX-License-Identifier: MIT */
#include "bridge_http_head.h"

#include "bridge_inner.h"
#include "bridge_stranger.h"
#include "format.h"
#include "text.h"

#include <string.h>
#include <strings.h>

/* --- Who may ask */

static const char digits[] = "0123456789", hex_digits[] = "0123456789abcdefABCDEF";

static size_t length_of(const char *set, const char *text, size_t n)
{
	size_t i = 0;
	while (i < n && text[i] != '\0' && strchr(set, text[i]) != NULL)
		i++;
	return i;
}

/* At most that number, which is less than 100,000. Without zeros in front, but for 0 itself. */
static bool is_decimal(const char *text, size_t n, unsigned most)
{
	unsigned number = 0;
	if (n == 0 || n > 5 || length_of(digits, text, n) != n || (text[0] == '0' && n > 1))
		return false;
	for (size_t i = 0; i < n; i++)
		number = 10 * number + (unsigned)(text[i] - '0');
	return number <= most;
}

/* RFC 3986 section 3.2.2: IPv4address. */
static bool is_v4(const char *text, size_t n)
{
	unsigned count = 1;
	for (size_t at = 0, length = 0;; at += length + 1, count++) {
		length = length_of(digits, text + at, n - at);
		if (!is_decimal(text + at, length, 255))
			return false;
		if (at + length == n)
			return count == 4;
		if (text[at + length] != '.' || count == 4)
			return false;
	}
}

/* The same: IPv6address. */
static bool is_v6(const char *text, size_t n)
{
	unsigned groups = 0;
	bool gap = n >= 2 && text[0] == ':' && text[1] == ':';
	for (size_t at = gap ? 2 : 0; at < n;) {
		const size_t length = length_of(hex_digits, text + at, n - at);
		if (at + length < n && text[at + length] == '.')
			return is_v4(text + at, n - at) && (gap ? groups < 6 : groups == 6);
		if (length == 0 || length > 4)
			return false;
		groups++;
		at += length;
		if (at < n && (text[at] != ':' || ++at == n))
			return false;
		if (at < n && text[at] == ':') {
			if (gap)
				return false;
			gap = true;
			at++;
		}
	}
	return gap ? groups < 8 : groups == 8;
}

/* `HOST[:PORT]`. */
struct authority {
	const char *host;
	size_t length; /* of the host */
};

/* False: it is none. */
static bool read_authority(const char *text, size_t n, struct authority *a)
{
	const char *const bracket = n > 0 && text[0] == '[' ? memchr(text, ']', n) : NULL;
	const char *const colon = memchr(text, ':', n);
	const size_t length = bracket != NULL ? (size_t)(bracket - text) + 1 : colon != NULL ? (size_t)(colon - text) : n;
	*a = (struct authority){ text, length };
	if (length == n)
		return true;
	const char *const port = text + length + 1;
	const size_t left = n - length - 1, zeros = length_of("0", port, left);
	return text[length] == ':' && (left == zeros || is_decimal(port + zeros, left - zeros, 65535));
}

static bool is_text(const struct authority *a, const char *text)
{
	return strlen(text) == a->length && strncasecmp(text, a->host, a->length) == 0;
}

static bool is_named(struct bridge *b, const struct authority *a)
{
	for (unsigned i = 0; i < b->options.http_host_count; i++) {
		if (is_text(a, b->options.http_hosts[i]))
			return true;
	}
	return false;
}

static bool is_v6_host(const struct authority *a)
{
	return a->length > 2 && a->host[0] == '[' && a->host[a->length - 1] == ']' && is_v6(a->host + 1, a->length - 2);
}

/* A page whose name has been given our address shows that name in its Host (DNS rebinding). An address in numbers cannot be given away
 * so, nor can `localhost`. */
static bool is_host_let_in(struct bridge *b, const char *text, size_t n)
{
	struct authority a;
	return read_authority(text, n, &a) && (is_text(&a, "localhost") || is_v6_host(&a) || is_v4(a.host, a.length) || is_named(b, &a));
}

/* Behind `http://` or `https://`; NULL: it does not begin so. */
static const char *skip_scheme(const char *text)
{
	if (strncasecmp(text, "http://", 7) == 0)
		return text + 7;
	return strncasecmp(text, "https://", 8) == 0 ? text + 8 : NULL;
}

/* RFC 9112 section 3.2.2: the host of an absolute target is the one that counts. */
static bool is_target_let_in(struct bridge *b, const port_http_reader *head, const char **host, size_t *n)
{
	const char *const absolute = skip_scheme(head->target), *const field = port_http_single(head, "host", NULL);
	*host = absolute != NULL ? absolute : field;
	if (*host == NULL)
		return true;
	*n = absolute != NULL ? strcspn(absolute, "/?#") : strlen(field);
	return is_host_let_in(b, *host, *n);
}

const char *http_path(const port_http_reader *head)
{
	const char *const absolute = skip_scheme(head->target), *const at = absolute != NULL ? absolute + strcspn(absolute, "/?#") : head->target;
	return at[0] == '/' ? at : NULL;
}

bool http_path_is(const port_http_reader *head, const char *path)
{
	const char *const is = http_path(head);
	const size_t n = strlen(path);
	if (is == NULL || strncmp(is, path, n) != 0)
		return false;
	const char *const rest = is + n + (n > 1 && is[n] == '/');
	return rest[0] == '\0' || rest[0] == '?';
}

/* --- Origins */

static bool is_of_web(const char *origin)
{
	return strncmp(origin, "http://", 7) == 0 || strncmp(origin, "https://", 8) == 0;
}

/* Where its host begins; NULL: it is no origin as browsers show it (RFC 6454 section 6.2). */
static const char *host_of_origin(const char *origin)
{
	const size_t scheme = strspn(origin, "abcdefghijklmnopqrstuvwxyz0123456789+-.");
	const char *const host = origin + scheme + 3;
	if (scheme == 0 || strncmp(origin + scheme, "://", 3) != 0 || host[0] == '\0' || host[strlen(host) - 1] == ':')
		return NULL;
	for (const char *c = host; *c != '\0'; c++) {
		if (*c <= ' ' || *c >= 0x7f || strchr("/?#@*,\"\\", *c) != NULL)
			return NULL;
	}
	return host;
}

static bool is_all_of_scheme(const char *text)
{
	const size_t n = strlen(text);
	char any[256];
	if (n < 5 || n >= sizeof any || strcmp(text + n - 4, "://*") != 0)
		return false;
	memcpy(any, text, n + 1);
	any[n - 1] = 'x';
	return !is_of_web(text) && host_of_origin(any) != NULL;
}

bool http_is_origin(const char *text)
{
	return host_of_origin(text) != NULL || is_all_of_scheme(text);
}

static bool is_origin_named(struct bridge *b, const char *origin)
{
	for (unsigned i = 0; i < b->options.http_origin_count; i++) {
		const char *const said = b->options.http_origins[i];
		const bool all = is_all_of_scheme(said);
		if (all ? strncmp(said, origin, strlen(said) - 1) == 0 : strcmp(said, origin) == 0)
			return true;
	}
	return false;
}

/* A page of the bridge itself: it has come by the address that this request names too. A name that an attacker may have made is let in as
 * none of ours. */
static bool is_same_origin(struct bridge *b, const port_http_reader *head, const char *own)
{
	const char *host = NULL;
	size_t n = 0;
	return is_target_let_in(b, head, &host, &n) && host != NULL && strlen(own) == n && strncasecmp(own, host, n) == 0;
}

/* A page of this machine, of the bridge, or of a name that was let in. */
static bool is_origin_let_in(struct bridge *b, const port_http_reader *head, const char *origin)
{
	struct authority a;
	const char *const host = host_of_origin(origin);
	if (host == NULL || is_origin_named(b, origin))
		return host != NULL;
	if (!is_of_web(origin) || !read_authority(host, strlen(host), &a))
		return false;
	return is_same_origin(b, head, host) || is_text(&a, "localhost") || is_text(&a, "[::1]") || (strncmp(host, "127.", 4) == 0 && is_v4(a.host, a.length)) || is_named(b, &a);
}

static bool has_token(struct bridge *b, const port_http_reader *head)
{
	static const char scheme[] = "bearer ";
	const char *const value = port_http_single(head, "authorization", NULL);
	if (b->options.token == NULL)
		return true;
	if (value == NULL || strncasecmp(value, scheme, sizeof scheme - 1) != 0)
		return false;
	const char *const token = value + sizeof scheme - 1 + strspn(value + sizeof scheme - 1, " ");
	return stranger_shows_token(b, token, strlen(token));
}

/* A page's browser asks without a token whether it may ask with one. */
static bool asks_before(const port_http_reader *head)
{
	return strcmp(head->method, "OPTIONS") == 0 && port_http_field(head, "access-control-request-method", NULL) != NULL;
}

/* The page itself holds no secret. What it asks for needs the token. */
static bool is_page(struct bridge *b, const port_http_reader *head)
{
	const bool reads = strcmp(head->method, "GET") == 0 || strcmp(head->method, "HEAD") == 0;
	return b->options.page != NULL && reads && http_path_is(head, "/");
}

static unsigned refuse_head(char why[HTTP_WHY], const char *what, const char *value, size_t n, const char *option)
{
	char shown[LOG_TEXT];
	format_text(why, HTTP_WHY, "its %s \"%s\" is not let in, see %s", what, log_text(shown, value, n), option);
	return 403;
}

unsigned http_refusal(struct bridge *b, const port_http_reader *head, char why[HTTP_WHY])
{
	unsigned origins = 0;
	size_t n = 0;
	const char *host = NULL, *const origin = port_http_single(head, "origin", &origins);
	if (!is_target_let_in(b, head, &host, &n))
		return refuse_head(why, skip_scheme(head->target) != NULL ? "target's host" : "Host", host, n, "--http-host");
	if (origins > 1)
		return refuse_head(why, "second Origin", "", 0, "--http-origin");
	if (origin != NULL && !is_origin_let_in(b, head, origin))
		return refuse_head(why, "Origin", origin, strlen(origin), "--http-origin");
	if (has_token(b, head) || asks_before(head) || is_page(b, head))
		return 0;
	format_text(why, HTTP_WHY, "its token is missing or wrong");
	return 401;
}

const char *http_origin(struct bridge *b, const port_http_reader *head)
{
	const char *const origin = port_http_single(head, "origin", NULL);
	return origin != NULL && is_origin_let_in(b, head, origin) ? origin : NULL;
}

/* --- Values of the body in fields */

static int digit_of(char c)
{
	static const char all[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *const found = c != '\0' ? strchr(all, c) : NULL;
	return found != NULL ? (int)(found - all) : -1;
}

/* RFC 4648 section 4. `to` has room for 3 bytes for each 4. False: it is none. */
static bool decode_base64(const char *text, size_t n, char *to)
{
	size_t length = 0;
	if (n % 4 != 0)
		return false;
	for (size_t at = 0; at < n; at += 4) {
		const bool last = at + 4 == n;
		const size_t pad = last && text[at + 3] == '=' ? (text[at + 2] == '=' ? 2 : 1) : 0;
		uint32_t bits = 0;
		for (size_t i = 0; i < 4; i++) {
			const int digit = i < 4 - pad ? digit_of(text[at + i]) : 0;
			if (digit < 0)
				return false;
			bits = bits << 6 | (uint32_t)digit;
		}
		for (size_t i = 0; i < 3 - pad; i++)
			to[length++] = (char)(bits >> (16 - 8 * i));
		if (memchr(to + length - (3 - pad), '\0', 3 - pad) != NULL)
			return false;
	}
	to[length] = '\0';
	return true;
}

/* What the field's value stands for. The caller frees it; NULL: nothing. */
static char *meaning_of(struct bridge *b, const char *value, bool may_be_coded)
{
	static const char begin[] = "=?base64?", end[] = "?=";
	const size_t n = strlen(value), head = sizeof begin - 1, tail = sizeof end - 1;
	char *const text = heap_resize(&b->heap, NULL, n + 1);
	if (text == NULL)
		return NULL;
	const bool coded = may_be_coded && n >= head + tail && strncmp(value, begin, head) == 0 && strcmp(value + n - tail, end) == 0;
	bool good = true;
	if (coded)
		good = decode_base64(value + head, n - head - tail, text);
	else
		memcpy(text, value, n + 1);
	for (size_t i = 0; !coded && i < n; i++)
		good = good && (unsigned char)value[i] < 0x7f;
	if (good)
		return text;
	heap_free(&b->heap, text);
	return NULL;
}

bool http_field_is(struct bridge *b, const port_http_reader *head, const char *name, struct span value, bool coded)
{
	const char *const field = port_http_single(head, name, NULL);
	char *const said = field != NULL ? meaning_of(b, field, coded) : NULL, *const meant = span_text(&b->heap, value);
	bool is = said != NULL && meant != NULL && strcmp(said, meant) == 0;
	if (!is && said != NULL && meant != NULL && !span_begins(value, '"'))
		is = text_is_same_number(said, meant);
	heap_free(&b->heap, said);
	heap_free(&b->heap, meant);
	return is;
}

static bool argument_matches(struct bridge *b, const port_http_reader *head, struct span mark, struct span argument)
{
	enum { NAME = 128 };
	static const char prefix[] = "mcp-param-";
	char name[NAME];
	char *const text = span_text(&b->heap, mark);
	const size_t n = text != NULL ? strlen(text) : 0;
	const bool fits = n > 0 && n < NAME - sizeof prefix;
	if (fits) {
		memcpy(name, prefix, sizeof prefix - 1);
		memcpy(name + sizeof prefix - 1, text, n + 1);
	}
	heap_free(&b->heap, text);
	if (!fits)
		return true;
	if (argument.at == NULL || span_begins(argument, 'n'))
		return port_http_field(head, name, NULL) == NULL;
	return http_field_is(b, head, name, argument, true);
}

/* As deep as properties nest in each other, which is less than QUASH_DEPTH. */
bool http_arguments_match(struct bridge *b, const port_http_reader *head, struct span schema, struct span arguments)
{
	const struct span properties = span_member(schema, "properties");
	struct span key, property;
	size_t place = 0;
	while (span_begins(properties, '{') && span_next(properties, &place, &key, &property)) {
		char *const name = span_text(&b->heap, key);
		const struct span argument = name != NULL ? span_member(arguments, name) : (struct span){ NULL, 0 };
		const struct span mark = span_member(property, "x-mcp-header");
		heap_free(&b->heap, name);
		if (span_begins(mark, '"') && !argument_matches(b, head, mark, argument))
			return false;
		if (span_begins(property, '{') && !http_arguments_match(b, head, property, argument))
			return false;
	}
	return true;
}
