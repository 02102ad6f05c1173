/* SPDX-License-Identifier: MIT
 * Limits are those of an idle machine; one that is so many times slower keeps them too. */

export const slowest = 5;

/** Milliseconds for a timer; those that it cannot count are as good as for ever. */
export const withSlowest = (ms) => Math.min(ms * slowest, 2 ** 31 - 1);
