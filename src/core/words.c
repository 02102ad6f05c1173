/* SPDX-License-Identifier: MIT */
#include "words.h"

static const char *common_words(int32_t code)
{
	static const struct {
		uint16_t minus;
		const char *text;
	} table[] = {
		{ 32700, "Parse error" },    { 32600, "Invalid Request" },   { 32601, "Method not found" },
		{ 32602, "Invalid params" }, { 32603, "Internal error" },    { 32800, "Request cancelled" },
		{ 32010, "Busy" },           { 32011, "Message too large" }, { 32012, "Link lost" },
		{ 0, "Server error" },
	};
	uint8_t i = 0;
	/*@ loop unroll 10; */
	while (i < sizeof table / sizeof *table - 1 && -(int32_t)table[i].minus != code)
		i++;
	/*@ split i; */
	return table[i].text;
}

const char *quash_words(const quash_dialect *dialect, int32_t code)
{
	const char *const own = dialect->words != NULL ? dialect->words(code) : NULL;
	return own != NULL ? own : common_words(code);
}
