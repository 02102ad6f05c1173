/* SPDX-License-Identifier: MIT
 * The simulator on a board: each line over its UART is the choice bytes of a run in hexadecimal digits. It answers with
 * `ok DIGEST`, or with what does not hold, in the words of the host's program. */
#include "sim.h"
#include "unit_board.h"

#include <stdio.h>

void show(const char *format, ...)
{
	(void)format;
}

static void say(const char *text)
{
	for (; *text != '\0'; text++)
		unit_put(*text);
}

static int digit(char c)
{
	return c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Reads a line of hexadecimal digits. */
static size_t read_bytes(uint8_t *bytes)
{
	size_t digits = 0;
	for (char c = (char)unit_get(); c != '\n'; c = (char)unit_get()) {
		if (digit(c) < 0 || digits >= 2 * CHOICES)
			continue;
		const uint8_t before = digits % 2 == 0 ? 0 : (uint8_t)(bytes[digits / 2] << 4);
		bytes[digits / 2] = (uint8_t)(before | digit(c));
		digits++;
	}
	return digits / 2;
}

static void run(const uint8_t *bytes, size_t length)
{
	char text[600];
	const bool whole = sim_run(bytes, length, false);
	const uint32_t digest = sim.digest;
	if (!whole || !sim_run(bytes, length, true))
		snprintf(text, sizeof text, "FAIL: %s: %s\n", failure_rule, failure_text);
	else if (sim.digest != digest)
		snprintf(text, sizeof text, "FAIL: cuts: the output depends on how the input is cut\n");
	else
		snprintf(text, sizeof text, "ok, digest %08lx\n", (unsigned long)digest);
	say(text);
}

int main(void)
{
	static uint8_t bytes[CHOICES];
	unit_start();
	say("ready\n");
	for (;;)
		run(bytes, read_bytes(bytes));
}
