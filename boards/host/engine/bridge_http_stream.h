/* SPDX-License-Identifier: MIT
 * Sessions and streams of MCP over HTTP: which message goes to whom, and what is kept of it.
 *
 * In the modern era a request is a client of its own, and its stream is the response; with the connection goes all of it. In the legacy
 * era a session is a client. Its requests get ids of ours, since several of its connections may use the same ones. Its streams outlive
 * their connections. */
#ifndef BRIDGE_HTTP_STREAM_H
#define BRIDGE_HTTP_STREAM_H

#include "bridge_inner.h"
#include "bridge_http.h"
#include "span.h"

enum { SESSION_ID = 32, STREAM_REQUESTS = 32, EVENTS_MOST = 512, EVENTS_BYTES = 1 << 20, STREAM_CONNECTIONS = 8 };

/** A response, or what a GET listens to. */
struct stream {
	struct stream *next;           /* of its session */
	struct session *session;       /* NULL: of the modern era */
	struct client *client;
	struct connection *connection; /* that carries it now; or NULL. Older ones follow by `older` */
	unsigned number;               /* in its session */
	unsigned last;                 /* number of its last event */
	bool opened;                   /* events were sent: it can be resumed */
	bool ended;                    /* everything was answered */
	bool standing;                 /* of a GET without an event: what belongs to no request comes there */
	bool unnamed;                  /* modern: the request lacks a member that `_meta` must have */
	uint32_t since;                /* it has its connection, or had its first one */
	uint32_t left;                 /* its last connection has gone */
	unsigned open;                 /* requests that are not answered */
	unsigned count;
	struct asked {
		uint32_t id; /* that it has in the bridge; 0: it is answered */
		char *own;   /* the client's own, JSON */
		bool stopped; /* by its client */
		bool greets; /* it is an `initialize` */
		bool begun_anew; /* its session has, since it came: so it is cancelled */
		uint32_t left_alone; /* cancelled, since its stream was not asked for again for so long; 0: it was not */
	} asked[STREAM_REQUESTS];
};

/** What was sent on a stream of the legacy era, or is to be sent. */
struct event {
	struct event *next;
	unsigned stream, number;
	bool sent;
	size_t n;
	char text[]; /* as it stands on the line */
};

/** A session of the legacy era. */
struct session {
	struct session *next;
	struct client *client;
	char id[SESSION_ID + 1];
	char version[16];      /* that `initialize` has chosen; "" before */
	struct stream *streams; /* the first is the standing one that keeps what comes while nobody listens */
	unsigned streams_made;
	struct event *events;  /* oldest first */
	unsigned event_count;
	size_t event_bytes;
	uint32_t seen;         /* when it last had a connection, or a request came */
	bool looks;            /* a request may end without an answer, or has */
};

/** A new one, with a client. NULL: there is no place. */
struct session *session_open(struct bridge *bridge);

/** The one of that id; NULL: none. */
struct session *session_find(struct bridge *bridge, const char *id);

/** Everything of it is cancelled. */
void session_end(struct session *s, const char *why);

/** A stream for a request of the session that the connection has brought. NULL: there is no memory. */
struct stream *stream_open(struct session *s, struct connection *c);

/** The same for a modern one, with a client of its own. NULL: there is no place. */
struct stream *stream_open_modern(struct connection *c);

/** Hands the client's message on, with that id in place of its own; 0: as it is. False: there is no room. */
bool stream_hand_on(struct client *client, struct span message, struct span id, uint32_t number);

/** Notes a request of a legacy stream, `greets` if that begins the session, anew if it had begun. 0: there are too many; else the id that
 * it gets. */
uint32_t stream_ask(struct stream *stream, struct span id, bool greets);

/** A client's Stop: all requests of the session that have that id, however it is written, are cancelled. False: there is no room. */
bool session_cancel(struct session *s, struct span id, struct span reason);

enum listening {
	LISTENS,
	LISTENS_NEVER, /* there was no such event */
	LISTENS_OVER,  /* its stream has ended, and nothing came behind it */
	LISTENS_MANY   /* too many connections listen */
};

/** A GET: the connection carries a standing stream, or goes on with that of an event, `STREAM-NUMBER`. Older connections of the same
 * session stay open: a client whose stream is ended asks for it again. */
enum listening session_listen(struct session *s, struct connection *c, const char *event);

/** A connection that carries it, or has, is gone. Was it the newest of several, the next older one carries the stream again: it gets what is
 * kept of the events since it last carried it. */
void stream_lost(struct stream *stream, struct connection *c);

/* --- For what time brings */

/** The newest session; the others follow by `next`. NULL: there is none. */
struct session *session_first(struct bridge *bridge);

/** Forgets the streams that have ended and have no event left by which they could be asked for. The first one stays. */
void session_forget_streams(struct session *s);

/** The head of the stream's response, on its connection, which must be in CONNECTION_ANSWERS. */
void stream_begin(struct stream *stream);

/** A request of the stream has ended without an answer. It has none if its client has stopped it, else an error. With the last of them
 * the stream ends. */
void stream_unask(struct stream *stream, struct asked *asked);

#endif
