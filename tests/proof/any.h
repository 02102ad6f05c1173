/* SPDX-License-Identifier: MIT
 * Values of which the prover is told nothing but their bounds. */
#ifndef QUASH_PROOF_ANY_H
#define QUASH_PROOF_ANY_H

#include <__fc_builtin.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

static inline bool any_bool(void)
{
	return Frama_C_interval(0, 1) != 0;
}

static inline uint8_t any_byte(void)
{
	return Frama_C_unsigned_char_interval(0, UINT8_MAX);
}

static inline size_t any_size(size_t most)
{
	return Frama_C_size_t_interval(0, most);
}

static inline uint32_t any_uint(void)
{
	return Frama_C_unsigned_int_interval(0, UINT32_MAX);
}

static inline int32_t any_int(void)
{
	return Frama_C_int_interval(INT32_MIN, INT32_MAX);
}

static inline void any_bytes(uint8_t *bytes, size_t n)
{
	Frama_C_make_unknown((char *)bytes, n);
}

#endif
