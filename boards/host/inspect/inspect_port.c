/* SPDX-License-Identifier: MIT */
#include "inspect_port.h"

#include "cut.h"
#include "host_escape.h"
#include "inspect_protocol.h"
#include "inspect_show.h"
#include "span.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* --- Messages as they pass */

enum { LACKS = 3 };

static void append(struct trace *t, char c)
{
	if (t->length < sizeof t->text)
		t->text[t->length] = c;
	t->length++;
}

static void show_message(struct trace *t)
{
	const size_t most = sizeof t->text; /* the last character in it may lack its end */
	const size_t shown = t->length <= most ? t->length : escape_cut(t->text, most, most - LACKS);
	note_open();
	note_part("%s ", t->arrow);
	note_text(t->text, shown);
	if (shown < t->length)
		note_part("... and %zu bytes more", t->length - shown);
	note_close();
	t->length = 0;
}

static void end_header(struct trace *t)
{
	static const char name[] = "Content-Length:";
	const size_t end = t->length < sizeof t->text ? t->length : sizeof t->text - 1;
	t->text[end] = '\0';
	if (strncasecmp(t->text, name, sizeof name - 1) == 0)
		t->body_left = strtoul(t->text + sizeof name - 1, NULL, 10);
	t->in_body = t->length == 0 && t->body_left > 0;
	t->length = 0;
}

static void trace_header(struct trace *t, char c)
{
	if (c == '\n')
		end_header(t);
	else if (c != '\r')
		append(t, c);
}

static void trace_body(struct trace *t, char c)
{
	append(t, c);
	t->body_left--;
	if (t->body_left > 0)
		return;
	show_message(t);
	t->in_body = false;
}

static void trace_line(struct trace *t, char c)
{
	if (c != '\n')
		append(t, c);
	else
		show_message(t);
}

static void trace_bytes(struct trace *t, const uint8_t *data, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		if (t->framing == QUASH_LINES)
			trace_line(t, (char)data[i]);
		else if (t->in_body)
			trace_body(t, (char)data[i]);
		else
			trace_header(t, (char)data[i]);
	}
}

/* --- Symptoms: what is seen of all that passes */

/* An error without an id answers something that the other side could not read. */
static void keep_stray(struct wire *wire, struct span message)
{
	const struct span id = span_member(message, "id"), error = span_member(message, "error");
	if (wire->stray > 0 || error.at == NULL || (id.at != NULL && !span_same(id, span_of("null"))))
		return;
	wire->stray = escape_cut(error.at, error.n, MOST_STRAY);
	memcpy(wire->stray_error, error.at, wire->stray);
}

/* What nobody has asked for, as it comes. */
static void note_notification(struct span message)
{
	const struct span method = span_member(message, "method"), params = span_member(message, "params");
	if (!span_begins(method, '"') || span_member(message, "id").at != NULL)
		return;
	note_open();
	note_part("notification ");
	note_text(method.at + 1, method.n - 2);
	note_part(params.at != NULL ? " " : "");
	note_text(params.at != NULL ? params.at : "", params.n);
	note_close();
}

static void watch_message(struct wire *wire, const char *text, size_t n)
{
	const size_t at = look_at(text, n, NULL, NULL).rpc ? 0 : look_for(text, n);
	if (at > 0)
		symptoms_noise(&wire->symptoms, text, at);
	if (at == n)
		return;
	symptoms_message(&wire->symptoms, text + at, n - at);
	if (wire->options->protocol->shows_notes)
		note_notification(span_container(text + at, n - at));
	keep_stray(wire, span_container(text + at, n - at));
}

static void watch_received(struct wire *wire, const uint8_t *data, size_t n)
{
	symptoms_bytes(&wire->symptoms, data, n);
	for (size_t at = 0; at < n;) {
		const enum cut_event event = cut_read(&wire->in, data, n, &at);
		if (event == CUT_MESSAGE)
			watch_message(wire, (const char *)wire->in.bytes, wire->in.length);
		else if (event == CUT_NOISE)
			symptoms_noise(&wire->symptoms, (const char *)wire->in.bytes, wire->in.length);
	}
}

static void watch_transmitted(struct wire *wire, const uint8_t *data, size_t n)
{
	for (size_t at = 0; at < n;) {
		if (cut_read(&wire->out, data, n, &at) == CUT_MESSAGE)
			symptoms_sent(&wire->symptoms, (const char *)wire->out.bytes, wire->out.length);
	}
}

bool wire_prints(const struct wire *wire, char words[SYMPTOMS_WORDS])
{
	size_t n;
	struct symptoms symptoms = wire->symptoms;
	const char *const rest = cut_rest(&wire->in, &n);
	if (n > 0 && *rest != '{' && *rest != '[' && symptoms.heard)
		symptoms_noise(&symptoms, rest, n); /* it has no end yet, and is no message */
	return symptoms_prints(&symptoms, words);
}

enum diagnosis wire_diagnosis(const struct wire *wire, char words[SYMPTOMS_WORDS])
{
	size_t n;
	const char *const rest = cut_rest(&wire->in, &n);
	const enum diagnosis diagnosis = symptoms_tell(&wire->symptoms, rest, n);
	symptoms_words(&wire->symptoms, diagnosis, rest, n, words);
	return diagnosis;
}

/* --- Noise */

enum { NOISE_SHOWN = 200, NOISE_ROUNDS = 16 };

void note_noise(const char *text, size_t length)
{
	if (length == 0)
		return;
	note_open();
	note_part("noise: ");
	const size_t shown = escape_cut(text, length, NOISE_SHOWN);
	note_text(text, shown);
	if (length > shown)
		note_part("... and %zu bytes more", length - shown);
	note_close();
}

/* A message may stand after noise on its line. JSON that is no message is the peer's business, but not the doctor's, who looks at
 * noise and echoes elsewhere and answers neither. */
static void sort(struct wire *wire)
{
	struct noise *const noise = &wire->noise;
	struct cut *const cut = &noise->cut;
	const char *const text = (const char *)cut->bytes;
	const bool doctor = wire->options->doctor;
	const struct look look = look_at(text, cut->length, NULL, NULL);
	const size_t at = (doctor ? look.rpc : look.json) ? 0 : look_for(text, cut->length);
	if (!doctor)
		note_noise(text, at);
	if (at == cut->length || (doctor && symptoms_are_echo(&wire->symptoms, text + at, cut->length - at)))
		return;
	cut->bytes[cut->length] = '\n'; /* the place of its NUL */
	noise->shown = cut->bytes + at;
	noise->left = cut->length - at + 1;
}

/* Noise without end does not hold up what waits for a time. What is left for later stands in the system, which wakes us. */
static int noise_peek(void *device, const uint8_t **bytes)
{
	struct wire *const wire = device;
	struct noise *const noise = &wire->noise;
	for (unsigned rounds = 1; noise->left == 0; rounds++) {
		size_t at = 0;
		const uint8_t *data;
		const int count = wire->line.peek(wire->line.device, &data);
		if (count <= 0)
			return count;
		const enum cut_event event = cut_read(&noise->cut, data, (size_t)count, &at);
		watch_received(wire, data, at);
		wire->line.take(wire->line.device, at);
		if (event == CUT_MESSAGE)
			sort(wire);
		if (rounds >= NOISE_ROUNDS && at == (size_t)count && noise->left == 0)
			return 0;
	}
	*bytes = noise->shown;
	return noise->left < INT_MAX ? (int)noise->left : INT_MAX;
}

static void noise_take(void *device, size_t n)
{
	struct noise *const noise = &((struct wire *)device)->noise;
	noise->shown += n;
	noise->left -= n;
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	const struct wire *const wire = device;
	return wire->line.write(wire->line.device, data, n);
}

static uint32_t now(void *device)
{
	const struct wire *const wire = device;
	return wire->line.now(wire->line.device);
}

/* --- The port */

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
	if (!wire->noisy)
		watch_received(wire, wire->shown, n);
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

/* A longer one is not stored. */
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
	watch_transmitted(wire, bytes, (size_t)count);
	if (wire->options->trace)
		trace_bytes(&wire->transmitted, bytes, (size_t)count);
	return count;
}

uint32_t wire_greet(struct wire *wire)
{
	if (!wire->serial || !wire->greeting_only || wire->received_any)
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
	const quash_port quiet = { noise_peek, noise_take, write_bytes, now, wire };
	const quash_framing framing = options->protocol->dialect->framing;
	wire->options = options;
	wire->serial = device->options.kind == DEVICE_TTY && framing == QUASH_LINES;
	wire->noisy = wire->serial || (options->doctor && framing == QUASH_LINES);
	wire->line = device_port(device);
	wire->device = wire->noisy ? quiet : wire->line;
	wire->first = options->token;
	wire->in.heap = wire->out.heap = wire->noise.cut.heap = &heap_standard;
	wire->in.framing = wire->out.framing = wire->symptoms.framing = framing;
	wire->symptoms.thorough = true;
	wire->transmitted.arrow = "->";
	wire->received.arrow = "<-";
	wire->transmitted.framing = wire->received.framing = framing;
	return port;
}

void wire_end(struct wire *wire)
{
	cut_free(&wire->noise.cut);
	cut_free(&wire->in);
	cut_free(&wire->out);
}
