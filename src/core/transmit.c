/* SPDX-License-Identifier: MIT */
#include "transmit.h"

#include "batch_hooks.h"
#include "call_hooks.h"
#include "checked.h"

/* How often a message is measured anew before its put function is called wrong. */
enum { MOST_TRIES = 3 };

static const struct quash_message_code one_answer = {
	quash_put_answer, quash_answer_begun, quash_answer_written, quash_answer_given_up
};

/* --- Which message */

/* Its answer is to be written, by itself. */
static bool is_ready(const quash_request *slot)
{
	return slot->life == LIFE_ENDED && slot->answer == ANSWER_RECORDED &&
		!quash_slot_is(slot, MARK_CROWDED | MARK_MEMBER);
}

/* The oldest answer that is to be written, or the batch's, which stands where its first member does. NULL if there is
 * none. */
static const quash_request *next_answer(const quash_peer *peer, const quash_request *member)
{
	const quash_request *slot = NULL;
	if (peer->in.pause == PAUSE_REFUSAL && quash_received(peer)->answer == ANSWER_RECORDED)
		return quash_received(peer);
	while ((slot = quash_next_younger(peer, slot)) != NULL && !is_ready(slot) && slot != member)
		;
	return slot;
}

/* Begins it at its beginning. */
static void restart(quash_peer *peer)
{
	peer->out.slot = peer->out.first;
	peer->out.item = 0;
	peer->out.tried = false;
	quash_tx_begin(&peer->writer);
}

static void end_message(quash_peer *peer)
{
	peer->out.message = NULL;
	peer->out.first = NO_INDEX;
	peer->out.tries = 0;
	peer->out.rest = 0;
	peer->out.old = false;
	restart(peer);
}

static void begin_message(quash_peer *peer, const struct quash_message_code *code, uint8_t slot)
{
	end_message(peer);
	peer->out.message = code;
	peer->out.first = slot;
	peer->out.slot = slot;
}

void quash_transmit_forget(quash_peer *peer)
{
	if (!quash_tx_begun(&peer->writer) && peer->out.rest == 0)
		end_message(peer);
}

static void choose_answer(quash_peer *peer)
{
	const struct quash_batch_code *batch = quash_config_of(peer)->dialect->batch;
	const quash_request *const member = batch != NULL ? batch->next(peer, NULL) : NULL;
	const quash_request *const slot = next_answer(peer, member);
	if (slot != NULL)
		begin_message(peer, slot == member ? batch->message : &one_answer, slot->index);
}

static void choose_call(quash_peer *peer)
{
	quash_call *const call = quash_calls_of(peer)->next(peer);
	if (call == NULL)
		return;
	peer->out.call = call;
	begin_message(peer, quash_calls_of(peer)->message, NO_INDEX);
}

/* What was measured without a silenced answer is not what will be written. */
static void choose_message(quash_peer *peer)
{
	if (peer->out.stale)
		quash_transmit_forget(peer);
	peer->out.stale = false;
	if (peer->out.message == NULL && quash_calls_of(peer) != NULL)
		choose_call(peer);
	if (peer->out.message == NULL)
		choose_answer(peer);
}

/* --- Passes */

/* Its end is made up for; then what takes its place is written. */
static void give_up_message(quash_peer *peer, quash_request *slot, quash_why why)
{
	const quash_writer *w = &peer->writer;
	const quash_framing framing = quash_config_of(peer)->dialect->framing;
	const struct quash_message_code *const code = peer->out.message;
	uint32_t rest = 0;
	if (quash_tx_begun(w))
		rest = framing != QUASH_LINES ? framing->rest(w) : 1;
	peer->out.message->given_up(peer, slot, why);
	end_message(peer);
	if (rest == 0)
		return;
	peer->out.message = code;
	peer->out.rest = rest;
}

/* A changed length is measured anew as long as nothing of it has left, but not for ever. */
static void note_change(quash_peer *peer, quash_request *slot)
{
	if (quash_tx_begun(&peer->writer) || peer->out.tries >= MOST_TRIES) {
		give_up_message(peer, slot, QUASH_WHY_CHANGED);
		return;
	}
	peer->out.tries++;
	restart(peer);
}

static enum tx_result put_message(quash_peer *peer, quash_request *slot)
{
	const quash_framing framing = quash_config_of(peer)->dialect->framing;
	quash_writer *w = &peer->writer;
	quash_tx_open(w, framing);
	peer->out.composing = true;
	const bool whole = peer->out.message->put(peer, slot, peer->out.item > 0);
	peer->out.composing = false;
	return quash_tx_close(w, framing, whole);
}

static bool fill_rest(quash_peer *peer)
{
	peer->out.rest = quash_tx_fill(&peer->writer, quash_config_of(peer)->dialect->framing, peer->out.rest);
	if (peer->out.rest > 0)
		return false;
	end_message(peer);
	return true;
}

/* It goes on once TX is empty, from the beginning if nothing of it has left. */
static bool wait_for_tx(quash_peer *peer)
{
	if (!quash_tx_begun(&peer->writer)) {
		peer->out.slot = peer->out.first;
		peer->out.item = 0;
	}
	peer->out.tried = true;
	return quash_tx_empty(&peer->writer);
}

/* One pass. False when it has to wait for room. */
static bool attempt(quash_peer *peer)
{
	quash_request *const slot = quash_slot(peer, peer->out.slot);
	if (peer->out.rest > 0)
		return fill_rest(peer);
	if (peer->out.tried && !quash_tx_empty(&peer->writer))
		return false;
	switch (put_message(peer, slot)) {
	case TX_DONE:
		peer->out.message->written(peer, slot);
		end_message(peer);
		return true;
	case TX_CHANGED: note_change(peer, slot); return true;
	case TX_VOID: give_up_message(peer, quash_slot(peer, peer->out.slot), (quash_why)peer->writer.why); return true;
	case TX_WINDOW: peer->out.message->begun(peer, slot); break;
	default: break;
	}
	return wait_for_tx(peer);
}

void quash_transmit(quash_peer *peer)
{
	if (peer->link.state == LINK_GONE || peer->out.composing || peer->notify.open)
		return;
	do {
		choose_message(peer);
	} while (peer->out.message != NULL && attempt(peer));
}

void quash_transmit_clear(quash_peer *peer)
{
	quash_tx_init(&peer->writer, quash_config_of(peer)->tx, quash_config_of(peer)->tx_size);
	end_message(peer);
}

/* --- What the port takes */

/* What was shown may stand in a transfer: only here is it moved, and only when somebody wants the room. */
const uint8_t *quash_out(quash_peer *peer, size_t *n)
{
	quash_writer *w = &peer->writer;
	quash_transmit(peer);
	if (w->sent > 0 && !peer->notify.open && !peer->out.composing &&
		(peer->out.crowded > 0 || peer->out.message != NULL)) {
		quash_tx_pack(w);
		quash_transmit(peer);
	}
	const quash_size sent = w->sent < w->size ? w->sent : 0;
	*n = !quash_tx_empty(w) && w->tail > sent ? (size_t)(w->tail - sent) : 0;
	return &w->buffer[sent];
}

void quash_sent(quash_peer *peer, size_t n)
{
	quash_tx_sent(&peer->writer, n);
}

/* --- Notifications */

QUASH_INLINED_ static bool drop_notification(quash_peer *peer, quash_why why)
{
	quash_count_up(peer, offsetof(quash_counters, dropped));
	quash_trace_event(peer, QUASH_DROPPED, NULL, 0, why);
	return false;
}

void quash_notify_drop_open(quash_peer *peer)
{
	if (!peer->notify.open)
		return;
	peer->notify.open = false;
	(void)drop_notification(peer, QUASH_WHY_UNBALANCED);
}

quash_writer *quash_notify(quash_peer *peer, const char *method)
{
	quash_writer *w = &peer->writer;
	quash_checked_call(peer);
	if (peer->out.composing) { /* a put function has the writer: what it puts is void from here on */
		w->why = QUASH_WHY_UNBALANCED;
		return w;
	}
	quash_notify_drop_open(peer);
	quash_transmit(peer);
	peer->notify.blocked = peer->link.state == LINK_GONE || peer->out.message != NULL;
	peer->notify.open = true;
	if (peer->notify.blocked) {
		quash_tx_open_nowhere(w);
	} else {
		quash_tx_begin(w);
		quash_tx_open(w, quash_config_of(peer)->dialect->framing);
	}
	quash_put_plain(w, "{\"jsonrpc\":\"2.0\"");
	quash_put_head(w, ",\"method\":");
	quash_put_text(w, method);
	quash_put_head(w, ",\"params\":");
	return w;
}

/* It found no room, though it might: answers that come now let it go first. Those that have let one go do not wait for
 * the next, else a handler that notifies without end would hold all of them back. */
static bool drop_crowded(quash_peer *peer, quash_why why)
{
	if (peer->notify.taken)
		quash_slots_uncrowd(peer);
	peer->notify.taken = false;
	peer->out.crowded = 2;
	return drop_notification(peer, why);
}

QUASH_NOINLINE bool quash_notify_send(quash_peer *peer)
{
	quash_writer *w = &peer->writer;
	if (peer->out.composing || !peer->notify.open)
		return drop_notification(peer, QUASH_WHY_UNBALANCED);
	if (quash_writer_is_due(w)) /* params that were not put are an empty object */
		quash_put_object(w);
	quash_put_ends(w);
	quash_put_byte(w, '}');
	peer->notify.open = false;
	peer->notify.unfit = w->why != 0 || w->size == 0 || !quash_tx_holds(w, quash_config_of(peer)->dialect->framing);
	if (w->why != 0)
		quash_count_up(peer, offsetof(quash_counters, misuses));
	else
		quash_raise_mark(peer, offsetof(quash_counters, longest_notification), (quash_count)(w->count - w->skip));
	if (peer->notify.unfit)
		return drop_notification(peer, w->why != 0 ? (quash_why)w->why : QUASH_WHY_TX_SIZE);
	if (peer->notify.blocked && peer->link.state == LINK_GONE)
		return drop_notification(peer, QUASH_WHY_LINK);
	if (peer->notify.blocked)
		return drop_crowded(peer, QUASH_WHY_ANSWER_WAITS);
	if (quash_tx_close_whole(w, quash_config_of(peer)->dialect->framing) != TX_DONE)
		return drop_crowded(peer, QUASH_WHY_TX_FULL);
	peer->notify.taken = true;
	return true;
}

bool quash_notify_fits(const quash_peer *peer)
{
	return !peer->notify.unfit;
}
