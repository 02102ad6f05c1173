/* SPDX-License-Identifier: MIT
 * QEMU's virt machine with two harts: the peer's owner runs on hart 0, the UART's interrupt and all others on hart 1. */
#ifndef MACHINE_H
#define MACHINE_H

#include <stdbool.h>
#include <stdint.h>

/* The two programs, and the interrupt of the second. */
bool owner_main(void); /* true: passed */
void other_main(void);
void other_interrupt(void);

/** Raises the interrupt of hart 1, behind all that was stored before. On any hart. */
void machine_raise(void);

/** Sleeps for some microseconds, or until an interrupt: who waits for the other hart lets it have the core of the emulator's
 * machine, if there is but one. On any hart, outside of the interrupt. */
void machine_nap(void);

/** Milliseconds. */
uint32_t machine_now(void);

#endif
