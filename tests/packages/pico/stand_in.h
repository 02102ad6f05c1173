/* SPDX-License-Identifier: MIT
 * What the stand-ins for pico-sdk and TinyUSB share. */
#ifndef STAND_IN_H
#define STAND_IN_H

enum { USB_INTERRUPT = 5 };

void device_stack_interrupt(void);

#endif
