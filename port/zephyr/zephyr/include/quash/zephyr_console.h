/* SPDX-License-Identifier: MIT
 * A UART that the peer shares with lines of text: console_init and its kin. CONFIG_QUASH_UART. */
#ifndef QUASH_ZEPHYR_CONSOLE_H
#define QUASH_ZEPHYR_CONSOLE_H

#include "../../../port/console.h"

#endif
