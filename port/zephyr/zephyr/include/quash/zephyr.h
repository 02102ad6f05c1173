/* SPDX-License-Identifier: MIT
 * A peer in a thread of Zephyr, on a UART: rtos_zephyr_start and its kin. CONFIG_QUASH_UART. */
#ifndef QUASH_ZEPHYR_H
#define QUASH_ZEPHYR_H

#include "../../../port/rtos/rtos_zephyr.h"

#endif
