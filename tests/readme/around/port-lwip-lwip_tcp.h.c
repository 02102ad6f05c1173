/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/lwip/lwip_tcp.h. */
#include "lwip/lwip_tcp.h"
#include "quash.h"

#include <lwip/timeouts.h>

static quash_peer peer;
void driver_input(void);

int main(void)
{
#include BLOCK
}
