/* SPDX-License-Identifier: MIT
 * A motor at a board with native USB, such as a SAMD, an RP2040 or an ESP32-S3: whoever closes the port, or pulls the cable of a
 * board with another supply, stops it. A pin lets a driver run the motor. */
#include <quash_tools.h>
#include <quash_usb.h>

enum { MOTOR_PIN = 6, REPORT_MS = 100, LONGEST_MS = 120000, LEASE_MS = 2000 };

struct motor { int32_t ms, done; };

static constexpr quash_param motor_list[] = { QUASH_ARG_INT(struct motor, ms, 1, 60000, "for how many milliseconds") };
static constexpr quash_params motor_params = QUASH_PARAMS(struct motor, motor_list);

/* Called again every REPORT_MS, until the time is over. */
static int32_t motor(quash_request *request)
{
	struct motor *const m = QUASH_TOOL(struct motor, request);
	if (m->done >= m->ms)
		return quash_mcp_text(request, "the motor has run");
	const int32_t left = m->ms - m->done, slice = left < REPORT_MS ? left : REPORT_MS;
	digitalWrite(MOTOR_PIN, HIGH);
	if (m->done > 0)
		quash_mcp_progress(request, (uint32_t)m->done, (uint32_t)m->ms, NULL);
	m->done += slice;
	return quash_wait(request, (uint32_t)slice);
}

/* On every way out: done, cancelled, no sign of life, a closed port. */
static int32_t motor_off(quash_request *)
{
	digitalWrite(MOTOR_PIN, LOW);
	return QUASH_DONE;
}

static quash_group one_motor;
static constexpr quash_mcp_tool tools[] = {
	quash::mcp_tool("motor", "Runs the motor; a cancel stops it", motor).args(&motor_params).moves(motor_off, LONGEST_MS, LEASE_MS, &one_motor)
		.busy("the motor is running"),
};
QUASH_MCP_DEVICE(config, tools, quash::mcp_server("motor", "1.0"));
static quash_peer peer;

/* On a Leonardo or Micro this would wait: there it is `Serial.dtr()`. */
static bool is_open()
{
	return Serial;
}

static QuashUsb port(Serial, is_open);

void setup()
{
	pinMode(MOTOR_PIN, OUTPUT);
	digitalWrite(MOTOR_PIN, LOW);
	Serial.begin(115200);
	quash_fault fault;
	if (!quash_init(&peer, &config, &fault)) { /* each request is answered so, too */
		char line[80];
		quash_fault_line(&fault, line, sizeof line);
		for (Serial.println(line); quash_is_gone(&peer); Serial.println(line)) /* again and again where they are not: nobody may read yet */
			delay(1000);
	}
}

void loop()
{
	port.serve(&peer);
}
