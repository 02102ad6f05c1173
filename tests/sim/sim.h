/* SPDX-License-Identifier: MIT
 * The deterministic simulator. From one string of bytes (choice.h) it makes one peer, two, or a bridge, and the other
 * sides of their links; lets anything happen between them; and watches.
 *
 *     run.c      what happens, in which order
 *     other.c    the other side of a link: asks, cancels, answers, makes mistakes; wire.c, the wire to the peer, with its faults
 *     adapter.c  the peers, and what happens to them; tasks.c, their handlers, hooks and put functions: these two know
 *                the library, and nothing else does
 *     oracle.c   what must hold: what becomes of requests, written apart from the library
 *     claims.c   what the library itself tells of them (its trace) must be the same
 *     stream.c   bytes that a peer takes, as messages; prefix.c, whether they may still be JSON; received.c, what the
 *                messages mean
 *     sent.c     bytes that it puts out, as messages; answers.c, how an answer must look
 *     time.c     what is due, and by when; rest.c, what is left at the end
 *     ../common/plain.c  JSON, read in the plainest way
 *
 * The oracle knows bytes on the wire, calls of functions of the program, and the trace. It looks into no state. */
#ifndef SIM_H
#define SIM_H

#include "choice.h"

enum { LINKS = 2, RECORDS = 700, ASKS = 700, BATCHES = 200, ID_ROOM = 80, MESSAGE = 12000, SLOTS = 10, ANSWER_ROOM = 3000 };

enum topology { ONE_PEER, TWO_PEERS, BRIDGE, TOPOLOGIES };
enum dialect { ACP, LSP, MCP, JSONRPC, DIALECTS };
enum profile { NO_PROFILE, TOOLS, AGENT, LANGUAGE, PROFILES };

/* What a run begins with. */
struct setup {
	enum topology topology;
	enum dialect dialect[LINKS];
	enum profile profile; /* of the first peer */
	unsigned slots[LINKS], id_size[LINKS], arena[LINKS], tx[LINKS];
	bool always[LINKS]; /* leases hold from the first request on */
	uint32_t now;
	bool byte_by_byte; /* input is cut into single bytes */
};

/* --- Methods: as the adapter has them in its table, in this order */

enum marks {
	IS_NOTIFICATION = 1,
	IS_DROPPED = 2,
	IS_PARTIAL = 4,
	IS_SESSION = 8,
	HAS_END = 16,
	HAS_RELEASED = 32,
	HAS_RESULT = 64,
	IS_FORWARDED = 128
};

#define NO_LIMIT UINT32_MAX

struct method {
	const char *name;
	unsigned marks;
	uint32_t deadline, lease; /* ms; 0: none; or NO_LIMIT */
	uint8_t group;
};

enum { METHODS = 19, NO_METHOD = 255 };
extern const struct method methods[METHODS];

/* What a request that was cancelled is answered with, by methods with HAS_RESULT. */
#define CANCELLED_RESULT "{\"stopped\":true}"

/* --- Requests, notifications that are handled, and what was refused */

/* What becomes of one. */
enum stage {
	UNKNOWN, /* the library has decided about a message that is not received to its end */
	KEPT,    /* it waits for a step */
	PARKED,
	RUNNING,
	ENDED,   /* its handler is not called any more; or it never had one */
	DEAD     /* it came to nothing: with its batch, or its link */
};

/* What becomes of its answer. */
enum answer { UNANSWERED, RECORDED, SILENT };

/* What it is made of. */
enum content {
	RESULT_PUT,
	RESULT_ITEMS,
	RESULT_INT,
	RESULT_TRUE,
	RESULT_NULL,
	RESULT_TEXT,
	RESULT_JSON,
	RESULT_CANCELLED, /* the method's constant */
	RESULT_EMPTY,     /* of a ping that finds no room */
	ERROR_WORDS,      /* the library's */
	ERROR_GROUP,      /* the library's, of a group that is held */
	ERROR_TEXT,
	ERROR_DATA,
	ERROR_PUT,
	ERROR_WHOLE,
	RESULT_FORWARDED,
	ERROR_FORWARDED,
	CONTENTS
};

/* As the library numbers them. */
enum cause {
	NO_CAUSE,
	BY_OTHER_SIDE,
	BY_PARENT,
	BY_DEADLINE,
	BY_HANDLER,
	BY_LOCAL_CODE,
	BY_SHUTDOWN,
	BY_LEASE,
	BY_SESSION,
	BY_LINK,
	CAUSES
};

struct record {
	uint8_t link;
	bool notification, opaque; /* opaque: served by a profile, any answer will do */
	bool number, named;        /* its id is a number; it has one */
	bool may_be_unnamed;       /* a member that was refused may be answered without it */
	bool of_last_client;       /* its answer was begun for a client that has gone: its id names nothing */
	char id[ID_ROOM];
	size_t id_length;
	uint8_t method; /* index into `methods`; NO_METHOD of what is refused */
	long serial;    /* params.n, or -1 */
	long token;     /* it asked for progress with that token, or -1 */
	int batch;      /* -1: none */
	size_t weight;  /* the most that its params take in the arena */

	enum stage stage;
	enum answer answer;
	enum cause cause;
	enum content content;
	int32_t code;
	unsigned pad; /* of the content */
	uint32_t slot_at;      /* when it got its slot: the time that its peer knew */
	unsigned slot_order;   /* which one it was */
	uint32_t lease;
	uint8_t group;
	bool asynchronous; /* cancelled by async code that no tick has seen */
	bool inside, replied, started;
	unsigned acts; /* how often its handler has done what it does once */
	bool for_ever; /* it ends only when it is cancelled */
	bool looks;    /* it ends when it is called and is cancelled */
	bool late;     /* its deadline had passed when this step began */
	bool timed;
	uint32_t deadline;

	bool pending, sleeps; /* its handler or `end` hook is to be called again in the next step, or then: */
	uint32_t sleeps_until;
	unsigned due_in;   /* by which step a wake or a cancel has to call it, 0: none */
	unsigned ended_in; /* the step in which its handler ended, or by which its hook is due */
	unsigned left_in;   /* the step in which its answer was put into TX whole */
	unsigned packed_in; /* the step that closes the gap its params have left */
	bool must_run, ran; /* in this step */
	bool over_before;   /* this step */
	bool end_called, end_done, is_released;
	bool end_soon; /* it has no hook, and lets go somewhere in this step */

	unsigned puts;    /* how often a put function of its answer was called */
	unsigned recorded_at, ready_at, begun_at; /* in the order of everything that happens; 0: not yet */
	bool crowded;     /* its answer may have to let a notification go first */
	bool held;        /* and surely has to */
	bool loose;       /* it had to perhaps, and until when is not known */
	bool fickle;      /* its put function puts something else each time */
	bool broken;      /* or no JSON */
	bool settles;     /* or something else the first time */
	long forwarded_serial;
	unsigned untaken; /* steps in a row in which its notification was not taken, though TX was empty between them */
	unsigned untaken_in, untaken_since; /* the last one; and where, in the order of everything, it was tried first */
	bool seen;        /* its answer on the wire */
	bool lost;        /* with the link */
	long progress;    /* the last one seen on the wire */

	struct { /* what the library tells */
		bool slot, started, recorded, written, silent, freed, changed;
		enum cause cause;
		int32_t code;
	} claim;
};

/* --- What our peers ask */

struct ask {
	uint8_t link;
	uint32_t id;
	long serial;  /* params.n */
	bool written; /* seen on the wire */
	bool cancel_seen;
	bool drained;     /* TX was empty since it was answered */
	unsigned answers; /* that the other side has given, as they were received */
	bool answer_sent; /* that it has given, received or not */
	bool failed;
	int32_t code;
	unsigned pad;
	bool timed;          /* it is cancelled when this time has come: */
	uint32_t deadline;
	bool must_cancel; /* its parent was cancelled or has ended while it was open */
	struct record *parent;
	long token; /* with which the other side may report progress, or -1 */
};

struct sim {
	struct setup setup;
	uint32_t now;
	uint32_t ticked[LINKS]; /* the time that each peer knows */
	struct record records[RECORDS];
	size_t record_count;
	struct ask asks[ASKS];
	size_t ask_count;
	bool stepping[LINKS];    /* that peer takes a step, */
	uint32_t step_began;     /* which began at that time */
	bool feeding[LINKS];     /* it receives */
	unsigned steps[LINKS];   /* that each peer has taken */
	unsigned taken[LINKS];   /* the one in which it last took a notification, and one */
	unsigned events;         /* that have happened */
	uint32_t digest;         /* of everything that was put out */
	bool stopping;           /* everything is cancelled just now */
	bool calm;               /* nothing new happens */
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

/* Shows what happens, where that is wanted; main.c and board.c have it. */
#if defined(__GNUC__)
__attribute__((format(printf, 1, 2)))
#endif
void show(const char *format, ...);

#endif
