/* SPDX-License-Identifier: MIT
 * The process's descriptors, and the bytes that a port over some of them shows. */
#ifndef QUASH_TESTS_DESCRIPTORS_H
#define QUASH_TESTS_DESCRIPTORS_H

#include "quash/port.h"

/* How long a look waits. */
enum { LOOK_MS = 5 };

/* How many are open. */
int count_descriptors(void);

/* Copies and takes up to `n` bytes that the port shows: how many, or what it answers in place of a number. */
int port_read(const quash_port *port, void *data, size_t n);

/* Looks once: what is there is added to the text, whose room has `size` bytes. False when nothing more can come. */
bool read_on(int fd, char *text, size_t size);

/* Looks until the words stand in the text, or nothing more can come. */
void read_until(const char *words, int fd, char *text, size_t size);

/* A pty's master, which is the board, and the path of its other end; negative when there is none. */
int open_board(char *path, size_t size);

#endif
