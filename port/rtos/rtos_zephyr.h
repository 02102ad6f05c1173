/* SPDX-License-Identifier: MIT
 * A peer in a thread of Zephyr, on any UART whose driver has the interrupt-driven API (CONFIG_UART_INTERRUPT_DRIVEN). It
 * sleeps on a semaphore, which the UART's interrupt and other threads give. While its ring is full, bytes stay in the hardware;
 * what that loses is counted as far as the driver's `uart_err_check` knows of it. Without that function none stay: a full
 * ring is a gap.
 *
 *     static void serve(void *a, void *b, void *c)
 *     {
 *         (void)a, (void)b, (void)c;
 *         if (rtos_zephyr_start(&uart_link, &peer, &choice))
 *             rtos_zephyr_serve(&uart_link);
 *     }
 *     K_THREAD_DEFINE(peer_thread, 2048, serve, NULL, NULL, NULL, 7, 0, 0);
 *
 * With CONFIG_SMP the thread and the interrupt may run on any core: what they share they touch under `irq_lock`, which there is
 * a lock of all cores.
 *
 * Calling context: *owner* is the peer's thread; *anywhere* means every thread and every interrupt, on every core. */
#ifndef PORT_RTOS_ZEPHYR_H
#define PORT_RTOS_ZEPHYR_H

#include "rtos_uart.h"

#include <zephyr/kernel.h>
#include <zephyr/drivers/uart.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The link. The caller owns it; opaque. Zero until it is started. */
typedef struct rtos_zephyr {
	struct port_uart uart;
	rtos_uart link;
	quash_port under; /* of `uart` */
	const struct device *device;
	struct k_sem news;
	bool holds;
	bool (*reads)(void *reader); /* interrupt: whether someone reads what is written. NULL: always. For rtos_zephyr_usb.h */
	void *reader;
	volatile bool torn; /* the last byte that the driver took ends no line */
} rtos_zephyr;

/** What the program chooses. */
typedef struct rtos_zephyr_choice {
	const struct device *device; /**< of a UART that is ready: nothing else uses it, no console, no shell */
	port_uart_buffers buffers;   /**< standing as long as the link */
	uint32_t rest; /**< for how many milliseconds the owner sleeps though a handler is due. 0, unless it outranks a
	                    worker that a handler waits for: then 1 or more, or the worker never sees its cancel */
	bool holds; /**< the driver keeps what is not read, and holds its sender up, as a CDC-ACM does. Then nothing is lost, though it
	                 has no `uart_err_check` */
} rtos_zephyr_choice;

/** Switches the UART's interrupts on; the first pump takes what came before. Owner, once, after `quash_init`. False when the
 * driver has none. */
bool rtos_zephyr_start(rtos_zephyr *r, quash_peer *peer, const rtos_zephyr_choice *choice);

/** The port, for `quash_pump`; valid as long as `r`. Its functions: owner, from the pump. */
quash_port rtos_zephyr_port(rtos_zephyr *r);

/** Sleeps until there is something to pump or to step; bytes wake it in bursts, see rtos.h. Owner, after `quash_step`;
 * not from handlers. */
void rtos_zephyr_sleep(rtos_zephyr *r);

/** The same, for `most` milliseconds at most. For rtos_zephyr_usb.c. */
void rtos_zephyr_sleep_for_(rtos_zephyr *r, uint32_t most);

/** Pumps, steps and sleeps, for ever. Owner: all that is left for its thread to do. */
void rtos_zephyr_serve(rtos_zephyr *r);

/** `quash_cancel_async`, and has the owner notice. Anywhere. */
void rtos_zephyr_cancel(rtos_zephyr *r, quash_handle handle);

/** `quash_wake`, and has the owner notice. Anywhere. */
void rtos_zephyr_wake(rtos_zephyr *r, quash_request *request);

#ifdef __cplusplus
}
#endif
#endif
