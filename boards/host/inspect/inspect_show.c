/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "inspect_show.h"

#include "host_escape.h"
#include "inspect_signals.h"
#include "text.h"

#include <errno.h>
#include <poll.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* --- Streams */

/* The command may share our stderr, and programs make what they share non-blocking without a word: these streams wait all the
 * same until everything is written. */

/* Ctrl-C does not wait for a reader that does not read; no other signal loses text. */
static bool waits(int descriptor, int interrupts)
{
	struct pollfd room = { .fd = descriptor, .events = POLLOUT };
	if (errno == EAGAIN)
		poll(&room, 1, -1);
	else if (errno != EINTR)
		return false;
	return signals_interrupts() == interrupts;
}

/* Returns 0 when it cannot write all, as posix_system_stream wants it. */
static ssize_t write_stream(void *cookie, const char *text, size_t length)
{
	const int descriptor = *(const int *)cookie, interrupts = signals_interrupts();
	size_t done = 0;
	while (done < length) {
		const ssize_t written = write(descriptor, text + done, length - done);
		if (written >= 0)
			done += (size_t)written;
		else if (!waits(descriptor, interrupts))
			return 0;
	}
	return (ssize_t)length;
}

static FILE *results_stream(void)
{
	static FILE *stream;
	static int descriptor = STDOUT_FILENO;
	if (stream == NULL)
		stream = posix_system_stream(&descriptor, write_stream);
	return stream != NULL ? stream : stdout;
}

static FILE *notes_stream(void)
{
	static FILE *stream;
	static int descriptor = STDERR_FILENO;
	if (stream == NULL)
		stream = posix_system_stream(&descriptor, write_stream);
	return stream != NULL ? stream : stderr;
}

enum { MOST_FORMATTED = 4095 };

static struct {
	bool in_place;  /* the progress line stands on the terminal */
	bool open_line; /* stdout's last line has no end */
	bool failed;    /* there was no memory for what was to be shown */
} screen;

/* --- Text */

/* The one way to both. A note is one line, whatever stands in it; results that do not go to a terminal are passed on as they
 * are. */
static void put_on_screen(FILE *to, const char *text, size_t length)
{
	const bool results = to == results_stream();
	if (results && !isatty(STDOUT_FILENO))
		fwrite(text, 1, length, to);
	else
		escape_put(to, results ? ESCAPE_LINES : ESCAPE_LINE, text, length);
}

static void put_json(FILE *to, quash_value value)
{
	struct builder made = build_begin(&heap_standard);
	text_put(&made, value);
	char *const text = build_end(&made);
	screen.failed = screen.failed || text == NULL;
	fputs(text != NULL ? text : "", to);
	heap_free(&heap_standard, text);
}

/* --- Notes */

static void leave_progress(void)
{
	if (screen.in_place) {
		putc('\n', notes_stream());
		fflush(notes_stream());
	}
	screen.in_place = false;
}

void note_open(void)
{
	if (isatty(STDOUT_FILENO)) /* which shows both */
		show_line_end();
	leave_progress();
}

static void put_formatted(const char *format, va_list arguments)
{
	char text[MOST_FORMATTED + 1];
	vsnprintf(text, sizeof text, format, arguments);
	put_on_screen(notes_stream(), text, strlen(text));
}

void note_part(const char *format, ...)
{
	va_list arguments;
	va_start(arguments, format);
	put_formatted(format, arguments);
	va_end(arguments);
}

void note_text(const char *text, size_t length)
{
	put_on_screen(notes_stream(), text, length);
}

void note_value(quash_value value)
{
	if (quash_kind_of(value) == QUASH_STRING)
		note_text(quash_text(value), quash_length(value));
	else
		put_json(notes_stream(), value);
}

void note_close(void)
{
	putc('\n', notes_stream());
	fflush(notes_stream());
}

void note(const char *format, ...)
{
	va_list arguments;
	note_open();
	va_start(arguments, format);
	put_formatted(format, arguments);
	va_end(arguments);
	note_close();
}

void note_progress_open(void)
{
	if (isatty(STDERR_FILENO) && screen.in_place)
		fputs("\r\033[K", notes_stream());
	else
		note_open();
}

void note_progress_close(void)
{
	screen.in_place = isatty(STDERR_FILENO);
	if (!screen.in_place)
		putc('\n', notes_stream());
	fflush(notes_stream());
}

/* --- Results */

static void begin_result(void)
{
	fflush(results_stream());
	leave_progress();
}

void show_text(const char *text, size_t length)
{
	if (length == 0)
		return;
	begin_result();
	put_on_screen(results_stream(), text, length);
	screen.open_line = text[length - 1] != '\n';
	fflush(results_stream());
}

void show_value(quash_value value)
{
	if (quash_kind_of(value) == QUASH_STRING)
		show_text(quash_text(value), quash_length(value));
	else
		show_json(value);
}

void show_json(quash_value value)
{
	begin_result();
	put_json(results_stream(), value);
	screen.open_line = true;
}

void show_line_end(void)
{
	if (screen.open_line)
		putc('\n', results_stream());
	screen.open_line = false;
	fflush(results_stream());
}

bool show_flush(void)
{
	show_line_end();
	leave_progress();
	return fflush(results_stream()) == 0 && !ferror(results_stream()) && !screen.failed;
}
