/* SPDX-License-Identifier: MIT
 * A byte ring between one producer and one consumer, an interrupt and the pump mostly. Loads and stores only: no
 * lock, no interrupt switched off.
 *
 * A byte that finds no room is lost. From then on the ring takes nothing more until the consumer has taken all that was
 * before the gap and has asked for the gap. So a gap has its place in the stream. */
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
	volatile uint8_t gaps;    /* begun, wrapping; only the producer changes it */
	volatile uint8_t passed;  /* of these, one behind at most; only the consumer changes it */
} ring;

/** Makes a ring of `size` bytes (2 or more) ready, before either side uses it. */
void ring_init(ring *r, uint8_t *bytes, ring_index size);

/** Producer. False when the byte is lost. Cost: constant. */
bool ring_put(ring *r, uint8_t byte);

/** Producer. Something was lost before it came here (an overrun of the hardware): as a byte that found no room. Cost:
 * constant. */
void ring_lose(ring *r);

/** Producer. True if a byte would find room. */
bool ring_has_room(const ring *r);

/** Either side. How many bytes stood in the ring a moment ago. Cost: constant. */
ring_index ring_fill(const ring *r);

/** Consumer. Shows the bytes that stand there in one piece; they stay until they are taken. How many. Cost: constant. */
size_t ring_show(const ring *r, const uint8_t **bytes);

/** Consumer. Takes the first `n` of those that were shown last. Cost: constant. */
void ring_take(ring *r, size_t n);

/** Consumer. Copies and takes up to `n` bytes; how many. Cost: linear in their number. */
size_t ring_get(ring *r, uint8_t *data, size_t n);

/** Consumer. True if there is a byte or a gap. */
bool ring_has_news(const ring *r);

/** Consumer. True if bytes were lost just here: false while there are bytes from before the gap. True once; the ring
 * then goes on. */
bool ring_pass_gap(ring *r);

#ifdef __cplusplus
}
#endif
#endif
