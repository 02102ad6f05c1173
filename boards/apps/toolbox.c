/* SPDX-License-Identifier: MIT */
#include "toolbox.h"

#include "board.h"
#include "counters.h"
#include "quash.h"

/* Where flash is scarce: names without descriptions, nothing that n8n adds, and counters with one size. */
#ifdef TOOLBOX_SMALL
#define WORDS(text) NULL
#define ADDED NULL
#else
#define WORDS(text) text
#define ADDED added
static const char *const added[] = { "toolCallId", "sessionId", "action", "chatInput", NULL };
#endif

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

/* What takes a millisecond for each of its parts: when it has begun, and how far it was when it was reported. */
struct course {
	uint32_t begin;
	uint32_t reported;
	bool begun;
};

/* How many parts of `total` are done. Reports full steps of `every`. */
QUASH_NOINLINE static uint32_t advance(quash_request *request, struct course *course, uint32_t every, uint32_t total)
{
	const uint32_t now = quash_now(quash_peer_of(request));
	if (!course->begun)
		course->begin = now;
	course->begun = true;
	const uint32_t done = now - course->begin;
	if (done >= total)
		return total;
	while (done - course->reported >= every)
		course->reported += every;
	if (course->reported > 0)
		(void)quash_mcp_progress(request, course->reported, total, NULL);
	return done;
}

/* A text such as `slept 50`. */
static void put_count(quash_writer *w, const char *word, size_t length, int32_t count)
{
	quash_put_string_open(w);
	quash_put_string_part(w, word, length);
	quash_put_string_int(w, count);
	quash_put_string_close(w);
}

/* --- echo */

static const quash_param echo_list[] = {
	QUASH_ARG_STRING("text", WORDS("what comes back")),
};
static const quash_params echo_params = QUASH_PARAMS_ONLY(echo_list);

static void put_echo(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	quash_put_key(w, "text");
	quash_put_value(w, quash_mcp_argument(request, "text"));
	quash_put_end(w);
}

static int32_t echo(quash_request *request)
{
	return quash_mcp_structured(request, put_echo);
}

/* --- slow */

enum { SLOW_REPORT_MS = 50 };

struct slow {
	int32_t ms;
	struct course course;
};

static const quash_param slow_list[] = {
	QUASH_ARG_INT(struct slow, ms, 0, 600000, WORDS("how long to sleep, in milliseconds")),
};
static const quash_params slow_params = QUASH_PARAMS(struct slow, slow_list);

static void put_slept(quash_writer *w, const quash_request *request)
{
	put_count(w, "slept ", 6, QUASH_CONST_TOOL(struct slow, request)->ms);
}

static int32_t slow(quash_request *request)
{
	struct slow *const s = QUASH_TOOL(struct slow, request);
	const uint32_t ms = (uint32_t)s->ms;
	const uint32_t elapsed = advance(request, &s->course, SLOW_REPORT_MS, ms);
	if (elapsed == ms || quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return quash_mcp_reply(request, put_slept); /* it is not recorded once the request is cancelled */
	const uint32_t next = s->course.reported + SLOW_REPORT_MS;
	return quash_wait(request, (next < ms ? next : ms) - elapsed);
}

/* --- led */

struct led {
	bool on;
};

static const quash_param led_list[] = {
	QUASH_ARG_BOOL(struct led, on, WORDS("whether it shines")),
};
static const quash_params led_params = QUASH_PARAMS(struct led, led_list);

static int32_t led(quash_request *request)
{
	const struct led *const l = QUASH_TOOL(struct led, request);
	board_led(l->on);
	return l->on ? quash_mcp_text(request, "on") : quash_mcp_text(request, "off");
}

/* --- stepper: one motor, so one call at a time */

enum { STEPPER_REPORT_STEPS = 100, STEPPER_LEASE_MS = 2000 };

static quash_group one_stepper;

static struct {
	uint32_t position;
	uint16_t stops; /* turns that were broken off */
} motor;

struct stepper {
	int32_t steps;
	uint32_t moved;
	struct course course;
};

static const quash_param stepper_list[] = {
	QUASH_ARG_INT(struct stepper, steps, 1, 100000, WORDS("how far to turn; one step takes a millisecond")),
};
static const quash_params stepper_params = QUASH_PARAMS(struct stepper, stepper_list);

static void put_stepped(quash_writer *w, const quash_request *request)
{
	put_count(w, "stepped ", 8, QUASH_CONST_TOOL(struct stepper, request)->steps);
}

/* Makes the steps that are due. */
static int32_t stepper(quash_request *request)
{
	struct stepper *const s = QUASH_TOOL(struct stepper, request);
	const uint32_t steps = (uint32_t)s->steps;
	const uint32_t due = advance(request, &s->course, STEPPER_REPORT_STEPS, steps);
	motor.position += due - s->moved;
	s->moved = due;
	return due == steps ? quash_mcp_reply(request, put_stepped) : quash_wait(request, 1);
}

static int32_t stepper_end(quash_request *request)
{
	const struct stepper *const s = QUASH_TOOL(struct stepper, request);
	if (s->moved < (uint32_t)s->steps)
		motor.stops++;
	return QUASH_DONE;
}

/* --- stats */

/* As they stood when its owner was called. It is large, so there is one, and a second call waits for it. */
static struct {
	const quash_request *owner;
	quash_counters counters;
	uint16_t stops;
	uint32_t position;
} snapshot;

static void put_stats(quash_writer *w, const quash_request *request)
{
	quash_put_object(w);
	put_counters(w, &snapshot.counters);
	quash_put_key(w, "stepper_stops");
	quash_put_uint(w, snapshot.stops);
	quash_put_key(w, "stepper_position");
	quash_put_uint(w, snapshot.position);
#ifdef TOOLBOX_SMALL
	quash_put_key(w, "arena_size");
	quash_put_uint(w, quash_config_of(quash_peer_of(request))->arena_size);
#else
	put_sizes(w, quash_config_of(quash_peer_of(request)), &snapshot.counters);
	put_slot_bytes(w, quash_config_of(quash_peer_of(request)));
	quash_put_key(w, "token_size");
	quash_put_uint(w, TOOLBOX_TOKEN_SIZE);
#endif
	quash_put_end(w);
}

static int32_t stats(quash_request *request)
{
	if (snapshot.owner != NULL)
		return QUASH_PENDING;
	snapshot.owner = request;
	snapshot.counters = *quash_counters_of(quash_peer_of(request));
	snapshot.stops = motor.stops;
	snapshot.position = motor.position;
	return quash_mcp_json(request, put_stats);
}

static void stats_released(quash_request *request)
{
	if (snapshot.owner == request)
		snapshot.owner = NULL;
}

/* --- The server */

static const quash_mcp_tool tools[] = {
	{ .name = "echo",
	  .description = WORDS("Gives the text back"),
	  .args = &echo_params,
	  .output = &echo_params,
	  .call = echo,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD },
	{ .name = "slow",
	  .description = WORDS("Sleeps, and tells every 50 ms how far it is"),
	  .args = &slow_params,
	  .call = slow,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD },
	{ .name = "stats",
	  .description = WORDS("What the device has counted, as JSON"),
	  .call = stats,
	  .released = stats_released,
	  .hints = QUASH_MCP_READ_ONLY | QUASH_MCP_CLOSED_WORLD },
	{ .name = "led",
	  .description = WORDS("Switches the LED"),
	  .args = &led_params,
	  .call = led,
	  .hints = QUASH_MCP_ADDITIVE | QUASH_MCP_IDEMPOTENT | QUASH_MCP_CLOSED_WORLD },
	{ .name = "stepper",
	  .description = WORDS("Turns the stepper motor; a cancel stops it"),
	  .args = &stepper_params,
	  .call = stepper,
	  .motion = { .end = stepper_end, .longest = TOOLBOX_LONGEST, .lease = STEPPER_LEASE_MS, .group = &one_stepper },
	  .busy = "motor is busy",
	  .hints = QUASH_MCP_CLOSED_WORLD },
};

static quash_mcp_session session;

static const quash_mcp_server server = {
	.name = "quash-toolbox",
	.version = QUASH_VERSION,
	.instructions = WORDS("The tools of a small device: an LED, a stepper motor and its counters."),
	.tools = tools,
	.modern = &quash_mcp_modern,
	.leases = &quash_mcp_leases,
	.ignored = ADDED,
	.session = &session,
	.ttl = 3600000,
	.tool_count = COUNT(tools),
	.token_size = TOOLBOX_TOKEN_SIZE,
};

static const quash_method methods[] = { QUASH_MCP_METHODS(&server) };

union any_tool {
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
	.check = TOOLBOX_CHECK,
	.new_session = quash_mcp_new_session,
	.keeps = &quash_mcp_keeps,
	.faults = TOOLBOX_FAULTS,
	.reasons = TOOLBOX_REASONS,
};

const char *const toolbox_name = "toolbox";

void toolbox_reset(void)
{
	static const quash_mcp_session fresh;
	static const quash_group nobodys;
	session = fresh;
	motor.position = 0;
	motor.stops = 0;
	snapshot.owner = NULL;
	one_stepper = nobodys;
}
