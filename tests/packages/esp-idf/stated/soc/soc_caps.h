/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf asks of the chip. */
#ifndef STATED_SOC_CAPS_H
#define STATED_SOC_CAPS_H

#include <sdkconfig.h>

/* The first ESP32 has none, and there it is not defined. */
#ifndef CONFIG_IDF_TARGET_ESP32
#define SOC_USB_SERIAL_JTAG_SUPPORTED 1
#endif

#endif
