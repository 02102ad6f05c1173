/* SPDX-License-Identifier: MIT */
#ifndef MICROBIT_H
#define MICROBIT_H

void microbit_uart(void);  /* interrupt 2 */
void microbit_timer(void); /* interrupt 8 */

#endif
