/* SPDX-License-Identifier: MIT
 * A CDC interface of TinyUSB, 0.12 and later, as the device of port/usb/usb.h. `tud_task` runs on the peer's thread, in the
 * program's sleep and not in handlers, or in a handler that stays busy before `port_usb_pump`. The program has TinyUSB's
 * callback:
 *
 *     static port_usb_tinyusb usb;
 *     void tud_cdc_line_state_cb(uint8_t itf, bool dtr, bool rts) { port_usb_tinyusb_line_state(&usb, itf, dtr); }
 *
 * All functions: the peer's thread. */
#ifndef PORT_USB_TINYUSB_H
#define PORT_USB_TINYUSB_H

#include "usb.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { PORT_USB_TINYUSB_BYTES = 64 };

/** The port and what was read from TinyUSB's FIFO. The caller owns it; opaque, but for `usb`. */
typedef struct port_usb_tinyusb {
	port_usb usb; /**< for `port_usb_turn`, `port_usb_pump`, `port_usb_serve` */
	uint8_t interface;
	uint8_t first, count; /* of what was read and not taken */
	bool dtr;
	uint8_t bytes[PORT_USB_TINYUSB_BYTES];
} port_usb_tinyusb;

/** Makes it ready; see `port_usb_start`. `tusb_init` may come before or after.
 *
 * @param interface  of the CDC interfaces, from 0 on */
void port_usb_tinyusb_start(port_usb_tinyusb *u, uint8_t interface, quash_peer *peer, uint32_t (*now)(void));

/** The host has changed a line. For `tud_cdc_line_state_cb`; other interfaces than its own are ignored. */
void port_usb_tinyusb_line_state(port_usb_tinyusb *u, uint8_t interface, bool dtr);

#ifdef __cplusplus
}
#endif
#endif
