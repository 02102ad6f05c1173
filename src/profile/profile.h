/* SPDX-License-Identifier: MIT
 * What profiles share: how their tables are checked, reports on requests, who the server is. */
#ifndef QUASH_SRC_PROFILE_H
#define QUASH_SRC_PROFILE_H

#include "../../include/quash/peer.h"
#include "../json/c_text.h"

struct quash_lease_code;

/* --- Checks, for quash_init */

/* True if no member of a table is wrong: `member` is NULL. Else the fault names it. */
bool quash_check_member(quash_fault *fault, const char *table, const char *name, const char *member);

/* The same for a size of the config. */
bool quash_check_size(quash_fault *fault, const char *member, size_t is, size_t needs);

/* The same for what announces leases: a method has one, and nothing is named that does. */
bool quash_check_leases(quash_fault *fault, const char *table, const char *name, const struct quash_lease_code *leases,
	const quash_config *config);

/* The first entry with that handler, or NULL. */
const quash_method *quash_entry_of(const quash_config *config, quash_handler *handler);

/* The data of that entry, or NULL. */
const void *quash_data_of(const quash_config *config, quash_handler *handler);

/* The same for the handler of `initialize`. NULL, with the fault, if it is not there or has none. */
const void *quash_check_initialize(quash_fault *fault, const quash_config *config, quash_handler *handler);

/* --- Requests */

/* Refuses a request of what has a lease that nobody announces: no client would arm it. For configs that nobody has
 * checked. True: its answer is recorded. */
bool quash_refuse_lease(quash_request *request, uint32_t lease, const struct quash_lease_code *leases);

/* Sends a notification that reports on a request. Returns what the caller returns. */
int32_t quash_send_report(const quash_request *request);

/* --- Members */

/* An object with the names and the version of a server; `title` may be NULL. */
static inline void quash_put_info(quash_writer *w, const char *name, const char *title, const char *version)
{
	quash_put_object(w);
	quash_put_member(w, "name", name);
	quash_put_optional(w, "title", title);
	quash_put_member(w, "version", version);
	quash_put_end(w);
}

#endif
