/* SPDX-License-Identifier: MIT
 * A peer in a task of ESP-IDF, over the USB-Serial-JTAG of the chip (`driver/usb_serial_jtag.h`): ESP32-S3, C3, C5, C6, H2, P4. A cable
 * from the PC is enough. For other chips it is empty.
 *
 * The peripheral knows whether a host is there, and nothing of DTR. From ESP-IDF 5.3 on: no host, and the session ends, so that
 * all that runs is cancelled; a host again, and another one begins. A client that only closes the port is not noticed: what moves
 * has a lease. Before 5.3 a host always seems to be there.
 *
 * Calling context: *owner* is the peer's task. Other tasks and interrupts call `quash_cancel_async` and `quash_wake`: the owner
 * looks every QUASH_ESP_USB_LOOK_MS. */
#ifndef QUASH_ESP_USB_H
#define QUASH_ESP_USB_H

#include "../usb/usb.h"

#include <esp_err.h>
#include <soc/soc_caps.h>

#ifdef __cplusplus
extern "C" {
#endif

/** How many bytes leave the driver's ring at once, to be shown to the peer. */
#define QUASH_ESP_USB_CHUNK 64

/** For how many milliseconds the owner sleeps at most: the driver has no event for other tasks. */
#define QUASH_ESP_USB_LOOK_MS 10

/** The link. The caller owns it; opaque. It stays where it is while it is started. */
typedef struct quash_esp_usb {
	port_usb usb;
	uint32_t rx_size, tx_size;
	bool host;       /* was there at the last look */
	size_t from, to; /* what of `chunk` is shown and not taken yet */
	uint8_t chunk[QUASH_ESP_USB_CHUNK];
} quash_esp_usb;

/** What the program chooses. QUASH_ESP_USB_CHOICE of quash_esp_config.h takes it from the project's configuration. */
typedef struct quash_esp_usb_choice {
	uint32_t rx_size, tx_size; /**< bytes of the driver's rings, 64 or more each */
} quash_esp_usb_choice;

#if SOC_USB_SERIAL_JTAG_SUPPORTED

/** Installs the driver, whose interrupt will run on this core. Nothing else may use the port: no console. Owner, once; `quash_init`
 * may come before or after.
 *
 * @return ESP_OK, or what the driver's function answers that failed; then the driver is not installed */
esp_err_t quash_esp_usb_start(quash_esp_usb *u, quash_peer *peer, const quash_esp_usb_choice *choice);

/** Follows the host, pumps, steps and sleeps, for ever. Owner: all that is left for its task to do. */
void quash_esp_usb_serve(quash_esp_usb *u);

/** For a handler that stays inside, in place of `quash_pump`. Owner. */
void quash_esp_usb_pump(quash_esp_usb *u);

#endif

#ifdef __cplusplus
}
#endif
#endif
