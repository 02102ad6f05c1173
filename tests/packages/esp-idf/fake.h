/* SPDX-License-Identifier: MIT
 * What the files of the fake share. */
#ifndef FAKE_H
#define FAKE_H

#include "stated/freertos/queue.h"

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>

QueueHandle_t fake_queue(size_t length, size_t size);

/* Whether the USB-Serial-JTAG has been started. */
bool fake_usb_reads(void);

void fake_thread(void *(*function)(void *), void *argument);

/* Ends the program: the fake itself cannot go on. */
void fake_fail(const char *what);

#endif
