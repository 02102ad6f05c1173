/* SPDX-License-Identifier: MIT
 * The wire towards a peer: it cuts, flips, doubles and loses. */
#include "wire.h"

#include <stdio.h>
#include <string.h>

enum { WIRE = 60000, LOSSES = 16 };

static struct {
	uint8_t bytes[WIRE];
	size_t length, taken;
	size_t losses[LOSSES]; /* where bytes are lost */
	size_t loss_count, loss_first;
} wires[LINKS];

void wire_clear(uint8_t link)
{
	wires[link].length = wires[link].taken = wires[link].loss_count = wires[link].loss_first = 0;
}

bool wire_is_empty(uint8_t link)
{
	return wires[link].taken >= wires[link].length;
}

const uint8_t *wire_bytes(uint8_t link, size_t *n)
{
	const size_t end = wires[link].loss_first < wires[link].loss_count
		? wires[link].losses[wires[link].loss_first]
		: wires[link].length;
	*n = end - wires[link].taken;
	return &wires[link].bytes[wires[link].taken];
}

void wire_taken(uint8_t link, size_t n)
{
	wires[link].taken += n;
	if (wires[link].taken == wires[link].length && wires[link].loss_first == wires[link].loss_count)
		wire_clear(link);
}

bool wire_loss(uint8_t link)
{
	if (wires[link].loss_first >= wires[link].loss_count ||
		wires[link].losses[wires[link].loss_first] != wires[link].taken)
		return false;
	wires[link].loss_first++;
	wire_taken(link, 0);
	return true;
}

/* Flips, doubles or cuts out bytes of what is composed; with headers only flips inside of the body. */
static void damage(struct text *t, bool lines)
{
	const size_t at = choose((unsigned)t->length);
	const size_t n = 1 + choose(8);
	switch (lines ? choose(3) : 0) {
	case 0: t->bytes[at] = (char)(t->bytes[at] ^ (1 << choose(8))); break;
	case 1:
		if (at + n < t->length) {
			memmove(t->bytes + at, t->bytes + at + n, t->length - at - n);
			t->length -= n;
		}
		break;
	default:
		if (at + n < t->length && t->length + n < sizeof t->bytes) {
			memmove(t->bytes + at + n, t->bytes + at, t->length - at);
			t->length += n;
		}
		break;
	}
}

void wire_send(uint8_t link, struct text *t, bool intact)
{
	char header[40];
	const bool lsp = sim.setup.dialect[link] == LSP;
	const bool lossy = !intact && !sim.calm && chance(40);
	if (!intact && !sim.calm && chance(24) && t->length > 0)
		damage(t, !lsp);
	const int n = lsp ? snprintf(header, sizeof header, "Content-Length: %u\r\n\r\n", (unsigned)t->length)
			  : 0;
	if (wires[link].length + (size_t)n + t->length + 1 > WIRE)
		return;
	memcpy(&wires[link].bytes[wires[link].length], header, (size_t)n);
	wires[link].length += (size_t)n;
	if (lossy && wires[link].loss_count < LOSSES && wires[link].loss_first == 0 && t->length > 2) {
		const size_t at = choose((unsigned)t->length), lost = 1 + choose((unsigned)(t->length - at));
		wires[link].losses[wires[link].loss_count++] = wires[link].length + at;
		memmove(t->bytes + at, t->bytes + at + lost, t->length - at - lost);
		t->length -= lost;
	}
	memcpy(&wires[link].bytes[wires[link].length], t->bytes, t->length);
	wires[link].length += t->length;
	if (!lsp)
		wires[link].bytes[wires[link].length++] = '\n';
}

void wire_sign(uint8_t link)
{
	if (wires[link].length + 2 > WIRE)
		return;
	if (sim.setup.dialect[link] == LSP)
		wires[link].bytes[wires[link].length++] = '\r';
	wires[link].bytes[wires[link].length++] = '\n';
}
