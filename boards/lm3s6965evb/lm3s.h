/* SPDX-License-Identifier: MIT */
#ifndef LM3S_H
#define LM3S_H

void lm3s_uart(void); /* interrupt 5 */

#endif
