/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/lwip/README.md. */
#if NUMBER == 2 || NUMBER == 4
#include BLOCK
extern int a_unit_is_not_empty;
#else
#include "lwip/lwip_tcp.h"
#include "quash.h"

static struct lwip_tcp tcp;
static quash_peer peer;
static quash_port port;

static void turn(void)
{
#include BLOCK
}
#endif
