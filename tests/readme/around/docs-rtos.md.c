/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/rtos.md. */
#if NUMBER == 1
#include BLOCK
extern int a_unit_is_not_empty;
#else
#include "page_freertos.h"
#if NUMBER == 4
static void kick(void *device) { (void)device; }
static void resume(void *device) { (void)device; }
#else
static rtos_freertos uart_link;
#endif

#include BLOCK
#endif
