/* SPDX-License-Identifier: MIT
 * What a peer is made of: its config, its slots, its counters. */
#ifndef QUASH_OBJECTS_H
#define QUASH_OBJECTS_H

#include "dialect.h"
#include "fault.h"
#include "frame.h"
#include "method.h"
#include "why.h"

#ifdef __cplusplus
extern "C" {
#endif

/** An event in the life of a request, for the trace hook. */
typedef enum quash_event {
	QUASH_RECEIVED,    /**< a request's or handled notification's message has ended, before it is accepted or refused */
	/** it finds no room and is kept until a step has run; receiving pauses. `request` is NULL if it has not come
	 * whole */
	QUASH_KEPT,
	QUASH_PARKED,      /**< it has a slot and waits for the next step */
	QUASH_STARTED,     /**< its handler is called for the first time */
	QUASH_FLAGGED,     /**< it is cancelled; `detail` is the quash_cause */
	QUASH_RECORDED,    /**< its answer is recorded; `detail` is 0 or the error code */
	/** the last byte of its answer is in TX; `detail` is 0 or the error code, which a misuse may have changed */
	QUASH_WRITTEN,
	QUASH_SILENCED,    /**< it will never be answered */
	/** it was not accepted; `detail` is the error code, or 0 where QUASH_NEVER_BUSY has it answered `{}` */
	QUASH_REFUSED,
	QUASH_FREED,       /**< its slot is free again */
	QUASH_LATE_CANCEL, /**< a cancel that names no live request, or one that is answered; `request` is NULL */
	QUASH_DROPPED,     /**< a notification, ours or the other side's, is given up; `request` may be NULL */
	QUASH_MISUSED,     /**< wrong use by the program: counted in `misuses` or `changed`; `request` may be NULL */
	QUASH_NEW_SESSION, /**< a new client began a session; `request` is NULL */
	QUASH_EVENTS
} quash_event;

/** The event in a word or two, a constant: "late cancel". In a file of its own, as quash_why_text. */
const char *quash_event_text(quash_event event);

/** Called for every event. May look at the request with the functions below that only read, but not call back
 * into the peer in any other way. Runs while bytes are received as well as in `quash_step`.
 *
 * @param why  the code of a refusal, an error, a cancelled result, a drop, a silence or a misuse; else
 *             QUASH_WHY_NONE. It comes once: with the first event that has it. `quash_why_text` has it in words */
typedef void quash_trace(
	quash_peer *peer, quash_event event, const quash_request *request, int32_t detail, quash_why why);

/** A request slot. The caller lends an array of them; opaque. */
struct quash_request {
	uint8_t life;    /* enum quash_life */
	uint8_t answer;  /* enum quash_answer_stage */
	uint8_t form;    /* enum quash_answer_form: what the recorded answer is made of */
	uint8_t method;
	uint8_t index; /* in the array; slot_count for what is being received */
	uint8_t row;   /* of its id and tag */
	uint8_t next;  /* younger one in the list of live requests */
	uint8_t id_kind;
	uint8_t id_length;
	uint8_t tag_length;
	uint8_t why;     /* quash_why of an answer of the library's own */
	uint8_t marks;   /* enum quash_slot_mark */
	uint8_t effects; /* enum quash_effect */
	volatile uint8_t cause;
	volatile uint8_t woken;
	volatile quash_generation async; /* equals generation: cancelled by local code */
	quash_generation generation;
	quash_size tape;
	quash_size tape_size;
	uint32_t born;     /* when it got its slot */
	union {
		uint32_t deadline; /* if timed, which a cancelled one is not */
		uint32_t flagged;  /* when, if cancelled */
	} at;
	uint32_t wake;     /* if waiting */
	uint32_t lease;    /* ms without a sign of life, or 0 */
	int32_t code;      /* of the recorded answer; 0: a result */
	union {
		int32_t number;
		const char *text;  /* literal words, or JSON */
		const void *table; /* of a struct */
	} content;
	union {
		quash_put *value;
		quash_put_item *item;
	} put;
	quash_peer *peer;
};

/** The default of the config's `word_size`, in QUASH_STORAGE: names of methods may have up to 4 bytes less. */
#ifndef QUASH_WORD
#define QUASH_WORD 56
#endif
#if QUASH_WORD < 32 || QUASH_WORD > 255
#error "QUASH_WORD: 32 to 255"
#endif
/** A word: a name while it is received; and once its message has ended, what becomes of it. Opaque. */
typedef union quash_word {
	quash_request refusal;
	uint8_t text[QUASH_WORD];
} quash_word;

struct quash_call_hooks;
struct quash_message_code;
struct quash_fault_code;
struct quash_reason_code;

/** What a config names as its `faults`. */
extern const struct quash_fault_code quash_faults;
/** What a config names as its `reasons`. */
extern const struct quash_reason_code quash_reasons;
/** Or this, where `data` shall only tell apart what MCP's modern era gives one code. */
extern const struct quash_reason_code quash_modern_reasons;

/** A request of ours to the other side, see call.h. */
typedef struct quash_call quash_call;

/** What a counter holds, see QUASH_COUNT_BITS. Counters stop at the largest value. */
#if QUASH_COUNT_BITS == 16
typedef uint16_t quash_count;
#else
typedef uint32_t quash_count;
#endif

/** Everything that is counted, by cause. The caller owns it, one for each peer. It may read it at any time on the
 * peer's thread. `quash_init` and `quash_start` clear it. */
typedef struct quash_counters {
	quash_count requests;        /**< requests accepted */
	quash_count notifications;   /**< notifications accepted for a handler */
	quash_count ignored;         /**< notifications that no handler is for */
	quash_count results;         /**< results written */
	quash_count errors;          /**< errors written */
	quash_count silenced;        /**< requests that ended without an answer (MCP; a new session) */
	quash_count parse_errors;    /**< -32700 */
	quash_count invalid;         /**< -32600, and malformed notifications */
	quash_count duplicate_ids;   /**< requests with an id that is live */
	quash_count unknown_methods; /**< -32601 */
	quash_count too_large;       /**< larger than the arena or nested too deep */
	quash_count busy;            /**< refused or dropped because slots or arena were full for longer than a step */
	quash_count kept;            /**< messages that were kept until a step had run */
	quash_count held;            /**< refused because their group was held */
	quash_count stray_responses; /**< responses that belong to nothing */
	quash_count calls;           /**< requests that we made */
	quash_count call_cancels;    /**< cancels of them that we sent */
	quash_count late_responses;  /**< responses to calls that had ended: dropped */
	quash_count bad_headers;     /**< Content-Length framing */
	quash_count lost;            /**< gaps in the input that the port has found */
	quash_count cancelled[QUASH_CAUSES]; /**< cancelled requests by cause; the first entry stays 0 */
	quash_count late_cancels;    /**< cancels of requests that are unknown, ended, answered or cancelled already */
	quash_count bad_cancels;     /**< malformed cancels */
	quash_count dropped;         /**< notifications of ours that found no room in TX, or never will */
	quash_count changed;         /**< put functions that put something else the second time: answered -32603 */
	quash_count misuses;         /**< no JSON, a second reply or group, no answer, a state that is too small */
	quash_count discarded;       /**< answers and messages that were discarded because the link is gone */
	quash_count sessions;        /**< sessions that a new client has ended */
	quash_count life_signs;      /**< empty lines received */
	uint32_t last_cancel_ms;     /**< from flag to end, of the last cancelled request */
	uint32_t slowest_cancel_ms;  /**< the longest of these */
	/* Marks: the largest value since the start. A message that was refused for want of room counts as live until all
	 * that is live has ended. */
	quash_count most_live;       /**< requests and notifications that were live together */
	quash_count most_arena;      /**< bytes of the arena that these, and answers to calls, took together */
	quash_count longest_notification; /**< of ours, in bytes, without line end and header; taken or not */
} quash_counters;

struct quash_config;

/** Checks what a profile needs of a config. Fills `*fault` and returns false for the first thing that is wrong. */
typedef bool quash_check(const struct quash_config *config, quash_fault *fault);

/** All that a peer is made of. Constant, may live in flash; it and what it points to must stand as long as the peer is
 * used. Arrays are the caller's; the peer alone writes to them. In RAM the method table may change between two
 * messages: entries may be added at its end. An entry that no live request is of may become
 * another. */
typedef struct quash_config {
	uint8_t slot_count;      /**< requests that are served at once: 1 to 250 */
	uint8_t id_size;         /**< longest id in bytes, decoded: 17 to 255 (17 holds every number) */
	/** of `word`: at least QUASH_WORD_MIN, and 4 more than the longest name of a method or of the dialect */
	uint8_t word_size;
	quash_size arena_size;
	quash_size tx_size;
	quash_size state_size;   /**< a multiple of the alignment that the states need */
	quash_request *slots;    /**< `slot_count` of them */
	quash_word *word;        /**< `word_size` bytes, and at least one quash_word */
	uint8_t *ids;            /**< `(slot_count + 1) * id_size` bytes: one id is being received */
	void *states;            /**< `slot_count * state_size` bytes, aligned for what handlers put there; or NULL */
	uint8_t *arena;          /**< for params until their answer has left, at least QUASH_ARENA_MIN bytes */
	uint8_t *tx;             /**< what waits to be written, at least QUASH_TX_MIN bytes */
	quash_counters *counters; /**< where everything is counted, or NULL: then nothing is. One for each peer */
	const quash_dialect *dialect;
	const quash_method *methods;
	uint8_t method_count;    /**< 0 to 250 */
	uint8_t tag_size;        /**< 0: no tags; at most 254 */
	uint8_t reason_size;     /**< of `reason`, with its NUL; longer reasons are cut at a character */
	bool lease_always;       /**< leases hold from the first request on, not from the first sign of life */
	uint32_t body_limit;     /**< longest Content-Length that is believed; 0: 16 MiB - 1 */
	uint8_t *tags;           /**< `(slot_count + 1) * tag_size` bytes, or NULL; see quash_cancel_method */
	char *reason;            /**< keeps the text of the last cancel, or NULL */
	quash_check *check;      /**< of the profile, for `quash_init`; or NULL */
	/** Called when a new client has begun a session, as its request is received; or NULL. It forgets what the last one
	 * had agreed on, and calls nothing of the peer. */
	void (*new_session)(quash_peer *peer);
	quash_trace *trace;      /**< or NULL */
	void *context;           /**< the program's own, see `quash_context` */
	/** `&quash_calls` to make requests of our own (call.h); NULL: none can be made, and responses are counted as
	 * stray. */
	const struct quash_call_hooks *calls;
	const quash_keeps *keeps; /**< what of params is kept, see quash_keeps; or NULL: everything */
	/** `&quash_faults`: a peer whose config `quash_init` refuses answers each request with what is wrong, and the fault
	 * has its reason. NULL: it is silent, and nothing of this is linked. */
	const struct quash_fault_code *faults;
	/** `&quash_reasons`: errors -32603 and -32011 with the library's words have `data` with a `reason`. For what has no
	 * room there are the sizes `is` and `needs`, where they are known. `&quash_modern_reasons`: only answers to
	 * requests of MCP's modern era whose code is -32603 in place of -32010 to -32012 or a code of the program's have
	 * it: the library's text for that code, as `{"reason":"Busy"}`. NULL: no data, and nothing of it is linked. */
	const struct quash_reason_code *reasons;
	uint8_t *texts;          /**< `slot_count * text_size` bytes for values, see `quash_reply_textf`; or NULL */
	uint8_t text_size;       /**< 0: no text has room for its values */
} quash_config;

/** Bounds of a config's sizes, in bytes, and of its counts. */
enum {
	QUASH_WORD_MIN = 32,    /**< of `word_size` */
	QUASH_ARENA_MIN = 16,   /**< of `arena_size` */
	QUASH_TX_MIN = 64,      /**< of `tx_size` */
	QUASH_ID_MIN = 17,      /**< of `id_size` */
	QUASH_SLOTS_MAX = 250,  /**< of `slot_count` */
	QUASH_METHODS_MAX = 250 /**< of `method_count` */
};

/** A peer. The caller owns it; opaque. */
struct quash_peer {
	const quash_config *config;
	/* What is read most stands near the beginning, where short instructions reach it. */
	uint8_t first;        /* oldest live request */
	uint8_t running;      /* whose handler is on the stack */
	uint8_t reason_of;    /* whose cancel's reason is kept */
	uint8_t batch;        /* state of the batch being received or answered */
	struct {
		uint8_t state;    /* enum quash_link_state: what the link is still good for */
		/* empty lines that arm no lease yet, as a line was no JSON or no object, or a message has just ended */
		uint8_t noisy;
		uint8_t armed;    /* enum quash_promise: of signs of life */
		bool session;     /* one was begun */
	} link;
	struct {
		uint8_t pause;    /* enum quash_pause: why receiving waits */
		uint8_t kept;     /* enum quash_kept: what it has kept back */
		bool untaken;     /* the last feed did not take all */
		bool skips;       /* a line was lost: what is left of it is no message */
		uint8_t row;      /* of the id and tag that are being received */
		uint8_t id_kind;
		uint8_t id_length;
		uint8_t tag_length;
	} in;
	quash_envelope envelope;
	struct {
		bool open;        /* one is */
		bool blocked;     /* it goes nowhere */
		bool taken;       /* one was, since another found no room */
		bool unfit;       /* the one that was sent last can never be taken */
	} notify;
	quash_tape tape;
	quash_lex lex;
	uint32_t now;
	uint8_t live;         /* slots that are not free */
	bool refused_config;  /* `quash_init` has refused it */
	struct {
		uint8_t first;    /* the slot that the message which is being written begins with */
		uint8_t slot;     /* the one that the next window begins in */
		uint8_t tries;    /* it was measured so often, and nothing of it has left */
		uint8_t crowded;  /* steps for which answers that are recorded now let a notification go first */
		bool composing;   /* a put function is on the stack */
		bool tried;       /* it goes on once TX is empty */
		bool old;         /* it is for a client that has gone: its id names nothing */
		bool stale;       /* an answer that may be part of it was silenced */
		uint16_t item;    /* that the next window begins in, counted from 1; 0: at the beginning of the answer */
		uint32_t rest;    /* bytes that make up for the end of a message that was given up */
		const struct quash_message_code *message; /* that is being written, or NULL */
		quash_call *call; /* whose request it is */
	} out;
	bool (*put_items)(quash_peer *peer, const quash_request *slot, bool resumed); /* NULL until the first list */
	quash_call *calls;    /* on this connection, oldest first */
	quash_call *children; /* made for requests of this peer, oldest first */
	uint32_t last_id;     /* of our calls */
	uint32_t alive;       /* when the last sign of life was received */
	quash_count refused;  /* messages that found no room since nothing was live */
	quash_count refused_arena; /* what their params would have taken */
	quash_writer writer;
	quash_frame frame;
	quash_keeper keeper;
	quash_group *groups;  /* that its requests hold */
};

/** The one config of a program, if the program names it before it includes anything of the library:
 *
 *     #define QUASH_THE_CONFIG lamp
 *     #include "quash.h"
 *     ...
 *     const quash_config lamp = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };
 *     #include "quash.c"
 *
 * It is not static, and in C++ it stands in no namespace. A compiler that sees it beside the library leaves out what it
 * does not name: trace, counters, batches, framing, tags, calls, keeps and more. It sees it in one unit as above, or
 * with -flto. All that the config points to is better constant, too. RAM and bytes on the wire stay the same.
 *
 * Who may: a program with one peer, as a config's buffers are one peer's. `quash_init` refuses another config;
 * `quash_start` takes none: `quash_start(&peer)`. quash.c is C. A C++ program includes it in a C file that names the
 * same config. The functions of quash.h are static then, unless QUASH_API is defined as nothing: a program of several
 * units does so in all of them. */
#ifdef QUASH_THE_CONFIG
extern const quash_config QUASH_THE_CONFIG;
static inline const quash_config *quash_the_config_(void)
{
	return &QUASH_THE_CONFIG;
}
#endif

/** The config of a peer. Cost: a load, or nothing where QUASH_THE_CONFIG names it. */
static inline const quash_config *quash_config_of(const quash_peer *peer)
{
#ifdef QUASH_THE_CONFIG
	(void)peer;
	return quash_the_config_();
#else
	return peer->config;
#endif
}

/** True if QUASH_THE_CONFIG names another one. `quash_init` asks it. */
static inline bool quash_is_other_config_(const quash_config *config)
{
#ifdef QUASH_THE_CONFIG
	return config != quash_the_config_();
#else
	(void)config;
	return false;
#endif
}

/** What is counted, to be read on the peer's thread; NULL when its config names no counters. */
static inline const quash_counters *quash_counters_of(const quash_peer *peer)
{
	return quash_config_of(peer)->counters;
}

/** Lays out static storage for a peer of the given sizes, and names it:
 *
 *     QUASH_STORAGE(store, 8, 40, sizeof(struct motor), 1024, 256);
 *     static const quash_config config = { QUASH_CONFIG(store, &quash_jsonrpc, methods) };
 *
 * `state` may be 0. Sizes are in bytes; the states are aligned for any type up to 8 bytes wide. */
#define QUASH_STORAGE(name, slot_n, id_n, state_n, arena_n, tx_n) \
	enum { name##_slot_count = (slot_n), name##_id_size = (id_n), \
	       name##_state_size = (((state_n) + 7) / 8) * 8 }; \
	static struct { \
		uint64_t states[(state_n) > 0 ? (((state_n) + 7) / 8) * (slot_n) : 1]; \
		quash_request slots[slot_n]; \
		quash_word word; \
		uint8_t ids[((slot_n) + 1) * (id_n)]; \
		uint8_t arena[arena_n]; \
		uint8_t tx[tx_n]; \
		quash_counters counters; \
	} name

/** The first members of a quash_config, those that QUASH_STORAGE provides for. Positional, for C and C++; the dialect
 * and the method table follow. */
#define QUASH_STORED(name) \
	name##_slot_count, name##_id_size, QUASH_WORD, sizeof (name).arena, sizeof (name).tx, name##_state_size, \
	(name).slots, &(name).word, (name).ids, (name).states, (name).arena, (name).tx, &(name).counters

/** All members of a quash_config that has neither tags, reason, hooks nor context. `methods` is an array. */
#define QUASH_CONFIG(name, dialect, methods) \
	QUASH_STORED(name), (dialect), (methods), (uint8_t)(sizeof(methods) / sizeof((methods)[0])), 0, 0, false, 0, \
	NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, &quash_faults, NULL, NULL, 0

#ifdef __cplusplus
}
#endif
#endif
