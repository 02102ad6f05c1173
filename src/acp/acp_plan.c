/* SPDX-License-Identifier: MIT
 * Plans in session/update. */
#include "acp_inner.h"

static const char *status_of(const quash_acp_entry *entry)
{
	switch (entry->status) {
	case QUASH_ACP_IN_PROGRESS: return "in_progress";
	case QUASH_ACP_COMPLETED:
	case QUASH_ACP_FAILED: return "completed";
	default: return "pending";
	}
}

static const char *priority_of(const quash_acp_entry *entry)
{
	switch (entry->priority) {
	case QUASH_ACP_HIGH: return "high";
	case QUASH_ACP_LOW: return "low";
	default: return "medium";
	}
}

int32_t quash_acp_plan(quash_request *request, const quash_acp_entry *entries, uint8_t count)
{
	quash_writer *w;
	if (!quash_acp_begin_update(request, "plan", &w))
		return QUASH_DONE;
	quash_put_key(w, "entries");
	quash_put_array(w);
	for (uint8_t i = 0; i < count; i++) {
		quash_put_object(w);
		quash_put_member(w, "content", entries[i].content);
		quash_put_member(w, "priority", priority_of(&entries[i]));
		quash_put_member(w, "status", status_of(&entries[i]));
		quash_put_end(w);
	}
	quash_put_end(w);
	return quash_send_report(request);
}
