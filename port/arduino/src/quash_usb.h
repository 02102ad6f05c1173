/* SPDX-License-Identifier: MIT
 * A port over the native USB of a board, which knows whether the host has opened it:
 *
 *     static quash_peer peer;
 *     static bool is_open() { return Serial; }
 *     static QuashUsb port(Serial, is_open);
 *
 *     void loop() { port.serve(&peer); }
 *
 * A host that opens the port (DTR rises) begins a session. One that closes it, or whose cable is out, ends it: all that runs is
 * cancelled, and what was received and not fed is dropped. On a core whose `operator bool` waits, as that of the AVRs does for
 * 10 ms, `is_open` asks `Serial.dtr()`. Reading and writing are those of `QuashStream`. Calling context: `setup`, `loop` and
 * what they call; not from interrupts. */
#ifndef QUASH_USB_H
#define QUASH_USB_H

#include "quash_port_usb.h"
#include "quash_stream.h"

class QuashUsb {
public:
	/** A port over `serial`, which must live as long as it.
	 *
	 * @param is_open  whether the host has opened the port; returns at once
	 * @param unasked  see `QuashStream` */
	QuashUsb(Stream &serial, bool (*is_open)(), uint8_t unasked = 0);

	/** It stays where it is: the port has its address. */
	QuashUsb(const QuashUsb &) = delete;
	QuashUsb &operator=(const QuashUsb &) = delete;

	/** For `loop`: follows the host, then pumps and steps. Returns whether a handler or hook was called. */
	bool serve(quash_peer *peer);

	/** For a handler that stays busy: then `quash_cancelled` knows. Once `serve` was called. */
	void pump();

private:
	static size_t peek(void *device, const uint8_t **bytes);
	static void take(void *device, size_t n);
	static size_t writable(void *device);
	static size_t write(void *device, const uint8_t *bytes, size_t n);
	static port_usb_host connected(void *device);
	static uint32_t now();

	port_usb usb_;
	QuashStream stream_;
	bool (*is_open_)();
};

#endif
