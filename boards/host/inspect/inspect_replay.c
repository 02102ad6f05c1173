/* SPDX-License-Identifier: MIT */
#include "inspect_replay.h"

#include "content_length.h"
#include "cut.h"
#include "inspect_link.h"
#include "inspect_options.h"
#include "inspect_port.h"
#include "inspect_protocol.h"
#include "inspect_record.h"
#include "inspect_show.h"
#include "inspect_signals.h"

#include <stdlib.h>
#include <string.h>

/* A message from the device, in one line. */
typedef void message_taker(void *context, struct record_message message);

/* Zero at first, but for `options`, `take` and `context`. */
struct replay_line {
	const struct inspect_options *options;
	message_taker *take;
	void *context;
	struct host_device device;
	struct tap tap;
	quash_port port;
	struct cut cut;
	char *out; /* what is being written */
	size_t out_at, out_length;
};

enum { FAREWELL_MS = 2000 };

static uint32_t replay_line_now(struct replay_line *line)
{
	const quash_port port = host_device_port(&line->device);
	return port.now(port.device);
}

/* --- The line: opening and closing */

/* 0, or the exit code, and why is noted. */
static int replay_line_open(struct replay_line *line)
{
	line->device.options = line->options->device;
	line->port = tap_begin(&line->tap, &line->device, line->options);
	line->cut.heap = &heap_standard;
	line->cut.framing = line->options->protocol->dialect->framing;
	return inspect_open_device(&line->device, line->options);
}

/* What is left of a message is dropped. May take as long as a command takes to end. */
static void replay_line_close(struct replay_line *line)
{
	static const struct tap fresh_tap = { 0 };
	static const struct cut fresh_cut = { 0 };
	host_device_close(&line->device, FAREWELL_MS);
	tap_end(&line->tap);
	cut_free(&line->cut);
	free(line->out);
	line->tap = fresh_tap;
	line->cut = fresh_cut;
	line->out = NULL;
	line->out_at = line->out_length = 0;
}

static bool replay_line_is_open(const struct replay_line *line)
{
	return line->device.open;
}

static void replay_line_report_loss(struct replay_line *line)
{
	char trouble[256];
	replay_line_close(line); /* then it is known how a command has ended */
	host_device_trouble(&line->device, 0, trouble, sizeof trouble);
	note("link lost: %s", trouble);
}

/* --- The line: writing */

static size_t length_of_pieces(const struct span *pieces, size_t count)
{
	size_t length = 0;
	for (size_t i = 0; i < count; i++)
		length += pieces[i].n;
	return length;
}

static void replay_line_append(struct replay_line *line, const char *bytes, size_t length)
{
	if (length > 0)
		memcpy(line->out + line->out_length, bytes, length);
	line->out_length += length;
}

/* Begins to write a message, which stands in pieces. False without memory. Only when nothing is being written. */
static bool replay_line_send(struct replay_line *line, const struct span *pieces, size_t count)
{
	char header[CONTENT_LENGTH_ROOM] = "";
	const size_t length = length_of_pieces(pieces, count);
	const bool has_header = line->cut.framing != QUASH_LINES && length > 0; /* a life sign is an empty line */
	if (has_header)
		(void)content_length_put(header, length);
	free(line->out);
	line->out = malloc(sizeof header + length + 1);
	line->out_at = line->out_length = 0;
	if (line->out == NULL)
		return false;
	replay_line_append(line, header, strlen(header));
	for (size_t i = 0; i < count; i++)
		replay_line_append(line, pieces[i].at, pieces[i].n);
	if (!has_header)
		replay_line_append(line, "\n", 1);
	return true;
}

static bool replay_line_is_sending(const struct replay_line *line)
{
	return line->out_at < line->out_length;
}

static void replay_line_write(struct replay_line *line)
{
	while (replay_line_is_sending(line)) {
		const uint8_t *const bytes = (const uint8_t *)line->out + line->out_at;
		const int n = line->port.write(line->port.device, bytes, line->out_length - line->out_at);
		if (n <= 0)
			return;
		line->out_at += (size_t)n;
	}
}

/* --- The line: reading */

/* As the bridge does: a message may stand after noise, and in a record it is one line. */
static void replay_line_sort(struct replay_line *line)
{
	char *const text = (char *)line->cut.bytes;
	const size_t length = line->cut.length;
	const size_t at = look_at(text, length, NULL, NULL).rpc ? 0 : look_for(text, length);
	for (size_t i = at; i < length; i++)
		text[i] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
	tap_note_noise(text, at);
	if (at < length)
		line->take(line->context, record_message_of(text + at, length - at));
}

static void cut_up(struct replay_line *line, const uint8_t *data, size_t n)
{
	size_t at = 0;
	while (at < n) {
		if (cut_read(&line->cut, data, n, &at) != CUT_MORE)
			replay_line_sort(line);
	}
}

/* False when nothing will come any more. */
static bool replay_line_read(struct replay_line *line)
{
	const quash_port *const port = &line->port;
	const uint8_t *data;
	int count;
	while ((count = port->peek(port->device, &data)) > 0) {
		cut_up(line, data, (size_t)count);
		port->take(port->device, (size_t)count);
	}
	return count == 0;
}

/* Sleeps until something happens, for at most `ms`, then writes and reads. False when the line is lost. */
static bool replay_line_turn(struct replay_line *line, uint32_t ms)
{
	struct posix_stdio *const stdio = line->device.stdio;
	struct pollfd fds[] = {
		{ .fd = signals_descriptor(), .events = POLLIN },
		{ .fd = stdio->out, .events = replay_line_is_sending(line) ? POLLOUT : 0 },
		{ .fd = stdio->in, .events = POLLIN },
	};
	posix_stdio_poll(fds, 3, ms);
	posix_stdio_seen(stdio, fds + 1);
	signals_read();
	replay_line_write(line);
	return replay_line_read(line);
}

/* --- The player */

enum { ANSWER_MS = 10000, PIECES = 3 };

struct player {
	const struct inspect_options *options;
	struct record record;
	struct compare compare;
	struct replay_line line;
	size_t at; /* the first entry that was not played */
	size_t sent, progress;
	uint32_t moment, moment_recorded; /* of the line that was played last */
};

/* --- The record */

static bool begins_with(struct span text, const char *word)
{
	return text.n >= strlen(word) && memcmp(text.at, word, strlen(word)) == 0;
}

static bool is_loss(const struct entry *entry)
{
	return entry->way == RECORD_NOTE && begins_with(entry->message.text, "lost");
}

static bool is_connection(const struct entry *entry)
{
	return entry->way == RECORD_NOTE && begins_with(entry->message.text, "connected");
}

/* The next entry that is ours to play; the count when none is left. */
static size_t next_of(const struct player *p)
{
	size_t i = p->at;
	while (i < p->record.count && p->record.entries[i].way != RECORD_TO &&
		!is_loss(&p->record.entries[i]) && !is_connection(&p->record.entries[i]))
		i++;
	return i;
}

/* --- Time */

static void mark(struct player *p, uint32_t recorded)
{
	p->moment = replay_line_now(&p->line);
	p->moment_recorded = recorded;
}

/* How long to wait until an entry is as far from the line before as it was recorded, and `more`. */
static uint32_t time_until(struct player *p, size_t entry, uint32_t more)
{
	const uint32_t recorded = p->record.entries[entry].ms, passed = replay_line_now(&p->line) - p->moment;
	const uint32_t distance = (recorded > p->moment_recorded ? recorded - p->moment_recorded : 0) + more;
	return distance > passed ? distance - passed : 0;
}

/* --- What comes back */

static void compare_message(void *context, struct record_message message)
{
	struct player *const p = context;
	const size_t next = next_of(p), open = compare_open(&p->compare, next);
	if (compare_is_progress(message)) {
		p->progress++;
		return;
	}
	compare_received(&p->compare, message);
	const size_t open_now = compare_open(&p->compare, next);
	if (open_now > open)
		mark(p, p->record.entries[open_now - 1].ms);
}

/* --- What is played */

/* Answers to requests of the device have the ids that these have now. */
static bool send_entry(struct player *p, struct record_message message)
{
	struct span pieces[PIECES] = { message.text };
	const struct span id = message.id;
	if (message.method.at == NULL && id.at != NULL) {
		const size_t before = (size_t)(id.at - message.text.at);
		pieces[0].n = before;
		pieces[1] = compare_id(&p->compare, id);
		pieces[2] = (struct span){ id.at + id.n, message.text.n - before - id.n };
	}
	p->sent++;
	return replay_line_send(&p->line, pieces, PIECES);
}

/* -1, or the exit code. */
static int play(struct player *p, size_t next)
{
	const struct entry *const entry = &p->record.entries[next];
	int refused = 0;
	p->at = next + 1;
	if (entry->way == RECORD_TO && !send_entry(p, entry->message))
		refused = EXIT_NO_ANSWER;
	if (is_loss(entry))
		replay_line_close(&p->line);
	if (is_connection(entry) && !replay_line_is_open(&p->line))
		refused = replay_line_open(&p->line);
	mark(p, entry->ms);
	return refused != 0 ? refused : -1;
}

/* As recorded, or at the end, or not. -1, or the exit code. */
static int lose_line(struct player *p)
{
	const size_t next = next_of(p);
	if (next == p->record.count && compare_open(&p->compare, next) == next)
		return EXIT_RESULT;
	compare_missing(&p->compare, next);
	if (next < p->record.count && is_loss(&p->record.entries[next]))
		return play(p, next);
	replay_line_report_loss(&p->line);
	return EXIT_NO_ANSWER;
}

/* While there is no line only time passes. */
static int let_time_pass(struct player *p, uint32_t ms)
{
	struct pollfd fd = { .fd = signals_descriptor(), .events = POLLIN };
	if (replay_line_is_open(&p->line))
		return replay_line_turn(&p->line, ms) ? -1 : lose_line(p);
	posix_stdio_poll(&fd, 1, ms);
	signals_read();
	return -1;
}

static uint32_t patience_for_answer(const struct player *p)
{
	const uint32_t timeout = p->options->timed ? p->options->timeout : ANSWER_MS;
	return timeout > 0 ? timeout : INT32_MAX;
}

static int wait_for_room(struct player *p)
{
	const uint32_t ms = time_until(p, p->at - 1, patience_for_answer(p));
	if (ms > 0)
		return let_time_pass(p, ms);
	note("timeout: the device takes nothing");
	return EXIT_NO_ANSWER;
}

/* Waits for the answers that stand before an entry. */
static int wait_for_answers(struct player *p, size_t next)
{
	const uint32_t ms = time_until(p, compare_open(&p->compare, next), patience_for_answer(p));
	if (ms > 0)
		return let_time_pass(p, ms);
	compare_missing(&p->compare, next);
	return -1;
}

/* -1, or the exit code. */
static int wait_before(struct player *p, size_t next)
{
	if (replay_line_is_sending(&p->line))
		return wait_for_room(p);
	if (compare_open(&p->compare, next) < next)
		return wait_for_answers(p, next);
	return let_time_pass(p, time_until(p, next, 0));
}

static bool may_play(struct player *p, size_t next)
{
	return compare_open(&p->compare, next) == next && !replay_line_is_sending(&p->line) &&
		time_until(p, next, 0) == 0;
}

static bool goes_on(int code)
{
	return code < 0 && signals_interrupts() == 0;
}

static int play_all(struct player *p)
{
	int code = -1;
	for (size_t next; goes_on(code) && (next = next_of(p)) < p->record.count;)
		code = may_play(p, next) ? play(p, next) : wait_before(p, next);
	return code;
}

/* What is still to come. */
static int wait_for_the_rest(struct player *p)
{
	const size_t end = p->record.count;
	int code = -1;
	while (goes_on(code) && (replay_line_is_sending(&p->line) || compare_open(&p->compare, end) < end))
		code = wait_before(p, end);
	return code;
}

/* What should not come. */
static int listen_for_more(struct player *p)
{
	const uint32_t start = replay_line_now(&p->line), ms = p->options->listen;
	uint32_t passed = 0;
	int code = -1;
	while (goes_on(code) && passed < ms) {
		code = let_time_pass(p, ms - passed);
		passed = replay_line_now(&p->line) - start;
	}
	return code;
}

/* The exit code. */
static int play_record(struct player *p)
{
	int code = replay_line_open(&p->line);
	if (code != 0)
		return code;
	p->at = next_of(p);
	mark(p, p->at < p->record.count ? p->record.entries[p->at].ms : 0);
	code = play_all(p);
	if (code < 0)
		code = wait_for_the_rest(p);
	if (code < 0)
		code = listen_for_more(p);
	replay_line_close(&p->line);
	if (signals_interrupts() > 0)
		return EXIT_CANCELLED;
	return code > 0 ? code : p->compare.differences > 0 ? EXIT_ERROR : EXIT_RESULT;
}

/* --- The whole */

static void summarise(const struct player *p, size_t answers, size_t progress)
{
	char text[256];
	snprintf(text,
		sizeof text, "%zu lines sent, %zu of %zu received as recorded; differences: %zu; progress: %zu times, recorded %zu times\n",
		p->sent, p->compare.same, answers, p->compare.differences, p->progress, progress);
	show_text(text, strlen(text));
}

static size_t count_received(const struct record *record)
{
	size_t count = 0;
	for (size_t i = 0; i < record->count; i++)
		count += record->entries[i].way == RECORD_FROM;
	return count;
}

static int play_with(struct player *p, struct inspect_options *options)
{
	options->protocol = p->record.protocol;
	p->options = p->line.options = options;
	p->line.take = compare_message;
	p->line.context = p;
	const size_t progress = compare_begin(&p->compare, &p->record);
	const int code = play_record(p);
	summarise(p, count_received(&p->record) - progress, progress);
	compare_free(&p->compare);
	return code;
}

int replay(struct inspect_options *options)
{
	static struct player player;
	const char *const wrong = record_read(&player.record, options->replay, options->name);
	if (wrong != NULL)
		note("quash-inspect: %s %s", options->replay, wrong);
	const int code = wrong == NULL ? play_with(&player, options) : EXIT_USAGE;
	record_free(&player.record);
	return code;
}
