/* SPDX-License-Identifier: MIT
 * What the ports for an RTOS share: ticks and milliseconds, and how long the peer's thread may sleep. Nothing here
 * knows an RTOS. All of it runs on the peer's thread. */
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

/** The ticks that `ms` take, rounded up. More than a minute counts as a minute: who sleeps may wake early. */
uint32_t rtos_ticks(uint32_t ms, uint32_t hertz);

/** Says whether the peer has bytes to be written. */
bool rtos_has_words(quash_peer *peer);

/** How long the peer's thread may sleep, in milliseconds; UINT32_MAX: until it is woken. To be asked behind `quash_step`,
 * and after `quash_tick`.
 *
 * @param news  the port has something to read, for which it does not sleep if the peer has room
 * @param rest  how long it sleeps though a handler is due, see the ports */
uint32_t rtos_nap(const quash_peer *peer, bool news, uint32_t rest);

#ifdef __cplusplus
}
#endif
#endif
