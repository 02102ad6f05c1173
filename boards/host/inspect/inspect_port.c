/* SPDX-License-Identifier: MIT */
#include "inspect_port.h"

#include "content_length.h"
#include "cut.h"
#include "host_escape.h"
#include "inspect_protocol.h"
#include "inspect_show.h"
#include "span.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

/* --- Messages as they pass */

enum { LACKS = 3 };

static void trace_char(struct trace *t, char c)
{
	if (t->length < sizeof t->text)
		t->text[t->length] = c;
	t->length++;
}

static void show_traced(struct trace *t)
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
	const size_t end = t->length < sizeof t->text ? t->length : sizeof t->text;
	size_t left;
	if (content_length_read(t->text, t->text + end, CUT_MOST, &left))
		t->body_left = left;
	t->in_body = t->length == 0 && t->body_left > 0;
	t->length = 0;
}

static void trace_header(struct trace *t, char c)
{
	if (c == '\n')
		end_header(t);
	else if (c != '\r')
		trace_char(t, c);
}

static void trace_body(struct trace *t, char c)
{
	trace_char(t, c);
	t->body_left--;
	if (t->body_left > 0)
		return;
	show_traced(t);
	t->in_body = false;
}

static void trace_line(struct trace *t, char c)
{
	if (c != '\n')
		trace_char(t, c);
	else
		show_traced(t);
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

/* An error without an id answers something that the device could not read. */
static void keep_stray(struct tap *tap, struct span message)
{
	const struct span id = span_member(message, "id"), error = span_member(message, "error");
	if (tap->stray > 0 || error.at == NULL || (id.at != NULL && !span_same(id, span_of("null"))))
		return;
	tap->stray = escape_cut(error.at, error.n, MOST_STRAY);
	memcpy(tap->stray_error, error.at, tap->stray);
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

static void watch_message(struct tap *tap, const char *text, size_t n)
{
	const size_t at = look_at(text, n, NULL, NULL).rpc ? 0 : look_for(text, n);
	if (at > 0)
		symptoms_noise(&tap->symptoms, text, at);
	if (at == n)
		return;
	symptoms_message(&tap->symptoms, text + at, n - at);
	if (tap->options->protocol->shows_notes)
		note_notification(span_container(text + at, n - at));
	keep_stray(tap, span_container(text + at, n - at));
}

static void watch_received(struct tap *tap, const uint8_t *data, size_t n)
{
	symptoms_bytes(&tap->symptoms, data, n);
	for (size_t at = 0; at < n;) {
		const enum cut_event event = cut_read(&tap->in, data, n, &at);
		if (event == CUT_MESSAGE)
			watch_message(tap, (const char *)tap->in.bytes, tap->in.length);
		else if (event == CUT_NOISE)
			symptoms_noise(&tap->symptoms, (const char *)tap->in.bytes, tap->in.length);
	}
}

static void watch_transmitted(struct tap *tap, const uint8_t *data, size_t n)
{
	for (size_t at = 0; at < n;) {
		if (cut_read(&tap->out, data, n, &at) == CUT_MESSAGE)
			symptoms_sent(&tap->symptoms, (const char *)tap->out.bytes, tap->out.length);
	}
}

bool tap_prints(const struct tap *tap, char words[SYMPTOMS_WORDS])
{
	size_t n;
	struct symptoms symptoms = tap->symptoms;
	const char *const rest = cut_rest(&tap->in, &n);
	if (n > 0 && *rest != '{' && *rest != '[' && symptoms.heard)
		symptoms_noise(&symptoms, rest, n); /* it has no end yet, and is no message */
	return symptoms_prints(&symptoms, words);
}

enum diagnosis tap_diagnosis(const struct tap *tap, char words[SYMPTOMS_WORDS])
{
	size_t n;
	const char *const rest = cut_rest(&tap->in, &n);
	const enum diagnosis diagnosis = symptoms_tell(&tap->symptoms, rest, n);
	symptoms_words(&tap->symptoms, diagnosis, rest, n, words);
	return diagnosis;
}

/* --- Noise */

enum { NOISE_SHOWN = 200, NOISE_ROUNDS = 16 };

void tap_note_noise(const char *text, size_t length)
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
static void tap_sort(struct tap *tap)
{
	struct noise *const noise = &tap->noise;
	struct cut *const cut = &noise->cut;
	const char *const text = (const char *)cut->bytes;
	const bool doctor = tap->options->doctor;
	const struct look look = look_at(text, cut->length, NULL, NULL);
	const size_t at = (doctor ? look.rpc : look.json) ? 0 : look_for(text, cut->length);
	if (!doctor)
		tap_note_noise(text, at);
	if (at == cut->length || (doctor && symptoms_are_echo(&tap->symptoms, text + at, cut->length - at)))
		return;
	cut->bytes[cut->length] = '\n'; /* the place of its NUL */
	noise->shown = cut->bytes + at;
	noise->left = cut->length - at + 1;
}

/* Noise without end does not hold up what waits for a time. What is left for later stands in the system, which wakes us. */
static int noise_peek(void *device, const uint8_t **bytes)
{
	struct tap *const tap = device;
	struct noise *const noise = &tap->noise;
	for (unsigned rounds = 1; noise->left == 0; rounds++) {
		size_t at = 0;
		const uint8_t *data;
		const int count = tap->line.peek(tap->line.device, &data);
		if (count <= 0)
			return count;
		const enum cut_event event = cut_read(&noise->cut, data, (size_t)count, &at);
		watch_received(tap, data, at);
		tap->line.take(tap->line.device, at);
		if (event == CUT_MESSAGE)
			tap_sort(tap);
		if (rounds >= NOISE_ROUNDS && at == (size_t)count && noise->left == 0)
			return 0;
	}
	*bytes = noise->shown;
	return noise->left < INT_MAX ? (int)noise->left : INT_MAX;
}

static void noise_take(void *device, size_t n)
{
	struct noise *const noise = &((struct tap *)device)->noise;
	noise->shown += n;
	noise->left -= n;
}

static int tap_line_write(void *device, const uint8_t *data, size_t n)
{
	const struct tap *const tap = device;
	return tap->line.write(tap->line.device, data, n);
}

static uint32_t tap_line_now(void *device)
{
	const struct tap *const tap = device;
	return tap->line.now(tap->line.device);
}

/* --- The port */

static int tap_peek(void *device, const uint8_t **bytes)
{
	struct tap *const tap = device;
	const int count = tap->device.peek(tap->device.device, bytes);
	tap->shown = count > 0 ? *bytes : NULL;
	return count;
}

static void tap_take(void *device, size_t n)
{
	struct tap *const tap = device;
	tap->received_any = true;
	if (tap->options->trace)
		trace_bytes(&tap->received, tap->shown, n);
	if (!tap->noisy)
		watch_received(tap, tap->shown, n);
	tap->device.take(tap->device.device, n);
}

/* 0 while there is more of it, or the mark of a port that takes nothing. */
static int write_first(struct tap *tap)
{
	const size_t length = strlen(tap->first);
	const int count = tap->device.write(tap->device.device, (const uint8_t *)tap->first, length);
	if (count > 0)
		tap->first += count;
	return count < 0 ? count : 0;
}

/* A longer one is not stored. */
static void keep_greeting(struct tap *tap, const uint8_t *bytes, size_t n)
{
	const bool ended = tap->greeting_length > 0 && tap->greeting[tap->greeting_length - 1] == '\n';
	const bool fits = !ended && n <= MOST_GREETING - tap->greeting_length;
	tap->greeting_only = fits && bytes[n - 1] == '\n';
	if (fits)
		memcpy(tap->greeting + tap->greeting_length, bytes, n);
	tap->greeting_length = fits ? tap->greeting_length + n : MOST_GREETING;
	tap->greeted = tap->device.now(tap->device.device);
}

static int tap_write(void *device, const uint8_t *bytes, size_t n)
{
	struct tap *const tap = device;
	const int mark = *tap->first != '\0' ? write_first(tap) : 0;
	if (*tap->first != '\0')
		return mark;
	const int count = tap->device.write(tap->device.device, bytes, n);
	if (count <= 0)
		return count;
	keep_greeting(tap, bytes, (size_t)count);
	watch_transmitted(tap, bytes, (size_t)count);
	if (tap->options->trace)
		trace_bytes(&tap->transmitted, bytes, (size_t)count);
	return count;
}

uint32_t tap_greet(struct tap *tap)
{
	if (!tap->serial || !tap->greeting_only || tap->received_any)
		return never;
	const uint32_t now = tap->device.now(tap->device.device), passed = now - tap->greeted;
	if (passed < GREET_AGAIN_MS)
		return GREET_AGAIN_MS - passed;
	if (tap->options->trace)
		note("-> and again");
	if (*tap->first == '\0')
		tap->first = tap->greeting;
	(void)write_first(tap);
	tap->greeted = now;
	return GREET_AGAIN_MS;
}

static uint32_t tap_now(void *device)
{
	const struct tap *const tap = device;
	return tap->device.now(tap->device.device);
}

quash_port tap_begin(struct tap *tap, struct host_device *device, const struct inspect_options *options)
{
	const quash_port port = { tap_peek, tap_take, tap_write, tap_now, tap };
	const quash_port quiet = { noise_peek, noise_take, tap_line_write, tap_line_now, tap };
	const quash_framing framing = options->protocol->dialect->framing;
	tap->options = options;
	tap->serial = device->options.kind == DEVICE_TTY && framing == QUASH_LINES;
	tap->noisy = tap->serial || (options->doctor && framing == QUASH_LINES);
	tap->line = host_device_port(device);
	tap->device = tap->noisy ? quiet : tap->line;
	tap->first = options->token;
	tap->in.heap = tap->out.heap = tap->noise.cut.heap = &heap_standard;
	tap->in.framing = tap->out.framing = tap->symptoms.framing = framing;
	tap->symptoms.thorough = true;
	tap->transmitted.arrow = "->";
	tap->received.arrow = "<-";
	tap->transmitted.framing = tap->received.framing = framing;
	return port;
}

void tap_end(struct tap *tap)
{
	cut_free(&tap->noise.cut);
	cut_free(&tap->in);
	cut_free(&tap->out);
}
