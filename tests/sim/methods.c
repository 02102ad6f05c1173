/* SPDX-License-Identifier: MIT */
#include "sim.h"

const struct method methods[METHODS] = {
	{ "now", HAS_HOOK, 0 },
	{ "work", HAS_HOOK, 0 },
	{ "long", IS_LONG | HAS_HOOK, 0 },
	{ "drop", IS_DROPPED | HAS_HOOK, 0 },
	{ "part", IS_PARTIAL | HAS_HOOK, 0 },
	{ "timed", HAS_HOOK, 20 },
	{ "result", HAS_RESULT | HAS_HOOK, 0 },
	{ "plain", 0, 0 },
	{ "longpart", IS_LONG | IS_PARTIAL | HAS_HOOK, 0 },
	{ "longdrop", IS_LONG | IS_DROPPED, 30 },
	{ "note", IS_NOTIFICATION | HAS_HOOK, 0 },
	{ "timednote", IS_NOTIFICATION, 10 },
	{ "forward", IS_FORWARDED | IS_LONG, 0 },
	{ "forwarddrop", IS_FORWARDED | IS_LONG | IS_DROPPED | HAS_HOOK, 0 },
	{ "forwardpart", IS_FORWARDED | IS_LONG | IS_PARTIAL, 0 },
};
