/* SPDX-License-Identifier: MIT
 * Answers that are put in pieces. */
#include "answer_inner.h"
#include "transmit.h"

/* From the piece on in which the window begins. */
static bool put_items(quash_peer *peer, const quash_request *slot, bool resumed)
{
	quash_writer *w = &peer->writer;
	uint16_t i = resumed ? (uint16_t)(peer->out_item - 1) : 0;
	for (;;) {
		if (quash_tx_piece(w)) {
			peer->out_item = (uint16_t)(i + 1);
			peer->out_slot = slot->index;
		} else if (w->full && (w->total != 0 || peer->config->dialect->framing == QUASH_LINES)) {
			return false;
		}
		if (i == UINT16_MAX - 1 || w->why != 0 || !slot->put.item(w, slot, i))
			return true;
		i++;
	}
}

int32_t quash_fail_items(quash_request *request, int32_t code, quash_put_item *put)
{
	if (!quash_takes_answer(request))
		return QUASH_DONE;
	request->peer->put_items = put_items;
	request->put.item = put;
	return quash_record_reply(request, FORM_ITEMS, code);
}

int32_t quash_reply_items(quash_request *request, quash_put_item *put)
{
	return quash_fail_items(request, 0, put);
}
