/* SPDX-License-Identifier: MIT
 * Two plain methods in plain JSON-RPC: whole requests; from the last byte of a cancel to the flag and to the last byte of the
 * answer, from its first byte to the flag; and every byte of a message by itself, and bursts of some. */
#include "serving.h"

static bool busy; /* with what is to be cancelled */

static void put_version(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "protocolVersion");
	quash_put_value(w, quash_get(quash_params_of(request), "protocolVersion"));
	quash_put_end(w);
}

static int32_t initialize(quash_request *request)
{
	return quash_reply(request, put_version);
}

/* Takes two members out of the params, as a tool would. */
static int32_t call(quash_request *request)
{
	const quash_value params = quash_params_of(request);
	int32_t pin;
	if (busy)
		return quash_cancelled(request) ? QUASH_CANCELLED : QUASH_PENDING;
	const quash_value arguments = quash_get(params, "arguments");
	const bool text = quash_is(quash_get(params, "name"), "log_write");
	if (text ? quash_length(quash_get(arguments, "text")) == 0
		 : quash_int32(quash_get(arguments, "pin"), &pin) != QUASH_NUMBER_OK)
		return QUASH_INVALID_PARAMS;
	return quash_reply_text(request, "ok");
}

static const quash_method methods[] = {
	{ .name = "initialize", .handler = initialize },
	{ .name = "tools/call", .handler = call },
};

const quash_config bench_plain_config = { BENCH_STORED, .dialect = &quash_jsonrpc, .methods = methods,
	.method_count = sizeof methods / sizeof methods[0] };

static void start(void)
{
	busy = false;
	bench_begin(&bench_plain_config);
}

/* Feeds `n` bytes; nothing is counted. */
static void feed(const uint8_t *text, size_t n)
{
	for (; n > 0; text++, n--)
		bench_must_be_taken(quash_feed(&bench_peer, bench_bytes(text, 1), 1) == 1);
}

/* A call is at work. */
static void prepare_call(void)
{
	start();
	busy = true;
	feed(bench_messages[BENCH_CALL].text, bench_size(&bench_messages[BENCH_CALL]) + 1);
	quash_step(&bench_peer);
}

/* Its cancel is received but for the line feed. */
static void prepare_cancel(void)
{
	prepare_call();
	feed(bench_messages[BENCH_CANCEL].text, bench_size(&bench_messages[BENCH_CANCEL]));
}

static void cause_must_be(quash_cause cause)
{
	quash_live live = { .request = NULL };
	if (!quash_next_live(&bench_peer, &live) || quash_cancelled(live.request) != cause)
		report_wrong("cancelled too early, or not", "");
}

static void cancel_to_flag(void)
{
	static const uint8_t last = '\n';
	quash_live live = { .request = NULL };
	prepare_cancel();
	if (!quash_next_live(&bench_peer, &live) || quash_cancelled(live.request) != QUASH_NOT_CANCELLED)
		report_wrong("cancelled too early", "");
	report_row("flag", "cancel");
	const uint32_t from = counter_now();
	quash_feed(&bench_peer, &last, 1);
	const quash_cause cause = quash_cancelled(live.request);
	report_sample(from, counter_now());
	if (cause != QUASH_BY_OTHER_SIDE)
		report_wrong("not cancelled", "");
}

static void whole_cancel_to_flag(void)
{
	prepare_call();
	cause_must_be(QUASH_NOT_CANCELLED);
	report_row("whole", "cancel");
	bench_feed(bench_messages[BENCH_CANCEL].text, bench_size(&bench_messages[BENCH_CANCEL]) + 1, BENCH_PIECE);
	cause_must_be(QUASH_BY_OTHER_SIDE);
}

static void cancel_to_answer(void)
{
	static const uint8_t last = '\n';
	size_t n;
	prepare_cancel();
	report_row("answer", "cancel");
	const uint32_t from = counter_now();
	quash_feed(&bench_peer, &last, 1);
	const uint8_t *const answer = bench_answer(&n);
	report_sample(from, counter_now());
	report_answer(answer, n);
}

static void feed_in_bursts(const char *what, size_t most)
{
	size_t n;
	start();
	for (uint8_t i = BENCH_INITIALIZE; i <= BENCH_CALL_4K; i++) {
		if (!bench_fits(i))
			continue;
		report_row(what, bench_messages[i].name);
		bench_feed(bench_messages[i].text, bench_size(&bench_messages[i]) + 1, most);
		(void)bench_answer(&n);
	}
}

void bench_plain(void)
{
	start();
	bench_requests("answer");
	cancel_to_flag();
	whole_cancel_to_flag();
	cancel_to_answer();
	feed_in_bursts("feed", 1);
	feed_in_bursts("bursts16", 16);
	feed_in_bursts("bursts64", 64);
}
