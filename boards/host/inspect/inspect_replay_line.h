/* SPDX-License-Identifier: MIT
 * The line to the device that a record is played against: whole messages, without a peer of the library. */
#ifndef INSPECT_REPLAY_LINE_H
#define INSPECT_REPLAY_LINE_H

#include "inspect_member.h"
#include "inspect_port.h"

/* A message from the device, in one line. */
typedef void message_taker(void *context, struct text message);

/* Zero at first, but for `options`, `take` and `context`. */
struct replay_line {
	const struct options *options;
	message_taker *take;
	void *context;
	struct device device;
	struct wire wire;
	quash_port port;
	struct cut cut;
	char *out; /* what is being written */
	size_t out_at, out_length;
};

/* Opens the device. 0, or the exit code, and the reason is noted. */
int replay_line_open(struct replay_line *line);

/* Closes it, and gives the memory back. What is left of a message is dropped. May
 * take as long as a command takes to end. */
void replay_line_close(struct replay_line *line);

bool replay_line_is_open(const struct replay_line *line);

/* Begins to write a message, which stands in pieces. False without memory. Only when nothing is being written. */
bool replay_line_send(struct replay_line *line, const struct text *pieces, size_t count);
bool replay_line_is_sending(const struct replay_line *line);

/* Sleeps until something happens, for at most `ms`, then writes and reads. False when the line is lost. */
bool replay_line_turn(struct replay_line *line, uint32_t ms);

/* Closes the line, and notes why it is lost. */
void replay_line_report_loss(struct replay_line *line);

uint32_t replay_line_now(struct replay_line *line);

#endif
