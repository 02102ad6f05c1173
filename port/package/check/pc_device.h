/* SPDX-License-Identifier: MIT
 * What a program on a PC has found in a config is compared with what the tables are on the device. The device's
 * compiler knows all of it, as tables are constant, and none of this becomes code. What differs, and what the compiler
 * does not know, is an error of the assembler, in words. */
#ifndef QUASH_CHECK_DEVICE_H
#define QUASH_CHECK_DEVICE_H

/* How pointers are aligned. */
struct quash_check_padded {
	char first;
	void *pointer;
};
#define QUASH_CHECK_ALIGNED(number) (((number) & (offsetof(struct quash_check_padded, pointer) - 1)) == 0)

/* `label` says in a literal which number of a table it is. */
#define QUASH_CHECK_SAME(label, is, pc) \
	QUASH_CHECK_THAT((is) == (pc), \
		label " is " #pc " on the PC, and another number on the device, or it is not constant")
/* The config's states have room for `needs` bytes. */
#define QUASH_CHECK_ROOM(label, config, needs) \
	QUASH_CHECK_THAT((config).state_size >= (needs), \
		label "state_size is too small on the device, or it is not constant")
#define QUASH_CHECK_THAT(holds, words) \
	do { \
		if (!(holds)) \
			__asm__ volatile(".error \"" words "\""); \
	} while (0)

#endif
