/* SPDX-License-Identifier: MIT */
#include "bridge_line.h"

#include "bridge_inner.h"
#include "format.h"

#include <string.h>

/* How many bytes may be on their way to a host; tests build it smaller. */
#ifndef LINE_OUT
#define LINE_OUT (1 << 16)
#endif
enum { SERIAL_OUT = 1024, SOCKET_OUT = LINE_OUT, READ_AHEAD = 1 << 16, FIRST_ROOM = 4096 };

/* --- Bytes */

static size_t held(const struct line_bytes *b)
{
	return b->to - b->from;
}

static bool make_room_for_bytes(const struct heap *heap, struct line_bytes *b, size_t n)
{
	if (b->from > 0 && b->to + n > b->room) {
		memmove(b->at, b->at + b->from, held(b));
		b->to -= b->from;
		b->from = 0;
	}
	if (b->to + n <= b->room)
		return true;
	const size_t need = b->to + n, twice = b->room > 0 ? 2 * b->room : FIRST_ROOM, room = need > twice ? need : twice;
	uint8_t *const at = heap_resize(heap, b->at, room);
	if (at == NULL)
		return false;
	b->at = at;
	b->room = room;
	return true;
}

/* As many as there may be, and as there is memory for. */
static size_t add_bytes(const struct heap *heap, struct line_bytes *b, size_t most, const uint8_t *bytes, size_t n)
{
	const size_t room = held(b) < most ? most - held(b) : 0, taken = n < room ? n : room;
	if (taken == 0 || !make_room_for_bytes(heap, b, taken))
		return 0;
	memcpy(b->at + b->to, bytes, taken);
	b->to += taken;
	return taken;
}

/* Memory that a burst has taken is given back with its last byte. */
static void drop_bytes(const struct heap *heap, struct line_bytes *b, size_t n)
{
	b->from += n;
	if (b->from < b->to)
		return;
	b->from = b->to = 0;
	if (b->room > FIRST_ROOM) {
		heap_free(heap, b->at);
		b->at = NULL;
		b->room = 0;
	}
}

/* --- A line */

struct bridge_line *line_new(struct bridge *b, enum bridge_way way)
{
	struct bridge_line *const line = heap_new(&b->heap, sizeof *line);
	if (line == NULL)
		return NULL;
	line->bridge = b;
	line->way = way;
	line->state = LINE_OPEN;
	line->in_most = READ_AHEAD;
	line->out_most = SOCKET_OUT;
	line->next = b->lines;
	if (line->next != NULL)
		line->next->before = line;
	b->lines = line;
	return line;
}

static void leave_news(struct bridge_line *line)
{
	struct bridge_line **at = &line->bridge->news;
	while (line->news && *at != line)
		at = &(*at)->next_news;
	if (line->news)
		*at = line->next_news;
	line->news = false;
}

static void leave_wishes(struct bridge_line *line)
{
	struct bridge_line **at = &line->bridge->wishes;
	while (line->wishes != 0 && *at != line)
		at = &(*at)->next_wish;
	if (line->wishes != 0)
		*at = line->next_wish;
	line->wishes = 0;
}

static void free_line(struct bridge_line *line)
{
	struct bridge *const b = line->bridge;
	leave_news(line);
	leave_wishes(line);
	if (line->before != NULL)
		line->before->next = line->next;
	else
		b->lines = line->next;
	if (line->next != NULL)
		line->next->before = line->before;
	heap_free(&b->heap, line->in.at);
	heap_free(&b->heap, line->out.at);
	heap_free(&b->heap, line);
}

void line_drop(struct bridge_line *line)
{
	free_line(line);
}

void lines_free(struct bridge *b)
{
	while (b->lines != NULL)
		free_line(b->lines);
}

struct bridge_line *line_inner(struct bridge *b)
{
	struct bridge_line *const line = line_new(b, BRIDGE_HTTP);
	if (line == NULL)
		return NULL;
	line->state = LINE_INNER;
	line->in_most = SIZE_MAX;
	return line;
}

/* --- For the host: news */

static void note_news(struct bridge_line *line)
{
	if (line->news || line->state == LINE_FAILED || line->state == LINE_INNER)
		return;
	line->news = true;
	line->next_news = line->bridge->news;
	line->bridge->news = line;
}

struct bridge_line *bridge_next(struct bridge *b)
{
	struct bridge_line *const line = b->news;
	if (line != NULL)
		leave_news(line);
	return line;
}

/* --- For the host: wishes */

/* In the order in which they came. */
static void wish(struct bridge_line *line, enum bridge_wish_kind kind)
{
	struct bridge_line **last = &line->bridge->wishes;
	if (line->wishes == 0) {
		while (*last != NULL)
			last = &(*last)->next_wish;
		*last = line;
		line->next_wish = NULL;
	}
	line->wishes |= 1u << kind;
}

bool bridge_wants(struct bridge *b, struct bridge_wish *to)
{
	struct bridge_line *const line = b->wishes;
	unsigned kind = BRIDGE_OPENS;
	if (line == NULL)
		return false;
	while ((line->wishes >> kind & 1) == 0)
		kind++;
	*to = (struct bridge_wish){ (enum bridge_wish_kind)kind, line, line->device, line->ms };
	if (line->wishes == 1u << kind)
		leave_wishes(line);
	line->wishes &= ~(1u << kind);
	return true;
}

struct bridge_line *line_open(struct bridge *b, unsigned device)
{
	struct bridge_line *const line = line_new(b, BRIDGE_DEVICE);
	if (line == NULL)
		return NULL;
	line->device = device;
	line->state = LINE_OPENING;
	line->out_most = b->options.devices[device].options.kind == DEVICE_TTY ? SERIAL_OUT : SOCKET_OUT;
	wish(line, BRIDGE_OPENS);
	return line;
}

void line_hang_up(struct bridge_line *line)
{
	if (line->state == LINE_OPEN)
		wish(line, BRIDGE_HANGS_UP);
}

/* One that the host does not know is nobody's. */
void line_close(struct bridge_line *line, uint32_t ms)
{
	const bool unknown = (line->wishes >> BRIDGE_OPENS & 1) != 0;
	if (unknown || line->state == LINE_FAILED || line->state == LINE_INNER) {
		free_line(line);
		return;
	}
	line->state = LINE_CLOSING;
	line->ms = ms;
	wish(line, BRIDGE_CLOSES);
}

/* --- Of the engine */

bool line_shows(const struct bridge_line *line)
{
	const bool ends = line->lost || (line->input_ends && !line->ended);
	return held(&line->in) > 0 || (ends && !line->gone);
}

bool line_is_full(const struct bridge_line *line)
{
	return !line->lost && held(&line->out) >= line->out_most;
}

bool line_is_clear(const struct bridge_line *line)
{
	return line->lost || held(&line->out) == 0;
}

/* What the host has told of stands before the turn that learns the time. */
uint32_t line_left(struct bridge_line *line, uint32_t most)
{
	const uint32_t now = line->bridge->now;
	line->since = line->moved ? now : line->since;
	line->moved = false;
	if (line_is_clear(line))
		return UINT32_MAX;
	return now - line->since < most ? most - (now - line->since) : 0;
}

bool line_is_stuffed(const struct bridge_line *line)
{
	return held(&line->in) >= line->in_most;
}

size_t line_unread(const struct bridge_line *line)
{
	return held(&line->in);
}

bool line_hand_in(struct bridge_line *line, const char *bytes, size_t n)
{
	line->stirs = true;
	return add_bytes(&line->bridge->heap, &line->in, SIZE_MAX, (const uint8_t *)bytes, n) == n;
}

static int line_peek(void *device, const uint8_t **bytes)
{
	struct bridge_line *const line = device;
	if (line->gone)
		return QUASH_GONE;
	if (held(&line->in) > 0) {
		*bytes = line->in.at + line->in.from;
		return (int)held(&line->in);
	}
	line->gone = line->lost;
	line->ended = line->ended || line->input_ends;
	return line->gone ? QUASH_GONE : line->ended ? QUASH_END : 0;
}

static void line_take(void *device, size_t n)
{
	struct bridge_line *const line = device;
	const bool full = held(&line->in) >= line->in_most;
	drop_bytes(&line->bridge->heap, &line->in, n);
	if ((full || line->refused) && n > 0)
		note_news(line);
}

/* What a device has transmitted before it went is still read: only then it is gone. */
static int line_write(void *device, const uint8_t *data, size_t n)
{
	struct bridge_line *const line = device;
	if (line->gone || line->lost)
		return line->way == BRIDGE_DEVICE && !line->gone ? 0 : QUASH_GONE;
	const bool first = held(&line->out) == 0;
	const size_t taken = add_bytes(&line->bridge->heap, &line->out, line->out_most, data, n);
	line->moved = line->moved || first;
	if (taken > 0)
		note_news(line);
	return (int)taken;
}

static uint32_t now(void *device)
{
	const struct bridge_line *const line = device;
	return line->bridge->now;
}

quash_port line_port(struct bridge_line *line)
{
	return (quash_port){ line_peek, line_take, line_write, now, line };
}

/* --- Of the host */

static void stir(struct bridge_line *line)
{
	line->stirs = line->bridge->stirred = true;
}

void bridge_keep(struct bridge_line *line, void *of_host)
{
	line->of_host = of_host;
}

void *bridge_kept(const struct bridge_line *line)
{
	return line->of_host;
}

bool bridge_reads(const struct bridge_line *line)
{
	return line->state == LINE_OPEN && !line->input_ends && !line->lost && held(&line->in) < line->in_most;
}

size_t bridge_feed(struct bridge_line *line, const uint8_t *bytes, size_t n)
{
	if (line->state == LINE_CLOSING)
		return n; /* nobody reads it any more */
	const size_t taken = bridge_reads(line) ? add_bytes(&line->bridge->heap, &line->in, line->in_most, bytes, n) : 0;
	line->refused = taken < n;
	line->bridge->starved = line->bridge->starved || (line->refused && bridge_reads(line));
	if (taken > 0)
		stir(line);
	return taken;
}

/* Nothing that leaves a line tells when there is memory for it again. In the same turn it would be in vain, and without end. */
void lines_retry(struct bridge *b)
{
	if (!b->starved)
		return;
	b->starved = false;
	for (struct bridge_line *line = b->lines; line != NULL; line = line->next) {
		if (line->refused && bridge_reads(line))
			note_news(line);
	}
}

uint8_t *bridge_room(struct bridge_line *line, size_t most, size_t *n)
{
	const size_t room = bridge_reads(line) ? line->in_most - held(&line->in) : 0;
	*n = room < most ? room : most;
	return *n > 0 && make_room_for_bytes(&line->bridge->heap, &line->in, *n) ? line->in.at + line->in.to : NULL;
}

void bridge_fed(struct bridge_line *line, size_t n)
{
	line->in.to += n;
	line->refused = false;
	stir(line);
}

const uint8_t *bridge_out(const struct bridge_line *line, size_t *n)
{
	*n = held(&line->out);
	return *n > 0 ? line->out.at + line->out.from : NULL;
}

/* For a device nothing waits until what is written has left, but for room and for the end. */
void bridge_sent(struct bridge_line *line, size_t n)
{
	struct bridge *const b = line->bridge;
	const bool waits = line->way != BRIDGE_DEVICE || line_is_full(line) || b->ending != ENDING_NOT;
	drop_bytes(&b->heap, &line->out, n);
	line->moved = line->moved || n > 0;
	line->stirs = true;
	b->stirred = b->stirred || waits;
}

void bridge_opened(struct bridge_line *line)
{
	if (line->state == LINE_OPENING)
		line->state = LINE_OPEN;
	stir(line);
}

void bridge_ended(struct bridge_line *line, bool unread)
{
	line->hung = true;
	line->input_ends = line->input_ends || !unread;
	stir(line);
}

static void keep_words(struct bridge_line *line, const char *words)
{
	format_text(line->words, sizeof line->words, "%s", words);
	stir(line);
}

void bridge_lost(struct bridge_line *line, const char *words)
{
	line->lost = line->hung = true;
	keep_words(line, words);
}

void bridge_failed(struct bridge_line *line, enum bridge_why why, const char *words)
{
	const bool wanted = line->state == LINE_OPENING;
	line->why = why;
	keep_words(line, words);
	line->state = LINE_FAILED;
	if (!wanted)
		free_line(line);
}

void bridge_closed(struct bridge_line *line)
{
	stir(line);
	free_line(line);
}
