/* SPDX-License-Identifier: MIT */
#include "inspect_port.h"

#include "inspect_protocol.h"

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
	if (wire->options->trace)
		trace_bytes(&wire->received, wire->shown, n);
	wire->device.take(wire->device.device, n);
}

/* 0 while there is more of it, or the mark of a port that takes nothing. */
static int write_token(struct wire *wire)
{
	const size_t length = strlen(wire->token);
	const int count = wire->device.write(wire->device.device, (const uint8_t *)wire->token, length);
	if (count > 0)
		wire->token += count;
	return count < 0 ? count : 0;
}

static int write_some(void *device, const uint8_t *bytes, size_t n)
{
	struct wire *const wire = device;
	const int mark = *wire->token != '\0' ? write_token(wire) : 0;
	if (*wire->token != '\0')
		return mark;
	const int count = wire->device.write(wire->device.device, bytes, n);
	if (count > 0 && wire->options->trace)
		trace_bytes(&wire->transmitted, bytes, (size_t)count);
	return count;
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
	wire->token = options->token;
	wire->transmitted.arrow = "->";
	wire->received.arrow = "<-";
	wire->transmitted.framing = wire->received.framing = framing;
	return port;
}

void wire_end(struct wire *wire)
{
	noise_free(&wire->noise);
}
