/* SPDX-License-Identifier: MIT
 * A peer in a task of ESP-IDF, over TCP: lwIP's BSD sockets.
 *
 * Anyone who can reach the address can connect: there is no encryption and no password. The link is yours to protect.
 *
 * One client at a time, and the newest one: a client that connects ends the connection of the last one, whose requests are
 * all cancelled. So one that has lost its network and comes back need not wait until the device has noticed.
 *
 * After 60 seconds of silence a client counts as vanished. It is asked before whether it is there. One that has finished
 * transmitting is served for so long: from then on lwIP's sockets take no answer of it for a sign of life.
 *
 * Calling context: *owner* is the peer's task; *task* is any task; *interrupt* is any that may call FreeRTOS. */
#ifndef QUASH_ESP_TCP_H
#define QUASH_ESP_TCP_H

#include "../rtos/rtos.h"

#ifdef __cplusplus
extern "C" {
#endif

/** The link. The caller owns it; opaque. It stays where it is while it is started. */
typedef struct quash_esp_tcp {
	quash_peer *peer;
	int listener;
	int client; /* -1: none */
	int event;  /* what the owner is called by */
	uint32_t rest;
	bool ended;      /* the client has finished transmitting, and all of it was taken */
	bool full;       /* the socket took less than it was given */
	bool crowded;    /* there was no socket for a client */
	size_t from, to; /* what of `buffer` is shown and not taken yet */
	uint8_t buffer[512]; /* what is received at once */
} quash_esp_tcp;

/** What the program chooses. QUASH_ESP_TCP_CHOICE of quash_esp_config.h takes it from the project's configuration. */
typedef struct quash_esp_tcp_choice {
	const char *address; /**< IPv4 in numbers; "0.0.0.0" for everyone who can reach the device; NULL: 127.0.0.1 */
	uint16_t number;     /**< of the port; 0: any that is free, see `quash_esp_tcp_number` */
	uint32_t rest;       /**< as in `quash_esp_uart_choice` */
} quash_esp_tcp_choice;

/** Listens. The network stack is up, and the program has called `esp_vfs_eventfd_register`: one event descriptor is
 * used. Owner, after `quash_init`.
 *
 * @return 0 or an errno; EINVAL when `address` is none. Then nothing is open */
int quash_esp_tcp_start(quash_esp_tcp *t, quash_peer *peer, const quash_esp_tcp_choice *choice);

/** The number of the port that is listened on; 0 when it is not known. Owner. */
uint16_t quash_esp_tcp_number(const quash_esp_tcp *t);

/** The port, for `quash_pump`; valid as long as `t`. QUASH_GONE while there is no client. A handler that stays inside
 * pumps with it, too; a new client waits meanwhile. */
quash_port quash_esp_tcp_port(quash_esp_tcp *t);

/** Pumps, steps and sleeps, and takes new clients, for ever. Owner: all that is left for its task to do. */
void quash_esp_tcp_serve(quash_esp_tcp *t);

/** `quash_cancel_async`, and has the owner notice. Task or interrupt. */
void quash_esp_tcp_cancel(const quash_esp_tcp *t, quash_handle handle);

/** `quash_wake`, and has the owner notice. Task or interrupt. */
void quash_esp_tcp_wake(const quash_esp_tcp *t, quash_request *request);

#ifdef __cplusplus
}
#endif
#endif
