/* SPDX-License-Identifier: MIT
 * What the two harts share. Hart 0 owns the peer. Hart 1 takes the UART's interrupt, and cancels and wakes, from the interrupt
 * and from the loop that it interrupts. */
#ifndef CORES_H
#define CORES_H

#include "quash.h"

#include "machine.h"
#include "uart/uart.h"

/* Cancels and wakes are a million, or a part of it: one for each request, three of four a cancel, and the rounds of `news`. A build
 * may have more. */
#ifndef CORES_REQUESTS
#define CORES_REQUESTS (60000 / CORES_PART)
#endif
enum { REQUESTS = CORES_REQUESTS, ROUNDS = 940000 / CORES_PART, LEAST_PROMPT = ROUNDS / 100, SLOTS = 10, WINDOW = 8, BOX = 16, SPINS = 500 };

/* How a request ends: that is its number modulo KINDS. Where it is held, its handler ends when hart 1 has let go of it. */
enum kind { FROM_INTERRUPT, HELD_FROM_INTERRUPT, HELD_FROM_LOOP, BY_WAKE, KINDS };

#define LOAD(place) __atomic_load_n(&(place), __ATOMIC_ACQUIRE)
#define STORE(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELEASE)

/** A request's state. */
struct work {
	uint32_t given; /* to hart 1 */
	uint32_t let_go;
};

struct job {
	quash_handle handle;
	struct work *work;
	enum kind kind;
};

/** Jobs from hart 0 to hart 1, fewer than the box holds. */
struct box {
	struct job jobs[BOX];
	uint32_t put, got;
};

/** What hart 0 tells hart 1. */
extern struct owner {
	struct box for_interrupt, for_loop;
	quash_handle listener; /* the request that waits for news */
	uint32_t listens;
	uint32_t seen;    /* the last news */
	uint32_t steps;   /* done */
	uint32_t resumed; /* the receive interrupt may run again */
	port_uart uart;
} owner;

/** What hart 1 tells hart 0; all but `brought`, `over` and `answered` once it is over. */
extern struct other {
	uint32_t brought;  /* news */
	uint32_t answered; /* requests */
	uint32_t over;
	uint32_t cancels, cancels_from_interrupt, late_cancels, wakes, wakes_for_nothing;
	uint32_t lost_wakes, early, unseen, prompt, held, strange, cancelled, results, twice;
} other;

#endif
