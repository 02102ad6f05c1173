/* SPDX-License-Identifier: MIT
 * The messages, byte for byte as they stand in the files; stream.mjs writes those of the stream. On an AVR they stay in the
 * flash, elsewhere they do anyway. */
#include "bench.h"

#ifdef __AVR__
#include <avr/pgmspace.h>
#define PLACE ".progmem.data"
#else
#define PLACE ".rodata.messages"
#endif

#define MESSAGE(name, file) \
	__asm__(".section " PLACE ", \"a\"\n" \
		".global message_" #name ", message_" #name "_end\n" \
		"message_" #name ": .incbin \"" file "\"\n" \
		"message_" #name "_end: .byte 10\n" \
		".previous"); \
	extern const uint8_t message_##name[], message_##name##_end[]

MESSAGE(initialize, "1_initialize.json");
MESSAGE(call, "2_tools_call.json");
MESSAGE(cancel, "3_cancel.json");
MESSAGE(call_4k, "4_call_4k.json");
#if BENCH_MESSAGES > 4
MESSAGE(result_64k, "5_result_64k.json");
#endif
#if BENCH_MESSAGES > 5
MESSAGE(stream, "6_stream.ndjson");
#endif

const bench_message bench_messages[] = {
	{ "initialize", message_initialize, message_initialize_end },
	{ "call", message_call, message_call_end },
	{ "cancel", message_cancel, message_cancel_end },
	{ "call_4k", message_call_4k, message_call_4k_end },
#if BENCH_MESSAGES > 4
	{ "result_64k", message_result_64k, message_result_64k_end },
#endif
#if BENCH_MESSAGES > 5
	{ "stream", message_stream, message_stream_end },
#endif
};
const uint8_t bench_message_count = sizeof bench_messages / sizeof bench_messages[0];

size_t bench_size(const bench_message *message)
{
	return (size_t)(message->end - message->text);
}

const uint8_t *bench_bytes(const uint8_t *text, size_t n)
{
#ifdef __AVR__
	static uint8_t room[BENCH_PIECE];
	memcpy_P(room, text, n);
	return room;
#else
	(void)n;
	return text;
#endif
}
