/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of its event descriptors, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_EVENTFD_H
#define STATED_EVENTFD_H

#include "esp_err.h"

#include <stddef.h>

#define EFD_SUPPORT_ISR (1 << 4)

typedef struct {
	size_t max_fds;
} esp_vfs_eventfd_config_t;

#define ESP_VFS_EVENTD_CONFIG_DEFAULT() (esp_vfs_eventfd_config_t){ .max_fds = 5 }

esp_err_t esp_vfs_eventfd_register(const esp_vfs_eventfd_config_t *config);
int eventfd(unsigned int initval, int flags);

#endif
