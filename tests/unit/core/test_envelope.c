/* SPDX-License-Identifier: MIT
 * The reason of a cancel is kept in whole characters, as many as there is room for. */
#include "device.h"

#include <stdio.h>

/* The first and the last character of each length, and those whose second byte is narrowed. */
static const char *const characters[] = { "~", "\xC2\x80", "\xDF\xBF", "\xE0\xA0\x80", "\xE1\x80\x80", "\xED\x9F\xBF", "\xEE\x80\x80", "\xEF\xBF\xBF",
	"\xF0\x90\x80\x80", "\xF1\x80\x80\x80", "\xF4\x8F\xBF\xBF" };

static void check_reason(uint8_t size, unsigned before, const char *character)
{
	char text[64] = "", message[200];
	size_t kept = 0;
	device_prepare(&quash_mcp);
	device.config.reason_size = size;
	device_begin();
	for (unsigned i = 0; i < before; i++)
		strcat(text, "a");
	for (unsigned i = 0; i < 3; i++)
		strcat(text, character);
	for (size_t i = 0; i <= strlen(text) && i < size; i++) {
		if (((uint8_t)text[i] & 0xC0) != 0x80)
			kept = i;
	}
	say_and_step(REQUEST("1", "stubborn"));
	snprintf(message, sizeof message, MCP_CANCEL_FOR("1", "'%s'"), text);
	say(message);
	assert_int_equal(strlen(quash_reason(live("1"))), kept);
	assert_memory_equal(quash_reason(live("1")), text, kept);
}

static void test_reasons_in_any_room(void **state)
{
	(void)state;
	for (size_t i = 0; i < COUNT_OF(characters); i++) {
		for (unsigned before = 0; before < 4; before++) {
			for (uint8_t size = 1; size <= 20; size++)
				check_reason(size, before, characters[i]);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_reasons_in_any_room),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
