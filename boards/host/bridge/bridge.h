/* SPDX-License-Identifier: MIT
 * The bridge: clients on one side, servers (the devices) on the other, and what is known of both. */
#ifndef BRIDGE_H
#define BRIDGE_H

#include "bridge_lists.h"
#include "bridge_text.h"
#include "bridge_window.h"
#include "bridge_wire.h"
#include "diagnosis.h"
#include "host_device.h"
#include "posix/posix_unix.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/** How many clients connect by themselves, at most, and how many are of HTTP; tests build it smaller. Together a multiple of 64. */
#ifndef BRIDGE_LINES
#define BRIDGE_LINES 64
#define BRIDGE_HTTP_CLIENTS 256
#endif

enum {
	MOST_LINES = BRIDGE_LINES,
	MOST_CLIENTS = BRIDGE_LINES + BRIDGE_HTTP_CLIENTS,
	MOST_HTTP_HOSTS = 8,
	MOST_HTTP_ORIGINS = 8,
	MOST_SERVERS = 24,
	SERVER_NAME = 25,
	MOST_LISTENERS = 16,
	MOST_LIMITS = 64,
	PAGES_MOST = 1000,
	MOST_STRANGERS = 8,
	TOKEN_MOST = 1024,
	NO_LEVEL = -1
};

enum bridge_exit { EXIT_WELL = 0, EXIT_SERVER_LOST = 1, EXIT_OPTIONS = 2, EXIT_IN_USE = 3 };

struct bridge;
struct protocol;
struct session;
struct stream;

/** What the command line asks for. Strings are those of the command line. Times are in milliseconds. */
struct options {
	const struct protocol *protocol;
	struct {
		const char *name; /* "device" for a single one */
		struct device_options device;
	} servers[MOST_SERVERS];
	unsigned server_count;
	bool many_servers; /* they were given names: clients see one server made of all */
	const char *listen_unix;
	const char *listen_host;
	uint16_t listen_number;
	bool listens_tcp;
	char *token; /* the first line of a TCP connection, either way, and what HTTP shows; or NULL */
	bool listens_http;
	const char *http_host;
	uint16_t http_number;
	const char *http_hosts[MOST_HTTP_HOSTS]; /* names that a request may have in Host and Origin */
	unsigned http_host_count;
	const char *http_origins[MOST_HTTP_ORIGINS]; /* that a request may have besides; `SCHEME://` and an asterisk: all of a scheme */
	unsigned http_origin_count;
	uint32_t session_idle; /* of HTTP; 0: none */
	unsigned clients;
	uint32_t wait, grace, timeout, idle; /* the last two: 0 for none */
	uint32_t initialize_timeout;
	bool trace;
	const char *record;
};

/** One that asks. */
struct client {
	struct wire wire; /* first: a peer's wire is its client */
	unsigned number;
	char title[64];      /* that it has given itself, for the log; "": none */
	struct posix_stdio terminal;
	struct posix_socket *socket; /* owned; NULL: it is on stdin and stdout, or */
	/* of HTTP: what it has asked and has not read, and whose messages those are, see bridge_http_stream.h. */
	bool http;
	struct send_queue inbox;
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
	bool unacknowledged; /* on TCP: it has not acknowledged all that was sent */
	uint32_t acknowledged; /* when it last had */
	int level;           /* of the log messages that it wants: 0 debug ... 7, or NO_LEVEL */
	uint8_t can;         /* be asked: QUASH_MCP_SAMPLING ..., see bridge_mcp.c */
	struct texts subscriptions;
	struct texts sessions; /* of ACP: see bridge_acp.c */
	uint64_t given[LIST_KINDS]; /* fingerprint of what its list requests have brought so far */
	quash_route route;
	quash_method request, note; /* what its unknown methods become */
};

/** A connection that has not shown the token yet, or finds no place among the clients. */
struct stranger {
	struct posix_socket *socket; /* owned; NULL: the place is free */
	uint32_t since;
	bool shown;          /* the token */
	size_t n;            /* of `line`: what has come, without the line's end */
	char line[TOKEN_MOST + 1];
};

enum server_phase {
	SERVER_AWAY,     /* its line is not there */
	SERVER_OPENING,  /* it is being connected */
	SERVER_GREETING, /* its line is there, its session is not */
	SERVER_READY
};

/** A device. */
struct server {
	struct wire wire; /* first */
	struct device device;
	enum server_phase phase;
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
		unsigned unnamed, count, same; /* items without a name; pages, and of these those that had come before */
		uint64_t cursors[PAGES_MOST], pages[PAGES_MOST]; /* fingerprints */
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

struct bridge {
	struct options options;
	struct client *clients[MOST_CLIENTS];
	unsigned client_places; /* behind these none is in use */
	struct stranger strangers[MOST_STRANGERS];
	struct server *servers[MOST_SERVERS];
	unsigned server_count;
	unsigned next_number;
	bool listens;       /* several clients at once */
	struct posix_unix unix_door;
	struct posix_listener tcp_door;
	bool doors_full;    /* no descriptor is left: they are not polled for a while */
	char *hello;        /* ACP: the params of the first `initialize`, JSON; MCP: the capabilities of the one client */
	bool hello_known;   /* servers may be greeted */
	unsigned cancelled; /* requests of clients that have left, since the device was asked whether it has read that */
	bool modern_wanted; /* a client of several devices has asked for the revision of 2026-07-28 */
	bool stood_in;      /* MCP: lists were answered in place of the one device */
	bool shut_down;     /* LSP: `shutdown` was answered, so the server may end */
	unsigned granted;   /* place of the client whose request was the last to get room on a line */
	bool hung_up;       /* the devices end, and have no turns any more */
	unsigned refused;   /* strangers, and since when: for the log */
	uint32_t refused_since;
	int exit;           /* the exit code, once it ends by itself; -1 before */
	uint32_t now;
};

/** Milliseconds. */
uint32_t bridge_clock(void);

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
	void (*server_methods)(struct server *server);
	/** The line to a server is there: makes the session; calls `server_ready` in the end. NULL: ready at once. */
	void (*greet)(struct server *server);
	/** Each turn while it is ready. */
	void (*tend)(struct server *server);
	void (*lost)(struct server *server);
	/** The server for a request, when that is not the only one. NULL: none; `*verdict` is returned then. */
	const quash_route *(*choose)(quash_request *request, int32_t *verdict);
	/** Whether a client may ask that, else `*verdict` is what the handler returns. NULL: each may. */
	bool (*admits)(quash_request *request, int32_t *verdict);
	/** Milliseconds in which its server ends a request, as it has announced; 0: it has announced none. NULL: none has. */
	uint32_t (*limit)(const quash_request *request);
	/** Answers a request whose server has not come, or has made no session, within `--wait`. NULL: it waits on. */
	int32_t (*absent)(quash_request *request, const struct server *server);
	/** The same of any request, where the bridge ends because its one server will never come. */
	quash_handler *never;
	/** Answers a request that its server has not ended by then. */
	quash_handler *over;
	/** A client's request is handed on, with that id. */
	void (*begins)(const quash_request *request, uint32_t call);
	/** A result passes to a client. */
	void (*passes)(quash_request *request, quash_value result);
	/** Whether a notification of a server names which of several clients it is for. NULL: none does. */
	bool (*addresses)(const quash_request *note);
	/** Whether one that does concerns a client. NULL: each does. */
	bool (*concerns)(const quash_request *note, const struct client *client);
	/** Whether a client is not to get anything yet; `asked`: no question. NULL: each gets what comes. */
	bool (*early)(const struct client *client, bool asked);
	/** The client whose request one names: it may end before the notification has left. NULL: none. */
	struct client *(*whose)(const quash_request *note);
	/** One has gone to a client. NULL: nothing follows it. */
	void (*sent)(const quash_request *note, struct client *client);
	/** A notification of a server has come; before it goes on. */
	void (*comes)(struct server *server, const quash_request *note);
	/** Puts its params for a client. NULL: as they came. */
	void (*put_note)(quash_writer *w, const quash_request *note, quash_value params);
	/** The client that a server asks; NULL: none. */
	struct client *(*asked)(const quash_request *request);
};

extern const struct protocol protocol_mcp, protocol_acp, protocol_lsp, protocol_jsonrpc;

/** Lists are fetched before a client asks: for the names of several devices, or for the fields of HTTP. */
bool bridge_keeps_lists(void);

static inline struct client *client_of(const quash_request *request)
{
	return (struct client *)(void *)wire_of_request(request);
}

static inline struct server *server_of(const quash_request *request)
{
	return (struct server *)(void *)wire_of_request(request);
}

extern struct bridge bridge;

#endif
