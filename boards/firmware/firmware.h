/* SPDX-License-Identifier: MIT
 * What a program provides for the loop that all boards share. */
#ifndef FIRMWARE_H
#define FIRMWARE_H

#include "program.h"
#include "quash/port.h"

/* Moves bytes both ways, for a handler that stays busy. */
void firmware_pump(void);

/* Writes what is wrong with the config, without a NUL, and returns the length, less than `size`. A program whose RAM has no room for
 * the words has one of its own. */
size_t firmware_words(const quash_fault *fault, char *to, size_t size);

#endif
