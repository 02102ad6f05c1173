/* SPDX-License-Identifier: MIT
 * What surrounds the engine of quash-bridge in its fuzz targets: its host, lines in memory, clients, devices, time, and the script that
 * moves them.
 *
 *     world.c    a run, from the bridge's start to its end; time
 *     host.c     the host's memory, chance and turns
 *     system.c   what stands for a system: lines, devices and doors open, close, and move bytes
 *     lines.c    how the other side of a line writes and reads
 *     devices.c  how devices come and go, what must hold of what they get, and what they transmit
 *     seeds.c    scripts by chance
 *
 * Clients that transmit lines; those of HTTP are in ../http:
 *
 *     asks.c     what they transmit
 *     clients.c  how they come and go, and what must hold of what they get
 *     script.c   the data, step by step, whenever the bridge has nothing to do */
#ifndef WORLD_H
#define WORLD_H

#include "../fuzz.h"
#include "bridge.h"

#include <jansson.h>

enum { LINES = 100, CLIENTS = 12, DEVICES = 3, ASKED = 150, SEEN = 400, TEXT = 64, URIS = 8, WANTS = 8, SOUND_MS = 500 };

/* --- Lines */

struct queue {
	uint8_t *bytes;
	size_t from, to, room;
};

void queue_put(struct queue *queue, const void *bytes, size_t n);
void queue_drop(struct queue *queue, size_t n);
void queue_clear(struct queue *queue);

/* A connection, as its other side sees it. */
struct line {
	bool used;    /* it is one of this run */
	bool open;    /* the bridge has it open, as: */
	struct bridge_line *of;
	enum bridge_way way;
	bool socket;
	bool opening; /* the device's connection is being made */
	bool silent;  /* the bridge has hung up */
	bool closing; /* the bridge closes it, by then: */
	uint32_t close_by;
	unsigned end; /* what of its end the bridge was told */
	bool due, full; /* bytes were left from the bridge, or for it, when they were last moved; */
	bool told;    /* `bridge_next` has returned it since */
	bool ended;   /* the other side transmits no more */
	bool closed;  /* the other side is gone */
	bool stalls;  /* the other side takes nothing but this: */
	size_t room;
	bool deaf;    /* it stalls for good */
	bool refuses; /* it has not taken what was last written to it, */
	uint32_t refuses_since;
	uint32_t read_at; /* when the bridge has last read something of it */
	bool token;   /* a token comes first */
	unsigned piece; /* most bytes in one go; 0: any number */
	unsigned owner; /* of clients or devices */
	struct queue in, out; /* to the bridge; from it, up to the end of a message */
	void (*comes)(unsigned owner, const json_t *message);
	bool (*empty)(unsigned owner); /* whether it may get an empty line; or NULL */
	void (*takes)(struct line *line); /* all that is in `out`; NULL: messages */
	void (*closes)(struct line *line); /* the bridge does; or NULL */
};

/* Each that may be; NULL: there are no more. */
struct line *line_at(unsigned i);
/* Of its name in what is shown. */
char line_letter(const struct line *line);
/* Transmits a message in the protocol's framing. */
void line_send(struct line *line, const char *text, size_t n);
/* The other side stops reading, or reads again. */
void line_stall(struct line *line, uint8_t choice);
/* So many bytes in one go. */
size_t line_pieces(const struct line *line, size_t n);
/* The other side reads some of them; returns how many. */
size_t line_takes(struct line *line, const uint8_t *bytes, size_t n);
/* Forgets what was transmitted and not read. */
void line_clear(struct line *line);

/* --- Clients */

/* One of their requests. */
struct asked {
	unsigned client;
	char id[TEXT], token[TEXT], method[TEXT]; /* the first two as JSON; no token: empty */
	unsigned answers;
	bool cancelled; /* by the client */
	bool maybe;     /* it may be cancelled: by the client too, or in a batch that is refused */
	bool unsure;    /* it may stay without an answer */
	bool batched;
	bool handed;    /* a device has got it, at that time: */
	uint32_t handed_at;
	bool told;      /* and has answered, at that time: */
	uint32_t told_at;
	uint32_t since; /* when it was asked */
};

struct client_end {
	struct line line;
	bool waits;     /* it has connected, and is not accepted yet */
	bool mute;      /* it never shows the token */
	bool muddied;   /* it has transmitted what nobody has looked at */
	bool opened, modern; /* it has had a result of `initialize`; it has asked something of 2026-07-28 */
	bool leaves;    /* it has closed, or ended its input */
	uint32_t since; /* it is accepted and leaves */
	unsigned next;  /* id */
	unsigned want_count;
	char wants[WANTS][TEXT]; /* ids of a device's requests that wait for it, as JSON */
	unsigned marks[WANTS];
	uint32_t uris, sessions; /* that it has to do with; a bit for each */
	bool has_greeted; /* MCP: it has asked for a session */
	unsigned can;   /* be asked, as it has announced: a bit for each of `questions` */
};

void clients_begin(void);
/* Gives back what they keep. */
void clients_end(void);
/* While the bridge sleeps. */
void clients_check(void);
/* Whoever has asked still wants an answer: a cancel would be wrong. And whether a cancel may be right. */
bool asked_is_wanted(const struct asked *asked);
bool asked_may_end(const struct asked *asked);
void client_asks(unsigned who);
void client_cancels(unsigned who);
void client_answers(unsigned who);
void client_notes(unsigned who);
void client_batches(unsigned who);
void client_raw(unsigned who);
void client_connects(void);
void client_goes(unsigned who);
void client_gets(unsigned who, const json_t *message);
/* Nothing is left of those that have gone, or have read nothing for too long. */
void clients_check_gone(void);
/* The mark of a request that must be answered and is not; 0: none. */
unsigned client_without_answer(void);
void clients_check_answered(void);
/* The bridge has no place for it. */
_Noreturn void client_is_refused(unsigned who);
bool client_is_there(unsigned who);

/* --- Devices */

/* What one has got and not answered yet. */
struct seen {
	char id[TEXT], token[TEXT], method[TEXT];
	unsigned mark;  /* of the client's request; 0: none, it is the bridge's own */
	bool cancelled;
	uint32_t limit; /* ms in which it must be answered, as announced; 0: none */
	uint32_t since; /* when it came, or the line has last stalled */
};

/* What a client announces that it can be asked. */
enum { QUESTIONS = 3 };
extern const struct question {
	const char *method, *capability;
} questions[QUESTIONS];

struct device_end {
	struct line line;
	bool plugged, busy, obliging, sound; /* `obliging`: answers what every host asks; `sound`: all else too */
	bool refuses;         /* its connections fail */
	bool muddied;
	uint32_t connected;   /* when */
	struct seen seen[SEEN];
	unsigned seen_count;
	bool odd;             /* it has answered oddly, so what it has announced is not known */
	struct heard {
		char id[TEXT];
		unsigned mark;    /* as in `seen` */
	} *ids;               /* all that it was ever asked */
	size_t id_count;
	struct { unsigned mark, answers; } own[16]; /* its requests; their ids are 1000 and up */
	unsigned own_count;
};

/* How each protocol cancels. */
extern const struct cancel {
	const char *method, *id;
} cancels[];

/* How many there are and of what kind, by a byte of the script. */
void devices_choose(uint8_t choice);
void devices_begin(void);
/* One is opened. */
void device_opens(unsigned which);
/* One of their steps. */
void device_steps(unsigned what, unsigned which);
/* They answer all from now on. */
void devices_be_sound(void);
void device_comes(unsigned which, const json_t *message);
void device_answers(unsigned which);
void device_answers_all(unsigned which);
void device_reports(unsigned which);
void device_notes(unsigned which);
void device_asks(unsigned which);
void device_takes_back(unsigned which);
void device_raw(unsigned which);
/* MCP: transmits something that names a request: an open one, one of before, one of another line, or none. */
void device_names(unsigned which);
void device_moves(unsigned which);
void device_plug(unsigned which, bool plugged);
/* What was asked for a client that is gone, or has cancelled it, was cancelled here too. */
void devices_check_cancelled(void);
/* What has taken longer than the device has announced was cancelled. */
void devices_check_limits(void);

/* --- All of it */

enum phase { PHASE_SCRIPT, PHASE_CALM, PHASE_SOUND, PHASE_STOP, PHASE_END };

struct world {
	struct bridge *bridge;
	struct bridge_options options;
	enum { MCP, ACP, LSP, JSONRPC } protocol;
	struct bytes script;
	enum phase phase;
	uint32_t now;
	uint32_t passing;     /* time that is to pass */
	unsigned waited;      /* for the last answers */
	uint32_t passed;      /* by the script */
	uint32_t turns;
	uint32_t stirred;     /* turns in which nothing moved */
	struct client_end clients[LINES];
	unsigned client_count; /* that have ever been there */
	struct device_end devices[DEVICES];
	unsigned device_count;
	struct asked asked[ASKED + 1]; /* the first one is none; the place is the mark */
	unsigned asked_count;
	bool headers, listens, lean, leases, limits, unplugs, times;
	bool stops;           /* somebody has stopped everything: whatever was asked may be cancelled */
	bool stopped;
	bool over;            /* the bridge is: what is to be closed is closed at once */
	uint32_t ends_since;  /* the bridge ends */
	unsigned blocks;      /* of memory that the bridge has */
	unsigned allocations, fails_at; /* 0: none fails */
	unsigned heard;       /* of the log */
	json_t *message;      /* that is being judged, */
	char *bytes;          /* and what it stands in */
	bool random;          /* there are random numbers, which only count: */
	uint8_t count;
	unsigned next_mark;   /* of requests of devices */
};

extern struct world world;

/* Something has moved. */
void world_stir(void);
/* Ends the run with what does not hold. */
_Noreturn void wrong(const char *rule, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Scripts by chance: bytes before the steps, and the steps that bring most about, by their numbers. */
struct seeds {
	size_t head;
	const uint8_t *often;
	size_t count;
};

extern const struct seeds seeds;

/* One step of the script. It may be due at once, and not when the bridge has nothing to do any more. */
void script_step(void);
bool world_is_at_once(void);
/* Some time is to pass, by the script; and so much that all comes to rest, when nobody stalls. */
void world_pass(void);
void world_calm(void);
/* Milliseconds until then, or 0. */
uint32_t world_left(uint32_t until);
/* The bridge has nothing to do for so long. */
void world_rests(uint32_t ms);
/* The bridge is told to end; and it does. */
void world_stop(void);
void world_ends(void);

/* Plays the data, with the options that `choose` makes of their first bytes. */
void world_play(const uint8_t *data, size_t size, void (*choose)(struct bridge_options *options));

/* --- Host and system */

extern const struct bridge_host host;

/* The bridge takes turns until it is over. Returns its exit code. */
int host_run(void);
void system_open(struct line *line, struct bridge_line *of);
/* Does what the bridge wishes. */
void system_obey(void);
/* Moves all that can be moved. Milliseconds until more can be by itself; UINT32_MAX: for ever. */
uint32_t system_move(void);

/* An id or token as text: compact JSON. False if it is longer than TEXT. */
bool json_short(const json_t *value, char text[TEXT]);
unsigned mark_of(const json_t *object);

/* So much text to make a message long, by a byte of the script. Constant. */
const char *padding(void);

#endif
