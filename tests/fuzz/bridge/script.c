/* SPDX-License-Identifier: MIT
 * Steps of clients that transmit lines, and of their devices. */
#include "world.h"

enum { NAMES = 28, STEP_BITS = 0x1F, SOUND_TIMES = 40 };

/* --- Steps of the data */

static const uint8_t often[] = { 0, 0, 1, 2, 6, 7, 8, 9, 11, 11, 12, 13, 14, 15, 16, 18, 20, 20, 22, 23, 25, 26, 27, 28, 28, 28, 30 };
const struct seeds seeds = { 4, often, sizeof often };

static void change_client(unsigned who)
{
	struct line *const line = &world.clients[who].line;
	const uint8_t choice = take(&world.script);
	line->deaf = line->deaf || (choice >= 224 && choice % 2 == 0);
	if (choice % 2 == 0)
		line_stall(line, choice);
	else
		line->piece = choice / 8;
}

static bool may_transmit(unsigned who)
{
	const struct client_end *const c = &world.clients[who];
	return c->line.used && !c->leaves && !c->mute && (c->waits || c->line.open);
}

static void step_client(unsigned what, unsigned who)
{
	static void (*const steps[])(unsigned) = { client_asks, client_asks, client_asks, client_asks, client_asks, client_asks, client_cancels,
		client_answers, client_notes, client_batches, client_raw };
	if (what < sizeof steps / sizeof steps[0] && may_transmit(who))
		steps[what](who);
	else if (what == 11)
		client_connects();
	else if (what == 12)
		client_goes(who);
	else if (what == 13)
		change_client(who);
}

static void play(void)
{
	const uint8_t byte = take(&world.script);
	const unsigned what = byte & STEP_BITS;
	world_stir();
	if (what < 14)
		step_client(what, take(&world.script) % (world.client_count > 0 ? world.client_count : 1));
	else if (what < 26 || (what == NAMES && world.protocol == MCP))
		device_steps(what - 14, world.device_count > 1 ? take(&world.script) % world.device_count : 0);
	else
		world_pass();
}

/* --- What follows the data */

static void be_sound(void)
{
	clients_check_gone();
	devices_check_cancelled();
	devices_be_sound();
}

static void stop(void)
{
	clients_check_answered();
	clients_check_gone();
	world.phase = PHASE_STOP;
	world_stop();
}

static void be_sound_on(void)
{
	if (world.waited++ < SOUND_TIMES && client_without_answer() != 0)
		world.passing = SOUND_MS;
	else
		stop();
}

void script_step(void)
{
	world_stir();
	if (!is_used_up(&world.script))
		play();
	else if (world.phase == PHASE_SCRIPT)
		world_calm();
	else if (world.phase == PHASE_CALM)
		be_sound();
	else if (world.phase == PHASE_SOUND)
		be_sound_on();
	else
		world.passing = UINT32_MAX;
}
