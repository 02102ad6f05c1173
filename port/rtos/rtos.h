/* SPDX-License-Identifier: MIT
 * What the ports for an RTOS share: ticks and milliseconds, how long the peer's thread may sleep, and when an interrupt
 * wakes it. Nothing here knows an RTOS. All of it runs on the peer's thread, but for `rtos_watch_calls`. */
#ifndef PORT_RTOS_H
#define PORT_RTOS_H

#include "../../include/quash/port.h"

#ifdef __cplusplus
extern "C" {
#endif

/** Milliseconds counted from ticks of any frequency, so that they wrap at 2^32 and nowhere else. Zero at first. */
typedef struct rtos_clock {
	uint32_t ms;
	uint32_t rest; /* thousandths of a tick, less than one of them in a millisecond */
} rtos_clock;

/** `ticks` more have passed, at `hertz` a second (1 to 4,000,000). Returns the milliseconds since the beginning. */
uint32_t rtos_clock_add(rtos_clock *c, uint32_t ticks, uint32_t hertz);

/** The ticks that `ms` take, rounded up. More than a minute counts as a minute: who sleeps may wake early. An RTOS ends
 * a wait of n ticks at the nth tick from now, so it may be up to one tick shorter. */
uint32_t rtos_ticks(uint32_t ms, uint32_t hertz);

/** True if the peer has bytes to be written. */
bool rtos_has_output(quash_peer *peer);

/** How long the peer's thread may sleep, in milliseconds; UINT32_MAX: until it is woken. To be asked after `quash_step`,
 * and after `quash_tick`.
 *
 * @param news  the port has something that the peer was not shown yet: then it does not sleep
 * @param rest  how long it sleeps though a handler is due, see the ports */
uint32_t rtos_nap(const quash_peer *peer, bool news, uint32_t rest);

/* --- Bursts -------------------------------------------------------------------------------------------
 *
 * A switch to the owner costs a few thousand instructions, so bytes do not wake it one by one. The first byte ends its
 * sleep. It then dozes for RTOS_BURST_MS at most. Meanwhile only a line end, a buffer that is half full, a gap or room
 * for output wake it. */

/** How long a byte waits for others at most, in milliseconds. */
#define RTOS_BURST_MS 4u

/** What the interrupt knows of the owner's sleep. Zero at first. */
typedef struct rtos_watch {
	volatile uint8_t state; /* enum rtos_watch_state */
} rtos_watch;

/** The owner is about to sleep. Before it asks for news: what comes from now on wakes it. */
void rtos_watch_sleep(rtos_watch *w);

/** True, after a sleep, if a burst has begun: then the owner sleeps again, for RTOS_BURST_MS at most. */
bool rtos_watch_dozes(const rtos_watch *w);

/** The owner sleeps no more. */
void rtos_watch_wake(rtos_watch *w);

/** Interrupt: true if the owner is to be woken.
 *
 * @param news    there is something to pump
 * @param enough  and it does not wait for more */
bool rtos_watch_calls(rtos_watch *w, bool news, bool enough);

#ifdef __cplusplus
}
#endif
#endif
