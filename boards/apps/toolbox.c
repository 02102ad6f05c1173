/* SPDX-License-Identifier: MIT */
#include "toolbox.h"

#include "board.h"
#include "counters.h"
#include "quash.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static uint32_t now(const quash_request *request)
{
	return quash_now(quash_peer_of(request));
}

/* A result such as `slept 50`. */
static int32_t send_count(quash_request *request, const char *word, size_t length, int32_t count)
{
	quash_writer *const w = quash_mcp_reply(request, false);
	quash_put_string_open(w);
	quash_put_string_part(w, word, length);
	quash_put_string_int(w, count);
	quash_put_string_close(w);
	return quash_send(request);
}

/* --- echo */

struct echo {
	quash_value text;
};

static const quash_param echo_list[] = {
	QUASH_ARG_STRING(struct echo, text, "what comes back"),
};
static const quash_params echo_params = QUASH_PARAMS(struct echo, echo_list);

static int32_t echo(quash_request *request, void *tool_state)
{
	return quash_mcp_struct(request, tool_state);
}

/* --- slow */

enum { SLOW_REPORT_MS = 50 };

struct slow {
	int32_t ms;
	uint32_t start;
	bool begun;
};

static const quash_param slow_list[] = {
	QUASH_ARG_INT(struct slow, ms, 0, 600000, "how long to sleep, in milliseconds"),
};
static const quash_params slow_params = QUASH_PARAMS(struct slow, slow_list);

static int32_t slow(quash_request *request, void *tool_state)
{
	struct slow *const s = tool_state;
	const uint32_t ms = (uint32_t)s->ms;
	if (!s->begun) {
		s->begun = true;
		s->start = now(request);
	}
	const uint32_t elapsed = now(request) - s->start;
	if (elapsed >= ms)
		return send_count(request, "slept ", 6, s->ms);
	const uint32_t behind = elapsed % SLOW_REPORT_MS;
	const uint32_t next = SLOW_REPORT_MS - behind;
	if (elapsed > behind)
		quash_mcp_progress(request, elapsed - behind, ms, NULL);
	return quash_wait(request, next < ms - elapsed ? next : ms - elapsed);
}

/* --- led */

struct led {
	bool on;
};

static const quash_param led_list[] = {
	QUASH_ARG_BOOL(struct led, on, "whether it shines"),
};
static const quash_params led_params = QUASH_PARAMS(struct led, led_list);

static int32_t led(quash_request *request, void *tool_state)
{
	const struct led *const l = tool_state;
	board_led(l->on);
	return quash_mcp_text(request, l->on ? "on" : "off");
}

/* --- stepper: one motor, so one call at a time */

enum { STEPPER_REPORT_STEPS = 100 };

static struct {
	const quash_request *owner; /* for whom it turns */
	uint32_t position;
	uint32_t stops;             /* turns that were broken off */
} motor;

struct stepper {
	int32_t steps;
	uint32_t start;
	uint32_t moved;
	bool begun;
	bool refused;
};

static const quash_param stepper_list[] = {
	QUASH_ARG_INT(struct stepper, steps, 1, 100000, "how far to turn; one step takes a millisecond"),
};
static const quash_params stepper_params = QUASH_PARAMS(struct stepper, stepper_list);

static void stepper_begin(quash_request *request, struct stepper *s)
{
	s->begun = true;
	s->refused = motor.owner != NULL;
	if (s->refused)
		return;
	motor.owner = request;
	s->start = now(request);
}

/* Makes the steps that are due by now. */
static void stepper_turn(const quash_request *request, struct stepper *s)
{
	const uint32_t steps = (uint32_t)s->steps;
	const uint32_t elapsed = now(request) - s->start;
	const uint32_t due = elapsed < steps ? elapsed : steps;
	motor.position += due - s->moved;
	s->moved = due;
	if (due == steps)
		motor.owner = NULL;
}

static int32_t stepper(quash_request *request, void *tool_state)
{
	struct stepper *const s = tool_state;
	const uint32_t steps = (uint32_t)s->steps;
	if (!s->begun)
		stepper_begin(request, s);
	if (s->refused)
		return quash_mcp_failure(request, "motor is busy");
	if (s->moved < steps)
		stepper_turn(request, s);
	if (s->moved == steps)
		return send_count(request, "stepped ", 8, s->steps);
	if (s->moved >= STEPPER_REPORT_STEPS)
		quash_mcp_progress(request, s->moved - s->moved % STEPPER_REPORT_STEPS, steps, NULL);
	return quash_wait(request, 1);
}

static void stepper_end(quash_request *request, void *tool_state)
{
	(void)tool_state;
	if (motor.owner != request)
		return;
	motor.owner = NULL;
	motor.stops++;
}

/* --- stats */

/* The counters go on while a long answer leaves, so they are said as they stood; one call at a time. */
static struct {
	const quash_request *owner;
	quash_counters counters;
	uint32_t stops;
	uint32_t position;
} snapshot;

static void put_stats(quash_writer *w, const void *data)
{
	(void)data;
	quash_put_object(w);
	put_counters(w, &snapshot.counters);
	quash_put_key(w, "stepper_stops");
	quash_put_uint(w, snapshot.stops);
	quash_put_key(w, "stepper_position");
	quash_put_uint(w, snapshot.position);
	quash_put_end(w);
}

static int32_t stats(quash_request *request, void *tool_state)
{
	(void)tool_state;
	if (snapshot.owner != NULL && snapshot.owner != request)
		return QUASH_RETRY;
	if (snapshot.owner == NULL) {
		snapshot.owner = request;
		snapshot.counters = quash_peer_of(request)->counters;
		snapshot.stops = motor.stops;
		snapshot.position = motor.position;
	}
	return quash_mcp_json(request, put_stats, NULL);
}

static void stats_end(quash_request *request, void *tool_state)
{
	(void)tool_state;
	if (snapshot.owner == request)
		snapshot.owner = NULL;
}

/* --- The server */

static const quash_mcp_tool tools[] = {
	{ .name = "echo",
	  .description = "Gives the text back",
	  .args = &echo_params,
	  .output = &echo_params,
	  .call = echo,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD },
	{ .name = "slow",
	  .description = "Sleeps, and tells every 50 ms how far it is",
	  .args = &slow_params,
	  .call = slow,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD,
	  .marks = QUASH_DROPS },
	{ .name = "stats",
	  .description = "What the device has counted, as JSON",
	  .call = stats,
	  .end = stats_end,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_CLOSED_WORLD },
	{ .name = "led",
	  .description = "Switches the LED",
	  .args = &led_params,
	  .call = led,
	  .hints = QUASH_MCP_ADDITIVE | QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD },
	{ .name = "stepper",
	  .description = "Turns the stepper motor; a cancel stops it",
	  .args = &stepper_params,
	  .call = stepper,
	  .end = stepper_end,
	  .hints = QUASH_MCP_CLOSED_WORLD,
	  .marks = QUASH_DROPS },
};

static quash_mcp_session session;

static const quash_mcp_server server = {
	.name = "quash-toolbox",
	.version = QUASH_VERSION,
	.instructions = "The tools of a small device: an LED, a stepper motor and its counters.",
	.tools = tools,
	.session = &session,
	.ttl = 3600000,
	.tool_count = COUNT(tools),
	.token_size = TOOLBOX_TOKEN_SIZE,
};

static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

union any_tool {
	struct echo echo;
	struct slow slow;
	struct led led;
	struct stepper stepper;
};

static char reason[TOOLBOX_REASON];

enum { STATE_SIZE = QUASH_MCP_STATE(TOOLBOX_TOKEN_SIZE, sizeof(union any_tool)) };

QUASH_STORAGE(store, TOOLBOX_SLOTS, TOOLBOX_ID_SIZE, STATE_SIZE, TOOLBOX_ARENA, TOOLBOX_TX);

const quash_config toolbox_config = {
	QUASH_STORED(store),
	.dialect = &quash_mcp,
	.methods = methods,
	.method_count = COUNT(methods),
	.reason = reason,
	.reason_size = sizeof reason,
};

const char *const toolbox_name = "toolbox";

void toolbox_reset(void)
{
	session.version = NULL;
	motor.owner = NULL;
	motor.position = motor.stops = 0;
	snapshot.owner = NULL;
}
