/* SPDX-License-Identifier: MIT
 * The surroundings of the code of docs/porting.md. */
#if NUMBER == 2
#include "quash.h"

extern const quash_config config;
#include BLOCK
#else
#include "board.h"
#include "quash.h"
#include "uart/uart.h"

#define TIMER 0
static quash_peer peer;
static quash_port port;
static port_uart uart;
void __disable_irq(void);
void __enable_irq(void);
void __WFI(void);

static void turn(void)
{
#include BLOCK
}
#endif
