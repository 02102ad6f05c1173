/* SPDX-License-Identifier: MIT
 * What the engine needs of the program around it. */
#ifndef BRIDGE_HOST_H
#define BRIDGE_HOST_H

#include "heap.h"
#include "record.h"

#include <stdbool.h>
#include <stdint.h>

enum log_level { LOG_ERROR, LOG_WARNING, LOG_INFO, LOG_DEBUG, LOG_LEVELS, LOG_TRACE };

/** The program around the engine. None of its functions may call the engine. */
struct bridge_host {
	struct heap heap;
	void *context; /* for the functions below */
	/** Random bytes. False: there are none. */
	bool (*random)(void *context, void *bytes, size_t n);
	/** A line for the log: `n` bytes, which may hold anything, `cut`: and more than these. Only of levels that the options show. */
	void (*log)(void *context, enum log_level level, const char *text, size_t n, bool cut);
	/** What passes on the line of a device, or a text of ours for RECORD_NOTE. NULL: nobody keeps it. */
	void (*record)(void *context, const char *device, enum record_way way, const char *text, size_t n);
};

#endif
