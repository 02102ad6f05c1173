/* SPDX-License-Identifier: MIT
 * A UART, its two interrupts and one thread, for code of pages that handles them. Between any two statements of that code, and at each
 * access to a register, is a point, where what is to happen happens: a byte comes, several come and one finds no room, one has
 * left. The test drives each run with it at another point.
 *
 * Both interrupts have their bit in one register, which is read, changed and written. */
#ifndef READMES_MODEL_H
#define READMES_MODEL_H

#include "quash.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum { MODEL_RX_ON = 1 << 0, MODEL_TX_ON = 1 << 1 };

/* What may happen at a point. */
typedef enum model_event {
	MODEL_BYTE,    /* one comes */
	MODEL_OVERRUN, /* so many at once that one finds no room */
	MODEL_BURST,   /* so many, each at a point of its own */
	MODEL_LEFT,    /* the one that leaves has left */
	MODEL_EVENTS
} model_event;

/* What code under test provides. */
typedef struct model_code {
	void (*start)(void);           /* runs for ever: model_sleep ends it */
	void (*receive)(void);         /* the interrupts */
	void (*transmit)(void);
	bool woken_by_interrupts;      /* each ends a sleep that is; else the code ends that or the next one by model_wake */
	bool keeps_up;                 /* no byte is lost in the hardware */
	bool by_level;                 /* what it has of interrupts is not under test: those by level will do */
} model_code;

/* A point. */
#define AT() model_at()
void model_at(void);

/* --- Registers, each access with points around it */

bool model_has_byte(void);
uint8_t model_read(void);
bool model_was_overrun(void); /* and forgets it */
bool model_has_room(void);
void model_write(uint8_t byte);
void model_switch(uint32_t on, uint32_t off); /* of the bits above */
void model_pend(void);                        /* the interrupt is asked for by software */

/* --- The processor */

void model_enable(void);  /* the interrupt controller lets them in */
void model_hold(void);    /* holds them back; nests */
void model_release(void);
void model_wake(void);    /* ends the sleep that is, or the next one */
bool model_sleep(uint32_t ms); /* whether it was woken */
uint32_t model_ms(void);

/* A config with the method `ping`, and counters. */
extern const quash_config model_config;

/* Runs it with every event at every point, for hardware of one byte and of several, whose interrupts come by level and by edge. Returns
 * what main returns: 0 if nothing is wrong, else it prints what. */
int model_drive(const model_code *code);

#ifdef __cplusplus
}
#endif

#endif
