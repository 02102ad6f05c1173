/* SPDX-License-Identifier: MIT
 * A program that checks a config of a device on this computer: check.sh makes it of the tables. */
#ifndef QUASH_CHECK_H
#define QUASH_CHECK_H

#include <quash.h>

/* Writes what the device's compiler is to compare: one line for each number of the tables, for pc_device.h. */
void quash_pc_numbers(const quash_config *config);

#endif
