/* SPDX-License-Identifier: MIT
 * What serves stdin and stdout, and the clients of a listener: a peer, its link, and how far the end is. */
#ifndef POSIX_SERVE_INNER_H
#define POSIX_SERVE_INNER_H

#ifndef _POSIX_C_SOURCE
#define _POSIX_C_SOURCE 200809L /* struct sigaction */
#endif
#include "posix_parent.h"
#include "posix_serve.h"

#include <signal.h>

enum posix_phase {
	SERVING,
	ENDING,  /* the input has ended: what has no lease may end by itself */
	STOPPED, /* everything is cancelled, also what is received from now on */
	LEFT     /* only those are waited for that have an `end` hook */
};

struct posix_serving {
	quash_peer peer; /* first: posix_serve_pump is given this one */
	struct posix_stdio *stdio;
	quash_port port;
	const struct posix_serve *how;
	enum posix_phase phase;
	uint32_t since;
	struct posix_parent parent; /* of a listener: nothing is watched */
	struct sigaction pipes; /* what SIGPIPE did */
	bool refused;           /* the config is */
};

/* Checks the config and takes signals over. A refused config is served if it can be. POSIX_SERVED, or why nothing is served; then
 * nothing is taken over. */
int posix_serving_begin(struct posix_serving *s, const quash_config *config, const struct posix_serve *how);

/* Serves a link that is open, until everything has come to rest after its end or a signal. */
void posix_serving_run(struct posix_serving *s, struct posix_stdio *stdio, quash_port port);

/* Gives signals back. Returns the exit code. */
int posix_serving_end(struct posix_serving *s);

#endif
