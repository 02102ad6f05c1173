/* SPDX-License-Identifier: MIT
 * What a program gives to the loop that serves it. */
#ifndef PROGRAM_H
#define PROGRAM_H

#include "quash/objects.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const quash_config *const firmware_config;

#ifdef __cplusplus
}
#endif

#endif
