/* SPDX-License-Identifier: MIT
 * A stepper motor for an AI agent, on an Arduino Mega: a driver with the inputs STEP, DIR and ENABLE (low: on).
 *
 * The motor stops on every way out: it is there, the client cancels, the deadline passes, the cable is pulled. It slows
 * down first, and then its driver is switched off. One call moves it at a time. Its place is reported as progress.
 *
 * This is no emergency stop: whoever can be hurt needs a switch that cuts the power. */
#include <quash_tools.h>
#include <quash_stream.h>

enum { STEP_PIN = 2, DIR_PIN = 3, ENABLE_PIN = 4 };
enum { LEASE_MS = 2000, DEADLINE_MS = 120000 };
enum { SLOW_MS = 10, FAST_MS = 2, FARTHEST = 20000, REPORT_STEPS = 50 };

static int32_t position;
static int32_t stops; /* how often the motor has come to rest */

/* --- The tool `move` */

struct move {
	int32_t to;
	int32_t steps;   /* done */
	int32_t step_ms; /* 0: at rest */
};

static constexpr quash_param move_list[] = {
	QUASH_ARG_INT(struct move, to, -FARTHEST, FARTHEST, "the step to go to; 0 is where the board was switched on"),
};
static constexpr quash_params move_params = QUASH_PARAMS(struct move, move_list);

static void step(int32_t to)
{
	digitalWrite(DIR_PIN, to > position);
	digitalWrite(STEP_PIN, HIGH);
	delayMicroseconds(2);
	digitalWrite(STEP_PIN, LOW);
	position += to > position ? 1 : -1;
}

/* The first steps are slow, each one faster. */
static int32_t faster(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	if (m->step_ms == 0)
		m->step_ms = SLOW_MS;
	else if (m->step_ms > FAST_MS)
		m->step_ms--;
	return quash_wait(request, (uint32_t)m->step_ms);
}

static int32_t move(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	if (position == m->to)
		return quash_mcp_text(request, "there");
	digitalWrite(ENABLE_PIN, LOW);
	step(m->to);
	m->steps++;
	if (m->steps % REPORT_STEPS == 0)
		quash_mcp_progress(request, (uint32_t)m->steps, (uint32_t)(m->steps + labs(m->to - position)), NULL);
	return faster(request);
}

/* Each step is slower, but never beyond the place; then the driver is switched off. */
static int32_t move_end(quash_request *request)
{
	struct move *const m = QUASH_TOOL(struct move, request);
	if (m->step_ms == 0)
		return QUASH_DONE; /* it has not moved */
	if (m->step_ms < SLOW_MS && position != m->to) {
		step(m->to);
		m->step_ms++;
		return quash_wait(request, (uint32_t)m->step_ms);
	}
	digitalWrite(ENABLE_PIN, HIGH);
	stops++;
	return QUASH_DONE;
}

/* --- The tool `where` */

struct where { int32_t position, stops; bool driven; };

static constexpr quash_param where_list[] = {
	QUASH_ARG_INT(struct where, position, -FARTHEST, FARTHEST, "the step at which the motor is"),
	QUASH_ARG_INT(struct where, stops, 0, INT32_MAX, "how often it has come to rest"),
	QUASH_ARG_BOOL(struct where, driven, "whether its driver is on"),
};
static constexpr quash_params where_result = QUASH_PARAMS(struct where, where_list);
static constexpr quash_params where_params = QUASH_NO_PARAMS(struct where);

static int32_t where(quash_request *request)
{
	struct where *const w = QUASH_TOOL(struct where, request);
	w->position = position;
	w->stops = stops;
	w->driven = digitalRead(ENABLE_PIN) == LOW;
	return quash_mcp_struct(request);
}

/* --- The server */

static quash_group one_motor;
static constexpr quash_mcp_tool tools[] = {
	quash::mcp_tool("move", "Turns the motor to a step; a cancel slows it down and stops it", move)
		.args(&move_params).moves(move_end, DEADLINE_MS, LEASE_MS, &one_motor).busy("the motor is moving").hints(QUASH_MCP_IDEMPOTENT),
	quash::mcp_tool("where", "Where the motor is", where).args(&where_params).output(&where_result).hints(QUASH_MCP_READ_ONLY),
};
QUASH_MCP_DEVICE(config, tools, quash::mcp_server("motor", "1.0"));
static quash_peer peer;
static QuashStream port(Serial);

/* A config that does not fit: its fault is printed, again and again where requests are not answered so, too. */
static void explain(const quash_fault *fault)
{
	char line[80];
	quash_fault_line(fault, line, sizeof line);
	for (Serial.println(line); quash_is_gone(&peer); Serial.println(line))
		delay(1000);
}

void setup()
{
	quash_fault fault;
	digitalWrite(ENABLE_PIN, HIGH);
	pinMode(ENABLE_PIN, OUTPUT);
	pinMode(DIR_PIN, OUTPUT);
	pinMode(STEP_PIN, OUTPUT);
	Serial.begin(115200);
	if (!quash_init(&peer, &config, &fault))
		explain(&fault);
}

void loop()
{
	port.serve(&peer);
}
