/* SPDX-License-Identifier: MIT
 * What the host's programs share: a peer on stdin and stdout, and the loop that serves it. */
#ifndef HOST_MAIN_H
#define HOST_MAIN_H

#include "gather.h"

struct host {
	const char *name;       /* the program's */
	bool (*stops)(void);    /* the program is to end now; or NULL */
	int (*exit_code)(void); /* at the end; or NULL: 0 */
	quash_peer peer;
	struct posix_stdio stdio;
	struct gather gather;
	quash_port port;
};

/** Checks the config, then serves stdin and stdout until the end of the input, a signal or the client's disappearance.
 * What is live then is cancelled, the first of these leaving it a second to end by itself, and has two seconds at most
 * to come to rest.
 *
 * @return the process's exit code: 2 for a bad config, 128 and its number for a signal, 1 when an `end` hook was
 *         still at work. A line on stderr explains 2 and 1 */
int host_run(struct host *host, const quash_config *config);

/** Moves bytes both ways, for a handler that stays busy. */
void host_pump(struct host *host);

/** Prints one line, `PROGRAM: WHAT: DETAIL`, on stderr and returns the exit code of bad options. */
int host_bad_option(const char *program, const char *what, const char *detail);

/** The same for what is wrong with a config. */
int host_bad_config(const char *program, const quash_fault *fault);

#endif
