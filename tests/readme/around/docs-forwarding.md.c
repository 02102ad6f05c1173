/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/forwarding.md. */
#include "quash.h"

#include <string.h>

#if NUMBER == 2
static quash_peer host, motor;
static quash_port socket, uart;

int main(void)
{
#include BLOCK
}
#else
#if NUMBER == 3
static quash_peer motor;
#endif
#include BLOCK
#endif
