/* SPDX-License-Identifier: MIT
 * The deterministic simulator. From one string of bytes (choice.h) it makes one peer, two, or a bridge, and the other
 * sides of their links; lets anything happen between them; and watches.
 *
 *     run.c      what happens, in which order
 *     other.c    the other side of a link: asks, cancels, answers, makes mistakes; wire.c, the wire to the peer, with its faults
 *     adapter.c  the only file that knows the library: peers, handlers, hooks
 *     oracle.c   what must hold: stream.c and heard.c look at what comes in, said.c and answers.c at what goes out, rest.c at
 *                what is left
 *     plain.c    JSON, read in the plainest way
 *
 * Nothing here looks into the library but the adapter, and the oracle is told of nothing but bytes on the wire, calls of handlers and
 * what these have done. */
#ifndef SIM_H
#define SIM_H

#include "choice.h"

enum { LINKS = 2, RECORDS = 700, ASKS = 700, BATCHES = 200, ID_ROOM = 80, MESSAGE = 12000 };

enum topology { ONE_PEER, TWO_PEERS, BRIDGE, TOPOLOGIES };
enum dialect { ACP, LSP, MCP, JSONRPC, DIALECTS };
enum profile { NO_PROFILE, TOOLS, AGENT, LANGUAGE, PROFILES };

/* What a run begins with. */
struct setup {
	enum topology topology;
	enum dialect dialect[LINKS];
	enum profile profile; /* of the first peer */
	unsigned slots[LINKS], id_size[LINKS], arena[LINKS], tx[LINKS];
	uint32_t now;
	bool byte_by_byte; /* input is cut into single bytes */
};

/* --- Methods: as the adapter has them in its table, in this order */

enum marks {
	IS_NOTIFICATION = 1,
	IS_DROPPED = 2,
	IS_PARTIAL = 4,
	IS_LONG = 8,
	HAS_HOOK = 16,
	HAS_RESULT = 32,
	IS_FORWARDED = 64
};

struct method {
	const char *name;
	unsigned marks;
	uint32_t deadline; /* ms; 0: none */
};

enum { METHODS = 15, NO_METHOD = 255 };
extern const struct method methods[METHODS];

/* What a request that was cancelled is answered with, by methods with HAS_RESULT. */
#define CANCELLED_RESULT "{\"stopped\":true}"

/* --- Requests and notifications that were heard */

enum expect {
	UNDECIDED,
	RESULT,  /* `serial` and `pad` of the record */
	FAILURE, /* `code` of the record */
	VERDICT, /* cancelled, by its cause */
	NOTHING
};

enum cause { NO_CAUSE, OTHER_SIDE, OUR_SIDE };

struct record {
	uint8_t link;
	bool notification, opaque; /* opaque: served by a profile, any answer will do */
	bool number;               /* its id is one */
	char id[ID_ROOM];
	size_t id_length;
	uint8_t method;                              /* index into `methods`; NO_METHOD of what is refused */
	long serial;                                 /* params.n, or -1 */
	long token;                                  /* it asked for progress with that token, or -1 */
	bool may_be_busy, may_be_large, may_be_twin; /* what else may have become of it */
	uint32_t heard_at;
	int batch;                     /* -1: none */
	bool started, inside, ended;   /* its handler */
	bool asynchronous;             /* cancelled by async code that no tick has seen */
	bool committed, answered;      /* a part of its answer, all of it is in TX */
	bool silent, optional, either; /* will never be answered; may be; its result or its cancel */
	bool hook_done, ready;
	bool for_ever;                 /* it ends only when it is cancelled */
	bool pending, sleeps;          /* it is to be called again in the next step, or then: */
	uint32_t sleeps_until;
	unsigned called_in, due_in;    /* the step in which it was called; by which a wake or cancel has to call it, 0: none */
	bool refused;                  /* it was answered without being accepted */
	unsigned packed; /* the step in which its params have left the arena; 0: none */
	bool internal;   /* its result may be too long for TX */
	enum cause cause;
	enum expect expect;
	int32_t code;
	long result_serial;
	unsigned pad;
	size_t weight;    /* the most that its params take in the arena */
	unsigned order;   /* in TX */
	unsigned answers; /* seen on the wire */
	long progress;    /* the last one seen on the wire */
};

/* --- What our peers ask */

struct ask {
	uint8_t link;
	uint32_t id;
	long serial;  /* params.n */
	bool written; /* seen on the wire */
	bool cancel_seen;
	bool drained;     /* TX was empty since it was answered */
	unsigned answers; /* that the other side has given, as they were heard */
	bool answer_sent; /* that it has given, heard or not */
	bool failed;
	int32_t code;
	unsigned pad;
	bool timed;          /* it is cancelled when this time has come: */
	uint32_t deadline;
	bool must_cancel; /* its parent was cancelled or has ended while it was open */
	struct record *parent;
	long token; /* with which the other side may tell progress, or -1 */
};

struct batch {
	uint8_t link;
	bool may_be_refused, seen;
};

struct sim {
	struct setup setup;
	uint32_t now;
	uint32_t told[LINKS]; /* the time that each peer was told last */
	struct record records[RECORDS];
	size_t record_count;
	struct ask asks[ASKS];
	size_t ask_count;
	struct batch batches[BATCHES];
	size_t batch_count;
	bool stepping;           /* a peer takes a step, which began at that time: */
	uint32_t step_began;
	uint32_t dropped[LINKS]; /* notifications that found no room */
	unsigned steps[LINKS]; /* that each peer has taken */
	uint32_t digest;       /* of everything that was said */
	bool calm;             /* nothing new happens */
	bool loud;
};

extern struct sim sim;

/* --- run.c */

/* Runs what the bytes stand for. Returns true when all held; else failure_rule and failure_text say what did not. */
bool sim_run(const uint8_t *bytes, size_t length, bool byte_by_byte);

extern const char *failure_rule;
extern char failure_text[400];

/* Ends the run. */
#if defined(__GNUC__)
__attribute__((noreturn, format(printf, 2, 3)))
#endif
void fail(const char *rule, const char *format, ...);

/* A handler that stays inside lets something happen. */
void run_turn(uint8_t link);

/* Says what happens, where that is wanted; main.c and board.c have it. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void tell(const char *format, ...);

#endif
