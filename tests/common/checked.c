/* SPDX-License-Identifier: MIT
 * The build for tests: each answer is put when it is recorded, and again at each window, before and after its `end`
 * hook and when its slot is given back. Each time over a stack full of rubbish, and each time it must be the same. */
#include "../../src/core/checked.h"

#include <stdio.h>
#include <stdlib.h>

#include "../../src/json/writer.h"

enum { SLOTS = 4096, RUBBISH = 2048, LONG = 1024 };

static struct {
	const quash_request *slot;
	quash_generation generation;
	uint16_t sum;
	uint32_t count;
	uint32_t passes;
} kept[SLOTS];

static _Noreturn void failed(const char *method, const char *what)
{
	fprintf(stderr, "checked: %s: %s\n", method, what);
	abort();
}

static const char *name_of(const quash_request *slot)
{
	const quash_method *const method = quash_method_of(slot);
	return method != NULL ? method->name : "";
}

/* What a put function left on the stack is gone. */
static __attribute__((noinline)) void write_over_stack(void)
{
	volatile uint8_t rubbish[RUBBISH];
	for (size_t i = 0; i < sizeof rubbish; i++)
		rubbish[i] = (uint8_t)(0xA5 ^ i);
}

static bool has_put(const quash_request *slot)
{
	switch (slot->form) {
	case FORM_PUT:
	case FORM_ITEMS:
	case FORM_FAIL_DATA:
	case FORM_FAIL_PUT:
	case FORM_FAIL_AS: return true;
	default: return false;
	}
}

/* Its sum, over bytes that go nowhere. */
static quash_writer put_nowhere(quash_request *slot)
{
	quash_peer *const peer = slot->peer;
	const bool before = peer->out.composing;
	quash_writer w = { .skip = UINT32_MAX };
	quash_place_begin(&w.place);
	write_over_stack();
	peer->out.composing = true;
	if (slot->form == FORM_ITEMS) {
		for (uint16_t i = 0; slot->put.item(&w, slot, i); i++)
			write_over_stack();
	} else {
		slot->put.value(&w, slot);
	}
	peer->out.composing = before;
	return w;
}

static size_t place_of(const quash_request *slot)
{
	size_t i = (uintptr_t)slot / sizeof *slot % SLOTS;
	while (kept[i].slot != NULL && kept[i].slot != slot)
		i = (i + 1) % SLOTS;
	return i;
}

void quash_checked_record(quash_request *slot)
{
	if (!has_put(slot))
		return;
	const quash_writer w = put_nowhere(slot);
	const size_t i = place_of(slot);
	kept[i].slot = slot;
	kept[i].generation = slot->generation;
	kept[i].sum = w.sum;
	kept[i].count = w.count;
	kept[i].passes = 0;
}

void quash_checked_again(quash_request *slot)
{
	const size_t i = place_of(slot);
	if (slot->answer == ANSWER_SILENT || !has_put(slot) || kept[i].slot != slot || kept[i].generation != slot->generation)
		return;
	/* What leaves in thousands of windows is not put whole for each of them, or it would take for ever. */
	if (kept[i].passes++ % (kept[i].count / LONG + 1) != 0 && slot->answer == ANSWER_BEGUN)
		return;
	const quash_writer w = put_nowhere(slot);
	if (w.sum != kept[i].sum || w.count != kept[i].count)
		failed(name_of(slot), "a put function put something else the second time");
}

/* --- A value that an answer has twice */

static struct value {
	uint32_t count;
	uint32_t sum;
} put_now, put_first;

/* FNV-1a */
void quash_checked_byte(uint8_t c)
{
	put_now.count++;
	put_now.sum = (put_now.sum ^ c) * 16777619u;
}

void quash_checked_first(quash_writer *w, const quash_request *request, quash_put *put)
{
	put_now = (struct value){ 0, 2166136261u };
	put(w, request);
	put_first = put_now;
}

void quash_checked_second(quash_writer *w, const quash_request *request, quash_put *put)
{
	const struct value first = put_first;
	quash_checked_first(w, request, put);
	if (first.count != put_first.count || first.sum != put_first.sum)
		quash_writer_misuse(w, QUASH_WHY_CHANGED);
}

void quash_checked_call(const quash_peer *peer)
{
	if (peer->out.composing)
		failed("", "a put function called back into the peer");
}
