/* SPDX-License-Identifier: MIT
 * The network of the tests: lwIP as it is packaged, with one interface, 127.0.0.1. What lwIP loops back waits here until a
 * test delivers it, and its memory is counted. */
#ifndef TESTS_LWIP_NET_H
#define TESTS_LWIP_NET_H

#include <lwip/tcp.h>

#include <stdbool.h>
#include <stddef.h>

enum { NET_NUMBER = 7000 /* the device's */ };

struct net {
	unsigned piece;     /* bytes of a segment in each pbuf that goes to the device; 0: the packet stands in one */
	u16_t cut;          /* the client's number whose packets get lost; 0: none */
	u16_t window;       /* of the device, from its first packet on; 0: lwIP's own */
	size_t longest;     /* that lwIP takes when it is written to; 0: anything */
	size_t deny;        /* blocks of more bytes are not to be had; 0: all are */
	unsigned packets;   /* with data, that have come from the device */
	const uint8_t *begin, *end; /* the payload of the last pbuf that was given to the device */
};

extern struct net net;

/* Starts lwIP once, and sets the largest packet. */
void net_start(u16_t mtu);

/* Delivers what waits, in order, what this brings forth not. False if there was nothing. */
bool net_deliver(void);

/* True if packets wait. */
bool net_waits(void);

/* Gives a connection a window that is smaller than lwIP was built with. */
void net_narrow(struct tcp_pcb *pcb, u16_t window);

/* How many blocks of memory lwIP uses, packets on the wire not counted. */
size_t net_blocks(void);

#endif
