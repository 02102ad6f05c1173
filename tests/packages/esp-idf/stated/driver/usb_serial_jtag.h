/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf uses of its driver for the USB-Serial-JTAG. Names, types and parameters are
 * those of ESP-IDF 5. */
#ifndef STATED_USB_SERIAL_JTAG_H
#define STATED_USB_SERIAL_JTAG_H

#include "../esp_err.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct {
	uint32_t tx_buffer_size;
	uint32_t rx_buffer_size;
} usb_serial_jtag_driver_config_t;

esp_err_t usb_serial_jtag_driver_install(usb_serial_jtag_driver_config_t *usb_serial_jtag_config);
esp_err_t usb_serial_jtag_driver_uninstall(void);
int usb_serial_jtag_read_bytes(void *buf, uint32_t length, uint32_t ticks_to_wait);
int usb_serial_jtag_write_bytes(const void *src, size_t size, uint32_t ticks_to_wait);
bool usb_serial_jtag_is_connected(void);

#endif
