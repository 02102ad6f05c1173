/* SPDX-License-Identifier: MIT
 * A byte ring between one producer and one consumer, an interrupt and the pump mostly. Loads and stores only: no
 * lock, no interrupt switched off.
 *
 * What finds no room is lost and counted; the ring then takes nothing more until the consumer has read all that was
 * before it and has been told of the loss. So a loss has its place in the stream. */
#ifndef PORT_RING_H
#define PORT_RING_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** What the processor loads and stores with one instruction, up to 16 bits: on AVR a ring has at most 255 bytes. */
#if UINT_MAX > 0xFFFFu
typedef uint16_t ring_index;
#else
typedef uint8_t ring_index;
#endif

/** A ring. The caller owns it and the bytes; opaque. */
typedef struct ring {
	uint8_t *bytes;
	ring_index size;          /* one byte of them stays free */
	volatile ring_index head; /* where the producer writes; only it changes this */
	volatile ring_index tail; /* where the consumer reads; only it changes this */
	volatile ring_index lost; /* counts up, wrapping; only the producer changes it */
	volatile ring_index told; /* of these; only the consumer changes it */
} ring;

/** Makes a ring of `size` bytes (2 or more) ready, before either side uses it. */
void ring_init(ring *r, uint8_t *bytes, ring_index size);

/** Producer. False when the byte is lost. Cost: constant. */
bool ring_put(ring *r, uint8_t byte);

/** Producer. Something was lost before it came here (an overrun of the hardware): as a byte that found no room. */
void ring_lose(ring *r);

/** Producer. Says whether a byte would find room. */
bool ring_has_room(const ring *r);

/** Consumer. Takes up to `n` bytes; how many. Cost: linear in their number. */
size_t ring_get(ring *r, uint8_t *data, size_t n);

/** Consumer. Says whether there is a byte, or a loss to be told. */
bool ring_has_news(const ring *r);

/** Consumer. How many bytes were lost just here: 0 while there are bytes from before the loss. Once told the ring
 * goes on. At most 255 or 65535 are told of; more at once count as fewer. */
ring_index ring_losses(ring *r);

#ifdef __cplusplus
}
#endif
#endif
