/* SPDX-License-Identifier: MIT
 * A line, as the engine sees it: what was fed and not read yet, and what is to leave. */
#ifndef BRIDGE_LINE_H
#define BRIDGE_LINE_H

#include "bridge.h"
#include "quash/port.h"

/** Bytes in their order. */
struct line_bytes {
	uint8_t *at;
	size_t from, to, room;
};

enum line_state {
	LINE_OPENING, /* its device is being opened */
	LINE_OPEN,
	LINE_CLOSING, /* the host was told to close it */
	LINE_FAILED,  /* the host knows it no more */
	LINE_INNER    /* no host knows it */
};

struct bridge_line {
	struct bridge *bridge;
	struct bridge_line *next, *before; /* of all */
	struct bridge_line *next_news;     /* of those that `bridge_next` returns */
	struct bridge_line *next_wish;     /* of those that `bridge_wants` tells of */
	enum bridge_way way;
	enum line_state state;
	unsigned device;       /* of BRIDGE_DEVICE */
	void *of_host;
	struct line_bytes in, out;
	size_t in_most, out_most;
	bool moved;            /* some of `out` has left since `line_left` was asked, */
	uint32_t since;        /* when it was, or something began to wait */
	bool news;             /* it is one of the former */
	unsigned wishes;       /* a bit for each kind that the host has not been told */
	uint32_t ms;           /* in which it is to be closed */
	bool refused;          /* bytes were fed that it did not take */
	bool stirs;            /* something of it has come, or has left, since its owner had a turn */
	bool hung;             /* the other side has finished, whatever of it is unread */
	bool lost;             /* it is gone */
	bool input_ends;       /* behind `in` */
	bool ended;            /* and all of that was read and taken */
	bool gone;             /* nothing passes any more */
	enum bridge_why why;   /* it has failed */
	char words[128];       /* the same, or why it is lost */
};

/** A line of a client, which is open. NULL: no memory. */
struct bridge_line *line_new(struct bridge *bridge, enum bridge_way way);

/** The line of that device of the options, which the host is to open. NULL: no memory. */
struct bridge_line *line_open(struct bridge *bridge, unsigned device);

/** A line that no host knows: what `line_hand_in` gives is read. NULL: no memory. */
struct bridge_line *line_inner(struct bridge *bridge);

/** Adds to what is to be read. False: there is no memory. */
bool line_hand_in(struct bridge_line *line, const char *bytes, size_t n);

/** How many bytes of it are to be read. */
size_t line_unread(const struct bridge_line *line);

/** The port of its bytes, for a peer: `QUASH_END` when the other side has finished and all was taken, `QUASH_GONE` when it is closed. What
 * was fed is read before that. */
quash_port line_port(struct bridge_line *line);

/** True if something of it is to be read, or its end. */
bool line_shows(const struct bridge_line *line);

/** True if writing would take nothing now. */
bool line_is_full(const struct bridge_line *line);

/** True if what was written has left, or never will. */
bool line_is_clear(const struct bridge_line *line);

/** Milliseconds until something has waited to leave for `most`, and none of it has left; UINT32_MAX: nothing waits. To be asked in each
 * turn in which something does. */
uint32_t line_left(struct bridge_line *line, uint32_t most);

/** True if as much has come as there may be: more may wait at the host, or the end. */
bool line_is_stuffed(const struct bridge_line *line);

/** Frees one that the host does not know yet. */
void line_drop(struct bridge_line *line);

/** The device is to notice that nothing more comes. */
void line_hang_up(struct bridge_line *line);

/** Nothing of it is wanted any more: the host is to close it, what is to leave within `ms`. Its owner forgets it. */
void line_close(struct bridge_line *line, uint32_t ms);

/** Frees all lines: the bridge ends, and so does its host. */
void lines_free(struct bridge *bridge);

/** Behind a turn: what there was no memory for may be fed again. */
void lines_retry(struct bridge *bridge);

#endif
