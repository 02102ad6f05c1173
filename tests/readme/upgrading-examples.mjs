/* SPDX-License-Identifier: MIT
 * Lines of rows of docs/upgrading.md whose own code does not compile by itself: by the first code of a row, each with where it stands
 * (upgrading.mjs). */

export const examples = {
	'static const quash_param list[]': [{ in: 'file', language: 'c++', notes: true, line: 'static const quash_param list[] = { QUASH_ARG_INT(struct turn, ms, 1, 60000, "how long") };\n'
		+ 'static constexpr quash_params params = QUASH_PARAMS(struct turn, list);' }],
};
