/* SPDX-License-Identifier: MIT
 * A peer in a task of ESP-IDF, over its UART driver (`driver/uart.h`, 5.0 and later). The driver's interrupt receives into
 * its ring and reports in its event queue; the peer's task sleeps there. What is transmitted goes straight to the
 * hardware's FIFO, so the driver never makes the task wait.
 *
 * A gap has its place in the stream. With a report of one, all that was received and not shown is given up, and
 * QUASH_LOST is shown there.
 *
 * Calling context: *owner* is the peer's task; *task* is any task, on any core; *interrupt* is any that may call FreeRTOS. */
#ifndef QUASH_ESP_UART_H
#define QUASH_ESP_UART_H

#include "../rtos/rtos.h"

#include <driver/uart.h>
#include <esp_err.h>
#include <freertos/FreeRTOS.h>
#include <freertos/queue.h>

#ifdef __cplusplus
extern "C" {
#endif

/** The link. The caller owns it; opaque. It stays where it is while it is started. */
typedef struct quash_esp_uart {
	quash_peer *peer;
	QueueHandle_t events;
	uart_port_t number;
	uint32_t rest;
	uint32_t room_ms; /* until the FIFO has room for many bytes again */
	bool full;        /* the FIFO took less than it was given */
	bool lost;        /* a gap is to be shown, after what is shown now */
	size_t from, to;  /* what of `chunk` is shown and not taken yet */
	uint8_t chunk[128]; /* what leaves the driver's ring at once, to be shown to the peer */
} quash_esp_uart;

/** What the program chooses. QUASH_ESP_UART_CHOICE of quash_esp_config.h takes it from the project's configuration. */
typedef struct quash_esp_uart_choice {
	uart_port_t number;
	int baud;
	int tx, rx, rts, cts; /**< GPIO numbers, or UART_PIN_NO_CHANGE. With rts or cts the hardware controls the flow that way */
	int rx_size;          /**< bytes of the driver's ring: more than the FIFO has (128), and what comes between two pumps */
	int events;           /**< of the driver's queue, 8 or more: one that was full counts as a gap */
	uint32_t rest;        /**< for how many milliseconds at most the owner sleeps though a handler is due. 0, unless it
	                           outranks a worker that a handler waits for: then 1 or more */
} quash_esp_uart_choice;

/** Installs the driver, whose interrupt will run on this core, and sets baud rate and pins. Owner, once; `quash_init` may
 * come before or after.
 *
 * @return ESP_OK, or what the driver's function answers that failed; then the driver is not installed */
esp_err_t quash_esp_uart_start(quash_esp_uart *u, quash_peer *peer, const quash_esp_uart_choice *choice);

/** The port, for `quash_pump`; valid as long as `u`. A handler that stays inside pumps with it, too. */
quash_port quash_esp_uart_port(quash_esp_uart *u);

/** Pumps, steps and sleeps, for ever. Owner: all that is left for its task to do. */
void quash_esp_uart_serve(quash_esp_uart *u);

/** `quash_cancel_async`, and has the owner notice. Task. */
void quash_esp_uart_cancel(const quash_esp_uart *u, quash_handle handle);

/** `quash_wake`, and has the owner notice. Task. */
void quash_esp_uart_wake(const quash_esp_uart *u, quash_request *request);

/** The same two. Interrupt; `woken` as for `xQueueSendFromISR`. */
void quash_esp_uart_cancel_from_isr(const quash_esp_uart *u, quash_handle handle, BaseType_t *woken);
void quash_esp_uart_wake_from_isr(const quash_esp_uart *u, quash_request *request, BaseType_t *woken);

#ifdef __cplusplus
}
#endif
#endif
