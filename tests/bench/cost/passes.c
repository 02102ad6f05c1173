/* SPDX-License-Identifier: MIT
 * A long answer is put at most ceil(length / TX) + 1 times, however slowly the wire takes it. */
#include "served.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 5000 };

static char letters[LONGEST + 1];
static size_t length;
static unsigned passes;

static void put_long(quash_writer *w, const quash_request *request)
{
	(void)request;
	passes++;
	quash_put_string(w, letters, length);
}

static int32_t long_text(quash_request *request)
{
	return quash_reply(request, put_long);
}

static int32_t long_error(quash_request *request)
{
	return quash_fail_put(request, -1, put_long);
}

static int32_t long_data(quash_request *request)
{
	return quash_fail_data(request, -1, "no", put_long);
}

static const quash_method methods[] = {
	{ .name = "text", .handler = long_text },
	{ .name = "error", .handler = long_error },
	{ .name = "data", .handler = long_data },
};

/* The answer with the fewest passes to spare so far, and its length. */
static struct {
	size_t written;
	unsigned passes, most;
} worst;

static unsigned most_for(size_t written, quash_size tx)
{
	return (unsigned)((written + tx - 1) / tx + 1);
}

/* A new peer, with a notification in TX if it is to be crowded: then the first pass finds less room. Returns its length. */
static size_t start(const struct cost_setup *setup, bool crowded)
{
	size_t n;
	cost_start(setup);
	if (crowded) {
		(void)quash_notify(&cost_peer, "n");
		(void)quash_notify_send(&cost_peer);
	}
	(void)quash_out(&cost_peer, &n);
	if (crowded != (n > 0))
		cost_check(false, "a notification finds no room");
	return n;
}

static void count_passes(const struct cost_setup *setup, const char *method, size_t speed, bool crowded)
{
	char request[100];
	uint8_t text[200];
	const int n = snprintf(request, sizeof request, "{'jsonrpc':'2.0','id':1,'method':'%s'}", method);
	uint8_t *const message = &text[100];
	const size_t size = cost_message(request, message, 100);
	const size_t header = (size_t)snprintf((char *)text, 100, "Content-Length: %d\r\n\r\n", n);
	const bool lines = setup->dialect->framing == QUASH_LINES;
	memmove(&text[lines ? 0 : header], message, size);
	passes = 0;
	const size_t before = start(setup, crowded);
	const size_t written = cost_feed(text, lines ? size : header + size - 1, size, speed).written - before;
	const unsigned most = most_for(written, setup->tx);
	if (worst.written == 0 || worst.most + passes >= most + worst.passes) {
		worst.written = written;
		worst.passes = passes;
		worst.most = most;
	}
	if (passes == 0 || written < length)
		cost_check(false, "an answer of %zu bytes was not put", length);
}

static void check_passes(const struct cost_setup *setup, const char *method, size_t speed, bool crowded)
{
	memset(&worst, 0, sizeof worst);
	for (length = 0; length <= LONGEST; length += length < 150 ? 1 : 397)
		count_passes(setup, method, speed, crowded);
	cost_check(worst.passes <= worst.most, "%s, %s in windows of %u, %zu bytes a round%s: %u passes for %zu bytes, at most %u", setup->name, method,
		(unsigned)setup->tx, speed == COST_FAST ? 0 : speed, crowded ? ", behind a notification" : "", worst.passes, worst.written,
		worst.most);
}

static void check_framing(const char *name, const quash_dialect *dialect)
{
	static const quash_size sizes[] = { 64, 100, 128, 256, 1000, 1024 };
	for (unsigned i = 0; i < sizeof sizes / sizeof *sizes; i++) {
		const struct cost_setup setup = { name, dialect, methods, NULL, 256, sizes[i], 0, 3, 2, false, false };
		check_passes(&setup, "text", COST_FAST, false);
		check_passes(&setup, "text", 1, false);
		check_passes(&setup, "error", 7, false);
		check_passes(&setup, "data", COST_FAST, true);
		check_passes(&setup, "text", 33, true);
	}
}

void cost_of_passes(void)
{
	memset(letters, 'a', sizeof letters - 1);
	check_framing("lines", &quash_jsonrpc);
	check_framing("Content-Length", &quash_lsp);
}
