/* SPDX-License-Identifier: MIT
 * The process's descriptors, and the bytes that a port over some of them shows. */
#ifndef QUASH_TESTS_DESCRIPTORS_H
#define QUASH_TESTS_DESCRIPTORS_H

#include "quash/port.h"

/* How many are open. */
int count_descriptors(void);

/* Copies and takes up to `n` bytes that the port shows: how many, or what it answers in place of a number. */
int port_read(const quash_port *port, void *data, size_t n);

#endif
