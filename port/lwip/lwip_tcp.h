/* SPDX-License-Identifier: MIT
 * The transport contract over TCP with lwIP's raw API: no OS, no thread, no socket, no
 * copy of what is received. Anyone who can reach the address can connect. There is no encryption and no password.
 *
 *     static struct lwip_tcp tcp; // after lwip_init and netif_add
 *     if (lwip_tcp_listen(&tcp, IP_ANY_TYPE, 7000, 15000) != ERR_OK)
 *         return 1;
 *     const quash_port port = lwip_tcp_port(&tcp);
 *     for (;;) {
 *         driver_input(); // gives lwIP the frames that have come
 *         sys_check_timeouts();
 *         lwip_tcp_turn(&tcp, &peer);
 *         quash_pump(&peer, &port);
 *         quash_step(&peer);
 *     }
 *
 * One client is served at a time. While there is one, a second one is reset as soon as it has connected. It may try
 * again. The place is free when the first one has closed, or has been silent for too long.
 *
 * Flow control: bytes stay in the pbufs that they came in. The window opens by those that the peer has taken. A peer
 * that pauses closes the window, so the client stops. Small messages leave at once (no Nagle), so cancels do not queue.
 *
 * Calling context: wherever lwIP's raw API may be called, which is one main loop with NO_SYS. Never from an interrupt, and
 * never from a callback of lwIP's. The port's own callbacks touch the link alone, never the peer. A handler that stays
 * busy runs the driver's input and `sys_check_timeouts` before its `quash_pump`; else it receives no cancel.
 *
 * It needs lwIP 2.1.1 or newer, with LWIP_TCP_KEEPALIVE. */
#ifndef PORT_LWIP_TCP_H
#define PORT_LWIP_TCP_H

#include "../../include/quash/port.h"

#include <lwip/tcp.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
	LWIP_TCP_LEAST_SILENCE = 3000 /**< milliseconds: below that lwIP's timers cannot ask three times */
};

/** A listener and the client that it serves. The caller owns it, at one place from `lwip_tcp_listen` to
 * `lwip_tcp_close`, as lwIP calls back with it. Opaque. */
struct lwip_tcp {
	struct tcp_pcb *listener;
	struct tcp_pcb *client;
	struct pbuf *received; /* and not taken */
	u32_t silence;
	u16_t shown;           /* bytes that the peer has not taken */
	bool fresh;            /* the client has come, and `lwip_tcp_turn` has not begun its link */
	bool half_closed;
	bool ended;            /* and the peer knows it */
	bool full;             /* lwIP took nothing of what was last written */
};

/** Listens. lwIP is initialized.
 *
 * @param address  an own address, IP_ANY_TYPE for all; borrowed for the call
 * @param number   the port's number; 0: any that is free
 * @param silence  milliseconds, LWIP_TCP_LEAST_SILENCE or more: a client from whom no segment comes for so long has vanished.
 *                 It is asked three times in the second half whether it is there, also while it owes
 *                 acknowledgements. The link ends within a second of that
 * @return         ERR_OK; ERR_VAL when `silence` is too short; else lwIP's reason: ERR_MEM without a free pcb, ERR_USE when the
 *                 number is taken. Then the link is closed */
err_t lwip_tcp_listen(struct lwip_tcp *link, const ip_addr_t *address, u16_t number, u32_t silence);

/** The port, for `quash_pump`; valid as long as `link`. What is written leaves lwIP after the pump's last write. It is
 * QUASH_GONE from the client's end to `lwip_tcp_turn`, and before the first client. It is QUASH_END after the last byte
 * of a client that has half-closed. */
quash_port lwip_tcp_port(struct lwip_tcp *link);

/** Once in each turn of the loop, in front of `quash_pump`; not from handlers. A new client gets a new link and a new session
 * (`quash_reopen`, `quash_new_session`). One that has half-closed and got all its answers is closed. */
void lwip_tcp_turn(struct lwip_tcp *link, quash_peer *peer);

/** How long the loop may sleep if no frame comes, in milliseconds. 0 when there is something to pump or to step, else
 * the nearest of the peer's and lwIP's own timers. Passes the time to the peer. In the loop, after `quash_step`; not
 * from handlers. Where an interrupt fetches frames: with interrupts held back, and only when the driver has none. */
u32_t lwip_tcp_idle_ms(const struct lwip_tcp *link, quash_peer *peer);

/** True if the client has half-closed, and all that it sent is taken. What has a lease is cancelled then. Other
 * requests go on, and the next client waits for them. A client whose process was killed looks the same until something
 * is written to it. Where something moves, the program hangs up then. In the loop, after `quash_pump`. */
bool lwip_tcp_has_ended(const struct lwip_tcp *link);

/** Closes the client: what was written still goes to it. It is reset if bytes of it were not taken. The next pump finds the
 * link gone. In the loop, or in a handler. Nothing happens without a client. */
void lwip_tcp_hang_up(struct lwip_tcp *link);

/** Closes the client, if there is one, and listens no more. In the loop; may be called again. */
void lwip_tcp_close(struct lwip_tcp *link);

#ifdef __cplusplus
}
#endif
#endif
