/* SPDX-License-Identifier: MIT
 * What is wrong with a device or its line, by what passes, and in words: for the log of quash-bridge and for quash-inspect. */
#ifndef HOST_DIAGNOSIS_H
#define HOST_DIAGNOSIS_H

#include "cut.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum diagnosis {
	DIAGNOSIS_NONE, /* messages come */
	DIAGNOSIS_SILENT,
	DIAGNOSIS_GARBAGE,
	DIAGNOSIS_ECHO,
	DIAGNOSIS_OTHER_PROGRAM,
	DIAGNOSIS_NO_LINE_END,
	DIAGNOSIS_LOST,
	DIAGNOSIS_NO_ANSWER,  /* but other messages came */
	DIAGNOSIS_UNREADABLE, /* to it, is what it gets */
	DIAGNOSIS_WRONG_ID,
	DIAGNOSIS_PRINTS,     /* between its messages */
	DIAGNOSIS_OTHER_PROTOCOL,
	DIAGNOSIS_REFUSED,
	DIAGNOSIS_TOO_SMALL,
	DIAGNOSIS_NO_PROGRESS,
	DIAGNOSIS_WELL
};

/** Its name, one or a few words that stay as they are. */
const char *diagnosis_name(enum diagnosis diagnosis);

/** What to do, in words. `serial`: the device is on a serial line. */
const char *diagnosis_remedy(enum diagnosis diagnosis, bool serial);

/** Of a device that answers a greeting with this error: REFUSED, TOO_SMALL or OTHER_PROTOCOL. */
enum diagnosis diagnosis_of_code(int32_t code);

/* --- What passes on a line */

enum { SYMPTOMS_SENT = 4, SYMPTOMS_TEXTS = 3, SYMPTOMS_ID = 48, SYMPTOMS_BEGIN = 63, SYMPTOMS_TEXT = 120, SYMPTOMS_WORDS = SYMPTOMS_TEXTS * (6 * SYMPTOMS_TEXT + 8) + 128 };

/** Of one connection. The caller owns it and zeroes it first, but for `framing`. */
struct symptoms {
	quash_framing framing; /* of the protocol that is wanted */
	size_t bytes, odd;     /* that came since the last message, and those of them that are no text */
	unsigned lead, follow; /* of a character of several bytes: those that came, those that lack */
	struct {
		char begin[SYMPTOMS_BEGIN];
		size_t length, at; /* `at`: so much of it has just come back */
	} sent[SYMPTOMS_SENT];     /* the last requests, and on a line that echoes all messages */
	unsigned next;
	bool echoes;           /* a request came back */
	bool heard;            /* a message came */
	bool answered;         /* one of them is an answer */
	size_t damaged;        /* since the last message; the length of */
	char damage[SYMPTOMS_TEXT]; /* the first message that came so */
	size_t noise;          /* the length of */
	char text[SYMPTOMS_TEXT]; /* the first text that is no message, cut */
	bool thorough;         /* set by the caller: the id of each answer is looked at, else of those up to the first good one */
	bool sure;             /* an answer had an id that may be of a request */
	bool odd_id;           /* the last one has one that cannot, which is */
	size_t id_length;
	char id[SYMPTOMS_ID];  /* as it stands there */
	size_t prints;         /* texts that are no message, behind the first message; and the first of them: */
	struct {
		size_t length;
		char text[SYMPTOMS_TEXT];
	} printed[SYMPTOMS_TEXTS];
};

/** True if what leaves may come back as an echo: until the first answer, and on a line that has echoed before it. */
bool symptoms_look_at_own(const struct symptoms *s);

/** A message has left. */
void symptoms_sent(struct symptoms *s, const char *message, size_t n);

/** Bytes have come, whatever they are part of. To be called before what they make. */
void symptoms_bytes(struct symptoms *s, const uint8_t *data, size_t n);

/** Whether a message is one of ours that comes back. It is none of the other side then. Until the first answer only, on a line that does
 * not echo. */
bool symptoms_are_echo(const struct symptoms *s, const char *message, size_t n);

/** A message of JSON-RPC has come. An echo is none. */
void symptoms_message(struct symptoms *s, const char *message, size_t n);

/** An answer of the other side, which may come at any time, has an id that is no number of ours: true if that is wrong, and no error that
 * answers nothing. */
bool symptoms_odd_answer(struct symptoms *s, const char *message, size_t n);

/** What has come is no message. */
void symptoms_noise(struct symptoms *s, const char *text, size_t n);

/** What they show of the line.
 *
 * @param rest  what came last and has no end yet, `n` bytes */
enum diagnosis symptoms_tell(const struct symptoms *s, const char *rest, size_t n);

/** What it prints between its messages, in words. False if that is nothing. */
bool symptoms_prints(const struct symptoms *s, char to[SYMPTOMS_WORDS]);

/** What was seen of it, in words; text of the other side is escaped. */
void symptoms_words(const struct symptoms *s, enum diagnosis diagnosis, const char *rest, size_t n, char to[SYMPTOMS_WORDS]);

#endif
