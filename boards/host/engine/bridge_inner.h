/* SPDX-License-Identifier: MIT
 * The bridge: clients on one side, devices on the other, and what is known of both. */
#ifndef BRIDGE_INNER_H
#define BRIDGE_INNER_H

#include "bridge.h"
#include "bridge_http.h"
#include "bridge_line.h"
#include "bridge_lists.h"
#include "bridge_window.h"
#include "bridge_wire.h"
#include "diagnosis.h"
#include "text.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct own;

/** What of a client waits for one device, see bridge_waiting.h. */
struct waits {
	struct own *first, *last;
	struct client *before, *next; /* who wait for the same device */
};

/** One that asks. */
struct client {
	struct wire wire; /* first: a peer's wire is its client */
	unsigned number;
	char title[64];      /* that it has given itself, for the log; "": none */
	struct bridge_line *line; /* owned */
	/* Of HTTP: its line has what it has asked and has not read. Whose messages those are, see bridge_http_stream.h. */
	bool http;
	struct session *session;
	struct stream *stream;
	void (*forgotten)(struct client *client); /* it is freed next */
	bool begun;          /* it has sent a message that is one */
	unsigned begins;     /* how often it has begun a session anew */
	bool greeted;        /* its `initialize` was accepted */
	bool opened;         /* and answered with a result, which has left */
	bool initialized;    /* it has said so, or has gone on to ask */
	bool alone;          /* by the bridge, in place of its one device: see bridge_alone.h */
	bool lists_asked;    /* meanwhile, and since when they wait */
	uint32_t lists_since;
	bool modern;         /* it has asked something of 2026-07-28 */
	bool leaving;        /* its input has ended, or it is gone */
	uint32_t leaves;     /* since then */
	int level;           /* of the log messages that it wants: 0 debug ... 7, or NO_LEVEL */
	uint8_t can;         /* be asked: QUASH_MCP_SAMPLING ..., see bridge_mcp.c */
	struct texts subscriptions;
	struct texts sessions; /* of ACP: see bridge_acp.c */
	uint64_t given[LIST_KINDS]; /* fingerprint of what its list requests have brought so far */
	struct waits waits[MOST_DEVICES];
	unsigned waiting;    /* requests in these */
	quash_route route;
	quash_method request, note; /* what its unknown methods become */
};

/** A connection that has not shown the token yet, or finds no place among the clients. */
struct stranger {
	struct bridge *bridge;
	struct bridge_line *line; /* owned; NULL: the place is free */
	uint32_t since;
	bool shown;          /* the token */
	size_t n;            /* of `text`: what has come, without the line's end */
	char text[TOKEN_MOST + 1];
};

enum device_phase {
	DEVICE_AWAY,     /* its line is not there */
	DEVICE_OPENING,  /* it is being connected */
	DEVICE_GREETING, /* its line is there, its session is not */
	DEVICE_READY
};

/** A device. */
struct device {
	struct wire wire; /* first */
	unsigned index;      /* in the options */
	struct device_options options;
	struct bridge_line *line; /* owned; NULL: it has none */
	enum device_phase phase;
	bool was_ready;      /* at least once */
	bool given_up;       /* a command that never was, and is not started again */
	bool waits_noted;
	uint32_t pause, retry; /* until the next try, and when that is */
	uint32_t away;       /* since when */
	uint32_t noise, noise_due; /* lines of this connection, and how many are told next */
	struct symptoms symptoms; /* of this connection */
	unsigned diagnosed;  /* what of that is in the log, a bit for each diagnosis */
	bool ready_noted;    /* in the log */
	char trouble[160];   /* why it is away, in words */
	/* Its session. */
	quash_call greeting, setting, subscribing, listing, parting;
	char *greeted;       /* the result of its `initialize`, JSON; or NULL */
	char *refused;       /* its error, JSON; or NULL */
	enum diagnosis refusal; /* what that shows */
	char *modern;        /* the result of its `server/discover`, JSON; or NULL */
	bool modern_known;
	char own_name[128], own_version[64]; /* that it has given itself; whole characters, not escaped */
	bool logs, subscribes, changes, completes, lists[LIST_KINDS]; /* what it offers */
	int level;           /* that it was given; NO_LEVEL */
	struct texts subscribed;
	struct texts unaddressed; /* names of notifications that were dropped because they name no client; the first 256 are logged, once each */
	char *subscription;  /* that is being changed */
	struct list list[LIST_KINDS], fresh[LIST_KINDS];
	char *cursor;        /* of the page that is fetched next, or NULL */
	unsigned fetching;   /* which of the lists, LIST_KINDS for none */
	struct paging {
		uint32_t since;
		size_t bytes;    /* of its items so far */
		bool full;       /* no more is kept */
		unsigned unnamed, same; /* items without a name; pages that had come before */
		struct mcp_seen cursors, pages;
	} paging;            /* of that list */
	bool failed;         /* one of them did not come; tried again some seconds later */
	unsigned missing;    /* which of them, a bit for each kind */
	unsigned cut_noted, failure_noted, silence_noted, unnamed_noted; /* what of them is in the log in this session, likewise */
	unsigned names_told; /* lines of the log about its names, in this session */
	bool stale;          /* they are to be fetched again, */
	bool rests;          /* but not yet */
	uint32_t again;      /* when that is, or the next try */
	unsigned haste;      /* how often they were fetched lately, and the last time: */
	uint32_t fetched_at;
	bool haste_noted;
	uint64_t given[LIST_KINDS]; /* fingerprint of what clients were given; 0: nothing */
	struct window window; /* of requests that are on their way */
	struct client *first_waits, *last_waits; /* those of which requests wait for it; the first is next */
	/* Signs of life. */
	uint32_t lease;      /* that it has announced; 0: none */
	struct limit {
		char *tool;
		uint32_t ms;     /* the longest time of one call, as announced */
	} limits[MOST_LIMITS];
	unsigned limit_count;
	uint32_t signed_at;
	bool signs;          /* one was sent in this connection */
	quash_call asking;   /* whether it still has its session: see bridge_alive.h */
	bool asked;          /* once in this session, at that time: */
	uint32_t asked_at, heard_before, messages_before; /* when bytes had come, and how many messages */
	uint32_t messages;   /* that have come */
	bool denied;         /* it has none */
	struct listener {
		uint32_t call;   /* id on the device's line */
		unsigned client; /* its number */
		char *id;        /* the client's, JSON; or NULL */
	} listeners[MOST_LISTENERS];
	unsigned next_listener;
	quash_route plain, listen, named, resource, reference;
	quash_method request, note;
};

/** Where a bridge is on its way to its end. */
enum ending {
	ENDING_NOT,
	ENDING_FIRST,   /* it waits for the first message of the one client, which is told why */
	ENDING_LOSS,    /* what is answered with Link lost leaves */
	ENDING_DEVICES, /* devices take the cancels */
	ENDING_CLIENTS, /* clients take what is for them */
	ENDING_OVER
};

struct bridge {
	struct heap heap;
	struct bridge_host host;
	struct bridge_options options;
	struct bridge_line *lines, *news, *wishes; /* all; what the host is to be told of them */
	bool stirred;       /* something has come since the last turn */
	bool starved;       /* there was no memory for it */
	uint32_t rest;      /* how long nothing is to be done */
	uint32_t woken;     /* when all that sleeps was given the time */
	enum ending ending;
	unsigned turns;     /* of that */
	uint32_t began;     /* when it did */
	uint32_t half;      /* of what was left of the grace when devices were hung up */
	bool stopped;       /* by the host */
	struct http http;
	struct session *sessions; /* of HTTP; the newest first */
	uint32_t last_id;   /* that one of their requests was given */
	struct client *clients[MOST_CLIENTS];
	unsigned client_places; /* behind these none is in use */
	unsigned line_clients, http_clients; /* how many there are of each kind */
	struct stranger strangers[MOST_STRANGERS];
	struct device *devices[MOST_DEVICES];
	unsigned device_count;
	unsigned next_number;
	bool listens;       /* several clients at once */
	char *hello;        /* ACP: the params of the first `initialize`, JSON; MCP: the capabilities of the one client */
	bool hello_known;   /* devices may be greeted */
	uint32_t stop_count; /* of everything, by a person at the page */
	unsigned cancelled; /* requests of clients that have left, since the device was asked whether it has read that */
	bool modern_wanted; /* a client of several devices has asked for the revision of 2026-07-28 */
	bool stood_in;      /* MCP: lists were answered in place of the one device */
	bool shut_down;     /* LSP: `shutdown` was answered, so the device may end */
	bool hung_up;       /* the devices end, and have no turns any more */
	unsigned refused;   /* strangers, and since when: for the log */
	uint32_t refused_since;
	int exit;           /* the exit code, once it ends by itself; -1 before */
	uint32_t now;
};

/** What a protocol needs of the bridge. Functions may be NULL. */
struct protocol {
	const char *name;
	const quash_dialect *dialect;
	const quash_progress_form *progress;
	bool exits_when_lost;
	bool one_client;
	const char *call;    /* the request that the log has at LOG_INFO, when it has ended; NULL: each has */
	bool in_order;       /* notifications change what requests mean: none of them waits in the bridge */
	/** Adds the methods that it knows to the tables. */
	void (*client_methods)(struct client *client);
	void (*device_methods)(struct device *device);
	/** The line to a device is there: makes the session; calls `device_ready` in the end. NULL: ready at once. */
	void (*greet)(struct device *device);
	/** Each turn while it is ready. */
	void (*tend)(struct device *device);
	void (*lost)(struct device *device);
	/** The device for a request, when that is not the only one. NULL: none; `*verdict` is returned then. */
	const quash_route *(*choose)(quash_request *request, int32_t *verdict);
	/** Whether a client may ask that, else `*verdict` is what the handler returns. NULL: each may. */
	bool (*admits)(quash_request *request, int32_t *verdict);
	/** Milliseconds in which its device ends a request, as it has announced; 0: it has announced none. NULL: none has. */
	uint32_t (*limit)(const quash_request *request);
	/** Answers a request whose device has not come, or has made no session, within `--wait`. NULL: it waits on. */
	int32_t (*absent)(quash_request *request, const struct device *device);
	/** The same of any request, where the bridge ends because its one device will never come. */
	quash_handler *never;
	/** Whether a Stop of everything ends requests of that method. NULL: it ends none. */
	bool (*stops)(const char *method);
	/** Answers a request that its device has not ended by then. */
	quash_handler *over;
	/** A client's request is handed on, with that id. */
	void (*begins)(const quash_request *request, uint32_t call);
	/** A result passes to a client. */
	void (*passes)(quash_request *request, quash_value result);
	/** Whether a notification of a device names which of several clients it is for. NULL: none does. */
	bool (*addresses)(const quash_request *note);
	/** Whether one that does concerns a client. NULL: each does. */
	bool (*concerns)(const quash_request *note, const struct client *client);
	/** Whether a client is not to get anything yet; `asked`: no question. NULL: each gets what comes. */
	bool (*early)(const struct client *client, bool asked);
	/** The client whose request one names: it may end before the notification has left. NULL: none. */
	struct client *(*whose)(const quash_request *note);
	/** One has gone to a client. NULL: nothing follows it. */
	void (*sent)(const quash_request *note, struct client *client);
	/** A notification of a device has come; before it goes on. */
	void (*comes)(struct device *device, const quash_request *note);
	/** Puts its params for a client. NULL: as they came. */
	void (*put_note)(quash_writer *w, const quash_request *note, quash_value params);
	/** The client that a device asks; NULL: none. */
	struct client *(*asked)(const quash_request *request);
};

extern const struct protocol protocol_mcp, protocol_acp, protocol_lsp, protocol_jsonrpc;

/** Lists are fetched before a client asks: for the names of several devices, or for the fields of HTTP. */
static inline bool bridge_keeps_lists(const struct bridge *bridge)
{
	return bridge->options.many_devices || bridge->options.listens_http;
}

static inline struct client *client_of(const quash_request *request)
{
	return (struct client *)(void *)wire_of_request(request);
}

static inline struct device *device_of(const quash_request *request)
{
	return (struct device *)(void *)wire_of_request(request);
}

#endif
