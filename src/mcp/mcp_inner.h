/* SPDX-License-Identifier: MIT
 * What the parts of the MCP profile share. */
#ifndef QUASH_SRC_MCP_INNER_H
#define QUASH_SRC_MCP_INNER_H

#include "../../include/quash/mcp.h"
#include "../params/params_inner.h"

#define MCP_META "io.modelcontextprotocol/"

/* What the core asks of all parts of a server that has any. */
struct quash_mcp_machine {
	void (*offer)(quash_writer *w, quash_request *request);
	bool (*open)(quash_request *request, quash_value meta, int32_t *code);
	void (*begin)(const quash_mcp_server *server, quash_value params);
};

extern const struct quash_mcp_machine quash_mcp_machine;

/* What a part adds to the others' work; all but the first may be NULL. */
struct quash_mcp_kind {
	const struct quash_mcp_machine *machine; /* `&quash_mcp_machine` */
	/* Its first method, which is in the table when the part is. NULL: it has none. */
	quash_handler *handler;
	/* Puts its member of `capabilities`. */
	void (*offer)(quash_writer *w, const quash_mcp_server *server);
	/* Looks at the _meta of a modern request. When it is refused: false, what to return. */
	bool (*open)(quash_request *request, quash_value meta, int32_t *code);
	/* Says whether it has what `ref` of completion/complete names. */
	bool (*knows)(const quash_mcp_part *part, quash_value ref);
	/* Says whether it has the resource. */
	bool (*holds)(const quash_mcp_part *part, quash_value uri);
	/* Looks at the params of `initialize`. */
	void (*begin)(quash_mcp_session *session, quash_value params);
};

/* Lets the parts look at the _meta of a modern request. When it is refused: false, what to return. */
bool quash_mcp_open_parts(quash_request *request, quash_value meta, int32_t *code);

/* The server's part of that kind, or NULL. */
const quash_mcp_part *quash_mcp_part_of(const quash_mcp_server *server, const struct quash_mcp_kind *kind);

/* Puts the member `name` of `capabilities`: an object that is open, `listChanged` in it if the lists `change`. */
void quash_mcp_put_capability(quash_writer *w, const quash_mcp_server *server, const char *name, uint8_t change);

/* The beginning of the request's state; NULL when the config gives it no room. */
quash_mcp_slot *quash_mcp_slot_of(quash_request *request);

/* Finds out what the request speaks and keeps it in the slot. When it is refused: false, what to return. */
bool quash_mcp_open(quash_request *request, quash_value params, int32_t *code);

/* Begins a result: an object is open, the members that the era wants in each are in it. */
quash_writer *quash_mcp_begin(quash_request *request);

/* The same for a modern request, with the object `_meta` open behind its other members. */
quash_writer *quash_mcp_begin_meta(quash_request *request);

/* How many milliseconds, and by whom, the result may be kept. */
void quash_mcp_put_cache(quash_writer *w, quash_request *request, uint32_t ttl);

/* The part of a list that is shown. */
struct quash_mcp_page {
	uint8_t first, end, count;
};

/* Opens the request, and finds the page of a list of `count` that it asks for. When it is refused: false, what to
 * return. */
bool quash_mcp_open_page(
	quash_request *request, quash_value params, uint8_t count, struct quash_mcp_page *page, int32_t *code);

/* Begins the list's result: its array is open. */
quash_writer *quash_mcp_begin_page(quash_request *request, const char *key);

/* Ends the array, and answers. */
int32_t quash_mcp_send_page(quash_request *request, quash_writer *w, const struct quash_mcp_page *page);

/* Says whether `size` bytes for a handler's struct have room in the request's state. */
bool quash_mcp_has_room(quash_request *request, uint32_t size);

/* The server's name and version. */
void quash_mcp_put_info(quash_writer *w, const quash_mcp_server *server);

/* The members `capabilities` and `instructions`. */
void quash_mcp_put_offer(quash_writer *w, quash_request *request);

void quash_mcp_put_member(quash_writer *w, const char *key, const char *text);
void quash_mcp_put_optional(quash_writer *w, const char *key, const char *text);

/* Keeps the progress token of a call that begins. */
void quash_mcp_keep_token(quash_request *request, quash_value params);

#endif
