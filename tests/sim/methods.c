/* SPDX-License-Identifier: MIT */
#include "sim.h"

const struct method methods[METHODS] = {
	{ "now", HAS_END, 0, 0, 0 },
	{ "work", HAS_END | HAS_RELEASED, 0, 0, 0 },
	{ "drop", IS_DROPPED | HAS_END | HAS_RELEASED, 0, 0, 0 },
	{ "part", IS_PARTIAL | HAS_END, 0, 0, 0 },
	{ "timed", HAS_END, 20, 0, 0 },
	{ "result", HAS_RESULT | HAS_END, 0, 0, 0 },
	{ "plain", 0, 0, 0, 0 },
	{ "move", HAS_END | HAS_RELEASED, NO_LIMIT, 40, 1 },
	{ "turn", HAS_END, 300, 15, 1 },
	{ "grip", IS_DROPPED, 0, 0, 2 },
	{ "partmove", IS_PARTIAL | HAS_END, 200, 25, 2 },
	{ "droptimed", IS_DROPPED, 30, 0, 0 },
	{ "session", IS_SESSION | HAS_RELEASED, 0, 0, 0 },
	{ "note", IS_NOTIFICATION | HAS_END, 0, 0, 0 },
	{ "timednote", IS_NOTIFICATION | HAS_RELEASED, 10, 0, 0 },
	{ "movenote", IS_NOTIFICATION | IS_DROPPED | HAS_END, 100, 30, 1 },
	{ "forward", IS_FORWARDED, 0, 0, 0 },
	{ "forwarddrop", IS_FORWARDED | IS_DROPPED | HAS_END, 0, 0, 0 },
	{ "forwardpart", IS_FORWARDED | IS_PARTIAL, 0, 0, 0 },
};
