/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of its log, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_ESP_LOG_H
#define STATED_ESP_LOG_H

void stated_log(char level, const char *tag, const char *format, ...) __attribute__((format(printf, 3, 4)));

#define ESP_LOGE(tag, ...) stated_log('E', tag, __VA_ARGS__)
#define ESP_LOGI(tag, ...) stated_log('I', tag, __VA_ARGS__)

#endif
