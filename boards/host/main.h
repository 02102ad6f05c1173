/* SPDX-License-Identifier: MIT
 * What the host's programs share: a peer on stdin and stdout, and the loop that serves it. */
#ifndef HOST_MAIN_H
#define HOST_MAIN_H

#include "posix/posix_stdio.h"

struct host {
	quash_peer peer;
	struct posix_stdio stdio;
	quash_port port;
	bool (*stops)(void);    /* the program is to end now; or NULL */
	int (*exit_code)(void); /* at the end; or NULL: 0 */
};

/** Makes the peer ready. NULL, or the name of the config's wrong member. Before it, nothing is touched. */
const char *host_init(struct host *host, const quash_config *config);

/** Serves stdin and stdout until the end of the input, a signal or the client's disappearance. What is live then is
 * cancelled, the first of these leaving it a second to end by itself, and has two seconds at most to let go. Returns the
 * process's exit code. */
int host_run(struct host *host);

/** Moves bytes both ways, for a handler that stays busy. */
void host_pump(struct host *host);

/** Prints one line, `PROGRAM: WHAT: DETAIL`, on stderr and returns the exit code of bad options. */
int host_bad_option(const char *program, const char *what, const char *detail);

#endif
