/* SPDX-License-Identifier: MIT
 * A port over the CDC device of any USB stack: TinyUSB, the native USB of an Arduino, a CDC-ACM of Zephyr. The stack's side
 * is six functions. What the host does, and what follows:
 *
 * - It opens the port, DTR rises: a new link and a new session.
 * - It closes the port, DTR falls, or the cable is out: QUASH_GONE. Every live request is cancelled, and what was received
 *   and not fed yet is dropped.
 * - It has opened the port and does not read: nothing blocks. Answers wait in TX. Cancels and signs of life arrive.
 * - It suspends the bus: no sign of life can come, so what has a lease is cancelled. All else goes on, and its answers wait.
 *   A device with a supply of its own often sees a suspended bus when its cable is pulled.
 * - It resumes: the session goes on.
 *
 * The whole program, where the stack runs on the peer's thread:
 *
 *     static bool rest(uint32_t ms)
 *     {
 *         (void)ms; // asked before: an interrupt may have come since
 *         __disable_irq();
 *         const uint32_t idle = tud_task_event_ready() ? 0 : port_usb_idle_ms(&usb);
 *         if (idle > 0)
 *             board_wait(idle); // until an interrupt is pending, though it is held back, or for so long
 *         __enable_irq();
 *         tud_task();
 *         return true;
 *     }
 *
 *     int main(void)
 *     {
 *         tusb_init();
 *         quash_init(&peer, &config, NULL); // each request of a config that it refuses is answered so
 *         port_usb_start(&usb, &device, NULL, &peer, board_ms);
 *         port_usb_serve(&usb, rest);
 *     }
 *
 * All functions: the peer's thread. A host that never raises DTR, as some terminals, is served if `connected` answers
 * PORT_USB_OPEN whenever the device is configured. */
#ifndef PORT_USB_H
#define PORT_USB_H

#include "../../include/quash/port.h"
#include "../port_serve.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What the host has done with the port. */
typedef enum port_usb_host {
	PORT_USB_CLOSED,   /**< not configured, unplugged, or DTR is low */
	PORT_USB_OPEN,     /**< DTR is high */
	PORT_USB_SUSPENDED /**< DTR was high when the bus was suspended */
} port_usb_host;

/** A CDC device. The caller owns it; it stands as long as the port. No function blocks. All are called on the peer's thread,
 * with the `device` of `port_usb_start`. */
typedef struct port_usb_device {
	/** Shows the received bytes that are not taken, or the first of them; how many. They stay where they are until they are
	 * taken. A stack that can only copy reads into a buffer when that is empty. What does not find room there the
	 * stack leaves to the host: it answers NAK. So nothing is lost. */
	size_t (*peek)(void *device, const uint8_t **bytes);
	/** The first `n` of the bytes that `peek` showed last are taken. */
	void (*take)(void *device, size_t n);
	/** How many bytes `write` would take now. 0 while the host does not read. */
	size_t (*writable)(void *device);
	/** Takes up to `n` bytes, at most as many as `writable` returned, and has them sent without a further call. How many. When the
	 * host closes, what has not been sent is dropped; a packet that the hardware holds may still reach the next client. */
	size_t (*write)(void *device, const uint8_t *bytes, size_t n);
	/** What the host has done. Cost: constant; it is asked often. */
	port_usb_host (*connected)(void *device);
	/** The bus is suspended and something is to be written: wakes the host, if the host allows that. Once for each
	 * suspension. NULL: answers wait until the host resumes. */
	void (*wake)(void *device);
} port_usb_device;

/** A port. The caller owns it; opaque, but for `dropped`. */
typedef struct port_usb {
	const port_usb_device *calls;
	void *device;
	quash_peer *peer;
	uint32_t (*now)(void);
	size_t shown;     /* of the device's bytes to the peer, which has not taken them */
	uint32_t dropped; /* received bytes of hosts that have closed, not fed; wraps */
	bool open;        /* the peer has a session with the host */
	bool suspended;   /* the peer's leases are ended for it */
	bool woken;
} port_usb;

/** Makes a port ready. `quash_init` may come before or after.
 *
 * @param device  handed to the functions of `calls`; may be NULL
 * @param now     milliseconds since any moment; wraps at 2^32 */
void port_usb_start(port_usb *u, const port_usb_device *calls, void *device, quash_peer *peer, uint32_t (*now)(void));

/** The port, for what is built on ports (port/console.h); valid as long as `u`. To pump it alone follows the host's closing, and
 * nothing else. */
quash_port port_usb_port(port_usb *u);

/** DTR has fallen, or the bus was reset: all bytes that the device shows now are dropped, and the peer gets QUASH_GONE. For
 * the stack's callback, where that runs on the peer's thread, outside of the six functions. Without it a host that closes and
 * opens between two pumps is not noticed. */
void port_usb_closed(port_usb *u);

/** Follows what the bus does, and pumps. In a handler that stays busy this stands in place of `quash_pump`. Cost: that of
 * quash_pump. */
void port_usb_pump(port_usb *u);

/** One turn of the loop: begins a session if the host has opened the port, pumps and steps. Not from handlers.
 *
 * @return whether a handler or hook was called */
bool port_usb_turn(port_usb *u);

/** For how many milliseconds the program may sleep if no interrupt comes, after a turn; UINT32_MAX: until one comes. 0 when
 * there is something to do. With the stack's interrupts held back, or a sleep that a past interrupt ends (WFE). */
uint32_t port_usb_idle_ms(port_usb *u);

/** Turns and sleeps until `sleep` returns false; see `port_serve`. `sleep` lets the stack do its work, too. */
PORT_SERVE_INLINE_ void port_usb_serve(port_usb *u, bool (*sleep)(uint32_t ms))
{
	do
		(void)port_usb_turn(u);
	while (sleep(port_usb_idle_ms(u)));
}

#ifdef __cplusplus
}
#endif
#endif
