/* SPDX-License-Identifier: MIT
 * What the parts of the LSP profile share. */
#ifndef QUASH_SRC_LSP_INNER_H
#define QUASH_SRC_LSP_INNER_H

#include "../../include/quash/lsp.h"
#include "../profile/profile.h"
#include "../profile/token.h"

/* Flags of a slot. */
enum {
	LSP_ADMITTED = 1 << 0, /* the state rules let it in */
	LSP_ASKED = 1 << 1,    /* the client has not granted the token of our own yet */
	LSP_BEGUN = 1 << 2,    /* its work is reported */
	LSP_FINISHED = 1 << 3,
	LSP_RESTED = 1 << 4    /* the method's `end` is done */
};

/* What the state ends with. `quash_init` finds a config that gives it no room. */
quash_lsp_slot *quash_lsp_slot_of(quash_request *request);

/* Whether the state rules let it in: then its state has room for all that follows. */
bool quash_lsp_is_admitted(quash_request *request);

/* QUASH_DONE as long as requests are served; else why not. */
int32_t quash_lsp_judge(const quash_lsp_session *session);

struct lsp_token {
	uint8_t kind; /* QUASH_NONE: there is none */
	uint8_t length;
	char text[]; /* the server's `token_size` bytes, and a NUL */
};

/* Its `workDoneToken`, or the token of our own, and its `partialResultToken`. */
struct lsp_token *quash_lsp_work_token(quash_request *request);
struct lsp_token *quash_lsp_part_token(quash_request *request);

const quash_lsp_server *quash_lsp_server_of(const quash_request *request);

/* Begins a `$/progress`: its value is put next, and quash_send_report sends it. */
quash_writer *quash_lsp_progress(quash_request *request, const struct lsp_token *token);

/* Ends the work whatever the request has come to. */
int32_t quash_lsp_close(quash_request *request, const char *message);

#endif
