/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/rtos/rtos_zephyr.h. */
#include "quash.h"
#include "rtos/rtos_zephyr.h"

static quash_peer peer;
static rtos_zephyr uart_link;
static const rtos_zephyr_choice choice = { .device = NULL };

#include BLOCK
