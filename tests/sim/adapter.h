/* SPDX-License-Identifier: MIT
 * The library, as the simulator uses it. All that depends on its contract stands in adapter.c and tasks.c. */
#ifndef SIM_ADAPTER_H
#define SIM_ADAPTER_H

#include "sim.h"

struct quash_request;

/* Makes the peers. NULL, or what was wrong. */
const char *adapter_open(void);

size_t adapter_feed(uint8_t link, const uint8_t *bytes, size_t n);
const uint8_t *adapter_out(uint8_t link, size_t *n);
void adapter_sent(uint8_t link, size_t n);
void adapter_tick(uint8_t link);
/* Whether it has done anything: not when a handler is on the stack. */
bool adapter_step(uint8_t link);
uint32_t adapter_idle(uint8_t link);
void adapter_end(uint8_t link);
bool adapter_takes_all(uint8_t link); /* nothing is kept, and it waits for nothing */
void adapter_gone(uint8_t link);
void adapter_reopen(uint8_t link);
void adapter_lost(uint8_t link);
void adapter_cancel_all(uint8_t link);
unsigned adapter_live(uint8_t link);

/* Something from another thread or an interrupt: cancels or wakes a request, live or long ended. */
void adapter_interrupt(void);

/* The program knows that a new client has come. */
void adapter_new_session(uint8_t link);

/* A notification that belongs to no request. */
void adapter_notify(uint8_t link);
/* A call that belongs to no request; or the cancel of one. */
void adapter_call(uint8_t link);
void adapter_drop_calls(uint8_t link);

/* After each call of the library: the peer's state is a legal one. */
void adapter_must_be_legal(uint8_t link);
/* What must hold at any moment, and what when all is at rest: NULL, or what does not. */
const char *adapter_check(uint8_t link);
const char *adapter_rest(uint8_t link);

/* What the peer has counted, for the oracle. */
struct counted {
	uint32_t requests, notifications, results, errors, silenced, parse_errors, calls, call_cancels, kept, held, late_cancels,
		dropped, changed, misuses, sessions, life_signs, lost, cancelled[CAUSES];
};
struct counted adapter_counted(uint8_t link);

/* Whether a handler is on the stack, of any link. */
bool adapter_is_inside(void);

/* For tasks.c: a request's slot, and the record that the oracle has of it. */
unsigned adapter_slot(const struct quash_request *request);
struct record *adapter_record(const struct quash_request *request);

#endif
