/* SPDX-License-Identifier: MIT */
#include "words.h"

void quash_put_words(quash_writer *w, int32_t code)
{
	static const struct {
		uint16_t minus;
		const char *text;
	} table[] = {
		{ 32700, "Parse error" },        { 32600, "Invalid Request" },  { 32601, "Method not found" },
		{ 32602, "Invalid params" },     { 32603, "Internal error" },   { 32800, "Request cancelled" },
		{ 32010, "Busy" },               { 32011, "Message too large" }, { 32803, "Request failed" },
		{ 32012, "Link lost" },        { 32801, "Content modified" },   { 32802, "Server cancelled" }, { 32002, "Server not initialized" },
		{ 0, "Server error" },
	};
	uint8_t i = 0;
	/*@ loop unroll 13; */
	while (i < sizeof table / sizeof *table - 1 && -(int32_t)table[i].minus != code)
		i++;
	/*@ split i; */
	quash_put_text(w, table[i].text);
}
