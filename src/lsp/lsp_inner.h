/* SPDX-License-Identifier: MIT
 * What the files of the LSP profile share. */
#ifndef QUASH_SRC_LSP_INNER_H
#define QUASH_SRC_LSP_INNER_H

#include "../../include/quash/lsp.h"
#include "../profile/profile.h"
#include "../profile/token.h"

/* Flags of a slot. */
enum {
	LSP_ADMITTED = 1 << 0, /* the state rules have admitted it */
	LSP_ASKED = 1 << 1,    /* the client has not granted the token of our own yet */
	LSP_BEGUN = 1 << 2,    /* its work is reported */
	LSP_FINISHED = 1 << 3,
	LSP_RESTED = 1 << 4    /* the method's `end` is done */
};

/* The last bytes of the request's state. `quash_init` refuses a config without room for them. */
quash_lsp_slot *quash_lsp_slot_of(quash_request *request);

/* True if the state rules have admitted it. Then its state has room for slot and tokens. */
bool quash_lsp_is_admitted(quash_request *request);

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

#endif
