/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/usb/usb_tinyusb.h. */
#include "usb/usb_tinyusb.h"

#include BLOCK
