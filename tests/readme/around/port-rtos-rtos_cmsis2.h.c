/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/rtos/rtos_cmsis2.h. */
#include "rtos/rtos_cmsis2.h"
#include "uart/uart_cmsdk.h"

static rtos_cmsis2 uart_link;
static port_uart_cmsdk console;

#include BLOCK
