/* SPDX-License-Identifier: MIT
 * What the doctor finds. */
#ifndef INSPECT_FINDING_H
#define INSPECT_FINDING_H

#include "diagnosis.h"
#include "inspect_link.h"

enum { FINDING_TEXT = SYMPTOMS_WORDS + 1024 };

/* What is found. Zero at first. */
struct examination {
	enum diagnosis diagnosis; /* NONE: nothing is wrong so far */
	char found[FINDING_TEXT]; /* in words; text of the device is escaped */
	int code;                 /* of an examination that was broken off; else 0 */
};

/* Stores a finding, in place of what is there. */
void examination_find(struct examination *e, enum diagnosis diagnosis, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* Adds words to it. */
void examination_add(struct examination *e, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* Adds a value, a string as its text. */
void examination_add_value(struct examination *e, quash_value value);

/* Stores why the last call of the link has no result. */
void examination_of_failure(struct examination *e, struct link *link);

#endif
