/* SPDX-License-Identifier: MIT
 * testee on a UART that is shared with a console: a banner when it starts, a line for each line that was noise. The
 * noise `ruin` does what a stack does that has grown too far. */
#include "board.h"
#include "console.h"
#include "firmware.h"
#include "guard.h"

extern volatile uint32_t stack_bottom[];

static quash_peer peer;
static quash_port port;
static console shared;
static char line[64];
static uint8_t log_room[256];

void firmware_pump(void)
{
	quash_pump(&peer, &port);
}

static bool is(const char *text, const char *word)
{
	while (*word != '\0' && *text == *word) {
		text++;
		word++;
	}
	return *text == *word;
}

static void answer(void *context, const char *text, size_t n)
{
	if (is(text, "ruin"))
		*stack_bottom = 0;
	if (n > 0)
		(void)console_log(context, text);
}

int main(void)
{
	guard_set();
	if (!quash_init(&peer, firmware_config, NULL))
		return 1;
	const console_config config = { .port = board_start(),
		.noise = answer,
		.context = &shared,
		.line = line,
		.line_size = sizeof line,
		.log = log_room,
		.log_size = sizeof log_room };
	console_init(&shared, &config);
	port = console_port(&shared);
	console_log(&shared, "{} quash on a shared line");
	while (guard_holds()) {
		quash_pump(&peer, &port);
		const bool is_written = !quash_step(&peer) && !console_has_log(&shared);
		board_sleep(is_written ? quash_idle_ms(&peer) : 0);
	}
	return 1;
}
