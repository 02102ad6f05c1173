/* SPDX-License-Identifier: MIT
 * The state that a client of MCP's modern era sends: a string of any bytes and of any length up to LONGEST, beside answers of any
 * kind. It is read where it stands. If it is authentic, which no prover can know, any bytes are its answers: they are looked for, counted,
 * and put into the next state. A request may have none, or one that is no string. */
/* Frama-C knows no _Generic. */
#undef __STDC_VERSION__
#define __STDC_VERSION__ 199901L

#include "any.h"
#include "quash.h"
#include "json/tape.h"
#include "mcp/mcp_inner.h"
#include "mcp/mcp_ticket.h"
#include "wire/tx.h"

/* What a state must hold takes 24 characters. */
enum { ARENA = 140, TX = 100, LONGEST = 32 };

static uint8_t arena[ARENA], tx[TX];
static quash_request slots[1];
static quash_peer peer;
static const quash_method methods[] = { { .name = "tools/call" } };
static const quash_config config = { .slots = slots, .arena = arena, .arena_size = ARENA, .methods = methods, .method_count = 1,
	.slot_count = 1 };
static const uint8_t key[QUASH_MCP_KEY] = { 1, 2, 3 };
static quash_mcp_input input = { .key = key };

#include "taped.h"

static void store_members(bool with, size_t n)
{
	static const uint8_t blank[LONGEST];
	quash_tape_begin(&tape, 0);
	store(QUASH_LEX_OBJECT);
	store_text(QUASH_LEX_KEY, "name");
	store_text(QUASH_LEX_STRING, "a");
	if (with) {
		store_text(QUASH_LEX_KEY, quash_mcp_ticket_member);
		store_bytes(QUASH_LEX_STRING, blank, n);
	}
	store_text(QUASH_LEX_KEY, quash_mcp_answers_member);
	store(QUASH_LEX_OBJECT);
	store_text(QUASH_LEX_KEY, "q1");
	store((quash_lex_event)Frama_C_interval(QUASH_LEX_NULL, QUASH_LEX_TRUE));
	store(QUASH_LEX_OBJECT_END);
	store(QUASH_LEX_OBJECT_END);
}

/* A call with a state of that length, its bytes anything. */
static quash_request *call_with(bool with, size_t n)
{
	quash_size stored = 0;
	store_members(with, n);
	peer.config = &config;
	slots[0].peer = &peer;
	slots[0].born = any_uint();
	slots[0].tape = 0;
	slots[0].tape_size = tape.length;
	const quash_value text = quash_argument(&slots[0], quash_mcp_ticket_member);
	if (with)
		any_bytes(arena + quash_value_text(&text, &stored), n);
	return &slots[0];
}

static void look(const quash_request *request)
{
	uint32_t made = 0;
	quash_writer w;
	const quash_value answer = quash_mcp_ticket_answer(request, "q1");
	const char first = quash_text(answer)[0];
	(void)first;
	(void)quash_mcp_ticket_time(request, &made);
	(void)quash_mcp_ticket_size(request);
	quash_tx_init(&w, tx, TX);
	quash_tx_begin(&w);
	quash_mcp_ticket_put(&w, request, &input);
}

static void send(bool with, size_t n)
{
	const quash_request *const request = call_with(with, n);
	input.lifetime = any_uint();
	if (!with || quash_mcp_ticket_read(request, &input))
		look(request);
}

int main(void)
{
	const size_t n = any_size(LONGEST);
	const bool with = any_bool();
	/*@ split with; */
	/*@ split n; */
	send(with, with ? n : 0);
	return 0;
}
