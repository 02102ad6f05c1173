/* SPDX-License-Identifier: MIT */
#include "cut.h"

#include "content_length.h"
#include "host_escape.h"
#include "reading.h"

#include <string.h>
#include <strings.h>

/* --- Cutting */

enum { FIRST_ROOM = 1024, LASTING_ROOM = 1 << 16 };

static bool grow_room(struct cut *cut, size_t needs)
{
	size_t room = cut->room > 0 ? cut->room : FIRST_ROOM;
	while (room < needs)
		room *= 2;
	uint8_t *const bytes = room > cut->room ? heap_resize(cut->heap, cut->bytes, room) : cut->bytes;
	if (bytes == NULL)
		return false;
	cut->bytes = bytes;
	cut->room = room;
	return true;
}

static void store_bytes(struct cut *cut, const uint8_t *data, size_t n)
{
	const size_t room = cut->most > cut->length ? cut->most - cut->length : 0;
	n = cut->most != 0 && n > room ? room : n;
	cut->too_long = cut->too_long || n > CUT_MOST - cut->length;
	cut->starved = cut->starved || (!cut->too_long && !grow_room(cut, cut->length + n + 1));
	if (cut->too_long || cut->starved)
		return;
	if (n > 0)
		memcpy(cut->bytes + cut->length, data, n);
	cut->length += n;
	cut->bytes[cut->length] = '\0';
}

/* One that is too long shows its beginning: it is no JSON then. */
static enum cut_event hand_out(struct cut *cut, enum cut_event what)
{
	store_bytes(cut, NULL, 0);
	cut->done = true;
	return what;
}

/* In front of the first line of a stream. */
static void trim_mark(struct cut *cut)
{
	const size_t mark = cut->begun ? 0 : escape_mark((const char *)cut->bytes, cut->length);
	cut->begun = true;
	if (mark == 0)
		return;
	cut->length -= mark;
	memmove(cut->bytes, cut->bytes + mark, cut->length + 1);
}

static void begin_next(struct cut *cut)
{
	if (!cut->done)
		return;
	if (cut->room > LASTING_ROOM)
		cut_free(cut);
	cut->done = cut->too_long = cut->headed = false;
	cut->length = 0;
}

/* Up to the line's end, which is used too. True if it was there. */
static bool cut_line(struct cut *cut, const uint8_t *data, size_t n, size_t *at)
{
	const uint8_t *const end = memchr(data + *at, '\n', n - *at);
	const size_t length = end != NULL ? (size_t)(end - data) - *at : n - *at;
	store_bytes(cut, data + *at, length);
	*at += length + (end != NULL);
	return end != NULL;
}

static void trim_return(struct cut *cut)
{
	if (cut->length > 0 && cut->bytes[cut->length - 1] == '\r')
		cut->bytes[--cut->length] = '\0';
}

/* A header may stand after noise on its line, or after one that breaks off; but it changes none that has a line of its own. */
static bool read_length(struct cut *cut)
{
	const char *begin = (const char *)cut->bytes, *const end = begin + cut->length;
	const bool known = cut->headed || cut->left > 0;
	size_t number = 0;
	while (*begin == '\r')
		begin++;
	const char *at = begin;
	while (at < end && !content_length_read(at, end, CUT_MOST, &number))
		at++;
	if (at == end || (known && at > begin))
		return false;
	cut->headed = true;
	cut->left = number;
	return true;
}

static enum cut_event end_header_line(struct cut *cut)
{
	trim_return(cut);
	if (cut->length == 0 && cut->left == 0)
		return hand_out(cut, cut->headed ? CUT_MESSAGE : CUT_SIGN);
	cut->in_body = cut->length == 0;
	const bool known = cut->length == 0 || read_length(cut) || strncasecmp((const char *)cut->bytes, "Content-Type:", 13) == 0;
	if (!known)
		return hand_out(cut, CUT_NOISE);
	cut->length = 0;
	return CUT_MORE;
}

static enum cut_event read_body(struct cut *cut, const uint8_t *data, size_t n, size_t *at)
{
	const size_t there = n - *at, length = there < cut->left ? there : cut->left;
	store_bytes(cut, data + *at, length);
	*at += length;
	cut->left -= length;
	cut->in_body = cut->left > 0;
	return cut->in_body ? CUT_MORE : hand_out(cut, CUT_MESSAGE);
}

static enum cut_event read_headed(struct cut *cut, const uint8_t *data, size_t n, size_t *at)
{
	enum cut_event event = CUT_MORE;
	while (event == CUT_MORE && *at < n) {
		if (cut->in_body)
			event = read_body(cut, data, n, at);
		else if (cut_line(cut, data, n, at))
			event = end_header_line(cut);
	}
	return event;
}

static enum cut_event read_next(struct cut *cut, const uint8_t *data, size_t n, size_t *at)
{
	begin_next(cut);
	if (*at >= n)
		return CUT_MORE;
	if (cut->framing != QUASH_LINES)
		return read_headed(cut, data, n, at);
	if (!cut_line(cut, data, n, at))
		return CUT_MORE;
	trim_return(cut);
	trim_mark(cut);
	return hand_out(cut, cut->length > 0 ? CUT_MESSAGE : CUT_SIGN);
}

enum cut_event cut_read(struct cut *cut, const uint8_t *data, size_t n, size_t *at)
{
	const enum cut_event event = read_next(cut, data, n, at);
	if (!cut->starved)
		return event;
	*at = n;
	return CUT_MORE;
}

size_t cut_line_in_place(struct cut *cut, const uint8_t *data, size_t n)
{
	const uint8_t *const end = n > 0 && cut->framing == QUASH_LINES ? memchr(data, '\n', n) : NULL;
	const size_t length = end != NULL ? (size_t)(end - data) : 0;
	if (length == 0 || length > CUT_MOST || data[0] == '\r' || !cut_is_between(cut) || cut->starved)
		return 0;
	if (!cut->begun && escape_mark((const char *)data, length) > 0)
		return 0;
	begin_next(cut);
	cut->begun = true;
	return length + 1;
}

bool cut_end(struct cut *cut)
{
	begin_next(cut);
	if (cut->framing == QUASH_LINES && cut->length > 0)
		trim_mark(cut);
	const bool open = cut->framing == QUASH_LINES && cut->length > 0;
	cut->done = true;
	return open;
}

bool cut_is_between(const struct cut *cut)
{
	return (cut->done || cut->length == 0) && !cut->in_body && cut->left == 0;
}

const char *cut_rest(const struct cut *cut, size_t *n)
{
	*n = cut->done || cut->bytes == NULL ? 0 : cut->length;
	return *n > 0 ? (const char *)cut->bytes : "";
}

void cut_free(struct cut *cut)
{
	heap_free(cut->heap, cut->bytes);
	cut->bytes = NULL;
	cut->length = cut->room = 0;
}

/* --- Looking */

enum look_part { PART_OTHER, PART_VERSION, PART_ID, PART_METHOD, PART_ANSWER };

struct looker {
	struct reading reading;
	struct look look;
	unsigned depth;  /* of the members of an envelope */
	bool in_key, is_number;
	enum look_part part;
	bool version, id, method, answer;
	look_found *found;
	void *context;
	char name[LOOK_NAME];
	int64_t number;       /* the id */
};

static enum look_part part_of(const struct reading *key)
{
	if (reading_is(key, "jsonrpc"))
		return PART_VERSION;
	if (reading_is(key, "id"))
		return PART_ID;
	if (reading_is(key, "method"))
		return PART_METHOD;
	return reading_is(key, "result") || reading_is(key, "error") ? PART_ANSWER : PART_OTHER;
}

static void see_value(struct looker *l)
{
	l->id = l->id || l->part == PART_ID;
	l->answer = l->answer || l->part == PART_ANSWER;
}

static int64_t id_number(const struct reading *r)
{
	int64_t number = 0;
	const char *text = r->text;
	if (r->length > READING_TEXT)
		return -1;
	for (; *text >= '0' && *text <= '9' && number < (int64_t)1 << 53; text++)
		number = number * 10 + (*text - '0');
	return *text == '\0' ? number : -1;
}

/* A method that is too long, or has a NUL, has no name. */
static void end_name(struct looker *l)
{
	const struct reading *const r = &l->reading;
	if (l->in_key) {
		l->part = part_of(r);
	} else if (l->part == PART_ID) {
		l->number = l->is_number ? id_number(r) : -1;
	} else if (l->part == PART_VERSION) {
		l->version = reading_is(r, "2.0");
	} else if (l->part == PART_METHOD) {
		const bool named = r->length < LOOK_NAME && strlen(r->text) == r->length;
		l->method = true;
		strcpy(l->name, named ? r->text : "");
	}
}

static void begin_envelope(struct looker *l)
{
	l->version = l->id = l->method = l->answer = false;
	l->number = -1;
	l->part = PART_OTHER;
}

static void end_envelope(struct looker *l)
{
	l->look.rpc = l->look.rpc || (l->version && (l->method || l->answer));
	l->look.answer = l->answer && !l->method;
	if (l->look.answer)
		l->look.answers = l->number;
	if (l->method && l->found != NULL && l->name[0] != '\0')
		l->found(l->context, l->name, !l->id);
}

static void see_member(struct looker *l, quash_lex_event event)
{
	switch (event) {
	case QUASH_LEX_KEY: l->in_key = true; break;
	case QUASH_LEX_STRING:
	case QUASH_LEX_NUMBER:
		see_value(l);
		l->in_key = false;
		l->is_number = event == QUASH_LEX_NUMBER;
		break;
	case QUASH_LEX_END: end_name(l); break;
	default: see_value(l); break;
	}
}

static void see_event(struct looker *l, quash_lex_event event)
{
	const bool opens = event == QUASH_LEX_OBJECT || event == QUASH_LEX_ARRAY;
	const unsigned depth = l->reading.lex.depth - (opens ? 1 : 0);
	if (event == QUASH_LEX_ARRAY && depth == 0) {
		l->look.array = true;
		l->depth = 2;
	} else if (event == QUASH_LEX_OBJECT && depth + 1 == l->depth) {
		begin_envelope(l);
	} else if (event == QUASH_LEX_OBJECT_END && depth + 1 == l->depth) {
		end_envelope(l);
	} else if (depth == l->depth) {
		see_member(l, event);
	}
}

/* `used`: up to where it had to be read. */
static struct look look_on(const char *text, size_t n, look_found *found, void *context, size_t *used)
{
	struct looker l = { .look = { .answers = -1 }, .depth = 1, .found = found, .context = context };
	quash_lex_event event;
	reading_begin(&l.reading, text, n);
	while ((event = reading_next(&l.reading)) != QUASH_LEX_MORE && event != QUASH_LEX_ERROR)
		see_event(&l, event);
	l.look.json = quash_lex_complete(&l.reading.lex);
	l.look.rpc = l.look.rpc && l.look.json;
	*used = l.reading.at;
	return l.look;
}

struct look look_at(const char *text, size_t n, look_found *found, void *context)
{
	size_t used;
	return look_on(text, n, found, context, &used);
}

/* Objects that stand in each other are each read to their end, or to where their text is none. No message is nested deeper than
 * QUASH_DEPTH, so noise that is read more often than that holds none. */
size_t look_for(const char *text, size_t n)
{
	size_t left = n * (QUASH_DEPTH + 2);
	for (size_t at = 0; at < n; at++) {
		size_t used;
		if (text[at] != '{')
			continue;
		if (look_on(text + at, n - at, NULL, NULL, &used).rpc)
			return at;
		if (used + 1 > left)
			break;
		left -= used + 1;
	}
	return n;
}
