/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/rtos/rtos_freertos.h. */
#include "page_freertos.h"

static rtos_freertos uart_link;

#include BLOCK
