/* SPDX-License-Identifier: MIT
 * What a peer takes, cut into messages. */
#include "heard.h"
#include "oracle.h"

#include <string.h>

struct ears ears[LINKS];

static void clear(uint8_t link)
{
	ears[link].cancelled = ears[link].length = ears[link].body = ears[link].digits = 0;
	ears[link].skipping = ears[link].in_body = false;
	ears[link].last = '\0';
	ears[link].number = 0;
}

void heard_cancel_all(uint8_t link)
{
	ears[link].cancelled = ears[link].length;
}

static bool is_blank(uint8_t link)
{
	for (size_t i = 0; i < ears[link].length; i++) {
		if (strchr(" \t\r", ears[link].text[i]) == NULL || ears[link].text[i] == '\0')
			return false;
	}
	return true;
}

static void keep(uint8_t link, uint8_t byte)
{
	if (ears[link].length >= MESSAGE)
		fail("simulator", "a message is too long");
	if (ears[link].length == 0)
		ears[link].begun = sim.steps[link];
	ears[link].times[ears[link].length] = sim.told[link];
	ears[link].text[ears[link].length++] = (char)byte;
}

static void line_byte(uint8_t link, uint8_t byte)
{
	if (byte != '\n') {
		if (!ears[link].skipping)
			keep(link, byte);
		return;
	}
	if (!ears[link].skipping && !is_blank(link))
		heard_message(link);
	ears[link].skipping = false;
	ears[link].length = 0;
}

/* Headers are `Content-Length: N` alone; what else stands between messages is passed over. */
static void header_byte(uint8_t link, uint8_t byte)
{
	static const char head[] = "Content-Length: ";
	if (ears[link].in_body) {
		keep(link, byte);
		if (ears[link].length < ears[link].body)
			return;
		heard_message(link);
		ears[link].in_body = false;
		ears[link].digits = 0;
		ears[link].number = 0;
		return;
	}
	if (ears[link].digits < sizeof head - 1) {
		ears[link].digits = (char)byte == head[ears[link].digits] ? ears[link].digits + 1
									  : (char)byte == head[0];
		ears[link].number = 0;
		return;
	}
	if (byte >= '0' && byte <= '9')
		ears[link].number = ears[link].number * 10 + (uint32_t)(byte - '0');
	ears[link].digits++;
	if (byte == '\n' && ears[link].number > 0 && ears[link].last == '\n') {
		ears[link].in_body = true;
		ears[link].body = ears[link].number;
		ears[link].length = 0;
	}
	if (byte != '\r')
		ears[link].last = (char)byte;
}

void oracle_heard(uint8_t link, const uint8_t *bytes, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (sim.setup.dialect[link] == LSP)
			header_byte(link, bytes[i]);
		else
			line_byte(link, bytes[i]);
	}
}

void oracle_lost(uint8_t link)
{
	ears[link].litter = sim.steps[link] + 1;
	clear(link);
	ears[link].skipping = true;
	heard_no_batch(link);
}

void oracle_input_ended(uint8_t link)
{
	if (sim.setup.dialect[link] != LSP && !ears[link].skipping && !is_blank(link))
		heard_message(link);
	oracle_lost(link);
	for (size_t i = 0; i < sim.ask_count; i++) {
		if (sim.asks[i].link == link)
			sim.asks[i].must_cancel = false;
	}
}

void heard_begin(uint8_t link)
{
	ears[link].litter = sim.record_count > 0 || sim.steps[link] > 0 ? sim.steps[link] + 1 : 0;
	clear(link);
	heard_no_batch(link);
}
