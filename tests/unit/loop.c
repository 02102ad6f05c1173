/* SPDX-License-Identifier: MIT */
#include "loop.h"

#include <stdio.h>

#include "unit.h"

void loop_init(loop *l, const quash_dialect *dialect, const quash_method *methods, uint8_t count)
{
	memset(l, 0, sizeof *l);
	l->now = UINT32_MAX - 40; /* so the clock comes round in most tests */
	l->config = (quash_config){ LOOP_CONFIG(*l), .dialect = dialect, .methods = methods, .method_count = count };
}

static bool has_room(const void *lent, const void *used, size_t needed, size_t size)
{
	return used != lent || needed <= size;
}

/* Where the memory of the loop is used, the sizes are what it has at most. */
static void check_room(const loop *l)
{
	const quash_config *const c = &l->config;
	const size_t rows = (size_t)c->slot_count + 1;

	assert_room(has_room(l->slots, c->slots, c->slot_count, LOOP_SLOTS));
	assert_room(has_room(&l->word, c->word, c->word_size, sizeof l->word));
	assert_room(has_room(l->ids, c->ids, rows * c->id_size, sizeof l->ids));
	assert_room(has_room(l->states, c->states, (size_t)c->slot_count * c->state_size, sizeof l->states));
	assert_room(has_room(l->tags, c->tags, rows * c->tag_size, sizeof l->tags));
	assert_room(has_room(l->arena, c->arena, c->arena_size, sizeof l->arena));
	assert_room(has_room(l->tx, c->tx, c->tx_size, sizeof l->tx));
	assert_room(has_room(l->reason, c->reason, c->reason_size, sizeof l->reason));
}

/* One that is constant stands elsewhere, and what a test has written into its own must be the same. */
static const quash_config *config_of(const loop *l)
{
#ifdef QUASH_THE_CONFIG
	return memcmp(&l->config, quash_the_config_(), sizeof l->config) == 0 ? quash_the_config_() : &l->config;
#else
	return &l->config;
#endif
}

void loop_start(loop *l)
{
	quash_fault fault;
	bool right;

	check_room(l);
	right = quash_init(&l->peer, config_of(l), &fault);
	if (!right && strcmp(fault.member, "QUASH_THE_CONFIG") == 0)
		skip();
	if (!right)
		fail_msg("quash_init: %s %u %s %s: is %u, needs %u", fault.table, (unsigned)fault.index,
			fault.name ? fault.name : "", fault.member, (unsigned)fault.is, (unsigned)fault.needs);
	quash_tick(&l->peer, l->now);
}

static bool drain(loop *l)
{
	bool any = false;

	while (!l->stalled) {
		size_t n;
		const uint8_t *said = quash_out(&l->peer, &n);

		if (n == 0)
			return any;
		assert_room(l->heard_length + n < LOOP_HEARD);
		memcpy(l->heard + l->heard_length, said, n);
		l->heard_length += n;
		quash_sent(&l->peer, n);
		any = true;
	}
	return false;
}

void loop_say_bytes(loop *l, const void *data, size_t n)
{
	const uint8_t *bytes = data;

	while (n > 0) {
		const size_t taken = quash_feed(&l->peer, bytes, n);

		if (taken == 0 && !drain(l))
			fail_msg("the peer takes nothing and has nothing to write");
		bytes += taken;
		n -= taken;
	}
}

void loop_say(loop *l, const char *text)
{
	loop_say_bytes(l, text, strlen(text));
}

void loop_say_message(loop *l, const char *json)
{
	char header[48];

	if (l->config.dialect->framing == QUASH_CONTENT_LENGTH) {
		snprintf(header, sizeof header, "Content-Length: %zu\r\n\r\n", strlen(json));
		loop_say(l, header);
		loop_say(l, json);
	} else {
		loop_say(l, json);
		loop_say(l, "\n");
	}
}

bool loop_step(loop *l, uint32_t ms)
{
	bool any;

	l->now += ms;
	quash_tick(&l->peer, l->now);
	any = quash_step(&l->peer);
	drain(l);
	return any;
}

void loop_settle(loop *l, unsigned most)
{
	drain(l);
	while (quash_live_count(&l->peer) > 0) {
		if (most-- == 0)
			fail_msg("%u requests are still live", quash_live_count(&l->peer));
		loop_step(l, 1);
	}
}

const char *loop_heard(loop *l)
{
	drain(l);
	l->heard[l->heard_length] = '\0';
	l->heard_length = 0;
	return l->heard;
}

void assert_fault(const quash_fault *fault, const char *what)
{
	char line[ROOM_FOR(400)];
	const size_t n = quash_fault_line(fault, line, sizeof line), most = strlen(what);
	assert_true(n > most + 2);
	assert_string_equal(&line[n - most], what);
	assert_memory_equal(&line[n - most - 2], ": ", 2);
	assert_memory_equal(what, fault->member, strlen(fault->member));
}

void assert_says_fault(loop *l, const quash_fault *fault)
{
	static const char before[] = "\"id\":77,\"error\":{\"code\":-32603,\"message\":\"";
	char line[100];
	if (quash_is_gone(&l->peer)) {
		assert_string_equal(fault->table, "config");
		assert_true(strcmp(fault->member, "state_size") != 0);
		assert_int_equal(quash_feed(&l->peer, (const uint8_t *)"{}\n", 3), 0);
		return;
	}
	loop_say_message(l, "{\"jsonrpc\":\"2.0\",\"id\":77,\"method\":\"any\",\"params\":{\"a\":[1]}}");
	for (unsigned i = 0; i < 8; i++)
		loop_step(l, 1);
	(void)quash_fault_line(fault, line, sizeof line);
	const char *const said = strstr(loop_heard(l), before);
	assert_non_null(said);
	assert_memory_equal(said + sizeof before - 1, line, strlen(line));
}
