/* SPDX-License-Identifier: MIT */
#include "words.h"

#include "../../include/quash/method.h"

/* Two tables, as one of pairs would be padded. */
static const char *common_words(int32_t code)
{
	static const uint16_t minus[] = {
		-QUASH_PARSE_ERROR, -QUASH_INVALID_REQUEST, -QUASH_METHOD_NOT_FOUND, -QUASH_INVALID_PARAMS,
		-QUASH_INTERNAL_ERROR, -QUASH_CANCELLED, -QUASH_BUSY, -QUASH_TOO_LARGE, -QUASH_LINK_LOST
	};
	static const char *const texts[] = {
		"Parse error", "Invalid Request", "Method not found", "Invalid params", "Internal error",
		"Request cancelled", "Busy", "Message too large", "Link lost", "Server error"
	};
	uint_fast8_t i = 0;
	/*@ loop unroll 10; */
	while (i < sizeof minus / sizeof *minus && -(int32_t)minus[i] != code)
		i++;
	/*@ split i; */
	return texts[i];
}

const char *quash_words(const quash_dialect *dialect, int32_t code)
{
	const char *const own = dialect->words != NULL ? dialect->words(code) : NULL;
	return own != NULL ? own : common_words(code);
}
