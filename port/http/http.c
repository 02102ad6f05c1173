/* SPDX-License-Identifier: MIT */
#include "http.h"

/* --- Bytes */

static bool is_digit(char c)
{
	return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
	return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static char small(char c)
{
	return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c;
}

/* RFC 9110 section 5.6.2. */
static bool is_token(char c)
{
	static const char others[] = "!#$%&'*+-.^_`|~";
	for (size_t i = 0; i < sizeof others - 1; i++) {
		if (c == others[i])
			return true;
	}
	return is_digit(c) || is_letter(c);
}

static bool is_blank(char c)
{
	return c == ' ' || c == '\t';
}

/* RFC 9110 section 5.5: no control character but the tab. */
static bool is_content(char c)
{
	return c == '\t' || ((unsigned char)c >= ' ' && c != 0x7f);
}

static bool is_same(const char *a, const char *b)
{
	size_t i = 0;
	while (a[i] != '\0' && small(a[i]) == small(b[i]))
		i++;
	return a[i] == b[i];
}

static int hex(char c)
{
	const char s = small(c);
	if (is_digit(c))
		return c - '0';
	return s >= 'a' && s <= 'f' ? s - 'a' + 10 : -1;
}

/* --- Fields: `name NUL value NUL`, one after the other */

static size_t length_of(const char *text)
{
	size_t n = 0;
	while (text[n] != '\0')
		n++;
	return n;
}

const char *port_http_field(const port_http_reader *r, const char *name, const char *after)
{
	size_t at = after != NULL ? (size_t)(after - r->head) + length_of(after) + 1 : r->fields;
	while (at < r->fields_end) {
		const char *const found = r->head + at, *const value = found + length_of(found) + 1;
		if (is_same(found, name))
			return value;
		at = (size_t)(value - r->head) + length_of(value) + 1;
	}
	return NULL;
}

const char *port_http_single(const port_http_reader *r, const char *name, unsigned *found)
{
	const char *const first = port_http_field(r, name, NULL);
	const bool more = first != NULL && port_http_field(r, name, first) != NULL;
	if (found != NULL)
		*found = first == NULL ? 0 : more ? 2
						  : 1;
	return more ? NULL : first;
}

static bool has_word(const char *value, const char *word)
{
	const size_t length = length_of(word);
	while (*value != '\0') {
		size_t n = 0;
		while (*value == ',' || is_blank(*value))
			value++;
		while (n < length && value[n] != '\0' && small(value[n]) == small(word[n]))
			n++;
		const char *end = value + n;
		while (is_blank(*end))
			end++;
		if (n == length && (*end == '\0' || *end == ',' || *end == ';'))
			return true;
		while (*value != '\0' && *value != ',')
			value++;
	}
	return false;
}

bool port_http_lists(const port_http_reader *r, const char *name, const char *word)
{
	const char *value = port_http_field(r, name, NULL);
	while (value != NULL && !has_word(value, word))
		value = port_http_field(r, name, value);
	return value != NULL;
}

/* --- Media types (RFC 9110 sections 8.3.1, 12.4.2, 12.5.1) */

/* `type/subtype`, which either may be `*`, and its quality in thousandths. */
struct range {
	const char *text;
	size_t length;
	unsigned quality;
};

static const char *skip_token(const char *at)
{
	while (is_token(*at))
		at++;
	return at;
}

static const char *skip_blanks(const char *at)
{
	while (is_blank(*at))
		at++;
	return at;
}

/* A token or a quoted string. NULL: neither. */
static const char *skip_value(const char *at)
{
	if (*at != '"')
		return is_token(*at) ? skip_token(at) : NULL;
	for (at++; *at != '"'; at++) {
		at += *at == '\\';
		if (!is_content(*at))
			return NULL;
	}
	return at + 1;
}

/* From 0 to 1, with at most three digits behind the point. */
static bool read_quality(const char *at, const char *end, unsigned *quality)
{
	unsigned weight = 1000, sum = 0;
	const char *digit = at;
	for (; digit < end; digit++) {
		if (digit == at + 1 ? *digit != '.' : !is_digit(*digit) || weight == 0)
			return false;
		if (digit == at + 1)
			continue;
		sum += weight * (unsigned)(*digit - '0');
		weight /= 10;
	}
	*quality = sum;
	return digit > at && sum <= 1000;
}

/* `; name=value`, of which only `q` counts. NULL: it is malformed. */
static const char *read_parameter(const char *at, struct range *range)
{
	const char *const name = skip_blanks(at + 1), *const equals = skip_token(name);
	if (equals == name)
		return name; /* RFC 9110 section 5.6.6 lets it be missing */
	const char *const end = *equals == '=' ? skip_value(equals + 1) : NULL;
	const bool weighs = equals == name + 1 && small(*name) == 'q';
	return end != NULL && weighs && !read_quality(equals + 1, end, &range->quality) ? NULL : end;
}

/* Where it ends: at a comma or the end of the value. NULL: it is malformed. */
static const char *read_range(const char *at, struct range *range)
{
	const char *const slash = skip_token(at), *end = *slash == '/' ? skip_token(slash + 1) : slash;
	*range = (struct range){ at, (size_t)(end - at), 1000 };
	if (slash == at || end <= slash + 1)
		return NULL;
	for (end = skip_blanks(end); *end == ';'; end = skip_blanks(end)) {
		end = read_parameter(end, range);
		if (end == NULL)
			return NULL;
	}
	return *end == ',' || *end == '\0' ? end : NULL;
}

static bool begins(const struct range *range, const char *type, size_t n)
{
	size_t i = 0;
	while (i < n && i < range->length && small(range->text[i]) == small(type[i]))
		i++;
	return i == n;
}

/* How precisely it names the type: 3 by both parts, 2 by the first one, 1 by neither; 0: it does not. */
static unsigned precision_of(const struct range *range, const char *type)
{
	const size_t whole = length_of(type), family = (size_t)(skip_token(type) - type) + 1;
	if (range->length == whole && begins(range, type, whole))
		return 3;
	if (range->length == family + 1 && begins(range, type, family) && range->text[family] == '*')
		return 2;
	return range->length == 3 && begins(range, "*/*", 3) ? 1 : 0;
}

bool port_http_is_type(const char *value, const char *type)
{
	struct range range;
	const char *const end = value != NULL ? read_range(value, &range) : NULL;
	return end != NULL && *end == '\0' && precision_of(&range, type) == 3;
}

/* Of two that are as precise the better one counts. A malformed one does not. */
static void weigh(const char *value, const char *type, struct range *best, unsigned *precision)
{
	struct range range;
	for (const char *at = value; *at != '\0';) {
		const char *end = skip_blanks(at);
		const char *const read = read_range(end, &range);
		const unsigned found = read != NULL ? precision_of(&range, type) : 0;
		if (found > *precision || (found > 0 && found == *precision && range.quality > best->quality)) {
			*precision = found;
			*best = range;
		}
		end = read != NULL ? read : end;
		while (*end != '\0' && *end != ',')
			end++;
		at = *end == ',' ? end + 1 : end;
	}
}

bool port_http_accepts(const port_http_reader *r, const char *type)
{
	struct range best = { NULL, 0, 0 };
	unsigned precision = 0;
	const char *value = port_http_field(r, "accept", NULL);
	if (value == NULL)
		return true;
	for (; value != NULL; value = port_http_field(r, "accept", value))
		weigh(value, type, &best, &precision);
	return best.quality > 0;
}

/* --- The head */

enum state { START,
	HEAD,
	LENGTH,
	CHUNK_SIZE,
	CHUNK_EXTENSION,
	CHUNK_SIZE_END,
	CHUNK,
	CHUNK_CR,
	CHUNK_LF,
	TRAILER,
	TRAILER_NAME,
	TRAILER_VALUE,
	TRAILER_LF,
	TRAILER_END,
	ENDED,
	REFUSED };

void port_http_open(port_http_reader *r, char *head, size_t head_size, uint32_t body_most)
{
	static const port_http_reader none;
	*r = none;
	r->head = head;
	r->head_size = head_size;
	r->body_most = body_most;
}

void port_http_next(port_http_reader *r)
{
	if (r->state == ENDED)
		port_http_open(r, r->head, r->head_size, r->body_most);
}

bool port_http_is_idle(const port_http_reader *r)
{
	return r->state == START && r->head_length == 0;
}

bool port_http_takes_chunks(const port_http_reader *r)
{
	return r->minor > 0;
}

static port_http_event refuse(port_http_reader *r, uint16_t status)
{
	r->status = status;
	r->state = REFUSED;
	r->closes = true;
	return HTTP_WRONG;
}

/* A line of the head that was collected ends at `*end` with CR LF; NUL takes the place of CR. False: it ends otherwise. */
static bool end_line(port_http_reader *r, size_t from, size_t *end)
{
	size_t at = from;
	while (at < r->head_length && is_content(r->head[at]))
		at++;
	if (at + 1 >= r->head_length || r->head[at] != '\r' || r->head[at + 1] != '\n')
		return false;
	r->head[at] = '\0';
	*end = at;
	return true;
}

/* `METHOD target HTTP/1.x`, which stands at the beginning. 0, or the status. */
static uint16_t read_request_line(port_http_reader *r)
{
	static const char version[] = "HTTP/";
	char *const line = r->head;
	size_t i = 0;
	while (is_token(line[i]))
		i++;
	if (i == 0 || line[i] != ' ')
		return 400;
	line[i++] = '\0';
	r->method = line;
	r->target = line + i;
	while (line[i] > ' ')
		i++;
	if (r->target == line + i || line[i] != ' ')
		return 400;
	line[i++] = '\0';
	for (size_t k = 0; k < sizeof version - 1; k++) {
		if (line[i++] != version[k])
			return 400;
	}
	if (!is_digit(line[i]) || line[i + 1] != '.' || !is_digit(line[i + 2]) || line[i + 3] != '\0')
		return 400;
	r->minor = (uint8_t)(line[i + 2] != '0');
	return line[i] == '1' ? 0 : 505;
}

/* Makes `name NUL value NUL` of the line from `from` to `end`, at `*to`, which is at most `from`. */
static bool read_field(port_http_reader *r, size_t from, size_t end, size_t *to)
{
	char *const head = r->head;
	size_t at = from, last = end;
	while (at < end && is_token(head[at]))
		head[(*to)++] = small(head[at++]);
	if (at == from || at >= end || head[at] != ':')
		return false;
	at++;
	head[(*to)++] = '\0';
	while (at < last && is_blank(head[at]))
		at++;
	while (last > at && is_blank(head[last - 1]))
		last--;
	while (at < last)
		head[(*to)++] = head[at++];
	head[(*to)++] = '\0';
	return true;
}

static bool read_fields(port_http_reader *r, size_t from)
{
	size_t end = 0, to = from;
	r->fields = from;
	for (;;) {
		if (!end_line(r, from, &end))
			return false;
		if (end == from)
			break;
		if (!read_field(r, from, end, &to))
			return false;
		from = end + 2;
	}
	r->head_length = r->fields_end = to;
	return true;
}

/* Of digits alone. False also for more than 2^32 - 1, which is more than any body may have. */
static bool read_length(const char *text, uint32_t *length)
{
	uint64_t sum = 0;
	size_t i = 0;
	for (; is_digit(text[i]) && sum <= UINT32_MAX; i++)
		sum = sum * 10 + (uint64_t)(text[i] - '0');
	*length = sum > UINT32_MAX ? UINT32_MAX : (uint32_t)sum;
	return i > 0 && (text[i] == '\0' || sum > UINT32_MAX);
}

/* How the body is framed (RFC 9112 section 6.3). 0, or the status. */
static uint16_t read_framing(port_http_reader *r)
{
	unsigned lengths = 0, codings = 0;
	const char *const length = port_http_single(r, "content-length", &lengths);
	const char *const coding = port_http_single(r, "transfer-encoding", &codings);
	if (lengths > 1 || (lengths > 0 && codings > 0) || (codings > 0 && r->minor == 0))
		return 400;
	if (codings > 1 || (coding != NULL && !is_same(coding, "chunked")))
		return 501;
	r->chunked = codings > 0;
	if (length != NULL && !read_length(length, &r->left))
		return 400;
	return r->left > r->body_most ? 413 : 0;
}

static uint16_t read_head(port_http_reader *r)
{
	size_t end = 0;
	unsigned hosts = 0;
	uint16_t status = end_line(r, 0, &end) ? read_request_line(r) : 400;
	if (status == 0 && !read_fields(r, end + 2))
		status = 400;
	if (status == 0)
		status = read_framing(r);
	if (status != 0)
		return status;
	(void)port_http_single(r, "host", &hosts);
	if (hosts > 1 || (hosts == 0 && r->minor > 0))
		return 400;
	r->closes = port_http_lists(r, "connection", "close") || (r->minor == 0 && !port_http_lists(r, "connection", "keep-alive"));
	r->waits = r->minor > 0 && port_http_lists(r, "expect", "100-continue");
	return 0;
}

static bool has_come(const port_http_reader *r)
{
	const size_t n = r->head_length;
	return n >= 4 && r->head[n - 4] == '\r' && r->head[n - 3] == '\n' && r->head[n - 2] == '\r' && r->head[n - 1] == '\n';
}

/* Empty lines before a request do not count (RFC 9112 section 2.2). */
static port_http_event collect(port_http_reader *r, const uint8_t *bytes, size_t n, size_t *at)
{
	while (*at < n) {
		const char c = (char)bytes[(*at)++];
		if (r->state == START && (c == '\r' || c == '\n'))
			continue;
		r->state = HEAD;
		if (r->head_length >= r->head_size)
			return refuse(r, 431);
		r->head[r->head_length++] = c;
		if (!has_come(r))
			continue;
		const uint16_t status = read_head(r);
		if (status != 0)
			return refuse(r, status);
		r->state = r->chunked ? CHUNK_SIZE : LENGTH;
		r->sum = 0;
		r->body_length = 0;
		return HTTP_HEAD;
	}
	return HTTP_MORE;
}

/* --- The body */

static port_http_event end(port_http_reader *r)
{
	r->state = ENDED;
	return HTTP_END;
}

static port_http_event pass(port_http_reader *r, const uint8_t *bytes, size_t n, size_t *at)
{
	const size_t there = n - *at;
	r->body = bytes + *at;
	r->body_length = there < r->left ? there : (size_t)r->left;
	r->left -= (uint32_t)r->body_length;
	*at += r->body_length;
	return r->body_length > 0 ? HTTP_BODY : HTTP_MORE;
}

/* `left` is the chunk's size so far, `body_length` the number of its digits. */
static uint16_t read_size(port_http_reader *r, char c)
{
	enum { MOST_DIGITS = 8 };
	const int digit = hex(c);
	if (digit >= 0) {
		if (++r->body_length > MOST_DIGITS)
			return 413;
		r->left = r->left << 4 | (uint32_t)digit;
		return 0;
	}
	if (r->body_length == 0)
		return 400;
	r->state = c == '\r' ? CHUNK_SIZE_END : CHUNK_EXTENSION;
	return c == '\r' || c == ';' || is_blank(c) ? 0 : 400;
}

static uint16_t begin_chunk(port_http_reader *r)
{
	if (r->left > r->body_most - r->sum)
		return 413;
	r->sum += r->left;
	r->state = r->left > 0 ? CHUNK : TRAILER;
	return 0;
}

/* To the next state; 400 for a byte that does not fit into this one. */
static uint16_t go(port_http_reader *r, bool fits, enum state next)
{
	r->state = (uint8_t)next;
	return fits ? 0 : 400;
}

/* Fields after a chunked body are not read, but they are fields; an empty line ends them. */
static uint16_t skip_trailer(port_http_reader *r, char c)
{
	if (++r->head_length > r->head_size)
		return 431;
	switch ((enum state)r->state) {
	case TRAILER: return c == '\r' ? go(r, true, TRAILER_END) : go(r, is_token(c), TRAILER_NAME);
	case TRAILER_NAME: return c == ':' ? go(r, true, TRAILER_VALUE) : go(r, is_token(c), TRAILER_NAME);
	case TRAILER_VALUE: return c == '\r' ? go(r, true, TRAILER_LF) : go(r, is_content(c), TRAILER_VALUE);
	case TRAILER_LF: return go(r, c == '\n', TRAILER);
	default: return go(r, c == '\n', ENDED);
	}
}

/* A byte between the bytes of chunks. 0, or the status. */
static uint16_t step(port_http_reader *r, char c)
{
	switch ((enum state)r->state) {
	case CHUNK_SIZE: return read_size(r, c);
	case CHUNK_EXTENSION:
		r->state = c == '\r' ? CHUNK_SIZE_END : CHUNK_EXTENSION;
		return ++r->head_length > r->head_size ? 431 : c == '\r' || is_content(c) ? 0
											  : 400;
	case CHUNK_SIZE_END: return c == '\n' ? begin_chunk(r) : 400;
	case CHUNK_CR: r->state = CHUNK_LF; return c == '\r' ? 0 : 400;
	case CHUNK_LF: r->state = CHUNK_SIZE; return c == '\n' ? 0 : 400;
	default: return skip_trailer(r, c);
	}
}

static port_http_event read_chunks(port_http_reader *r, const uint8_t *bytes, size_t n, size_t *at)
{
	while (*at < n) {
		if (r->state == CHUNK && r->left > 0)
			return pass(r, bytes, n, at);
		if (r->state == CHUNK) {
			r->state = CHUNK_CR;
			r->body_length = 0;
		}
		const uint16_t status = step(r, (char)bytes[(*at)++]);
		if (status != 0)
			return refuse(r, status);
		if (r->state == ENDED)
			return HTTP_END;
	}
	return HTTP_MORE;
}

void port_http_leave(port_http_reader *r, size_t *at, size_t n)
{
	r->body_length -= n;
	r->left += (uint32_t)n;
	*at -= n;
}

port_http_event port_http_read(port_http_reader *r, const uint8_t *bytes, size_t n, size_t *at)
{
	switch ((enum state)r->state) {
	case START:
	case HEAD: return collect(r, bytes, n, at);
	case LENGTH: return r->left == 0 ? end(r) : pass(r, bytes, n, at);
	case ENDED: return HTTP_END;
	case REFUSED: return HTTP_WRONG;
	default: return read_chunks(r, bytes, n, at);
	}
}

/* --- Responses */

static void put(port_http_text *text, char c)
{
	if (text->length < text->size)
		text->to[text->length] = c;
	text->length++;
}

static void put_text(port_http_text *text, const char *more)
{
	for (size_t i = 0; more[i] != '\0'; i++)
		put(text, more[i]);
}

static void put_number(port_http_text *text, size_t number)
{
	char digits[sizeof number * 3];
	size_t n = 0;
	do {
		digits[n++] = (char)('0' + number % 10);
		number /= 10;
	} while (number > 0 && n < sizeof digits);
	while (n > 0)
		put(text, digits[--n]);
}

static const char *reason_of(unsigned status)
{
	static const struct {
		uint16_t status;
		const char *reason;
	} all[] = { { 100, "Continue" }, { 200, "OK" }, { 202, "Accepted" }, { 204, "No Content" }, { 400, "Bad Request" },
		{ 401, "Unauthorized" }, { 403, "Forbidden" }, { 404, "Not Found" }, { 405, "Method Not Allowed" },
		{ 406, "Not Acceptable" }, { 408, "Request Timeout" }, { 409, "Conflict" }, { 413, "Content Too Large" },
		{ 415, "Unsupported Media Type" }, { 431, "Request Header Fields Too Large" }, { 500, "Internal Server Error" },
		{ 501, "Not Implemented" }, { 503, "Service Unavailable" }, { 505, "HTTP Version Not Supported" } };
	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++) {
		if (all[i].status == status)
			return all[i].reason;
	}
	return "";
}

void port_http_put_status(port_http_text *text, unsigned status)
{
	put_text(text, "HTTP/1.1 ");
	put_number(text, status);
	put(text, ' ');
	put_text(text, reason_of(status));
	port_http_put_end(text);
}

void port_http_put_field(port_http_text *text, const char *name, const char *value)
{
	put_text(text, name);
	put_text(text, ": ");
	put_text(text, value);
	port_http_put_end(text);
}

void port_http_put_length(port_http_text *text, size_t length)
{
	put_text(text, "Content-Length: ");
	put_number(text, length);
	port_http_put_end(text);
}

void port_http_put_end(port_http_text *text)
{
	put_text(text, "\r\n");
}

size_t port_http_put_chunk(char to[HTTP_CHUNK_HEAD], uint32_t length)
{
	static const char digits[] = "0123456789abcdef";
	size_t n = 0;
	for (int shift = 28; shift >= 0; shift -= 4) {
		const uint32_t digit = length >> shift & 15u;
		if (digit > 0 || n > 0 || shift == 0)
			to[n++] = digits[digit];
	}
	to[n++] = '\r';
	to[n++] = '\n';
	return n;
}
