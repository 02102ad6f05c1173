/* SPDX-License-Identifier: MIT
 * What configs have of a store, for programs that leave out a part of QUASH_STORED. */

/* Its states are not used; its counters are, if the config names them. */
#define STORED_WITHOUT_STATES(name) \
	name##_slot_count, name##_id_size, QUASH_WORD, sizeof (name).arena, sizeof (name).tx, 0, \
	(name).slots, &(name).word, (name).ids, NULL, (name).arena, (name).tx
