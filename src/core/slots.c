/* SPDX-License-Identifier: MIT */
#include "slots.h"

#include "../json/rom.h"
#include "../json/tape.h"
#include "atomic.h"
#include "call_hooks.h"
#include "fault_hooks.h"

/* --- Counters and trace */

/* NULL when nothing is counted. */
static quash_count *counter_at(const quash_peer *peer, uint8_t at)
{
	quash_counters *const counters = quash_config_of(peer)->counters;
	return counters != NULL ? (quash_count *)(void *)((uint8_t *)counters + at) : NULL;
}

void quash_count_up(quash_peer *peer, uint8_t at)
{
	quash_count *const counter = counter_at(peer, at);
	const quash_count next = (quash_count)(counter != NULL ? *counter + 1u : 0);
	if (next != 0)
		*counter = next;
}

void quash_raise_mark(quash_peer *peer, uint8_t at, quash_count value)
{
	quash_count *const mark = counter_at(peer, at);
	if (mark != NULL && *mark < value)
		*mark = value;
}

QUASH_NOINLINE quash_count quash_mark_arena(quash_peer *peer)
{
	if (peer->live == 0)
		peer->refused = peer->refused_arena = 0;
	const quash_count values = (quash_count)(peer->refused_arena + peer->tape.length + peer->tape.missing);
	quash_raise_mark(peer, offsetof(quash_counters, most_arena), (quash_count)(peer->tape.start + values));
	return values;
}

void quash_trace_event(quash_peer *peer, quash_event event, const quash_request *slot, int32_t detail, quash_why why)
{
	if (quash_config_of(peer)->trace != NULL)
		quash_config_of(peer)->trace(peer, event, slot, detail, why);
}

void quash_note_misuse(quash_peer *peer, const quash_request *slot, int32_t detail, quash_why why)
{
	quash_count_up(
		peer, why == QUASH_WHY_CHANGED ? offsetof(quash_counters, changed) : offsetof(quash_counters, misuses));
	quash_trace_event(peer, QUASH_MISUSED, slot, detail, why);
}

void quash_note(const quash_request *slot, quash_event event)
{
	int32_t detail = 0;
	uint8_t why = QUASH_WHY_NONE;
	switch (event) {
	case QUASH_FLAGGED: detail = slot->cause; break;
	case QUASH_WRITTEN: detail = slot->code; break;
	case QUASH_RECORDED: detail = slot->code; why = slot->why; break;
	case QUASH_SILENCED:
	case QUASH_DROPPED: why = slot->why; break;
	default: break;
	}
	quash_trace_event(slot->peer, event, slot, detail, (quash_why)why);
}

/* --- Slots */

quash_request *quash_slot(quash_peer *peer, uint8_t index)
{
	const quash_config *c = quash_config_of(peer);
	return index < c->slot_count ? &c->slots[index] : quash_received(peer);
}

quash_request *quash_next_slot(const quash_peer *peer, const quash_request *slot)
{
	const quash_config *c = quash_config_of(peer);
	const uint8_t index = slot != NULL ? (uint8_t)(slot->index + 1) : 0;
	return index < c->slot_count && !quash_is_silent(peer) ? &c->slots[index] : NULL;
}

quash_request *quash_next_younger(const quash_peer *peer, const quash_request *slot)
{
	const quash_config *c = quash_config_of(peer);
	const uint8_t index = slot != NULL ? slot->next : peer->first;
	return index < c->slot_count ? &c->slots[index] : NULL;
}

const quash_method *quash_slot_method(const quash_request *slot)
{
	const quash_config *c = quash_config_of(slot->peer);
	const uint8_t method = slot->method;
	return method < c->method_count ? &c->methods[method] : NULL;
}

bool quash_slot_marked(const quash_request *slot, uint8_t mark)
{
	const quash_method *method = quash_slot_method(slot);
	return method != NULL && (method->marks & mark) != 0;
}

bool quash_slot_drops(const quash_request *slot)
{
	const quash_method *method = quash_slot_method(slot);
	return method != NULL && method->motion.end != NULL && (method->marks & QUASH_FINISHES) == 0;
}

quash_cause quash_cancelled(const quash_request *request)
{
	const uint8_t cause = QUASH_LOAD(request->cause);
	if (cause != QUASH_NOT_CANCELLED)
		return cause < QUASH_CAUSES ? (quash_cause)cause : QUASH_BY_LINK;
	return QUASH_LOAD(request->async) == QUASH_LOAD(request->generation) ? QUASH_BY_LOCAL_CODE : QUASH_NOT_CANCELLED;
}

QUASH_NOINLINE QUASH_OUTLINED_ static void clear_slot(quash_request *slot)
{
	slot->life = LIFE_FREE;
	slot->answer = ANSWER_NONE;
	slot->form = FORM_NONE;
	slot->marks = 0;
	slot->effects = 0;
	slot->method = NO_INDEX;
	slot->next = NO_INDEX;
	slot->tape_size = 0;
	slot->lease = 0;
	slot->code = 0;
	QUASH_STORE(slot->cause, QUASH_NOT_CANCELLED);
}

static void make_slot(quash_peer *peer, quash_request *slot, uint8_t index)
{
	static const quash_request fresh = { 0 };
	*slot = fresh;
	clear_slot(slot);
	slot->index = index;
	slot->row = index;
	slot->content.text = ""; /* a text, whatever is recorded first: so the prover sees one */
	slot->peer = peer;
	slot->generation = 1; /* no handle has 0 */
}

void quash_slots_init(quash_peer *peer)
{
	/*@ loop unroll 254; */
	for (uint8_t i = 0; i <= quash_config_of(peer)->slot_count; i++)
		make_slot(peer, quash_slot(peer, i), i);
	peer->first = NO_INDEX;
	peer->in.row = quash_config_of(peer)->slot_count;
}

/* A free slot; NULL if there is none. */
QUASH_OUTLINED_ static quash_request *spare(const quash_peer *peer)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL && slot->life != LIFE_FREE)
		;
	return slot;
}

bool quash_slots_have_room(const quash_peer *peer)
{
	return spare(peer) != NULL;
}

void quash_slots_uncrowd(quash_peer *peer)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_slot(peer, slot)) != NULL)
		quash_slot_unmark(slot, MARK_CROWDED);
}

/* --- Ids and tags: rows of bytes, one more than slots, for what is being received */

static uint8_t *row_at(const quash_config *c, uint8_t row, uint8_t *rows, uint8_t width)
{
	return row <= c->slot_count && rows != NULL ? &rows[(size_t)row * width] : rows;
}

static uint8_t *id_row(const quash_peer *peer, uint8_t row)
{
	const quash_config *c = quash_config_of(peer);
	return row_at(c, row, c->ids, c->id_size);
}

static uint8_t *tag_row(const quash_peer *peer, uint8_t row)
{
	const quash_config *c = quash_config_of(peer);
	return row_at(c, row, c->tags, c->tag_size);
}

uint8_t quash_id_byte(const quash_request *slot, uint8_t place)
{
	return place < quash_config_of(slot->peer)->id_size ? id_row(slot->peer, slot->row)[place] : 0;
}

void quash_id_append(quash_peer *peer, uint8_t byte)
{
	const uint8_t place = peer->in.id_length;
	if (place >= quash_config_of(peer)->id_size) {
		peer->in.id_kind = ID_NONE;
		return;
	}
	id_row(peer, peer->in.row)[place] = byte;
	peer->in.id_length = (uint8_t)(place + 1);
}

void quash_tag_append(quash_peer *peer, uint8_t byte)
{
	const uint8_t place = peer->in.tag_length;
	peer->in.tag_length = NO_INDEX;
	if (place >= quash_config_of(peer)->tag_size)
		return;
	tag_row(peer, peer->in.row)[place] = byte;
	peer->in.tag_length = (uint8_t)(place + 1);
}

/* Within +-2^53. */
static bool is_usual_id(const uint8_t *id, uint8_t length)
{
	static const char *const most = "9007199254740992";
	enum { MOST_DIGITS = 16 };
	const uint8_t sign = id[0] == '-' ? 1 : 0;
	const uint8_t digits = (uint8_t)(length - sign);
	int order = digits < MOST_DIGITS ? -1 : 0; /* to the largest one */
	if (digits > MOST_DIGITS)
		return false;
	for (uint8_t i = 0; i < digits && i < MOST_DIGITS; i++) {
		const uint8_t c = id[sign + i];
		if (c < '0' || c > '9')
			return false;
		if (order == 0)
			order = c - (uint8_t)quash_rom(&most[i]);
	}
	return order <= 0;
}

void quash_id_end(quash_peer *peer)
{
	uint8_t *const id = id_row(peer, peer->in.row);
	if (peer->in.id_kind != ID_NUMBER)
		return;
	if (!is_usual_id(id, peer->in.id_length))
		peer->in.id_kind = ID_NONE;
	if (id[0] != '-' || id[1] != '0')
		return;
	id[0] = '0';
	peer->in.id_length = 1;
}

void quash_slots_receive(quash_peer *peer)
{
	quash_request *const slot = quash_received(peer);
	clear_slot(slot);
	slot->generation = 1; /* whatever stood there is no cancel of it */
	QUASH_STORE(slot->async, 0);
	slot->index = quash_config_of(peer)->slot_count;
	slot->peer = peer;
	slot->row = peer->in.row;
	slot->id_kind = peer->in.id_kind;
	slot->id_length = peer->in.id_length;
	slot->tag_length = peer->in.tag_length;
}

bool quash_slot_named(const quash_request *slot)
{
	if (slot->id_kind == ID_NONE || slot->life == LIFE_FREE)
		return false;
	return slot->answer < ANSWER_BEGUN || (slot->answer == ANSWER_BEGUN && !slot->peer->out.old);
}

/* From their ends on: ids that are counted up differ there. */
static bool same_id(const quash_request *a, const quash_request *b)
{
	uint8_t left = a->id_length;
	if (a->id_kind != b->id_kind || left != b->id_length)
		return false;
	while (left > 0 && quash_id_byte(a, (uint8_t)(left - 1)) == quash_id_byte(b, (uint8_t)(left - 1)))
		left--;
	return left == 0;
}

quash_request *quash_slot_of_id(const quash_peer *peer)
{
	quash_request *slot = NULL;
	while ((slot = quash_next_younger(peer, slot)) != NULL &&
		!(quash_slot_named(slot) && same_id(slot, quash_received(peer))))
		;
	return slot;
}

bool quash_tag_same(const quash_request *a, const quash_request *b)
{
	const uint8_t length = a->tag_length;
	const uint8_t *const of_a = tag_row(a->peer, a->row), *const of_b = tag_row(b->peer, b->row);
	uint_fast8_t i = 0;
	if (length == 0 || length != b->tag_length)
		return false;
	while (i < length && i < quash_config_of(a->peer)->tag_size && of_a[i] == of_b[i])
		i++;
	return i == length;
}

/* --- Life of a slot */

static void clear_state(const quash_request *slot)
{
	const quash_config *c = quash_config_of(slot->peer);
	uint8_t *states = (uint8_t *)c->states;
	const size_t size = c->state_size;
	const uint8_t index = slot->index;
	if (index >= c->slot_count)
		return;
	for (size_t i = 0; i < size; i++)
		states[index * size + i] = 0;
}

/* The id and the tag that were received are the slot's, and what is received next takes its row. */
static void take_names(quash_request *slot, quash_request *received)
{
	const uint8_t row_of_slot = slot->row;
	slot->id_kind = received->id_kind;
	slot->id_length = received->id_length;
	slot->tag_length = received->tag_length;
	slot->row = received->row;
	slot->peer->in.row = row_of_slot;
}

/* The link that leads to the slot with that index; for `NO_INDEX` the one at the end. */
QUASH_NOINLINE QUASH_OUTLINED_ static uint8_t *link_to(quash_peer *peer, uint8_t index)
{
	const quash_config *c = quash_config_of(peer);
	uint8_t *link = &peer->first;
	for (uint8_t at = *link; at != index && at < c->slot_count; at = *link)
		link = &c->slots[at].next;
	return link;
}

quash_request *quash_slot_claim(quash_peer *peer)
{
	quash_request *slot = spare(peer);
	if (slot == NULL)
		return NULL;
	clear_slot(slot);
	take_names(slot, quash_received(peer));
	QUASH_STORE(slot->async, 0);
	slot->life = LIFE_PARKED;
	peer->live++;
	slot->content.text = "";
	slot->born = peer->now;
	clear_state(slot);
	*link_to(peer, NO_INDEX) = slot->index;
	return slot;
}

void quash_slot_free(quash_request *slot)
{
	quash_peer *peer = slot->peer;
	const quash_generation next = (quash_generation)(slot->generation + 1);
	const uint8_t index = slot->index;
	uint8_t *const link = link_to(peer, index);
	if (*link != index)
		return;
	*link = slot->next;
	slot->life = LIFE_FREE;
	peer->live--;
	slot->tape_size = 0;
	quash_room_comes(peer);
	if (quash_calls_of(peer) != NULL)
		quash_calls_of(peer)->free_children(slot);
	QUASH_STORE(slot->generation, next != 0 ? next : 1);
	QUASH_STORE(slot->async, 0);
	if (peer->reason_of == index)
		peer->reason_of = NO_INDEX;
	quash_note(slot, QUASH_FREED);
}

/* --- The arena */

void quash_arena_move(const quash_config *c, quash_size from, quash_size to, quash_size length)
{
	if (from == to)
		return;
	for (quash_size i = 0; i < length; i++) {
		const size_t source = (size_t)from + i, target = (size_t)to + i;
		if (source < c->arena_size && target < c->arena_size)
			c->arena[target] = c->arena[source];
	}
}

/* The text that the lexer has written after the tape moves along. */
static void move_received(quash_peer *peer, quash_size to)
{
	const quash_config *const c = quash_config_of(peer);
	quash_lex *const x = &peer->lex;
	const size_t end = (size_t)to + peer->tape.length;
	const bool has_text = x->text != c->word->text;
	quash_arena_move(c, peer->tape.start, to, (quash_size)(peer->tape.length + (has_text ? x->length : 0)));
	if (has_text && end < c->arena_size) {
		/*@ split end; */
		if (x->size <= c->arena_size - end) {
			x->text = &c->arena[end];
			/*@ assert \valid(x->text + (0 .. x->size - 1)); */
		}
	}
	peer->tape.start = to;
}

/* The tape that is being received comes last. */
void quash_arena_pack(quash_peer *peer)
{
	quash_size to = 0;
	for (quash_request *slot = NULL;;) {
		slot = quash_next_younger(peer, slot);
		if (slot != NULL && slot->tape_size == 0)
			continue;
		if (quash_calls_of(peer) != NULL) /* the answers to our calls that stand before it move first */
			to = quash_calls_of(peer)->pack(peer, to, slot != NULL ? slot->tape : peer->tape.start);
		if (slot == NULL)
			break;
		quash_arena_move(quash_config_of(peer), slot->tape, to, slot->tape_size);
		slot->tape = to;
		to = (quash_size)(to + slot->tape_size);
	}
	move_received(peer, to);
}
