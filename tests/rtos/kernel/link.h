/* SPDX-License-Identifier: MIT
 * The peer's task on AN385's UART 0, for all firmwares over the test kernel. */
#ifndef TESTS_KERNEL_LINK_H
#define TESTS_KERNEL_LINK_H

#include "rtos/rtos_cmsis2.h"

enum { LINK_PRIORITY = 3, LINK_FLAG = 1 };

extern rtos_cmsis2 the_link;

/* Adds what other tasks the firmware has. Before the kernel starts. */
void add_tasks(void);

void link_receive(void);  /* interrupt 0 */
void link_transmit(void); /* interrupt 1 */

#endif
