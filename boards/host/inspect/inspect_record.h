/* SPDX-License-Identifier: MIT
 * A record of quash-bridge (`--record`), as it stands in a file. */
#ifndef INSPECT_RECORD_H
#define INSPECT_RECORD_H

#include "inspect_member.h"

#include <stdbool.h>
#include <stdint.h>

enum entry_kind { ENTRY_SENT = '>', ENTRY_RECEIVED = '<', ENTRY_NOTE = '!' };

/* One line of it. */
struct entry {
	uint32_t ms; /* since the start */
	enum entry_kind kind;
	struct text name, text;
	bool settled; /* for the player: nothing is to come for it any more */
};

struct protocol;

struct record {
	char *bytes; /* of the file; all texts stand here */
	const struct protocol *protocol;
	struct entry *entries;
	size_t count;
};

/* Reads the lines of one device.
 *
 * @param name  the device; NULL: the only one that the record has
 * @return      NULL, or what is wrong, in words. `record_free` in any case; `record` is zero before */
const char *record_read(struct record *record, const char *path, const char *name);

void record_free(struct record *record);

#endif
