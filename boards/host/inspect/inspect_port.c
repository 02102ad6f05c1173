/* SPDX-License-Identifier: MIT */
#include "inspect_port.h"

#include "inspect_protocol.h"
#include "inspect_show.h"

#include <string.h>

static int peek(void *device, const uint8_t **bytes)
{
	struct wire *const wire = device;
	const int count = wire->device.peek(wire->device.device, bytes);
	wire->shown = count > 0 ? *bytes : NULL;
	return count;
}

static void take(void *device, size_t n)
{
	struct wire *const wire = device;
	wire->received_any = true;
	if (wire->options->trace)
		trace_bytes(&wire->received, wire->shown, n);
	wire->device.take(wire->device.device, n);
}

/* 0 while there is more of it, or the mark of a port that takes nothing. */
static int write_first(struct wire *wire)
{
	const size_t length = strlen(wire->first);
	const int count = wire->device.write(wire->device.device, (const uint8_t *)wire->first, length);
	if (count > 0)
		wire->first += count;
	return count < 0 ? count : 0;
}

/* A longer one is not kept. */
static void keep_greeting(struct wire *wire, const uint8_t *bytes, size_t n)
{
	const bool ended = wire->greeting_length > 0 && wire->greeting[wire->greeting_length - 1] == '\n';
	const bool fits = !ended && n <= MOST_GREETING - wire->greeting_length;
	wire->greeting_only = fits && bytes[n - 1] == '\n';
	if (fits)
		memcpy(wire->greeting + wire->greeting_length, bytes, n);
	wire->greeting_length = fits ? wire->greeting_length + n : MOST_GREETING;
	wire->greeted = wire->device.now(wire->device.device);
}

static int write_some(void *device, const uint8_t *bytes, size_t n)
{
	struct wire *const wire = device;
	const int mark = *wire->first != '\0' ? write_first(wire) : 0;
	if (*wire->first != '\0')
		return mark;
	const int count = wire->device.write(wire->device.device, bytes, n);
	if (count <= 0)
		return count;
	keep_greeting(wire, bytes, (size_t)count);
	if (wire->options->trace)
		trace_bytes(&wire->transmitted, bytes, (size_t)count);
	return count;
}

uint32_t wire_greet(struct wire *wire)
{
	if (!wire->noisy || !wire->greeting_only || wire->received_any)
		return never;
	const uint32_t now = wire->device.now(wire->device.device), passed = now - wire->greeted;
	if (passed < GREET_AGAIN_MS)
		return GREET_AGAIN_MS - passed;
	if (wire->options->trace)
		note("-> and again");
	if (*wire->first == '\0')
		wire->first = wire->greeting;
	(void)write_first(wire);
	wire->greeted = now;
	return GREET_AGAIN_MS;
}

static uint32_t read_clock(void *device)
{
	const struct wire *const wire = device;
	return wire->device.now(wire->device.device);
}

quash_port wire_begin(struct wire *wire, struct device *device, const struct options *options)
{
	const quash_port port = { peek, take, write_some, read_clock, wire };
	const quash_framing framing = options->protocol->dialect->framing;
	const bool noisy = device->options.kind == DEVICE_TTY && framing == QUASH_LINES;
	wire->options = options;
	wire->noise.line = device_port(device);
	wire->device = noisy ? noise_port(&wire->noise) : wire->noise.line;
	wire->first = options->token;
	wire->noisy = noisy;
	wire->transmitted.arrow = "->";
	wire->received.arrow = "<-";
	wire->transmitted.framing = wire->received.framing = framing;
	return port;
}

void wire_end(struct wire *wire)
{
	noise_free(&wire->noise);
}
