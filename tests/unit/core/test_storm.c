/* SPDX-License-Identifier: MIT
 * Everything at once, at random but the same each time: requests that ask, answers that come late, twice or never,
 * cancels, deadlines, TX that stalls, links that go. What must hold whatever happens is looked at all the time. */
#include "device.h"

#include "quash/call.h"

#include <stdio.h>
#include <stdlib.h>

enum { CHILDREN = 3, FREE_CALLS = 4, IDS = ROOM_FOR(4000), OUT = ROOM_FOR(8192), ROUNDS = IDS / 8 * 3 };

static uint32_t seed;

static unsigned any(unsigned below)
{
	seed = seed * 1664525u + 1013904223u;
	return (unsigned)((seed >> 8) % below);
}

/* --- The device: its requests ask, each a little differently */

struct asking {
	quash_call calls[CHILDREN];
	uint32_t noted;
	uint8_t count, manner;
	bool begun;
};

loop storm;
static union {
	uint64_t aligned;
	uint8_t bytes[LOOP_SLOTS * ((sizeof(struct asking) + 7) / 8 * 8)];
} states;
static quash_call free_calls[FREE_CALLS];
static unsigned ends; /* of calls that were noted */

static void put_something(quash_writer *w, const quash_call *call)
{
	quash_put_array(w);
	for (uint32_t i = 0; i < call->id % 7; i++)
		quash_put_text(w, "0123456789");
}

static int32_t note_end(quash_call *call)
{
	static uint32_t tries;
	if (quash_call_outcome(call) == QUASH_CALL_OPEN)
		fail_msg("a call that is open is said to have ended");
	if (quash_call_outcome(call) == QUASH_CALL_RESULT && !quash_is(quash_get(quash_call_answer(call), "of"), "child"))
		fail_msg("the answer is not what was fed");
	if (++tries % 5 == 0)
		return QUASH_PENDING;
	ends++;
	if (call->parent != NULL) {
		struct asking *const a = QUASH_STATE(struct asking, call->parent);
		a->noted++;
		if (quash_call_code(call) == QUASH_CANCELLED && a->manner % 3 == 0)
			quash_call_cancel_parent(call);
	}
	return QUASH_DONE;
}

static void prepare(quash_call *call)
{
	call->method = "child";
	call->put = any(2) ? put_something : NULL;
	call->done = note_end;
	call->deadline = any(4) ? 0 : 1 + any(50);
	call->marks = any(2) ? QUASH_CALL_ENDS_AT_ONCE : 0;
}

static void put_noted(quash_writer *w, const quash_request *request)
{
	quash_put_uint(w, QUASH_CONST_STATE(struct asking, request)->noted);
}

static int32_t ask(quash_request *request)
{
	struct asking *const a = QUASH_STATE(struct asking, request);
	if (!a->begun) {
		a->begun = true;
		a->manner = (uint8_t)any(8);
		a->count = (uint8_t)(1 + any(CHILDREN));
		for (uint8_t i = 0; i < a->count; i++) {
			prepare(&a->calls[i]);
			assert_true(quash_call_start_for(request, &storm.peer, &a->calls[i]));
		}
	}
	if (a->manner == 1)
		quash_call_cancel(&a->calls[0]);
	if (a->manner == 2)
		return QUASH_INTERNAL_ERROR;
	if (quash_cancelled(request) && (a->manner != 3 || a->noted >= a->count))
		return QUASH_CANCELLED;
	if (a->noted < a->count)
		return QUASH_PENDING;
	return quash_reply(request, put_noted);
}

static const quash_method methods[] = {
	{ .name = "ask", .handler = ask, .state_size = sizeof(struct asking) },
	{ .name = "drop", .handler = ask, .state_size = sizeof(struct asking), .marks = QUASH_DROPS },
	{ .name = "part", .handler = ask, .state_size = sizeof(struct asking), .marks = QUASH_PARTIAL },
	{ .name = "soon", .handler = ask, .state_size = sizeof(struct asking), .deadline = 20 },
};

/* --- The other side */

struct known {
	uint8_t asked, cancelled, answers; /* of our ids */
	bool settled;                      /* answered while no cancel stood in TX */
};

static struct known ours[IDS];
static uint8_t theirs[IDS]; /* answers to requests */
static char out[OUT];
static size_t out_length, out_read;
static unsigned next_id, last_asked;

static unsigned number_behind(const char *text, const char *name)
{
	const char *at = strstr(text, name);
	return at != NULL ? (unsigned)strtoul(at + strlen(name), NULL, 10) : 0;
}

static void look_at(const char *message)
{
	const unsigned id = number_behind(message, "\"id\":");
	if (strstr(message, "\"method\":\"child\"") != NULL) {
		assert_in_range(id, last_asked + 1, IDS - 1);
		last_asked = id;
		ours[id].asked++;
	} else if (strstr(message, "\"method\":") != NULL) {
		const bool lsp = storm.config.dialect == &quash_lsp;
		const unsigned named = number_behind(message, lsp ? "\"params\":{\"id\":" : "\"requestId\":");
		assert_in_range(named, 1, IDS - 1);
		assert_int_equal(ours[named].asked, 1);
		assert_int_equal(ours[named].cancelled, 0);
		assert_false(ours[named].settled);
		ours[named].cancelled++;
	} else {
		assert_in_range(id, 1, IDS - 1);
		assert_int_equal(theirs[id], 0);
		theirs[id]++;
	}
}

/* Whole messages only. */
static void look(void)
{
	const bool lsp = storm.config.dialect == &quash_lsp;
	for (;;) {
		char *from = out + out_read;
		out[out_length] = '\0';
		char *end = lsp ? strstr(from, "\r\n\r\n") : strchr(from, '\n');
		if (end == NULL)
			return;
		const size_t body = lsp ? number_behind(from, "Content-Length: ") : 0;
		char *next = lsp ? end + 4 + body : end + 1;
		if (next > out + out_length)
			return;
		const char kept = *next;
		*next = '\0';
		look_at(lsp ? end + 4 : from);
		*next = kept;
		out_read = (size_t)(next - out);
	}
}

/* What was looked at is of no use any more. */
static void forget(void)
{
	out_length -= out_read;
	memmove(out, out + out_read, out_length);
	out_read = 0;
}

/* Whether anything has left. */
static bool drain(size_t most)
{
	size_t n;
	const uint8_t *bytes = quash_out(&storm.peer, &n);
	n = n < most ? n : most;
	assert_room(out_length + n < OUT);
	memcpy(out + out_length, bytes, n);
	out_length += n;
	quash_sent(&storm.peer, n);
	look();
	forget();
	return n > 0;
}

/* Whether it was received at once. */
static bool tell(const char *message)
{
	bool at_once = storm.peer.in.pause == 0;
	char text[300];
	const bool lsp = storm.config.dialect == &quash_lsp;
	if (lsp)
		snprintf(text, sizeof text, "Content-Length: %zu\r\n\r\n%s", strlen(message), message);
	else
		snprintf(text, sizeof text, "%s\n", message);
	for (size_t at = 0; at < strlen(text);) {
		const size_t taken = quash_feed(&storm.peer, (const uint8_t *)text + at, strlen(text) - at);
		at += taken;
		if (taken == 0) { /* what finds no room waits for a step, or for TX */
			at_once = false;
			(void)drain(1 + any(40));
			(void)quash_step(&storm.peer);
		}
		if (storm.counters.changed > 0)
			fail_msg("a message was not the same again");
	}
	return at_once && storm.peer.in.pause == 0;
}

static void answer(unsigned id)
{
	char text[200];
	while (!storm.stalled && drain(LOOP_TX))
		;
	const bool open = !storm.stalled && ours[id].asked == 1 && ours[id].cancelled == 0;
	if (any(3))
		snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"result\":{\"of\":\"child\"}}", id);
	else
		snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"error\":{\"code\":-32800,\"message\":\"\"}}", id);
	if (tell(text) && open)
		ours[id].settled = true;
	ours[id].answers++;
}

static void request(void)
{
	static const char *const names[] = { "ask", "drop", "part", "soon", "unknown" };
	char text[200];
	snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"%s\"}", ++next_id, names[any(5)]);
	(void)tell(text);
}

static void cancel(unsigned id)
{
	const quash_dialect *const d = storm.config.dialect;
	char text[200];
	snprintf(text, sizeof text, "{\"jsonrpc\":\"2.0\",\"method\":\"%s\",\"params\":{\"%s\":%u}}", d->cancels[0].method,
		d->cancel_id, id);
	(void)tell(text);
}

static void free_call(quash_call *call)
{
	if (quash_call_in_use(call)) {
		if (any(4) == 0)
			(void)quash_call_release(call);
		else
			quash_call_cancel(call);
		return;
	}
	prepare(call);
	assert_true(quash_call_start(&storm.peer, call));
}

/* What is said after this is said on a new link. */
static void lose_link(void)
{
	quash_gone(&storm.peer);
	if (any(2))
		(void)quash_step(&storm.peer);
	quash_reopen(&storm.peer);
	out_length = 0;
}

static void happen(bool links)
{
	switch (any(12)) {
	case 0:
	case 1: request(); break;
	case 2: cancel(next_id - any(next_id < 8 ? next_id + 1 : 8)); break;
	case 3:
	case 4:
	case 5: answer(last_asked - any(last_asked < 6 ? last_asked + 1 : 6)); break;
	case 6: free_call(&free_calls[any(FREE_CALLS)]); break;
	case 7: storm.stalled = any(3) == 0; break;
	case 8:
		if (links && any(8) == 0)
			lose_link();
		break;
	default: (void)quash_step(&storm.peer); break;
	}
	if (!storm.stalled)
		(void)drain(any(80));
	quash_tick(&storm.peer, storm.now += any(3));
}

static void settle(bool links)
{
	storm.stalled = false;
	quash_cancel_all(&storm.peer);
	for (unsigned i = 0; i < 300 || (i < 5000 && quash_live_count(&storm.peer) > 0); i++) {
		(void)drain(LOOP_TX);
		(void)quash_step(&storm.peer);
		answer(1 + i % last_asked);
	}
	assert_int_equal(quash_live_count(&storm.peer), 0);
	for (unsigned id = 1; !links && storm.config.dialect != &quash_mcp && id <= next_id; id++)
		assert_int_equal(theirs[id], 1);
	quash_gone(&storm.peer);
	for (unsigned i = 0; i < 20; i++)
		(void)quash_step(&storm.peer);
	assert_int_equal(quash_call_count(&storm.peer), 0);
	for (unsigned i = 0; i < FREE_CALLS; i++)
		assert_false(quash_call_in_use(&free_calls[i]));
}

static void play(const quash_dialect *dialect, quash_size tx, quash_size arena, uint8_t slots, unsigned number)
{
	seed = number;
	memset(ours, 0, sizeof ours);
	memset(theirs, 0, sizeof theirs);
	memset(free_calls, 0, sizeof free_calls);
	out_length = out_read = 0;
	next_id = last_asked = ends = 0;
	loop_init(&storm, dialect, methods, COUNT_OF(methods));
	storm.config.states = states.bytes;
	storm.config.state_size = sizeof states.bytes / LOOP_SLOTS;
	storm.config.tx_size = tx;
	storm.config.arena_size = arena;
	storm.config.slot_count = slots;
	storm.config.calls = &quash_calls;
	loop_start(&storm);
	for (unsigned i = 0; i < ROUNDS; i++)
		happen(number % 2 == 0);
	settle(number % 2 == 0);
	assert_true(ends > 0);
	assert_true(storm.counters.calls > ROUNDS / 75);
}

static void in_dialect(const quash_dialect *dialect)
{
	static const quash_size txs[] = { QUASH_TX_MIN, 100, 160, LOOP_TX };
	for (unsigned i = 0; i < ROUNDS_OF(24); i++)
		play(dialect, txs[i % COUNT_OF(txs)], i % 3 == 0 ? 64 : LOOP_ARENA, (uint8_t)(2 + i % 7), i + 1);
}

static void test_acp(void **state)
{
	(void)state;
	in_dialect(&quash_acp);
}

static void test_lsp(void **state)
{
	(void)state;
	in_dialect(&quash_lsp);
}

static void test_mcp(void **state)
{
	(void)state;
	in_dialect(&quash_mcp);
}

static void test_jsonrpc(void **state)
{
	(void)state;
	in_dialect(&quash_jsonrpc);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_acp),
		cmocka_unit_test(test_lsp),
		cmocka_unit_test(test_mcp),
		cmocka_unit_test(test_jsonrpc),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
