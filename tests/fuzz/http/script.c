/* SPDX-License-Identifier: MIT
 * Steps of clients of HTTP, and of their devices. */
#include "agents.h"

#include "bridge_queue.h"

#include <string.h>

enum { STEP_BITS = 0x1F, NAMES = 28, SOUND_TIMES = 40, LEAVE_MS = 3000, LONG = 10000 };

/* --- Steps of the data */

static const uint8_t often[] = { 0, 0, 0, 1, 1, 2, 2, 5, 6, 6, 7, 8, 9, 9, 10, 11, 12, 12, 12, 13, 14, 15, 16, 18, 20, 22, 25, 26, 27, 28, 28, 28, 30 };
const struct seeds seeds = { 5, often, sizeof often };

static void agent_comes(void)
{
	static const char *const versions[] = { "2025-11-25", "2025-06-18", "2025-03-26" };
	const uint8_t choice = take(&world.script);
	if (agents.count == AGENTS)
		return;
	agents.all[agents.count++] = (struct agent){ .modern = choice % 2 == 0, .version = versions[choice / 2 % 3], .can = choice / 16, .attended = world.now };
}

static void line_changes(void)
{
	const uint8_t place = take(&world.script), choice = take(&world.script);
	const unsigned who = world.client_count > 0 ? world.client_count - 1 - place % 8 % world.client_count : 0;
	struct line *const line = &world.clients[who].line;
	if (!client_is_there(who))
		return;
	if (choice % 4 == 0) {
		line->deaf = line->deaf || choice >= 192;
		line_stall(line, choice);
		agents.ends[who].slow = true;
	} else if (choice % 4 == 1) {
		line->piece = line->in.to - line->in.from < LONG ? choice / 8 : 0;
	} else if (choice % 4 == 2) {
		request_flush(who);
	} else {
		line_leave(who, choice % 16 == 3);
	}
}

static void agent_step(unsigned what)
{
	static void (*const steps[])(unsigned) = { request_call, request_call, request_call, request_call, request_call, request_cancel, request_answer, request_note, request_batch,
		request_listen };
	const unsigned agent = take(&world.script) % (agents.count > 0 ? agents.count : 1);
	if (agents.count == 0)
		agent_comes();
	if (what < sizeof steps / sizeof steps[0])
		steps[what](agent);
	else
		request_end(agent, SCRIPT_LINES);
}

static void play(void)
{
	const uint8_t byte = take(&world.script);
	const unsigned what = byte & STEP_BITS;
	world_stir();
	if (what < 11)
		agent_step(what);
	else if (what == 11)
		agent_comes();
	else if (what == 12)
		line_changes();
	else if (what == 13 && byte % 64 < 32)
		request_strange();
	else if (what == 13)
		request_raw();
	else if (what < 26 || what == NAMES)
		device_steps(what - 14, world.device_count > 1 ? take(&world.script) % world.device_count : 0);
	else
		world_pass();
}

/* --- What follows the data: all that was begun ends */

/* One in three closes all of its connections, and ends nothing. */
static void leave_some(void)
{
	for (unsigned i = 0; i < agents.exchange_count; i++) {
		const struct exchange *const x = &agents.exchanges[i];
		if ((world.asked_count + x->agent) % 3 == 0 && x->kind < STRANGE)
			line_leave(x->line, false);
	}
}

static void calm(void)
{
	leave_some();
	world_calm();
	for (unsigned i = 0; i < world.client_count; i++)
		request_flush(i);
}

/* Streams that broke off and are not answered go on. */
static void resume(void)
{
	for (unsigned i = 0; i < world.client_count; i++) {
		if (exchange_of(i) == NULL)
			line_leave(i, false);
	}
	for (unsigned i = 1; i < world.asked_count; i++) {
		const struct origin *const o = &agents.origins[i];
		struct agent *const a = &agents.all[o->agent];
		bool again = o->stream != NO_STREAM && agent_is_live(a) && !a->ending && !a->overfull && world.asked[i].answers == 0 && !client_is_there(world.asked[i].client);
		for (unsigned k = 0; k < agents.exchange_count && again; k++)
			again = !(agents.exchanges[k].resumes && agents.exchanges[k].agent == o->agent && agents.exchanges[k].stream == o->stream && client_is_there(agents.exchanges[k].line));
		if (again)
			request_resume(o->agent, (unsigned)o->stream, a->last[o->stream], LINES - AGENTS);
	}
}

static void be_sound(void)
{
	clients_check_gone();
	devices_check_cancelled();
	devices_be_sound();
	resume();
}

static void leave(void)
{
	const unsigned mark = agents_without_answer();
	if (mark != 0)
		wrong("answer", "line %u: %s (%s) has none", world.asked[mark].client, world.asked[mark].id, world.asked[mark].method);
	clients_check_gone();
	for (unsigned i = 0; i < world.client_count; i++)
		line_leave(i, false);
	for (unsigned i = 0; i < agents.count && world.options.session_idle == 0; i++)
		request_end(i, LINES);
	world.passing = LEAVE_MS + world.options.grace;
	agents.step = 1;
}

static void go(void)
{
	for (unsigned i = 0; i < world.client_count; i++)
		line_leave(i, false);
	world.passing = LEAVE_MS + world.options.grace;
	agents.step = 2;
}

static void stop(void)
{
	agents_check_over();
	world.phase = PHASE_STOP;
	world_stop();
}

void script_step(void)
{
	world_stir();
	if (!is_used_up(&world.script))
		play();
	else if (world.phase == PHASE_SCRIPT)
		calm();
	else if (world.phase == PHASE_CALM)
		be_sound();
	else if (world.phase == PHASE_SOUND && world.waited++ < SOUND_TIMES && agents_without_answer() != 0)
		world.passing = SOUND_MS;
	else if (world.phase == PHASE_SOUND && agents.step == 0)
		leave();
	else if (world.phase == PHASE_SOUND && agents.step == 1)
		go();
	else if (world.phase == PHASE_SOUND)
		stop();
	else
		world.passing = UINT32_MAX;
}
