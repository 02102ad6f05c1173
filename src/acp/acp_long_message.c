/* SPDX-License-Identifier: MIT
 * A text of any length in chunks. */
#include "acp_inner.h"

#include "../json/rom.h"

/* A chunk without its text, and with the longest session id. */
enum {
	AROUND = sizeof "{\"jsonrpc\":\"2.0\",\"method\":\"session/update\",\"params\":{\"sessionId\":\"s4294967295\","
			"\"update\":{\"sessionUpdate\":\"agent_message_chunk\","
			"\"content\":{\"type\":\"text\",\"text\":\"\"}}}}\n" - 1
};

/* How many bytes of JSON a byte of text becomes. */
static uint8_t width_of(char c)
{
	const uint8_t byte = (uint8_t)c;
	if (c == '"' || c == '\\' || (byte >= 8 && byte <= 13 && byte != 11))
		return 2;
	return byte < 0x20 ? 6 : 1;
}

static bool is_continuation(char c)
{
	return ((uint8_t)c & 0xC0) == 0x80;
}

/* The length of the longest piece at the beginning of the text that fits; 0 when there is none. */
static size_t piece_of(const char *text, size_t length, size_t room)
{
	size_t n = 0;
	for (size_t width = 0; n < length; n++) {
		width += width_of(quash_rom(&text[n]));
		if (width > room)
			break;
	}
	while (n > 0 && n < length && is_continuation(quash_rom(&text[n])))
		n--;
	return n;
}

int32_t quash_acp_long_message(quash_request *request, const char *text, size_t length, size_t *sent)
{
	const size_t size = quash_peer_of(request)->config->tx_size;
	const size_t room = size > AROUND ? size - AROUND : 0;
	while (*sent < length) {
		const char *const rest = text + *sent;
		const size_t n = piece_of(rest, length - *sent, room);
		if (n == 0)
			return QUASH_TOO_LARGE;
		const int32_t code = quash_acp_chunk(request, "agent_message_chunk", rest, n);
		if (code != QUASH_DONE)
			return code;
		*sent += n;
	}
	return QUASH_DONE;
}
