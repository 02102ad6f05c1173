/* SPDX-License-Identifier: MIT
 * Loads and stores of what an interrupt or another thread may touch: single instructions. */
#ifndef QUASH_SRC_ATOMIC_H
#define QUASH_SRC_ATOMIC_H

#include "../../include/quash/size.h"

/* Where the compiler would call a library for these, one load or store of a volatile is the same instruction. */
#if defined(__GCC_ATOMIC_SHORT_LOCK_FREE) && __GCC_ATOMIC_SHORT_LOCK_FREE == 2 && !defined(__FRAMAC__)
#define QUASH_LOAD(place) __atomic_load_n(&(place), __ATOMIC_RELAXED)
#define QUASH_STORE(place, value) __atomic_store_n(&(place), (value), __ATOMIC_RELAXED)
#else
#define QUASH_LOAD(place) (place)
#define QUASH_STORE(place, value) ((place) = (value))
#endif

/* What is loaded after it is not older than what was stored before it, on whichever core. Processors that would
 * call a library for it have one core; all RISC-V and ARMv6-M have an instruction. */
#if defined(__FRAMAC__) || !defined(__GNUC__)
#define QUASH_FENCE() ((void)0)
#elif (defined(__GCC_ATOMIC_SHORT_LOCK_FREE) && __GCC_ATOMIC_SHORT_LOCK_FREE == 2) || \
	defined(__ARM_ARCH_6M__) || defined(__riscv)
#define QUASH_FENCE() __atomic_thread_fence(__ATOMIC_SEQ_CST)
#else
#define QUASH_FENCE() __asm__ volatile("" ::: "memory")
#endif

/* Stores. Where the processor can compare and swap: only if no other thread has stored since `before` was loaded. */
static inline void quash_store_next(volatile quash_generation *place, quash_generation before, quash_generation value)
{
#if defined(__GCC_ATOMIC_SHORT_LOCK_FREE) && __GCC_ATOMIC_SHORT_LOCK_FREE == 2 && !defined(__FRAMAC__)
	(void)__atomic_compare_exchange_n(place, &before, value, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED);
#else
	(void)before;
	QUASH_STORE(*place, value);
#endif
}

#endif
