/* SPDX-License-Identifier: MIT */
#include "inspect_replay_line.h"

#include "look.h"
#include "inspect_open.h"
#include "inspect_protocol.h"
#include "inspect_show.h"
#include "inspect_signals.h"

#include <stdlib.h>
#include <string.h>

enum { HEADER = 64, FAREWELL_MS = 2000 };

uint32_t replay_line_now(struct replay_line *line)
{
	const quash_port port = device_port(&line->device);
	return port.now(port.device);
}

/* --- Opening and closing */

int replay_line_open(struct replay_line *line)
{
	line->device.options = line->options->device;
	line->port = wire_begin(&line->wire, &line->device, line->options);
	line->cut.framing = line->options->protocol->dialect->framing;
	return open_device(&line->device, line->options);
}

void replay_line_close(struct replay_line *line)
{
	static const struct wire fresh_wire = { 0 };
	static const struct cut fresh_cut = { 0 };
	device_close(&line->device, FAREWELL_MS);
	wire_end(&line->wire);
	cut_free(&line->cut);
	free(line->out);
	line->wire = fresh_wire;
	line->cut = fresh_cut;
	line->out = NULL;
	line->out_at = line->out_length = 0;
}

bool replay_line_is_open(const struct replay_line *line)
{
	return line->device.open;
}

void replay_line_report_loss(struct replay_line *line)
{
	char trouble[256];
	replay_line_close(line); /* then it is known how a command has ended */
	device_trouble(&line->device, 0, trouble, sizeof trouble);
	note("link lost: %s", trouble);
}

/* --- Writing */

static size_t length_of(const struct text *pieces, size_t count)
{
	size_t length = 0;
	for (size_t i = 0; i < count; i++)
		length += pieces[i].length;
	return length;
}

static void append(struct replay_line *line, const char *bytes, size_t length)
{
	if (length > 0)
		memcpy(line->out + line->out_length, bytes, length);
	line->out_length += length;
}

bool replay_line_send(struct replay_line *line, const struct text *pieces, size_t count)
{
	char header[HEADER] = "";
	const size_t length = length_of(pieces, count);
	const bool has_header = line->cut.framing != QUASH_LINES && length > 0; /* a life sign is an empty line */
	if (has_header)
		snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", length);
	free(line->out);
	line->out = malloc(HEADER + length + 1);
	line->out_at = line->out_length = 0;
	if (line->out == NULL)
		return false;
	append(line, header, strlen(header));
	for (size_t i = 0; i < count; i++)
		append(line, pieces[i].at, pieces[i].length);
	if (!has_header)
		append(line, "\n", 1);
	return true;
}

bool replay_line_is_sending(const struct replay_line *line)
{
	return line->out_at < line->out_length;
}

static void write_out(struct replay_line *line)
{
	while (replay_line_is_sending(line)) {
		const uint8_t *const bytes = (const uint8_t *)line->out + line->out_at;
		const int n = line->port.write(line->port.device, bytes, line->out_length - line->out_at);
		if (n <= 0)
			return;
		line->out_at += (size_t)n;
	}
}

/* --- Reading */

/* As the bridge does: a message may stand behind noise, and in a record it is one line. */
static void sort(struct replay_line *line)
{
	char *const text = (char *)line->cut.bytes;
	const size_t length = line->cut.length;
	const size_t at = look_at(text, length, NULL, NULL).rpc ? 0 : look_for(text, length);
	for (size_t i = at; i < length; i++)
		text[i] = text[i] == '\n' || text[i] == '\r' ? ' ' : text[i];
	note_noise(text, at);
	if (at < length)
		line->take(line->context, (struct text){ text + at, length - at });
}

static void cut_up(struct replay_line *line, const uint8_t *data, size_t n)
{
	size_t at = 0;
	while (at < n) {
		if (cut_read(&line->cut, data, n, &at) != CUT_MORE)
			sort(line);
	}
}

/* False when nothing will come any more. */
static bool read_in(struct replay_line *line)
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

bool replay_line_turn(struct replay_line *line, uint32_t ms)
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
	write_out(line);
	return read_in(line);
}
