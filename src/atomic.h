/* SPDX-License-Identifier: MIT
 * Loads and stores of what an interrupt or another thread may touch: single instructions, no read-modify-write. */
#ifndef QUASH_SRC_ATOMIC_H
#define QUASH_SRC_ATOMIC_H

#include "quash/size.h"

#if defined(__GNUC__) && !defined(__FRAMAC__)
#define QUASH_LOAD(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define QUASH_STORE(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)
#else
#define QUASH_LOAD(place) (place)
#define QUASH_STORE(place, value) ((place) = (value))
#endif

#endif
