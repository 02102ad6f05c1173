/* SPDX-License-Identifier: MIT */
#include "bridge_http_head.h"

#include "bridge.h"
#include "bridge_stranger.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- Who may ask */

/* A page whose name has been given our address shows that name in its Host (DNS rebinding). An address in numbers cannot be given away
 * so, nor can `localhost`. */
static bool is_number_of_v4(const char *host, size_t n)
{
	unsigned dots = 0;
	for (size_t i = 0; i < n; i++) {
		dots += host[i] == '.';
		if (host[i] != '.' && (host[i] < '0' || host[i] > '9'))
			return false;
	}
	return dots == 3;
}

static size_t length_of_host(const char *host)
{
	const char *const bracket = host[0] == '[' ? strchr(host, ']') : NULL;
	return bracket != NULL ? (size_t)(bracket - host) + 1 : strcspn(host, ":/");
}

static bool is_named(const char *host, size_t n)
{
	for (unsigned i = 0; i < bridge.options.http_host_count; i++) {
		const char *const name = bridge.options.http_hosts[i];
		if (strlen(name) == n && strncasecmp(name, host, n) == 0)
			return true;
	}
	return false;
}

static bool is_host_let_in(const char *host)
{
	const size_t n = length_of_host(host);
	const char *const rest = host + n;
	const bool port = rest[0] == '\0' || (rest[0] == ':' && rest[1 + strspn(rest + 1, "0123456789")] == '\0');
	const bool local = n == strlen("localhost") && strncasecmp(host, "localhost", n) == 0;
	return port && (local || host[0] == '[' || is_number_of_v4(host, n) || is_named(host, n));
}

/* A page of this machine, or of a name that was let in. */
static bool is_origin_let_in(const char *origin)
{
	const char *const mark = strstr(origin, "://");
	const char *const host = mark != NULL ? mark + 3 : "";
	const size_t n = length_of_host(host);
	const bool web = strncmp(origin, "http://", 7) == 0 || strncmp(origin, "https://", 8) == 0;
	const bool local = (n == 9 && strncasecmp(host, "localhost", n) == 0) || (n == 5 && strncmp(host, "[::1]", n) == 0) ||
		(strncmp(host, "127.", 4) == 0 && is_number_of_v4(host, n));
	return web && (local || is_named(host, n)) && is_host_let_in(host);
}

static bool has_token(const port_http_reader *head)
{
	static const char scheme[] = "bearer ";
	const char *const value = port_http_single(head, "authorization", NULL);
	if (bridge.options.token == NULL)
		return true;
	if (value == NULL || strncasecmp(value, scheme, sizeof scheme - 1) != 0)
		return false;
	const char *const token = value + sizeof scheme - 1 + strspn(value + sizeof scheme - 1, " ");
	return stranger_shows_token(token, strlen(token));
}

/* A page's browser asks without a token whether it may ask with one. */
static bool asks_before(const port_http_reader *head)
{
	return strcmp(head->method, "OPTIONS") == 0 && port_http_field(head, "access-control-request-method", NULL) != NULL;
}

unsigned http_refusal(const port_http_reader *head)
{
	unsigned origins = 0;
	const char *const host = port_http_single(head, "host", NULL), *const origin = port_http_single(head, "origin", &origins);
	if (host != NULL && !is_host_let_in(host))
		return 403;
	if (origins > 1 || (origin != NULL && !is_origin_let_in(origin)))
		return 403;
	return has_token(head) || asks_before(head) ? 0 : 401;
}

const char *http_origin(const port_http_reader *head)
{
	const char *const origin = port_http_single(head, "origin", NULL);
	return origin != NULL && is_origin_let_in(origin) ? origin : NULL;
}

bool http_accepts(const port_http_reader *head, const char *type)
{
	char family[32];
	const size_t n = strcspn(type, "/") + 1;
	if (port_http_field(head, "accept", NULL) == NULL || port_http_lists(head, "accept", "*/*") || port_http_lists(head, "accept", type))
		return true;
	if (n + 2 > sizeof family)
		return false;
	memcpy(family, type, n);
	family[n] = '*';
	family[n + 1] = '\0';
	return port_http_lists(head, "accept", family);
}

/* --- Values of the body in fields */

static int digit_of(char c)
{
	static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
	const char *const found = c != '\0' ? strchr(digits, c) : NULL;
	return found != NULL ? (int)(found - digits) : -1;
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
static char *meaning_of(const char *value, bool may_be_coded)
{
	static const char begin[] = "=?base64?", end[] = "?=";
	const size_t n = strlen(value), head = sizeof begin - 1, tail = sizeof end - 1;
	char *const text = malloc(n + 1);
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
	free(text);
	return NULL;
}

static bool is_same_number(const char *a, const char *b)
{
	static const char digits[] = "0123456789+-.eE";
	char *end_a = NULL, *end_b = NULL;
	const double x = strtod(a, &end_a), y = strtod(b, &end_b);
	return a[strspn(a, digits)] == '\0' && end_a != a && end_b != b && *end_a == '\0' && *end_b == '\0' && x >= y && x <= y;
}

bool http_field_is(const port_http_reader *head, const char *name, struct span value, bool coded)
{
	const char *const field = port_http_single(head, name, NULL);
	char *const said = field != NULL ? meaning_of(field, coded) : NULL, *const meant = span_text(value);
	bool is = said != NULL && meant != NULL && strcmp(said, meant) == 0;
	if (!is && said != NULL && meant != NULL && !span_begins(value, '"'))
		is = is_same_number(said, meant);
	free(said);
	free(meant);
	return is;
}

static bool argument_matches(const port_http_reader *head, struct span mark, struct span argument)
{
	enum { NAME = 128 };
	static const char prefix[] = "mcp-param-";
	char name[NAME];
	char *const text = span_text(mark);
	const size_t n = text != NULL ? strlen(text) : 0;
	const bool fits = n > 0 && n < NAME - sizeof prefix;
	if (fits) {
		memcpy(name, prefix, sizeof prefix - 1);
		memcpy(name + sizeof prefix - 1, text, n + 1);
	}
	free(text);
	if (!fits)
		return true;
	if (argument.at == NULL || span_begins(argument, 'n'))
		return port_http_field(head, name, NULL) == NULL;
	return http_field_is(head, name, argument, true);
}

/* As deep as properties nest in each other, which is less than QUASH_DEPTH. */
bool http_arguments_match(const port_http_reader *head, struct span schema, struct span arguments)
{
	const struct span properties = span_member(schema, "properties");
	struct span key, property;
	size_t place = 0;
	while (span_begins(properties, '{') && span_next(properties, &place, &key, &property)) {
		char *const name = span_text(key);
		const struct span argument = name != NULL ? span_member(arguments, name) : (struct span){ NULL, 0 };
		const struct span mark = span_member(property, "x-mcp-header");
		free(name);
		if (span_begins(mark, '"') && !argument_matches(head, mark, argument))
			return false;
		if (span_begins(property, '{') && !http_arguments_match(head, property, argument))
			return false;
	}
	return true;
}
