/* SPDX-License-Identifier: MIT
 * What the parts of the MCP profile share. */
#ifndef QUASH_SRC_MCP_INNER_H
#define QUASH_SRC_MCP_INNER_H

#include "../../include/quash/mcp.h"
#include "../params/params_inner.h"
#include "../profile/profile.h"

#define MCP_META "io.modelcontextprotocol/"
#define MCP_META_VERSION MCP_META "protocolVersion"

/* Marks of a quash_mcp_slot. */
enum mcp_mark {
	MCP_MODERN = 1 << 0,
	MCP_CALLED = 1 << 1,   /* the handler of its target was */
	MCP_REPORTED = 1 << 2, /* it has reported progress */
	MCP_FAILED = 1 << 3,   /* its result shows that the tool failed */
	MCP_COPIED = 1 << 4    /* of its params only the first call reads more than the struct */
};

/* What the core asks of all parts of a server that has any. */
struct quash_mcp_machine {
	void (*offer)(quash_writer *w, const quash_request *request);
	bool (*open)(quash_request *request);
	void (*begin)(const quash_request *request);
	bool (*check)(const quash_mcp_server *server, const quash_config *config, quash_fault *fault);
};

extern const struct quash_mcp_machine quash_mcp_machine;

/* The machine of a server with parts, or NULL. */
const struct quash_mcp_machine *quash_mcp_machine_of(const quash_mcp_server *server);

/* What a part adds to the others' work; all but the first may be NULL. */
struct quash_mcp_kind {
	const struct quash_mcp_machine *machine; /* `&quash_mcp_machine` */
	/* Its first method, which is in the table when the part is. NULL: it has none. */
	quash_handler *handler;
	/* Puts its member of `capabilities`. */
	void (*offer)(quash_writer *w, const quash_mcp_server *server);
	/* Looks at the _meta of a modern request. False: it is refused, and the answer recorded. */
	bool (*open)(quash_request *request, quash_value meta);
	/* Whether it has what `ref` of completion/complete names. */
	bool (*knows)(const quash_mcp_part *part, quash_value ref);
	/* Whether it has the resource. */
	bool (*holds)(const quash_mcp_part *part, quash_value uri);
	/* Looks at the params of `initialize`. */
	void (*begin)(quash_mcp_session *session, quash_value params);
	/* As a quash_check. */
	bool (*check)(const quash_mcp_server *server, const quash_mcp_part *part, const quash_config *config,
		quash_fault *fault);
};

/* The server's part of that kind, or NULL. */
const quash_mcp_part *quash_mcp_part_of(const quash_mcp_server *server, const struct quash_mcp_kind *kind);

/* Puts the member `name` of `capabilities`: an object that is open, `listChanged` in it if the lists `change`. */
void quash_mcp_put_capability(quash_writer *w, const quash_mcp_server *server, const char *name, uint8_t change);

/* --- A request */

/* The beginning of the request's state; NULL when the config gives it no room. */
quash_mcp_slot *quash_mcp_slot_of(quash_request *request);
const quash_mcp_slot *quash_mcp_const_slot_of(const quash_request *request);

bool quash_mcp_is_modern(const quash_request *request);

/* The member of `_meta` with that name. */
quash_value quash_mcp_meta(const quash_request *request, const char *name);

/* Finds out the request's era and keeps it in the slot. False: it is refused, and the answer recorded. */
bool quash_mcp_open(quash_request *request);

/* Refuses a request whose state has no room in the config's: records the answer, returns false. */
bool quash_mcp_no_room(quash_request *request);

/* Puts the beginning of a result: an object is open, the members that the era wants in each are in it. */
void quash_mcp_begin(quash_writer *w, const quash_request *request);

/* The same for a modern request, with the object `_meta` open behind its other members. */
void quash_mcp_begin_meta(quash_writer *w, const quash_request *request);

/* What a server asks that serves modern requests; another one has none of this. */
struct quash_mcp_modern_code {
	/* `_meta` has a version, so what stands there decides. False: the request is refused, and the answer recorded. */
	bool (*open)(quash_request *request);
	/* Puts the members that each result has, but for the end of `_meta`. */
	void (*begin)(quash_writer *w, const quash_request *request);
	void (*put_cache)(quash_writer *w, uint32_t ttl);
};

/* How many milliseconds, and by whom, the result may be kept. */
void quash_mcp_put_cache(quash_writer *w, const quash_request *request, uint32_t ttl);

/* Records an answer that `put` puts; the slot keeps the content for it. */
int32_t quash_mcp_reply_put(quash_request *request, quash_put *content, quash_put *put);
int32_t quash_mcp_reply_literal(quash_request *request, const char *content, quash_put *put);

/* Puts the content of a quash_mcp_reply_put. */
void quash_mcp_put_content(quash_writer *w, const quash_request *request);

/* --- Errors that name what came in, in pieces: their cost is in proportion to it, however small TX is */

/* Records an error that names `text`, a value of the params. */
int32_t quash_mcp_fail_naming(quash_request *request, int32_t code, const quash_value *text, quash_put_item *put);

/* Puts the beginning of that error; the object `data` is open. */
void quash_mcp_put_error(quash_writer *w, const quash_request *request, const char *message);

/* One piece of the text, if it is one: false behind the last. */
bool quash_mcp_put_named(quash_writer *w, const quash_request *request, uint16_t index);

/* --- Lists */

/* Puts one entry. */
typedef void quash_mcp_put_entry(quash_writer *w, const quash_request *request, uint8_t index);

/* Opens the request, and answers with the page of a list of `count` that it asks for. */
int32_t quash_mcp_reply_page(quash_request *request, uint8_t count, quash_put_item *put);

/* One piece of that answer: false at the end. */
bool quash_mcp_put_page(quash_writer *w, const quash_request *request, uint16_t index, const char *key,
	quash_mcp_put_entry *put);

/* --- What is called: tools, prompts, resources */

/* The bytes of state that a struct of `size` needs. */
uint32_t quash_mcp_room(const quash_mcp_server *server, uint32_t size);

/* The params' `arguments`. */
quash_value quash_mcp_arguments(const quash_request *request);

/* Keeps what is called, for its put functions and hooks, and the progress token; sets the deadline, which counts from
 * when the request got its slot. */
void quash_mcp_begin_target(quash_request *request, const void *target, uint32_t deadline);

/* Refuses what names no target: records the answer, which has these words if `name` is a string. Returns false. */
bool quash_mcp_unknown(quash_request *request, const quash_value *name, const char *words);

/* Fills the struct from `arguments`; `args` may be NULL. False: it is refused, and the answer recorded, by `unfit` when
 * an argument does not fit. */
bool quash_mcp_bind(quash_request *request, const quash_params *args, quash_handler *unfit);

/* Puts these words. */
void quash_mcp_put_unfit(quash_writer *w, const quash_request *request, const quash_params *args);

/* Calls the handler of what is called. */
int32_t quash_mcp_run(quash_request *request, quash_handler *handler, uint8_t marks);

/* What is called if the request is one for `handler`; else NULL. */
const void *quash_mcp_target_of(const quash_request *request, quash_handler *handler);

/* The same if it was called already. */
const void *quash_mcp_called_of(const quash_request *request, quash_handler *handler);

/* --- Checks */

/* False if the struct of what is called has no room in the config's states. The fault then has the sizes; it names the
 * table already. */
bool quash_mcp_check_room(const quash_mcp_server *server, const quash_config *config, uint32_t size, quash_fault *fault);

/* The member that is out of range, or NULL. */
const char *quash_mcp_wrong_marks(uint8_t marks, uint32_t deadline);

/* --- Members */

void quash_mcp_put_info(quash_writer *w, const quash_mcp_server *server);
/* `capabilities` and `instructions`. */
void quash_mcp_put_offer(quash_writer *w, const quash_request *request);

/* Keeps the progress token of a call that begins. */
void quash_mcp_keep_token(quash_request *request);

#endif
