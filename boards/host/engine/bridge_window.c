/* SPDX-License-Identifier: MIT */
#include "bridge_window.h"

#include "bridge_inner.h"
#include "least.h"
#include "text.h"

#include <string.h>

/* --- How much may be on its way */

enum { BITS_PER_BYTE = 10, AT_ONCE_MS = 1, LEARNED_MS = 100 };

void window_begin(struct window *window, uint32_t baud, bool pipe, uint32_t now)
{
	memset(window, 0, sizeof *window);
	window->rate = baud != 0 ? baud : WINDOW_BAUD;
	window->bytes = WINDOW_BYTES;
	window->pipe = pipe;
	window->since = now;
}

void window_count(struct window *window, size_t n)
{
	window->sent += (uint32_t)n;
}

/* The library writes the id of its requests there. */
void window_message(struct window *window, const char *text, uint32_t now)
{
	static const char head[] = "{\"jsonrpc\":\"2.0\",\"id\":", tail[] = ",\"method\":";
	size_t n;
	if (strncmp(text, head, sizeof head - 1) != 0)
		return;
	const uint32_t id = text_digits(text + sizeof head - 1, &n);
	if (strncmp(text + sizeof head - 1 + n, tail, sizeof tail - 1) != 0)
		return;
	window->asked[window->next].id = id;
	window->asked[window->next].end = window->sent;
	window->asked[window->next].since = now;
	window->next = (window->next + 1) % WINDOW_ASKED;
}

static uint32_t unread(const struct window *window)
{
	return window->sent - window->read;
}

static bool has_room(const struct window *window)
{
	return unread(window) + window->granted * WINDOW_REQUEST < window->bytes;
}

/* One answer that takes its time shows a device that works on something, or a slow line behind the pipe. */
static void fit(struct window *window, uint32_t ms, uint32_t now)
{
	window->bytes = window->pipe && ms <= AT_ONCE_MS ? less(window->bytes + WINDOW_REQUEST, WINDOW_MOST) : WINDOW_BYTES;
	window->fitted = now;
}

void window_answered(struct window *window, int64_t id, uint32_t now)
{
	for (unsigned i = 0; i < WINDOW_ASKED; i++) {
		if (window->asked[i].id != 0 && window->asked[i].id == id) {
			if ((int32_t)(window->asked[i].end - window->read) > 0)
				window->read = window->asked[i].end;
			window->asked[i].id = 0;
			fit(window, now - window->asked[i].since, now);
		}
	}
}

/* As long as the line would have taken. */
static void pass_time(struct window *window, uint32_t now)
{
	const uint64_t bytes = (uint64_t)(now - window->since) * window->rate / (1000u * BITS_PER_BYTE);
	if (bytes == 0)
		return;
	window->since = now;
	window->read = bytes < unread(window) ? window->read + (uint32_t)bytes : window->sent;
}

bool window_grant(struct window *window, uint32_t now)
{
	pass_time(window, now);
	if (now - window->fitted > LEARNED_MS)
		window->bytes = WINDOW_BYTES;
	const bool room = has_room(window);
	window->granted += room;
	return room;
}

void window_settle(struct window *window)
{
	window->granted = 0;
}

/* --- Signs of life */

void sign_announced(struct device *d, quash_value experimental)
{
	int32_t ms = 0;
	const quash_value sign = quash_member(experimental, "quash/lifeSign");
	d->lease = quash_int32(quash_get(sign, "ms"), &ms) == QUASH_NUMBER_OK && ms > 0 ? (uint32_t)ms : 0;
}

uint32_t sign_left(const struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	const uint32_t passed = b->now - d->signed_at, whole = d->lease >= 3 ? d->lease / 3 : 1;
	return d->signs && passed < whole ? whole - passed : 0;
}

bool sign_is_due(const struct device *d)
{
	return d->lease != 0 && sign_left(d) == 0;
}

/* A device takes up to two empty lines behind a message for the end of it, until it knows who speaks. So it is three that arm it. */
bool sign_give(struct device *d)
{
	struct bridge *const b = d->wire.bridge;
	for (unsigned left = d->signs ? 1 : 3; left > 0; left--) {
		if (!wire_sign(&d->wire))
			return false;
	}
	d->signs = true;
	d->signed_at = b->now;
	return true;
}

bool sign_arm(struct device *d)
{
	return d->lease == 0 || d->signs || sign_give(d);
}
