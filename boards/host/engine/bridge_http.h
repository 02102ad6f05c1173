/* SPDX-License-Identifier: MIT
 * Connections of HTTP: requests that come in whole, and what is sent back. What they mean is the service's affair. */
#ifndef BRIDGE_HTTP_H
#define BRIDGE_HTTP_H

#include "bridge_queue.h"
#include "cut.h"
#include "http/http.h"

#include <stdbool.h>

struct bridge;
struct bridge_line;
struct stream;

/** How many connections there may be; tests build it smaller. */
#ifndef HTTP_CONNECTIONS
#define HTTP_CONNECTIONS 1024
#endif

enum {
	MOST_CONNECTIONS = HTTP_CONNECTIONS,
	HTTP_HEAD_MOST = 16384,
	HTTP_BODY_MOST = CUT_MOST / 16 * 9, /* 9 MiB: the longest message that can be transmitted, and what stands around it */
	HTTP_BODIES_MOST = 128 << 20, /* of all connections together */
	HTTP_REQUEST_MS = 15000,      /* in which a head, and half a MiB of a body, must have come */
	HTTP_IDLE_MS = 75000,         /* between two requests */
	HTTP_YIELD_MS = 2000,         /* in which a request should have come: later its connection gives way to others */
	HTTP_YIELD_SOON_MS = 250,     /* the same while half of all connections have made none: so many are no clients */
	HTTP_OPEN_MS = 500,           /* what is not answered by then becomes a stream */
	HTTP_COMMENT_MS = 15000       /* a stream on which nothing was sent gets a comment: so proxies keep it */
};

/** What a connection is doing. */
enum connection_phase {
	CONNECTION_READS,   /* a request is coming, or is about to */
	CONNECTION_WAITS,   /* it is there, and what it needs to be judged by is not */
	CONNECTION_ANSWERS, /* it was handed on; nothing of the response was sent */
	CONNECTION_STREAMS, /* its response is a stream of events */
	CONNECTION_LEAVES   /* what was sent is to leave, then it is closed */
};

/** The one that made it owns it. */
struct connection {
	struct bridge *bridge;
	struct bridge_line *line; /* owned */
	unsigned place;
	enum connection_phase phase;
	port_http_reader reader;
	char head[HTTP_HEAD_MOST];
	char *body; /* of the request, NUL-terminated; or NULL */
	size_t body_length, body_room;
	struct send_queue queue;
	struct stream *stream; /* that it carries; NULL: none */
	struct connection *older; /* that carried it before, and is still open */
	unsigned reached;      /* number of the last event of that stream when a newer one took it over */
	uint32_t since;        /* the request began, or the last one ended */
	uint32_t sent;         /* when something was added to the queue */
	bool hung;             /* the other side has closed */
	bool stirs;            /* it is to have a turn, */
	uint32_t rest, rests;  /* else none for so long, from then on; UINT32_MAX: until something happens */
	bool known;            /* a request of it was let in, and has come whole */
	bool stopped;          /* it has waited when a Stop of everything came: no call of it begins */
	bool shown;            /* it waits, and was shown to the service at that time: */
	uint32_t looked;
};

/** What requests are for. */
struct http_service {
	/** A request has come whole, and its connection is in CONNECTION_WAITS: it is answered, or goes on in another phase; or it waits, and
	 * is shown again. */
	void (*take)(struct connection *c);
	/** False: the body of the request whose head has come is of no use, and is not kept. */
	bool (*keeps)(const struct connection *c);
	/** The connection is gone; what it carries is still named in it. */
	void (*lost)(struct connection *c);
	/** What time brings. */
	void (*turn)(struct bridge *bridge);
	/** How long it can do without a turn; UINT32_MAX: until something happens. */
	uint32_t (*rest)(struct bridge *bridge);
};

/** All that a bridge has of HTTP. */
struct http {
	const struct http_service *service; /* NULL: it serves none */
	struct connection *all[MOST_CONNECTIONS];
	unsigned count, places; /* behind these none is in use */
	bool stops; /* a connection waits for a Stop of everything */
	size_t bodies; /* bytes of them that are held */
};

/** True if one more connection finds a place, for which an older one may give way. */
bool http_has_room(struct bridge *bridge);

/** A connection that has come. NULL: there is no place, or no memory. */
struct bridge_line *http_comes(struct bridge *bridge);

/** Closes one that can give way to others. False: none can now. */
bool http_yields(struct bridge *bridge);

/** Reads, and hands on what is whole. */
void http_turn(struct bridge *bridge);

/** Gives what is due to the lines. */
void http_write(struct bridge *bridge);

/** How long it can do without a turn; UINT32_MAX: until something happens; 0: there is something to do now. */
uint32_t http_rest(struct bridge *bridge);

/** Ends what is open, and closes it. */
void http_close(struct bridge *bridge);

/* --- Responses. All of them name the Origin that was let in */

/** A whole response. `type` NULL: without a body. `fields`: names and values of more fields, then NULL; or NULL. */
void http_respond(struct connection *c, unsigned status, const char *type, const char *body, const char *const *fields);

/** An error of JSON-RPC. `id` and `data` are JSON; NULL: there is none. */
void http_refuse(struct connection *c, unsigned status, const char *id, int code, const char *words, const char *data);

/** There is no such method at this path. `methods`: those that there are. */
void http_not_allowed(struct connection *c, const char *methods, const char *words);

/** What a page's browser asks before it uses one of these methods. */
void http_permit(struct connection *c, const char *methods);

/** The head of a stream of events. */
void http_begin_stream(struct connection *c, const char *session);

/** A piece of it, or a comment, as it stands on the line. */
void http_send(struct connection *c, const char *text, size_t n);

/** It is to be closed in its next turn: nobody waits for an answer any more, or there is no memory for one. */
void http_give_up(struct connection *c);

/** The stream ends. The connection is kept, if it can be. */
void http_end_stream(struct connection *c);

/** The response has ended: the next request may come. */
void http_done(struct connection *c);

#endif
