/* SPDX-License-Identifier: MIT
 * What the host's programs share: a peer on stdin and stdout, and the loop that serves it. */
#ifndef HOST_MAIN_H
#define HOST_MAIN_H

#include "arguments.h"
#include "gather.h"
#include "posix/posix_parent.h"
#include "quash/peer.h"

struct host {
	const char *name;       /* the program's */
	bool (*stops)(void);    /* the program is to end now; or NULL */
	int (*exit_code)(void); /* at the end; or NULL: 0 */
	quash_peer peer;
	struct posix_stdio stdio;
	struct gather gather;
	struct posix_parent parent;
	bool orphaned; /* its parent process has ended */
	quash_port port;
};

/** Checks the config, then serves stdin and stdout until the end of the input or of the parent process, a signal or the client's disappearance.
 * What is live then is cancelled, and has two seconds at most to come to rest. Before, the end of the input leaves it a
 * second to end by itself.
 *
 * @return the process's exit code: 2 for a bad config, 128 and its number for a signal, 1 when an `end` hook was
 *         still at work. A line on stderr explains 2 and 1 */
int host_run(struct host *host, const quash_config *config);

/** Moves bytes both ways, for a handler that stays busy. */
void host_pump(struct host *host);

/* --- Programs whose sizes can be chosen when they are started: --slots N, --arena N, --tx N */

struct sizes {
	uint32_t slots, arena, tx;
};

/** Those of a config. */
struct sizes sizes_of(const quash_config *config);

/** `--slots N`, `--arena N`, `--tx N`, for `arguments_read` into a struct sizes. */
enum { SIZES_ARGUMENTS = 3 };
extern const struct argument_option sizes_arguments[SIZES_ARGUMENTS];

/** Gives the config memory of these sizes, with the config's sizes of ids, states and tags. The memory is the process's.
 * Without memory the process ends with an error of `program`. */
void sizes_provide(const char *program, const struct sizes *sizes, quash_config *config);

#endif
