/* SPDX-License-Identifier: MIT
 * A peer in a thread of Zephyr, on a UART over USB: rtos_zephyr_usb_start and its kin. CONFIG_QUASH_CDC_ACM. */
#ifndef QUASH_ZEPHYR_USB_H
#define QUASH_ZEPHYR_USB_H

#include "../../../port/rtos/rtos_zephyr_usb.h"

#endif
