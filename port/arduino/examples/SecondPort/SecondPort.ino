/* SPDX-License-Identifier: MIT
 * A second serial port for the agent, beside the console: for boards with Serial1, such as the Mega.
 *
 * The agent speaks on Serial1: pins 18 (TX1) and 19 (RX1) of a Mega, to a USB adapter of their level. `Serial` stays the
 * console: the sketch prints what happens, and the serial monitor shows it. */
#include <quash_tools.h>
#include <quash_stream.h>

struct input { int32_t pin, millivolts; };

static constexpr quash_param input_list[] = { QUASH_ARG_INT(struct input, pin, 0, 5, "number of the analog input") };
static constexpr quash_params input_params = QUASH_PARAMS(struct input, input_list);

static void put_millivolts(quash_writer *w, const quash_request *request)
{
	quash_put_string_open(w);
	quash_put_string_int(w, QUASH_CONST_TOOL(struct input, request)->millivolts);
	quash_put_string_part(w, " mV", 3);
	quash_put_string_close(w);
}

static int32_t measure(quash_request *request)
{
	struct input *const in = QUASH_TOOL(struct input, request);
	in->millivolts = analogRead((uint8_t)(A0 + in->pin)) * 5000L / 1023;
	Serial.print("A");
	Serial.print((int)in->pin);
	Serial.print(": ");
	Serial.print((int)in->millivolts);
	Serial.println(" mV");
	return quash_mcp_reply(request, put_millivolts);
}

static quash_mcp_session session;
static constexpr quash_mcp_tool tools[] = {
	quash::mcp_tool("measure", "Measures an analog input in millivolts", measure).args(&input_params).hints(QUASH_MCP_READ_ONLY),
};
static constexpr quash_mcp_server server =
	quash::mcp_server("meter", "1.0").session(&session).tools(tools).token_size(40).modern(&quash_mcp_modern);
static constexpr quash_method methods[] = { QUASH_MCP_METHODS(&server) };
/* An arena of 256 bytes: a call needs 192 and what its arguments take, whatever its host adds. */
QUASH_STORAGE(store, 4, 40, QUASH_MCP_STATE(40, quash::largest(tools)), 256, 128);

/* Prints each call that begins, each cancel, and what is refused. */
static void trace(quash_peer *, quash_event event, const quash_request *, int32_t detail, quash_why why)
{
	if (event != QUASH_STARTED && event != QUASH_FLAGGED && event != QUASH_REFUSED)
		return;
	Serial.print(quash_event_text(event));
	if (event == QUASH_REFUSED) {
		Serial.print(" ");
		Serial.print((long)detail);
		Serial.print(": ");
		Serial.print(quash_why_text(why));
	}
	Serial.println("");
}

static constexpr quash_config config = quash::config(QUASH_STORED(store)).mcp(methods, server).trace(trace);
static quash_peer peer;
static QuashStream port(Serial1);

void setup()
{
	Serial.begin(115200);
	Serial1.begin(115200);
	quash_fault fault;
	char line[80] = "The agent may connect to Serial1.";
	if (!quash_init(&peer, &config, &fault))
		quash_fault_line(&fault, line, sizeof line);
	Serial.println(line);
}

void loop()
{
	port.serve(&peer);
}
