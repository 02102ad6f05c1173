/* SPDX-License-Identifier: MIT
 * quash on the USB port of an RP2040 or RP2350, with the pico-sdk and its TinyUSB. The program links `quash_pico`, has a
 * `tusb_config.h` with one CDC interface, and the descriptors. It links no `pico_stdio_usb`: that has the port for itself.
 *
 * The calling contexts are those of quash/peer.h. Everything of USB runs on the peer's thread: `tud_task` too, from here
 * alone. */
#ifndef QUASH_PICO_H
#define QUASH_PICO_H

#include <quash/peer.h>

#ifdef __cplusplus
extern "C" {
#endif

/** Starts TinyUSB, and serves the clients that open the port, one after the other, for ever. When the port is closed or the
 * cable is pulled, all that runs is cancelled. In between the core sleeps until an interrupt, or until something is due. The
 * core that calls it owns the peer. */
void quash_pico_serve(quash_peer *peer);

/** For a handler that stays busy: moves bytes both ways; then `quash_cancelled` knows. Handlers only. Cost: that of
 * `tud_task` and `quash_pump`. */
void quash_pico_pump(void);

/** `quash_cancel_async`, and ends the owner's sleep. Anywhere, on both cores. */
void quash_pico_cancel(quash_handle handle);

/** `quash_wake`, and ends the owner's sleep. Anywhere, on both cores. */
void quash_pico_wake(quash_request *request);

#ifdef __cplusplus
}
#endif
#endif
