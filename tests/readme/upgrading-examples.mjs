/* SPDX-License-Identifier: MIT
 * Lines of rows of docs/upgrading.md whose own code does not compile by itself: by the first code of a row, each with where it stands
 * (upgrading.mjs). */

export const examples = {
};
