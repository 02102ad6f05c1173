/* SPDX-License-Identifier: MIT
 * What the parts of the MCP profile share. */
#ifndef QUASH_SRC_MCP_INNER_H
#define QUASH_SRC_MCP_INNER_H

#include "../../include/quash/mcp_ask.h"
#include "../../include/quash/mcp_schema.h"
#include "../json/tape.h"
#include "../params/params_inner.h"
#include "../profile/profile.h"

#define MCP_META "io.modelcontextprotocol/"
#define MCP_META_VERSION MCP_META "protocolVersion"
#define MCP_META_CLIENT MCP_META "clientCapabilities"
/* The paths of such a member of `_meta`, and of the client's capabilities, whose prefix is not stored. */
#define MCP_KEPT_META(name) "_meta>" MCP_META "<" name
#define MCP_KEPT_CLIENT "_meta>" MCP_META "<clientCapabilities"

/* Tokens on the tape: what the member takes beside the token, and the longest one that a quash_keep can bound. */
enum {
	MCP_TEXT_ON_TAPE = TAPE_HEAD + 1, /* beside the text: its head and a NUL */
	MCP_TOKEN_ON_TAPE = MCP_TEXT_ON_TAPE + sizeof "progressToken" - 1 + MCP_TEXT_ON_TAPE,
	MCP_LONGEST_TOKEN = UINT8_MAX - MCP_TOKEN_ON_TAPE
};

/* Marks of a quash_mcp_slot. */
enum mcp_mark {
	MCP_MODERN = 1 << 0,
	MCP_CALLED = 1 << 1,   /* its target has been called */
	MCP_REPORTED = 1 << 2, /* it has reported progress */
	MCP_FAILED = 1 << 3,   /* its result reports that the tool failed */
	MCP_COPIED = 1 << 4,   /* later calls read none of its params beside the struct */
	MCP_RELATED = 1 << 5   /* what is sent for it names it */
};

/* A mark of a quash_call beside QUASH_MCP_NAMED: `context` points to the number of stops, a uint32_t, which its name
 * has. */
enum { MCP_CONFIRMATION = 1 << 2 };

/* In `client` of a session, beside what the client can be asked. */
enum {
	MCP_ARMED = 1 << 6,        /* what a person has confirmed may be armed; a new session clears it */
	MCP_WANTS_RELATED = 1 << 7 /* it wants to know which request a message belongs to */
};

/* What every server asks of its parts. A server without parts does not link it. */
struct quash_mcp_machine {
	void (*offer)(quash_writer *w, const quash_request *request);
	bool (*open)(quash_request *request);
	void (*begin)(const quash_request *request);
	bool (*check)(const quash_mcp_server *server, const quash_config *config, quash_fault *fault);
	/* True if a part has the method of that name, which begins as the name of its first method does. */
	bool (*serves)(const quash_mcp_server *server, const quash_config *config, const char *name);
	/* What the part with that number keeps; NULL: there is no such part. */
	const quash_keep *(*keeps)(const quash_mcp_server *server, uint8_t number, uint8_t *count);
};

extern const struct quash_mcp_machine quash_mcp_machine;

/* The machine of a server with parts, or NULL. */
const struct quash_mcp_machine *quash_mcp_machine_of(const quash_mcp_server *server);

/* What a part adds. All members but the first may be NULL. */
struct quash_mcp_kind {
	const struct quash_mcp_machine *machine; /* `&quash_mcp_machine` */
	/* The handler of its first method: a part is offered if the method table has it. NULL: the part has no method. */
	quash_handler *handler;
	/* The handler that calls what it offers, and the `end` of its entry; or NULL. */
	quash_handler *caller;
	int32_t (*end)(quash_request *request);
	/* What stands for its methods in a table. */
	const char *entries;
	/* Puts its member of `capabilities`. */
	void (*offer)(quash_writer *w, const quash_mcp_server *server);
	/* Reads the _meta of a modern request. False: the request is refused, and its answer recorded. */
	bool (*open)(quash_request *request);
	/* True if it has what `ref` of completion/complete names. */
	bool (*knows)(const quash_mcp_part *part, quash_value ref);
	/* True if it has the resource. */
	bool (*holds)(const quash_mcp_part *part, quash_value uri);
	/* Reads the params of `initialize`. */
	void (*begin)(quash_mcp_session *session, quash_value params);
	/* As a quash_check. */
	bool (*check)(const quash_mcp_server *server, const quash_mcp_part *part, const quash_config *config,
		quash_fault *fault);
	/* How modern requests ask by it; NULL: they do not. */
	const struct quash_mcp_modern_asks *asks;
	const quash_keep *keeps; /* what it reads of params */
	uint8_t keep_count;
};

/* How modern requests ask. */
struct quash_mcp_modern_asks {
	/* What the client of the request can be asked for. */
	uint8_t (*can)(const quash_request *request);
	/* Asks with this call, whose method is set. */
	int32_t (*ask)(quash_request *request, quash_call *call);
};

/* The `begin` of a part by which a server asks: by that it is known. */
void quash_mcp_read_client(quash_mcp_session *session, quash_value params);
/* What a client can be asked for, by its capabilities. */
uint8_t quash_mcp_read_capabilities(quash_value capabilities);
/* The method by which it is asked for that. */
const char *quash_mcp_asked_method(uint8_t what);

/* The server's part of that kind, or NULL. */
const quash_mcp_part *quash_mcp_part_of(const quash_mcp_server *server, const struct quash_mcp_kind *kind);

/* Puts the member `name` of `capabilities`: an open object, with `listChanged` if the server has that bit of
 * `changes`. */
void quash_mcp_put_capability(quash_writer *w, const quash_mcp_server *server, const char *name, uint8_t change);

/* --- Which request a message belongs to. Parts alone link it */

#define MCP_RELATED_NAME "quash/related"
/* The path of that member in `initialize`. */
#define MCP_KEPT_RELATED "capabilities>experimental>" MCP_RELATED_NAME

/* Reads from the params of `initialize` whether the client wants to know. */
void quash_mcp_read_related(quash_mcp_session *session, quash_value params);

/* Marks a legacy request if its client wants to know. */
void quash_mcp_relate(quash_request *request);

/* Puts the member `_meta` with the id of a marked request. */
void quash_mcp_put_relation(quash_writer *w, const quash_request *request);

/* --- A request */

/* The slot is the beginning of the request's state. NULL: the config gives it no room. */
quash_mcp_slot *quash_mcp_slot_of(quash_request *request);
const quash_mcp_slot *quash_mcp_const_slot_of(const quash_request *request);

bool quash_mcp_is_modern(const quash_request *request);

/* The member of `_meta` with that name, which begins with MCP_META. */
quash_value quash_mcp_meta(const quash_request *request, const char *name);

/* Determines whether the request is legacy or modern, and marks its slot. False: it is refused, and its answer
 * recorded. */
bool quash_mcp_open(quash_request *request);

/* Refuses a request for which the config's states are too small: records the answer, returns false. */
bool quash_mcp_no_room(quash_request *request);

/* Puts the beginning of a result: an open object with the members that every result has. */
void quash_mcp_begin(quash_writer *w, const quash_request *request);

/* The same for a modern request; the object `_meta` is open too. */
void quash_mcp_begin_meta(quash_writer *w, const quash_request *request);

/* What mcp.c asks of a server of modern requests. Other servers do not link it. */
struct quash_mcp_modern_code {
	/* Reads the `_meta` of a request that names a version. False: the request is refused, and its answer recorded. */
	bool (*open)(quash_request *request);
	/* Puts the members that every result has; `_meta`, the last, stays open. */
	void (*begin)(quash_writer *w, const quash_request *request);
	void (*put_cache)(quash_writer *w, uint32_t ttl);
	const quash_keep *keeps; /* what it reads of params */
	uint8_t keep_count;
};

/* Puts for how many milliseconds, and by whom, the result may be cached. */
void quash_mcp_put_cache(quash_writer *w, const quash_request *request, uint32_t ttl);

/* Record an answer that `put` puts. The slot stores the content, which `put` reads. */
int32_t quash_mcp_reply_put(quash_request *request, quash_put *content, quash_put *put);
int32_t quash_mcp_reply_literal(quash_request *request, const char *content, quash_put *put);

/* Calls what quash_mcp_reply_put stored. */
void quash_mcp_put_content(quash_writer *w, const quash_request *request);

/* --- Errors that quote the request. They go out in pieces, so their cost is linear, however small TX is */

/* Records an error that quotes `text`, a value of the params. */
int32_t quash_mcp_fail_naming(quash_request *request, int32_t code, const quash_value *text, quash_put_item *put);

/* Puts the beginning of that error; the object `data` is open. */
void quash_mcp_put_error(quash_writer *w, const quash_request *request, const char *message);

/* Puts one piece of the text. False: there is no such piece, or the value is no text. */
bool quash_mcp_put_named(quash_writer *w, const quash_request *request, uint16_t index);

/* --- Lists */

/* Puts one entry. */
typedef void quash_mcp_put_entry(quash_writer *w, const quash_request *request, uint8_t index);

/* Opens the request. Answers with the page that it asks for, of a list of `count` entries. */
int32_t quash_mcp_reply_page(quash_request *request, uint8_t count, quash_put_item *put);

/* Puts one piece of that answer. False: there is no such piece. */
bool quash_mcp_put_page(quash_writer *w, const quash_request *request, uint16_t index, const char *key,
	quash_mcp_put_entry *put);

/* --- Targets: the tool, prompt or resource that a request calls */

/* The bytes of state that a struct of `size` needs. */
uint32_t quash_mcp_room(const quash_mcp_server *server, uint32_t size);

/* The params' `arguments`. */
quash_value quash_mcp_arguments(const quash_request *request);

/* Stores the target, for its put functions and hooks, and the progress token. Sets the deadline, which counts from when
 * the request got its slot. */
void quash_mcp_begin_target(quash_request *request, const void *target, uint32_t deadline);

/* Refuses a request that names no target: records an error, with these words if `name` is a string. Returns false. */
bool quash_mcp_unknown(quash_request *request, const quash_value *name, const char *words);

/* Fills the struct from `arguments`; `args` may be NULL. False: the request is refused, and its answer recorded. If an
 * argument does not fit, `unfit` records it. */
bool quash_mcp_bind(quash_request *request, const quash_params *args, quash_handler *unfit);

/* Puts which argument does not fit, a string. */
void quash_mcp_put_unfit(quash_writer *w, const quash_request *request, const quash_params *args);

/* Calls the handler of the target. `ends`: it has an `end`, so once cancelled it is not called again, unless its
 * `marks` have QUASH_FINISHES. */
int32_t quash_mcp_run(quash_request *request, quash_handler *handler, bool ends, uint8_t marks);

/* The target, if the method of the request is that of `handler`; else NULL. */
const void *quash_mcp_target_of(const quash_request *request, quash_handler *handler);

/* The same, but NULL also if the target has not been called. */
const void *quash_mcp_called_of(const quash_request *request, quash_handler *handler);

/* --- Checks */

/* False if the config's states are too small for the target's struct. Then the fault has the sizes; its table and name
 * are set by the caller. */
bool quash_mcp_check_room(const quash_mcp_server *server, const quash_config *config, uint32_t size,
	quash_fault *fault);

/* False if what calls tools, prompts or resources has no entry, or one without its `end`. `entries` stands for it.
 * NULL: none is needed. */
bool quash_mcp_check_caller(const quash_config *config, quash_handler *handler, int32_t (*end)(quash_request *),
	const quash_mcp_server *server, const char *entries, quash_fault *fault);

/* True if both names have the same in front of a slash, as the methods of one part have. */
bool quash_mcp_are_of_one_part(const char *a, const char *b);

/* The member of a prompt or resource that is out of range, or NULL. `ends`: it has an `end`. */
const char *quash_mcp_wrong_marks(uint8_t marks, uint32_t deadline, bool ends);

/* --- Members */

void quash_mcp_put_info(quash_writer *w, const quash_mcp_server *server);
/* `capabilities` and `instructions`. */
void quash_mcp_put_offer(quash_writer *w, const quash_request *request);

/* Commits the open notification. */
quash_mcp_sent quash_mcp_send(quash_peer *peer);

/* Where the server's `token_size` bytes and one more of the request's state stand; NULL: the config gives it no
 * room. */
char *quash_mcp_progress_token(quash_request *request);

/* Copies the progress token into the state of a request that begins. */
void quash_mcp_keep_token(quash_request *request);

#endif
