/* SPDX-License-Identifier: MIT
 * A peer in a task of FreeRTOS. Bytes go through two stream buffers between it and the
 * interrupts of any device. It sleeps on its task notification, which interrupts and other tasks give. Needs
 * configSUPPORT_STATIC_ALLOCATION, INCLUDE_xTaskGetCurrentTaskHandle, and stream_buffer.c.
 *
 * A gap has its place in the stream. From it on the buffer takes nothing more until the peer has taken what was before
 * and has been shown the gap.
 *
 * The device's receive interrupt, where a byte that finds no room can be left in the hardware:
 *
 *     void UART_RX_Handler(void)
 *     {
 *         BaseType_t woken = pdFALSE;
 *         bool lost = false;
 *         for (;;) {
 *             if (UART_WAS_OVERRUN()) { // and forgets it; asked for each byte: a gap has its place
 *                 rtos_freertos_overrun(&uart_link);
 *                 lost = true;
 *             }
 *             if (!UART_HAS_BYTE())
 *                 break;
 *             if (!lost && !rtos_freertos_wants(&uart_link)) {
 *                 UART_RX_INTERRUPT_OFF(); // until `resume`, which is called because it has been asked for room
 *                 break;
 *             }
 *             const uint8_t byte = UART_BYTE();
 *             if (!lost) // else it is from before the loss
 *                 rtos_freertos_received(&uart_link, byte, &woken);
 *         }
 *         rtos_freertos_interrupted(&uart_link, &woken);
 *         portYIELD_FROM_ISR(woken);
 *     }
 *
 * docs/rtos.md has the rest: the transmit interrupt, `kick`, `resume` and the task.
 *
 * Calling context: *owner* is the peer's task. *interrupt* is one of the device's: none interrupts the other, and their
 * priority lets them call FreeRTOS. *task* is any task, on any core. With several cores the owner stays on the one on
 * which it called `rtos_freertos_start`. The device's interrupts belong there: it switches them on itself. configASSERT
 * finds others. */
#ifndef PORT_RTOS_FREERTOS_H
#define PORT_RTOS_FREERTOS_H

#include "rtos.h"

#include <FreeRTOS.h>
#include <stream_buffer.h>
#include <task.h>

#ifdef __cplusplus
extern "C" {
#endif

/* On another core the interrupts would run beside the owner, and a byte or a wake could be missed. */
#if defined(configNUMBER_OF_CORES) && configNUMBER_OF_CORES > 1
#define RTOS_FREERTOS_CORES_ configNUMBER_OF_CORES
#if !defined(configUSE_CORE_AFFINITY) || configUSE_CORE_AFFINITY != 1
#error "with several cores set configUSE_CORE_AFFINITY to 1: the owner has to stay on the core of its interrupts"
#endif
#else
#define RTOS_FREERTOS_CORES_ 1
#endif

/** The link. The caller owns it; opaque. Zero until it is started. */
typedef struct rtos_freertos {
	quash_peer *peer;
	TaskHandle_t owner;
	StreamBufferHandle_t in, out;
	StaticStreamBuffer_t in_place, out_place;
	void (*kick)(void *device);
	void (*resume)(void *device);
	void *device;
	rtos_clock clock;
	rtos_watch watch;
	TickType_t ticks; /* when the clock was last asked; narrow ones must not wrap in between */
	uint32_t rest;
	size_t in_size, out_size;
	size_t from, to;          /* what of `chunk` is shown and not taken yet */
	UBaseType_t core;         /* that the owner stays on */
	volatile uint8_t gaps;    /* begun, wrapping; only interrupts change it */
	volatile uint8_t passed;  /* of these, at most one less; only the owner changes it */
	volatile bool held;       /* a byte may wait in the hardware: it found no room, or came before the start */
	volatile bool starved;    /* the owner sleeps though it has more to write: the buffer was full */
	volatile bool line_ended; /* a line end was received; only interrupts change it */
	uint8_t chunk[64]; /* what leaves the stream buffer at once, to be shown to the peer */
} rtos_freertos;

/** What the program chooses and lends. */
typedef struct rtos_freertos_choice {
	uint8_t *in, *out; /**< standing as long as the link, each used but for one byte */
	size_t in_size, out_size;
	void (*kick)(void *device);   /**< lets the transmit interrupt run, soon or at once */
	void (*resume)(void *device); /**< lets the receive interrupt run again, also for a byte that is there already. An
	                               interrupt that comes only as a byte comes is set pending. The first pump calls it */
	void *device;                 /**< handed to both */
	uint32_t rest; /**< for how many milliseconds at most the owner sleeps though a handler is due. 0, unless it outranks
	                    a worker that a handler waits for: then 1 or more, or the worker never sees its cancel */
} rtos_freertos_choice;

/** Makes the calling task the owner; its notification 0 is the port's from now on, and it stays on its core. Owner, once, before the device's
 * interrupts are switched on. */
void rtos_freertos_start(rtos_freertos *r, quash_peer *peer, const rtos_freertos_choice *choice);

/** The port, for `quash_pump`; valid as long as `r`. Its functions: owner, from the pump. */
quash_port rtos_freertos_port(rtos_freertos *r);

/** Sleeps until there is something to pump or to step; bytes wake it in bursts, see rtos.h. Owner, after `quash_step`;
 * not from handlers. */
void rtos_freertos_sleep(rtos_freertos *r);

/** Pumps, steps and sleeps, for ever. Owner: all that is left for its task to do. */
void rtos_freertos_serve(rtos_freertos *r);

/** Interrupt: true if there is room for a byte. If not, the byte is to stay in the hardware and the receive
 * interrupt to stay off until `resume` is called. */
bool rtos_freertos_wants(rtos_freertos *r);

/** Interrupt: a byte was received. Without room it is lost. */
void rtos_freertos_received(rtos_freertos *r, uint8_t byte, BaseType_t *woken);

/** Interrupt: the hardware lost what was received. */
void rtos_freertos_overrun(rtos_freertos *r);

/** Interrupt: the hardware can take a byte. False when there is none. */
bool rtos_freertos_next(rtos_freertos *r, uint8_t *byte, BaseType_t *woken);

/** Interrupt, at the end of each: wakes the owner if there is something for it. */
void rtos_freertos_interrupted(rtos_freertos *r, BaseType_t *woken);

/** `quash_cancel_async`, and has the owner notice. Task. */
void rtos_freertos_cancel(const rtos_freertos *r, quash_handle handle);

/** `quash_wake`, and has the owner notice. Task. */
void rtos_freertos_wake(const rtos_freertos *r, quash_request *request);

/** The same two from any interrupt that may call FreeRTOS. */
void rtos_freertos_cancel_from_isr(const rtos_freertos *r, quash_handle handle, BaseType_t *woken);
void rtos_freertos_wake_from_isr(const rtos_freertos *r, quash_request *request, BaseType_t *woken);

#ifdef __cplusplus
}
#endif
#endif
