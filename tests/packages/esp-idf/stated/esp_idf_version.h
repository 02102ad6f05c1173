/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. */
#ifndef STATED_ESP_IDF_VERSION_H
#define STATED_ESP_IDF_VERSION_H

#define ESP_IDF_VERSION_VAL(major, minor, patch) ((major) << 16 | (minor) << 8 | (patch))
#ifndef ESP_IDF_VERSION
#define ESP_IDF_VERSION ESP_IDF_VERSION_VAL(5, 5, 0)
#endif

#endif
