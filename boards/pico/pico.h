/* SPDX-License-Identifier: MIT */
#ifndef PICO_H
#define PICO_H

void pico_timer(void); /* interrupt 0 */
void pico_uart(void);  /* interrupt 20 */

#endif
