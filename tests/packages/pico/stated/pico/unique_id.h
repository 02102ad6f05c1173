/* SPDX-License-Identifier: MIT
 * A stand-in for the pico-sdk's header: what the package uses of it. */
#ifndef PICO_UNIQUE_ID_H
#define PICO_UNIQUE_ID_H

#include "pico/time.h"

#define PICO_UNIQUE_BOARD_ID_SIZE_BYTES 8

void pico_get_unique_board_id_string(char *id_out, unsigned int len);

#endif
