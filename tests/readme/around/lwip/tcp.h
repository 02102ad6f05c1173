/* SPDX-License-Identifier: MIT
 * No header of lwIP: it states what pages and port/lwip/lwip_tcp.h use of one. */
#ifndef LWIP_STATED_TCP_H
#define LWIP_STATED_TCP_H

#include <stdint.h>

typedef uint16_t u16_t;
typedef uint32_t u32_t;
typedef int8_t err_t;
typedef struct ip_addr { u32_t addr; } ip_addr_t;
struct tcp_pcb;
struct pbuf;

enum { ERR_OK = 0 };
extern const ip_addr_t stated_any;
#define IP_ANY_TYPE (&stated_any)

void lwip_init(void);
void sys_check_timeouts(void);

#endif
