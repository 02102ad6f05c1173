/* SPDX-License-Identifier: MIT
 * What is wrong with a config: its place, its reason, and both in a line. */
#ifndef QUASH_FAULT_H
#define QUASH_FAULT_H

#include "json.h"

#ifdef __cplusplus
extern "C" {
#endif

/** What is wrong with a member. Numbers stay as they are from version to version; new ones are added at the end. */
typedef enum quash_fault_reason {
	QUASH_FAULT_NONE,
	QUASH_FAULT_SMALL,    /**< it is less than what it needs */
	QUASH_FAULT_LARGE,    /**< it is more than it may be */
	QUASH_FAULT_ASKEW,    /**< its size or its address is no multiple of the alignment */
	QUASH_FAULT_MISSING,  /**< it is NULL */
	QUASH_FAULT_TWICE,    /**< an entry before it has the same */
	QUASH_FAULT_NAME,     /**< a name that is empty or has a character that is in none */
	QUASH_FAULT_LONG,     /**< a name that is too long */
	QUASH_FAULT_TAKEN,    /**< the dialect serves the name itself */
	QUASH_FAULT_MARKS,    /**< marks that do not go together, or that there are not */
	QUASH_FAULT_UNNAMED,  /**< what something else here needs is not named, so it is not linked */
	QUASH_FAULT_VALUE,    /**< it has no such value */
	QUASH_FAULT_BOTH,     /**< another member takes its place */
	QUASH_FAULT_NO_GROUP, /**< it needs a group, and there is none */
	QUASH_FAULT_OTHER,    /**< it is not the one that it must be */
	QUASH_FAULT_OUTSIDE,  /**< it lies outside of its struct */
	QUASH_FAULT_RANGE,    /**< its bounds leave no value */
	QUASH_FAULT_FALLBACK, /**< the default is no value of its argument */
	QUASH_FAULT_CANCELS,  /**< the dialect has no cancels, too many, or one without a name */
	QUASH_FAULT_CANCEL_ID, /**< it names no member that names the request */
	QUASH_FAULT_CODES,    /**< its codes for cancelled requests are no errors */
	QUASH_FAULT_BATCH,    /**< it has batches, and a framing other than lines */
	QUASH_FAULT_NO_END,   /**< a motion without `end` */
	QUASH_FAULT_NO_LIMIT, /**< a motion without a longest time, or QUASH_NO_LIMIT */
	QUASH_FAULTS
} quash_fault_reason;

/** What is wrong with a config. Strings are constants, or texts of the config. */
typedef struct quash_fault {
	const char *table;  /**< the struct or table: "config", "methods", "tools" ... */
	const char *name;   /**< the entry's own name, or NULL */
	const char *member; /**< the wrong member */
	uint16_t index;     /**< of the entry */
	uint32_t is, needs; /**< for sizes and counts: what it is, and what is needed at least (or at most); else 0 */
	quash_fault_reason reason;
} quash_fault;

/** The reason in a few words, a constant: "stands twice". In a file of its own: firmware that never calls it has no
 * texts. */
const char *quash_fault_text(quash_fault_reason reason);

/** The whole fault in a line, such as `tools[0] move: state_size 64, needs 66` or `tools[20] move: name stands twice`.
 * It has no control characters. It is ended with NUL, and cut at a character where `to` is too small.
 *
 * @param size  of `to`, at least 1
 * @return      the length that was written, without the NUL */
size_t quash_fault_line(const quash_fault *fault, char *to, size_t size);

/** Puts that line as a string. */
void quash_put_fault_(quash_writer *w, const quash_fault *fault);

#ifdef __cplusplus
}
#endif
#endif
