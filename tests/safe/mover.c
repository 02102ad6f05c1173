/* SPDX-License-Identifier: MIT */
#include "mover.h"

#include "quash.h"

#ifndef MOVER_DEFECT
#define MOVER_DEFECT MOVER_SOUND
#endif

enum { AGAIN_MS = 20, TOKEN_SIZE = 24, SLOTS = 8, ID_SIZE = 40, ARENA = 2048, TX = 512 };

static enum mover_defect defect = MOVER_DEFECT;

struct move {
	int32_t ms;
	uint32_t begin, brakes, last; /* when it began, when it began to slow down, when the last step was made */
	uint32_t steps, reported;
	bool begun, braking;
};

void mover_plant(enum mover_defect planted)
{
	defect = planted;
}

/* --- The port */

static quash_port watched;

static void take(void *device, size_t n)
{
	static uint32_t noted;
	const uint32_t now = watched.now(device);
	watched.take(device, n);
	if (now != noted)
		mover_note(MOVER_TAKES, now);
	noted = now;
}

quash_port mover_watch(quash_port port)
{
	watched = port;
	port.take = take;
	return port;
}

/* --- The motor */

static uint32_t now_of(const quash_request *request)
{
	return quash_now(quash_peer_of(request));
}

/* At most one step in a call: a motor makes up for nothing. */
static void step(struct move *m, uint32_t now, uint32_t pause)
{
	if (now - m->last < pause)
		return;
	m->last = now;
	m->steps++;
	mover_note(MOVER_STEPS, now);
}

static void begin(quash_request *request, struct move *m, uint32_t now)
{
	m->begun = true;
	m->begin = m->last = now;
	if (defect == MOVER_IGNORES_LEASE)
		quash_lease(request, 0);
	if (defect == MOVER_LEASES_TWICE)
		quash_lease(request, 2 * MOVER_LEASE_MS);
}

static int32_t move(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	const uint32_t now = now_of(request);
	if (!m->begun)
		begin(request, m, now);
	mover_note(MOVER_LOOPS, now);
	step(m, now, MOVER_STEP_MS);
	if (now - m->begin >= (uint32_t)m->ms)
		return quash_mcp_text(request, "moved");
	if (now - m->begin - m->reported >= MOVER_REPORT_MS && quash_mcp_progress(request, now - m->begin, 0, NULL))
		m->reported = now - m->begin;
	return quash_wait(request, 1);
}

/* How long the ramp is. */
static uint32_t ramp(void)
{
	return defect == MOVER_RAMPS_TWICE ? 2 * MOVER_RAMP_MS : MOVER_RAMP_MS;
}

static int32_t end_motion(uint32_t now)
{
	mover_note(MOVER_ENDS, now);
	return QUASH_DONE;
}

/* With this defect it rests for a while, and then makes steps as if it had been asked to. */
static int32_t start_again(quash_request *request, struct move *m, uint32_t now)
{
	const uint32_t rest = now - m->brakes - MOVER_RAMP_MS;
	if (rest > AGAIN_MS)
		step(m, now, MOVER_STEP_MS);
	return rest > 2 * AGAIN_MS ? end_motion(now) : quash_wait(request, 1);
}

static int32_t rest(quash_request *request, struct move *m, uint32_t now)
{
	if (m->braking)
		mover_note(MOVER_RESTS, now);
	m->braking = false;
	return defect == MOVER_STARTS_AGAIN ? start_again(request, m, now) : end_motion(now);
}

/* With this defect it makes all steps that it was asked for. */
static bool ignores_longest(const quash_request *request, const struct move *m, uint32_t now)
{
	return defect == MOVER_IGNORES_LONGEST && quash_cancelled(request) == QUASH_BY_DEADLINE && now - m->begin < (uint32_t)m->ms;
}

/* Slower and slower, then not at all. */
static int32_t slow_down(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	const uint32_t now = now_of(request);
	mover_note(MOVER_LOOPS, now);
	if (ignores_longest(request, m, now)) {
		step(m, now, MOVER_STEP_MS);
		return quash_wait(request, 1);
	}
	if (m->brakes == 0) {
		m->brakes = now;
		m->braking = true;
	}
	const uint32_t slowed = now - m->brakes;
	if (slowed >= ramp() && defect != MOVER_NEVER_RESTS)
		return rest(request, m, now);
	step(m, now, MOVER_STEP_MS + slowed / (MOVER_RAMP_MS / 4 + 1));
	return quash_wait(request, 1);
}

static const quash_param move_list[] = {
	QUASH_ARG_INT(struct move, ms, 1, 600000, "for how long"),
};
static const quash_params move_params = QUASH_PARAMS(struct move, move_list);

static quash_group one_motor;
static const quash_mcp_tool tools[] = {
	{ .name = "move", .description = "Turns the motor", .args = &move_params, .call = move,
	  .motion = { .end = slow_down, .longest = QUASH_NO_LIMIT, .lease = MOVER_LEASE_MS, .group = &one_motor } },
	{ .name = "turn", .description = "Turns it, but not for long", .args = &move_params, .call = move,
	  .motion = { .end = slow_down, .longest = MOVER_LONGEST_MS, .lease = MOVER_LEASE_MS, .group = &one_motor } },
};

static quash_mcp_session session;
static const quash_mcp_server server = { .name = "mover", .version = "1", .session = &session, QUASH_MCP_TOOL_LIST(tools),
	.token_size = TOKEN_SIZE, .modern = &quash_mcp_modern };
static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

QUASH_STORAGE(store, SLOTS, ID_SIZE, QUASH_MCP_STATE(TOKEN_SIZE, sizeof(struct move)), ARENA, TX);

const quash_config mover_config = { QUASH_MCP_CONFIG(store, methods) };
