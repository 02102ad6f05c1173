/* SPDX-License-Identifier: MIT
 * What a peer takes, cut into messages. */
#include "oracle.h"
#include "received.h"

#include <string.h>

struct input inputs[LINKS];
static unsigned noisy[LINKS]; /* empty lines to come that arm nothing: the last message was none */
static struct {
	bool message;   /* and not noise */
	unsigned empty; /* lines behind it */
} last[LINKS];

static bool has_batches(uint8_t link)
{
	return sim.setup.dialect[link] == JSONRPC;
}

static void clear(uint8_t link)
{
	struct input *const in = &inputs[link];
	in->length = in->body = in->digits = 0;
	in->skipping = in->in_body = false;
	in->clean = true;
	in->last = '\0';
	in->number = 0;
	prefix_begin(&in->prefix, has_batches(link));
}

void stream_begin(uint8_t link)
{
	clear(link);
	noisy[link] = 0;
	last[link].message = false;
	received_begin(link);
}

static bool is_blank(const struct input *in)
{
	for (size_t i = 0; i < in->length; i++) {
		if (strchr(" \t\r", in->text[i]) == NULL || in->text[i] == '\0')
			return false;
	}
	return true;
}

static void keep(uint8_t link, uint8_t byte)
{
	struct input *const in = &inputs[link];
	if (in->length >= MESSAGE)
		fail("simulator", "a message is too long");
	if (in->length == 0) {
		in->begun = sim.steps[link];
		prefix_begin(&in->prefix, has_batches(link));
	}
	in->text[in->length++] = (char)byte;
	if (prefix_byte(&in->prefix, byte))
		oracle_life(link);
}

/* A batch is judged elsewhere, by its members. */
static void message_ended(uint8_t link)
{
	const struct prefix *const p = &inputs[link].prefix;
	const bool batch = has_batches(link) && p->open[0] == ']';
	const bool good = batch ? received_is_json(link) : prefix_is_object(p);
	if (!batch || good)
		noisy[link] = good ? 0 : 3;
	last[link].message = last[link].message && noisy[link] == 0;
	received_message(link);
	if (good && stream_ends_once(link))
		time_single(link);
	if (good) {
		last[link].message = true;
		last[link].empty = 0;
	}
	inputs[link].length = 0;
}

void stream_next_client(uint8_t link)
{
	last[link].message = false;
	noisy[link] = 0;
}

bool stream_ends_once(uint8_t link)
{
	return last[link].message && last[link].empty == 0;
}

/* Noise holds empty lines too. Who ends each message twice promises nothing. */
static void empty_line(uint8_t link)
{
	const unsigned ends = sim.setup.dialect[link] == LSP ? 2 : 1;
	const bool end = last[link].message && ++last[link].empty <= ends && time_may_be_end(link);
	if (noisy[link] < 3)
		oracle_life_sign(link, noisy[link] == 0 && !end);
	noisy[link] -= noisy[link] > 0;
}

static void line_byte(uint8_t link, uint8_t byte)
{
	struct input *const in = &inputs[link];
	if (byte != '\n') {
		if (!in->skipping)
			keep(link, byte);
		return;
	}
	if (!in->skipping && is_blank(in))
		empty_line(link);
	else if (!in->skipping)
		message_ended(link);
	in->skipping = false;
	in->length = 0;
}

static void body_byte(uint8_t link, uint8_t byte)
{
	struct input *const in = &inputs[link];
	keep(link, byte);
	if (in->length < in->body)
		return;
	message_ended(link);
	clear(link);
}

/* Headers are `Content-Length: N` alone. Empty lines may stand between messages; what stands there else is passed over. */
static void header_byte(uint8_t link, uint8_t byte)
{
	static const char head[] = "Content-Length: ";
	struct input *const in = &inputs[link];
	if (in->digits == 0 && in->clean && (byte == '\r' || byte == '\n')) {
		if (byte == '\n')
			empty_line(link);
		return;
	}
	in->clean = false;
	if (in->digits < sizeof head - 1) {
		in->digits = (char)byte == head[in->digits] ? in->digits + 1 : (char)byte == head[0];
		in->number = 0;
		return;
	}
	if (byte >= '0' && byte <= '9')
		in->number = in->number * 10 + (uint32_t)(byte - '0');
	in->digits++;
	if (byte == '\n' && in->last == '\n') {
		in->in_body = true;
		in->body = in->number;
		in->length = 0;
	}
	if (byte != '\r')
		in->last = (char)byte;
}

void oracle_received(uint8_t link, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (sim.setup.dialect[link] != LSP)
			line_byte(link, bytes[i]);
		else if (inputs[link].in_body)
			body_byte(link, bytes[i]);
		else
			header_byte(link, bytes[i]);
	}
}

void oracle_lost(uint8_t link)
{
	clear(link);
	if (!received_waits(link))
		claims_forget(link);
	inputs[link].clean = false;
	inputs[link].skipping = true;
	oracle_totals(link)->lost++;
}

void oracle_input_ended(uint8_t link)
{
	if (sim.setup.dialect[link] != LSP && !inputs[link].skipping && inputs[link].length > 0 && !is_blank(&inputs[link]))
		message_ended(link);
	clear(link);
	time_input_ended(link);
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].link == link)
			sim.asks[i].must_cancel = false;
	}
}
