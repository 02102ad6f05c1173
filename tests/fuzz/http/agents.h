/* SPDX-License-Identifier: MIT
 * Clients of HTTP in the world of ../bridge: its lines are connections here.
 *
 *     agents.c     who asks, whose sessions those are, and what must hold of time
 *     requests.c   what they transmit
 *     responses.c  a reader of responses: heads, bodies, chunks, events
 *     messages.c   what must hold of the messages in them
 *     script.c     the data, step by step; what follows them */
#ifndef AGENTS_H
#define AGENTS_H

#include "../bridge/world.h"

enum { AGENTS = 6, EXCHANGES = 260, SCRIPT_LINES = 70, NO_STREAM = -1, STREAMS = 64, SESSION_TEXT = 40, LEASE_MS = 300, NO_LEASE_MS = 30000 };

/* One that asks. In the modern era nothing joins its requests; in the legacy era that is a session. */
struct agent {
	bool modern;
	const char *version;
	bool greets;              /* its `initialize` is on its way */
	char session[SESSION_TEXT]; /* ""; or what the bridge has named */
	bool ending;              /* DELETE was transmitted */
	bool ended;               /* and answered, or its `initialize` was refused */
	uint32_t ended_at;
	uint32_t attended;        /* when it was last seen to have a connection */
	bool doubtful;            /* one of its connections stalled: when the bridge saw that one end is not known */
	bool overfull;            /* events may have been given up */
	size_t event_bytes, sent; /* of events; of bodies to the bridge */
	unsigned next, can;       /* id; bits of `questions` */
	uint32_t uris;
	unsigned want_count;
	char wants[WANTS][TEXT];
	unsigned marks[WANTS];
	unsigned last[STREAMS];   /* the last event of each stream that has come; 0: none */
	bool known[STREAMS];      /* an event of it has come, or its first one without a message */
};

enum exchange_kind { GREETS, CALLS, NOTES, LISTENS, ENDS, STRANGE, RAW };

/* A request of HTTP and its response. */
struct exchange {
	enum exchange_kind kind;
	unsigned line, agent;
	size_t begin, end;   /* of the request in what the line transmits */
	unsigned first, count; /* marks of what it asks; or of what it cancels, and 0 */
	bool begun, done;    /* the response's head has come; all of it */
	bool old;            /* HTTP/1.0 */
	int stream;          /* of the legacy era; NO_STREAM: it is not known */
	bool resumes;        /* with Last-Event-ID, */
	unsigned after;      /* which has that number */
	unsigned last;       /* number of its last event */
	unsigned status;     /* that is due; 0: see its kind */
	uint32_t since;      /* it was transmitted */
};

enum reading { READS_HEAD, READS_LENGTH, READS_CHUNK_SIZE, READS_CHUNK, READS_CHUNK_END, READS_TRAILER, READS_TO_CLOSE };

/* A connection beyond its line. */
struct http_end {
	enum reading reading;
	size_t left;
	unsigned status;
	bool events, closes;
	bool loose;           /* what was transmitted may be anything, so only the form of responses is judged */
	bool slow;            /* it has stalled: responses may come late */
	struct queue body;
	struct queue rest;    /* of what it transmits, later */
	uint32_t active;      /* when a byte of either side has last moved */
	uint32_t stuck;       /* since when something of a request is missing */
};

/* What is known of a request beyond struct asked. */
struct origin {
	unsigned agent, exchange;
	int stream;
	uint32_t attended; /* when a connection was last seen to have its stream */
};

struct agents {
	struct agent all[AGENTS];
	unsigned count;
	struct exchange exchanges[EXCHANGES];
	unsigned exchange_count;
	struct http_end ends[LINES];
	struct origin origins[ASKED + 1];
	struct kept {
		unsigned agent, line, stream, number; /* the line that it came on last */
		uint32_t print;
	} *kept;              /* events that have come */
	size_t kept_count;
	unsigned orphans;     /* sessions that nobody has got to know */
	unsigned step;        /* of what follows the script */
};

extern struct agents agents;

/* --- agents.c */

/* The exchange whose response is next on that line; NULL: none. */
struct exchange *exchange_of(unsigned line);
bool exchange_is_whole(const struct exchange *x);
/* Nothing that its connection must answer before is open without end. */
bool exchange_is_next(const struct exchange *x);
bool agent_is_live(const struct agent *a);
/* A connection; LINES: there is none. `most`: how many there may be. */
unsigned line_connect(unsigned most, uint8_t choice);
/* The other side closes. */
void line_leave(unsigned who, bool half);
void agents_check_over(void);
unsigned agents_without_answer(void);

/* --- requests.c */

void request_call(unsigned agent);
void request_batch(unsigned agent);
void request_cancel(unsigned agent);
void request_answer(unsigned agent);
void request_note(unsigned agent);
void request_listen(unsigned agent);
void request_end(unsigned agent, unsigned most);
void request_strange(void);
void request_raw(void);
/* Goes on with what broke off: the stream of that number. */
void request_resume(unsigned agent, unsigned stream, unsigned after, unsigned most);
/* What is left of requests is transmitted. */
void request_flush(unsigned line);

/* --- responses.c */

void response_takes(struct line *line);
void response_closes(struct line *line);

/* --- messages.c */

/* An event has come without a message: it names the stream. */
void message_first(struct exchange *x, unsigned stream, unsigned number);
/* A message; `stream` NO_STREAM: it is no event, or one without an id. */
void message_comes(struct exchange *x, int stream, unsigned number, const char *text, size_t n);
void message_session(struct exchange *x, const char *session);
void message_status(const struct exchange *x, unsigned status);

#endif
