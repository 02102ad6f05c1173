/* SPDX-License-Identifier: MIT */
#ifndef MPS2_H
#define MPS2_H

void mps2_uart_receive(void);  /* interrupt 0 */
void mps2_uart_transmit(void); /* interrupt 1 */

#endif
