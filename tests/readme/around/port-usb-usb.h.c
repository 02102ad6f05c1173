/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/usb/usb.h. */
#include "quash.h"
#include "usb/usb.h"

static port_usb usb;
extern const port_usb_device device;
static quash_peer peer;
uint32_t board_ms(void);
void tud_task(void);
void board_wait(uint32_t ms);
void tusb_init(void);
bool tud_task_event_ready(void);
void __disable_irq(void);
void __enable_irq(void);
extern const quash_config config;

#include BLOCK
