/* SPDX-License-Identifier: MIT
 * One end of the bridge: a peer, and a port that hands it whole messages only. */
#ifndef BRIDGE_WIRE_H
#define BRIDGE_WIRE_H

#include "bridge_ahead.h"
#include "bridge_line.h"
#include "bridge_names.h"
#include "bridge_queue.h"
#include "content_length.h"
#include "cut.h"
#include "quash/forward.h"
#include "quash/peer.h"

/** How many requests of a peer may be live, and how many of these only to be cancelled at once. */
#ifndef WIRE_SLOTS
#define WIRE_SLOTS 200
#endif
enum { WIRE_LIVE = WIRE_SLOTS, WIRE_SPARE = 4 };

enum { WIRE_NAME = 32, WIRE_TOKEN = 255, WIRE_OWN_STATE = 320, WIRE_TX_FIRST = 1 << 16, WIRE_TX_MOST = CUT_MOST / 2 };

/** What to do with a message that came. */
enum wire_verdict { WIRE_TAKE, WIRE_DROP, WIRE_CLOSE };

struct wire {
	struct bridge *bridge;
	char name[WIRE_NAME];      /* for screens */
	quash_peer peer;
	quash_config config;
	quash_port port;           /* for quash_pump */
	quash_port under;          /* of its line; of zeros while there is none */
	struct bridge_line *line;  /* borrowed; NULL while there is none */
	struct cut in, out;
	struct names *names;       /* owned; NULL: there was no memory */
	const quash_method *other_request, *other_note; /* what unknown methods become */
	/* Judges what came; `text` may begin with noise, which is cut off by returning where it ends in `*from`. */
	enum wire_verdict (*judge)(struct wire *wire, struct look look, const char *text, size_t n, size_t *from);
	void (*reads)(struct wire *wire, const uint8_t *data, size_t n); /* bytes have come; or NULL */
	void (*counts)(struct wire *wire, size_t n);            /* so many bytes have left; or NULL */
	void (*leaves)(struct wire *wire, const char *message); /* a message has left; or NULL */
	void (*sees)(struct wire *wire, quash_event event, const quash_request *request, int32_t detail); /* of its requests; or NULL */
	/* What the peer has room for. NULL: it gets each message at once; else what finds no room waits. */
	enum ahead_room (*room)(const struct wire *wire, unsigned requests);
	struct ahead ahead;
	struct read_ahead *kept;         /* owned; that was shown last of these */
	bool stopped;              /* what was shown last had come before a Stop of everything: none of its calls begins */
	size_t stopped_bytes;      /* so many that the line has, and were not taken, had come before one */
	bool split;                /* the last turn took no step, since a cancel was to follow its request */
	bool queues;               /* what the other side does not take is taken from the peer at once, and waits here: */
	struct send_queue queue;
	bool asleep;               /* nothing is under way, and time does not pass for its peer */
	uint32_t now;              /* of the turn */
	uint32_t heard;            /* when bytes have come last */
	bool ends;                 /* to be noticed as soon as the other side has closed, whatever of it is unread */
	bool half_signed;          /* an empty line lacks its last byte */
	bool closed;               /* there is nothing to talk with: by what came, or by what was not taken */
	bool traced, recorded;
	char head[CONTENT_LENGTH_ROOM]; /* of what is shown: its Content-Length */
	bool learned;              /* no name in what is shown is missing in the table */
	struct { const uint8_t *at; size_t n; } shown[2]; /* to the peer, not taken yet */
	const char *message;       /* that was shown last, and its length: */
	size_t message_length;
	size_t in_place;           /* it stands among what the line has, of which so much is to be taken behind it; 0: elsewhere. There: */
	size_t message_place, shown_place; /* where it, and what of it is not taken yet, begins */
	void *memory;              /* owned; the config names arena and TX, which are owned too: */
	/* See bridge_memory.h. */
	size_t arena_most;         /* that is in use: a bound */
	quash_size tx_first, tx_most, tx_wanted; /* how large TX is at least, may get, and is to be */
	bool starved;              /* there was no memory for a larger one */
	uint32_t changed;          /* when one of both was exchanged */
};

/** Adds entries that stay to the table of its peer. Before `wire_open` only. */
void wire_add_methods(struct wire *wire, const quash_method *methods, size_t count);

/** Gets a peer's memory and makes the peer ready; its table has the entries that were added. What the config
 * has besides is set before. TX and arena begin small and grow between messages, TX where a queue takes what is in it, up to `tx_size`: 0 is WIRE_TX_MOST.
 * False: no memory, or the table is wrong. */
bool wire_open(struct wire *wire, struct bridge *bridge, const quash_dialect *dialect);

/** What is live ends as if the line was lost, and one step follows. */
void wire_let_go(struct wire *wire);

/** Gives the memory back. */
void wire_close(struct wire *wire);

/** Joins it with a line, for a new connection, by a port that reads it; NULL: with none. */
void wire_join(struct wire *wire, struct bridge_line *line, quash_port under);

/** Until it is joined anew, `leaves` needs no more than the beginning of a message. To be called from it. */
void wire_overlooks_own(struct wire *wire);

/** True if a turn would do nothing: nothing is under way, and nothing has come. */
bool wire_is_idle(const struct wire *wire);

/** One that is idle needs no turn until something comes on its line, or it is woken. */
void wire_sleep(struct wire *wire);
bool wire_sleeps(const struct wire *wire);

/** Something is to begin at its peer, for which it is given the time. */
void wire_wake(struct wire *wire);

/** `quash_notify` to its peer, which is woken. */
quash_writer *wire_notify(struct wire *wire, const char *method);

/** `quash_notify_send`. True: it has gone, or never will. */
bool wire_notify_send(struct wire *wire);

/** It has not gone. True: now there is more room, so it is to be put again at once: what waited has gone into the queue, or TX is larger.
 * Not from a handler of this peer. */
bool wire_makes_room(struct wire *wire);


/** Moves bytes both ways and steps the peer. */
void wire_turn(struct wire *wire, uint32_t now);

/** True if a turn would move something now. */
bool wire_is_due(struct wire *wire);

/** True if the other side has closed, and that is to be noticed before what it has transmitted is read. */
bool wire_is_hung(const struct wire *wire);

/** True if a Stop of everything ends requests of that method. */
bool wire_may_stop(const struct wire *wire, const char *method);

/** A Stop of everything: calls that have come and are not live do not begin. Returns how many those are. Cost: what is unread
 * is read. */
unsigned wire_stop(struct wire *wire);

/** What was read ahead is not wanted any more. Returns how many requests that were. */
unsigned wire_forget_ahead(struct wire *wire);

/** Nothing passes any more, in either direction. */
void wire_shut(struct wire *wire);

/** True if nothing waits that is to be transmitted yet and can be. */
bool wire_is_at_rest(const struct wire *wire);

/** True if the other side has closed, whatever of it is unread. */
bool wire_has_ended(const struct wire *wire);

/** Transmits an empty line if none of its messages is begun. Whether it has left. */
bool wire_sign(struct wire *wire);

/** Transmits a line in front of all messages. */
void wire_show_token(struct wire *wire, const char *token);

/** The message that the peer is reading: `*n` bytes; while it refuses one, that. */
const char *wire_message(const struct wire *wire, size_t *n);

/** The bytes of a request's state that are the program's own: WIRE_OWN_STATE of them after those of forwarding. */
void *wire_own(quash_request *request);
const void *wire_const_own(const quash_request *request);

/** The size of a request's state. */
enum { WIRE_FORWARD = (QUASH_FORWARD_STATE(WIRE_TOKEN) + 7) / 8 * 8, WIRE_STATE = WIRE_FORWARD + WIRE_OWN_STATE };

/** The wire of a peer. */
struct wire *wire_of(const quash_peer *peer);
struct wire *wire_of_request(const quash_request *request);

#endif
