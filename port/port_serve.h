/* SPDX-License-Identifier: MIT
 * The loop of a program without an operating system. A UART, or any other port, is served by one call at the end of main:
 *
 *     static bool rest(uint32_t ms) { board_sleep(ms); return true; }
 *     int main(void)
 *     {
 *         quash_port port = board_start();
 *         quash_init(&peer, &config, NULL); // each request of a config that it refuses is answered so
 *         port_serve(&peer, &port, rest);
 *     }
 *
 * Systems have theirs: posix_stdio_serve, rtos_freertos_serve, quash_esp_uart_serve and so on. */
#ifndef PORT_SERVE_H
#define PORT_SERVE_H

#include "../include/quash/port.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Where it is called the compiler knows peer and port: 226 bytes on an AVR. */
#ifdef __GNUC__
#define PORT_SERVE_INLINE_ __attribute__((always_inline)) static inline
#else
#define PORT_SERVE_INLINE_ static inline
#endif

/** Pumps, steps and sleeps until `sleep` returns false; on a device that is never. The peer's thread. All handlers and hooks run
 * below it. A peer whose config was refused is served as well: it answers with its fault. One that is gone (`quash_is_gone`) is
 * pumped in vain. Cost: that of quash_pump and quash_step, each time something is to be done.
 *
 * @param sleep  waits until an interrupt has come or `ms` milliseconds have passed; 0: not at all; UINT32_MAX: until an interrupt.
 *               It may come back earlier. It returns whether the loop goes on */
PORT_SERVE_INLINE_ void port_serve(quash_peer *peer, const quash_port *port, bool (*sleep)(uint32_t ms))
{
	do
		quash_pump(peer, port);
	while (sleep(quash_step(peer) ? 0 : quash_idle_ms(peer))); /* what a step has answered is to be written */
}

#ifdef __cplusplus
}
#endif
#endif
