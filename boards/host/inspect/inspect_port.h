/* SPDX-License-Identifier: MIT
 * The port between the peer and the device: shows what passes, and keeps noise from the peer. */
#ifndef INSPECT_PORT_H
#define INSPECT_PORT_H

#include "cut.h"
#include "diagnosis.h"
#include "host_device.h"
#include "inspect_options.h"
#include "quash/dialect.h"
#include "quash/port.h"

/* --- Messages as they pass, on stderr: `-> {...}` what we transmit, `<- {...}` what we receive */

/* One direction. Zero at first. */
struct trace {
	const char *arrow;
	quash_framing framing;
	bool in_body; /* of a message with a header */
	size_t body_left;
	size_t length;   /* of the message or header line so far */
	char text[4096]; /* as much of it as is shown */
};

/* --- A serial line with noise */

/* What a boot loader or a log prints between the messages is noted, and the peer gets the messages alone. */

struct noise {
	struct cut cut;
	const uint8_t *shown; /* what is left of a message, in `cut` */
	size_t left;
};

/* Notes noise; nothing for no text. */
void tap_note_noise(const char *text, size_t length);

/* --- The port */

enum { MOST_GREETING = 1023, GREET_AGAIN_MS = 1000, MOST_STRAY = 160 };

/* Opaque but for `symptoms` and `stray`. */
struct tap {
	const struct inspect_options *options;
	quash_port line;                  /* the device's own */
	quash_port device;                /* the same, or without noise */
	struct noise noise;
	struct symptoms symptoms;
	struct cut in, out;               /* what passes, for the symptoms */
	size_t stray;                     /* the length of */
	char stray_error[MOST_STRAY];     /* the first error that has no id */
	const uint8_t *shown;             /* what the device has shown last */
	const char *first;                /* what is still to be transmitted before all else */
	char greeting[MOST_GREETING + 1]; /* the first line that the peer has transmitted */
	size_t greeting_length;
	bool noisy, serial, received_any;
	bool greeting_only; /* it was transmitted, and nothing else */
	uint32_t greeted;
	struct trace transmitted, received;
};

/* Begins; `tap` is zero before. The port is valid as long as tap and device. */
quash_port tap_begin(struct tap *tap, struct host_device *device, const struct inspect_options *options);

/* A board that boots, perhaps because we have opened its serial line, does not receive the greeting. While nothing has come and
 * nothing else was transmitted, this transmits it again, each GREET_AGAIN_MS.
 *
 * @return how many milliseconds there are until then; `never` */
uint32_t tap_greet(struct tap *tap);

/* What the device prints between its messages, in words. False if that is nothing. */
bool tap_prints(const struct tap *tap, char words[SYMPTOMS_WORDS]);

/* What passed so far shows of the line, and in words. */
enum diagnosis tap_diagnosis(const struct tap *tap, char words[SYMPTOMS_WORDS]);

void tap_end(struct tap *tap);

#endif
