/* SPDX-License-Identifier: MIT
 * A UART whose interrupts come for what happens while they are enabled, and never for a byte that came before. Ports are
 * driven into it with a byte at every point of their start: a point is an access to a register, or to anything else that is
 * volatile, or a call of an RTOS. */
#ifndef TESTS_RTOS_EARLY_H
#define TESTS_RTOS_EARLY_H

#include "quash/port.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* --- The UART, which a front gives registers, or the functions of a driver */

typedef struct early_uart {
	uint8_t waits[16]; /* received and not read */
	bool behind[16];   /* of each of them: it came behind a loss */
	bool lost_before;  /* of the next one that comes */
	unsigned count, depth;
	bool receives;     /* the receiver is on, as a boot loader has left it */
	bool overrun;      /* lost a byte for want of room */
	bool transmits;    /* a byte is leaving */
	unsigned leaves_in;
	bool wants_received, wants_sent; /* the interrupts are enabled */
	bool has_received, has_sent;     /* they are due */
	bool keeps_sent;   /* that a byte has left is due later too, if its interrupt is enabled then */
	bool tells_first;  /* an interrupt comes for a byte that is the only one */
	bool dropped;      /* the hardware itself lost a byte: none of the port's */
	bool was_full;     /* one of them for want of room */
	bool collided;     /* a byte was written upon one that had not left */
} early_uart;

extern early_uart uart_model;

bool early_read(uint8_t *byte);  /* takes what was received */
void early_write(uint8_t byte);  /* transmits */
bool early_is_behind(void);      /* the byte that is read next came behind a loss */
void early_flush(void);          /* forgets what was received: a loss of the hardware's */

/* --- What a front provides */

typedef struct early_front {
	const char *name;
	uintptr_t base;   /* of its registers, mapped there; 0: it has none */
	unsigned depth;   /* bytes that it holds */
	void (*reset)(void);
	uint32_t (*load)(uintptr_t address, unsigned size);
	void (*store)(uintptr_t address, unsigned size, uint32_t value);
	bool (*is_due)(void);     /* its interrupt line is up */
	void (*interrupt)(void);
	void (*start)(quash_peer *peer); /* of the port; its interrupts are let in after it, or within by early_let_in */
	const quash_port *(*port)(void);
	void (*sleep)(void);      /* until there is something to do */
	bool vague;               /* its driver knows of a loss, and not where it was */
	bool privileged;          /* the thread may ask the interrupt controller */
} early_front;

extern const early_front *const early_fronts[];

/* The interrupt controller lets the interrupts in from now on. */
void early_let_in(void);

/* An interrupt asked for by software. */
void early_pend(void);

/* Holds the interrupts back; returns what early_unlock needs. */
bool early_lock(void);
void early_unlock(bool was_open);

/* A point: a byte may come, one may have left, and the interrupt runs if it is due. */
void early_point(void);

/* Time goes by until `called` is true; false when nothing will ever happen any more, or `ms` are over. */
bool early_sleep(volatile bool *called, uint32_t ms);

uint32_t early_ms(void);

#endif
