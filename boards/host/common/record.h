/* SPDX-License-Identifier: MIT
 * A record of what passes on the lines of devices, as quash-bridge writes it and quash-inspect reads it. Its first line is
 * `# quash-bridge record 1 PROTOCOL`, each other one `MS DEVICE WAY TEXT`. MS counts from the start, and wraps at 2^32. An empty TEXT has
 * no blank before it. Other lines that begin with `#` are comments. */
#ifndef HOST_RECORD_H
#define HOST_RECORD_H

#include "builder.h"
#include "span.h"

/** Which way a message has gone on the line of a device. */
enum record_way { RECORD_TO = '>', RECORD_FROM = '<', RECORD_NOTE = '!' };

/** One line of it: a message, or for RECORD_NOTE a text of the bridge. */
struct record_entry {
	uint32_t ms;
	enum record_way way;
	struct span device, text;
};

/* --- Writing: what is added to the text ends with a line feed */

/** The first line. */
void record_put_head(struct builder *to, const char *protocol);

/** Another one. Line ends in its text become blanks. */
void record_put(struct builder *to, const struct record_entry *entry);

/* --- Reading: lines are taken off the text; the last one counts only with its end */

/** The first line: the name of the protocol. None: the text is no record. */
struct span record_take_head(struct span *rest);

/** The next entry. False: there is none, and if `*wrong` is set a line that is none. */
bool record_take(struct span *rest, struct record_entry *entry, bool *wrong);

#endif
