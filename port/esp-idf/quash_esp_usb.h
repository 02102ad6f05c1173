/* SPDX-License-Identifier: MIT
 * A peer in a task of ESP-IDF, over the USB-Serial-JTAG of the chip (`driver/usb_serial_jtag.h`): ESP32-S3, C3, C5, C6, C61, H2,
 * P4. A cable from the PC is enough. ESP-IDF 5.2 or later: the driver before it reports as taken what it drops. Elsewhere
 * this header declares no function.
 *
 * The peripheral knows whether a host sends start-of-frame packets, and nothing of DTR. A host that is away for
 * 100 ms has left: the session ends, and all that runs is cancelled. A PC that sleeps has left, too. With a host
 * there again, another session begins. A client that only closes the port is not noticed: what moves has a lease.
 *
 * A host that does not read: nothing blocks. Answers wait, and cancels arrive.
 *
 * The driver does not hold the host back. What finds no room in its ring it drops without a report. So a ring that was found
 * full counts as a gap: what it held is shown, then QUASH_LOST, and what came meanwhile is given up.
 *
 * Calling context: *owner* is the peer's task. Other tasks and interrupts call `quash_cancel_async` and `quash_wake`: the owner
 * looks every 10 ms. */
#ifndef QUASH_ESP_USB_H
#define QUASH_ESP_USB_H

#include "../../include/quash/port.h"

#include <esp_err.h>
#include <esp_idf_version.h>
#include <sdkconfig.h>
#include <soc/soc_caps.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Bytes of the driver's ring to receive. The link has as much again. */
#ifdef CONFIG_QUASH_USB_RX_SIZE
#define QUASH_ESP_USB_RX_SIZE_ CONFIG_QUASH_USB_RX_SIZE
#else
#define QUASH_ESP_USB_RX_SIZE_ 1024
#endif

/* Bytes of the largest packet of the peripheral. */
enum { QUASH_ESP_USB_PACKET_ = 64 };

/** The link. The caller owns it; opaque. It stays where it is while it is started. */
typedef struct quash_esp_usb {
	quash_peer *peer;
	uint32_t tx_size, rest;
	uint32_t looked_ms; /* the last look for a host */
	uint32_t missed;    /* looks in a row that have found none */
	bool installed;     /* the driver */
	bool open;          /* the peer has a session */
	bool stale;         /* the hardware may hold a part of a line, of the last session */
	bool lost;          /* a gap is to be shown, after what is shown now */
	bool full, wrote;   /* in this turn: the driver took nothing; it took something */
	size_t from, to;    /* what of `chunk` is shown and not taken yet */
	uint8_t chunk[QUASH_ESP_USB_RX_SIZE_ - QUASH_ESP_USB_PACKET_];
} quash_esp_usb;

/** What the program chooses. QUASH_ESP_USB_CHOICE of quash_esp_config.h takes it from the project's configuration. */
typedef struct quash_esp_usb_choice {
	uint32_t tx_size; /**< bytes of the driver's ring to transmit, 64 or more */
	uint32_t rest;    /**< for how many milliseconds at most the owner sleeps though a handler is due. 0, unless it
	                       outranks a worker that a handler waits for: then 1 or more */
} quash_esp_usb_choice;

#if SOC_USB_SERIAL_JTAG_SUPPORTED && ESP_IDF_VERSION >= ESP_IDF_VERSION_VAL(5, 2, 0)

/** Installs the driver, whose interrupt will run on this core. Nothing else may use the port: no console. Owner, once; `quash_init`
 * may come before or after. The owner's task stays on its core, as the driver is installed anew after each session.
 *
 * @return ESP_OK, or what the driver's function answers that failed; then the driver is not installed */
esp_err_t quash_esp_usb_start(quash_esp_usb *u, quash_peer *peer, const quash_esp_usb_choice *choice);

/** Follows the host, pumps, steps and sleeps, for ever. Owner: all that is left for its task to do. After a host has
 * left, the next session begins with an empty line. */
void quash_esp_usb_serve(quash_esp_usb *u);

/** For a handler that stays inside, in place of `quash_pump`. Owner. */
void quash_esp_usb_pump(quash_esp_usb *u);

#endif

#ifdef __cplusplus
}
#endif
#endif
