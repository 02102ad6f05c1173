/* SPDX-License-Identifier: MIT
 * A peer in a thread of Zephyr on a CDC-ACM, a UART over USB (`zephyr,cdc-acm-uart`). It follows DTR, as port/usb/usb.h has it: a
 * host that opens the port begins a session, one that closes it cancels all that runs. The bytes go as in rtos_zephyr.h. With
 * CONFIG_UART_LINE_CTRL.
 *
 * Between messages DTR is looked at every RTOS_ZEPHYR_USB_LOOK_MS, and before each burst that leaves. So a host that closes the
 * port and opens it again may go unseen, if it does so within that time. The drivers do not report:
 *
 * - A suspended bus. Leases run out by themselves.
 * - A cable that is pulled, with the newer USB stack (CONFIG_USB_DEVICE_STACK_NEXT): DTR stays as it was. A program that has a
 *   callback for the stack's messages passes that on with `rtos_zephyr_usb_closed`.
 * - What the driver itself holds when the host closes, up to its `tx-fifo-size`: it cannot be called back. The next host reads it
 *   first. If it ends within a line, a line end follows.
 *
 * Calling context: as in rtos_zephyr.h. The program enables the USB device itself, before or after the start. */
#ifndef PORT_RTOS_ZEPHYR_USB_H
#define PORT_RTOS_ZEPHYR_USB_H

#include "../usb/usb.h"
#include "rtos_zephyr.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { RTOS_ZEPHYR_USB_LOOK_MS = 50 };

/** The link. The caller owns it; opaque. Zero until it is started. */
typedef struct rtos_zephyr_usb {
	rtos_zephyr uart;
	port_usb usb;
	quash_port port;    /* of `uart` */
	volatile bool fell; /* DTR was low, which the owner has not taken note of */
	bool cut;           /* what the driver holds of the last host ends within a line */
} rtos_zephyr_usb;

/** As `rtos_zephyr_start`; `holds` is set. Owner, once, after `quash_init`. */
bool rtos_zephyr_usb_start(rtos_zephyr_usb *r, quash_peer *peer, const rtos_zephyr_choice *choice);

/** Follows the host, pumps, steps and sleeps, for ever. Owner: all that is left for its thread to do. */
void rtos_zephyr_usb_serve(rtos_zephyr_usb *r);

/** For a handler that stays busy, in place of `quash_pump`. Owner. */
void rtos_zephyr_usb_pump(rtos_zephyr_usb *r);

/** The host is gone, though DTR may still be high: all that runs is cancelled, and what was received and not fed yet is dropped.
 * If DTR is high a new session begins. Anywhere, after the start. */
void rtos_zephyr_usb_closed(rtos_zephyr_usb *r);

/** `quash_cancel_async`, and has the owner notice. Anywhere. */
void rtos_zephyr_usb_cancel(rtos_zephyr_usb *r, quash_handle handle);

/** `quash_wake`, and has the owner notice. Anywhere. */
void rtos_zephyr_usb_wake(rtos_zephyr_usb *r, quash_request *request);

#ifdef __cplusplus
}
#endif
#endif
