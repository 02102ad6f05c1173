/* SPDX-License-Identifier: MIT
 * The process's descriptors, for tests of what opens and closes some. */
#ifndef QUASH_TESTS_DESCRIPTORS_H
#define QUASH_TESTS_DESCRIPTORS_H

/* How many are open. */
int count_descriptors(void);

#endif
