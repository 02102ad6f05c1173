/* SPDX-License-Identifier: MIT
 * A stand-in for TinyUSB's header: what the package uses of it, as TinyUSB 0.12 to 0.20 declare it. */
#ifndef TUSB_H
#define TUSB_H

#include <stdbool.h>
#include <stdint.h>

enum { OPT_MODE_DEVICE = 0x01, OPT_MODE_FULL_SPEED = 0x00 };

#include "tusb_config.h"

bool tusb_init(void);
void tud_task(void);
bool tud_mounted(void);
bool tud_suspended(void);
bool tud_remote_wakeup(void);

uint8_t tud_cdc_n_get_line_state(uint8_t itf);
uint32_t tud_cdc_n_read(uint8_t itf, void *buffer, uint32_t bufsize);
uint32_t tud_cdc_n_write(uint8_t itf, const void *buffer, uint32_t bufsize);
uint32_t tud_cdc_n_write_flush(uint8_t itf);
uint32_t tud_cdc_n_write_available(uint8_t itf);
bool tud_cdc_n_write_clear(uint8_t itf);

/* The program's. */
void tud_cdc_line_state_cb(uint8_t itf, bool dtr, bool rts);
uint8_t const *tud_descriptor_device_cb(void);
uint8_t const *tud_descriptor_configuration_cb(uint8_t index);
uint16_t const *tud_descriptor_string_cb(uint8_t index, uint16_t langid);

#endif
