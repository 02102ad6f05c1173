/* SPDX-License-Identifier: MIT
 * A byte ring between one producer and one consumer, an interrupt and the pump mostly. Loads and stores only: no
 * lock, no interrupt switched off.
 *
 * A byte that finds no room is lost. From then on the ring takes nothing more until the consumer has taken all that was
 * before the gap and has asked for the gap. So a gap has its place in the stream.
 *
 * Where PORT_SEVERAL_CORES is 1 the two sides may run on two cores. Who sees a byte, room or a gap sees all that the other side
 * did before it. Where it is 0 both run on one core, and an interrupt may come between any two instructions. Each side has one
 * caller at a time. */
#ifndef PORT_RING_H
#define PORT_RING_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/** 1 where the two sides of a ring may run on two cores. Firmware for several cores compiles all files of port/ with
 * -DPORT_SEVERAL_CORES=1. Otherwise it is 0, and the ring costs no fences. On a host it is 1. */
#ifndef PORT_SEVERAL_CORES
#if defined __GNUC__ && (defined __unix__ || defined __APPLE__ || defined _WIN32)
#define PORT_SEVERAL_CORES 1
#else
#define PORT_SEVERAL_CORES 0
#endif
#endif

/** What the processor loads and stores with one instruction, up to 16 bits: on AVR a ring has at most 255 bytes. */
#if UINT_MAX > 0xFFFFu
typedef uint16_t port_ring_index;
#else
typedef uint8_t port_ring_index;
#endif

/** A ring. The caller owns it and the bytes; opaque. */
typedef struct port_ring {
	uint8_t *bytes;
	port_ring_index size;          /* one byte of them stays free */
	volatile port_ring_index head; /* where the producer writes; only it changes this */
	volatile port_ring_index tail; /* where the consumer reads; only it changes this */
	volatile uint8_t gaps;         /* begun, wrapping; only the producer changes it */
	volatile uint8_t passed;       /* of these, at most one less; only the consumer changes it */
} port_ring;

/** Makes a ring of `size` bytes (2 or more) ready, before either side uses it. */
void port_ring_init(port_ring *r, uint8_t *bytes, port_ring_index size);

/** Producer. False when the byte is lost. Cost: constant. */
bool port_ring_put(port_ring *r, uint8_t byte);

/** Producer. Something was lost before it came here (an overrun of the hardware): as a byte that found no room. Cost:
 * constant. */
void port_ring_lose(port_ring *r);

/** Producer. True if a byte would find room. */
bool port_ring_has_room(const port_ring *r);

/** Either side. How many bytes stood in the ring a moment ago. Cost: constant. */
port_ring_index port_ring_fill(const port_ring *r);

/** Consumer. Shows the bytes that stand there in one piece; they stay until they are taken. How many. Cost: constant. */
size_t port_ring_show(const port_ring *r, const uint8_t **bytes);

/** Consumer. Takes the first `n` of those that were shown last. Cost: constant. */
void port_ring_take(port_ring *r, size_t n);

/** Consumer. Copies and takes up to `n` bytes; how many. Cost: linear in their number. */
size_t port_ring_get(port_ring *r, uint8_t *data, size_t n);

/** Consumer. True if there is a byte or a gap. */
bool port_ring_has_news(const port_ring *r);

/** Consumer. True if bytes were lost just here: false while there are bytes from before the gap. True once; the ring
 * then goes on. */
bool port_ring_pass_gap(port_ring *r);

#ifdef __cplusplus
}
#endif
#endif
