/* SPDX-License-Identifier: MIT
 * The device of the tests: a toolbox behind the port, and the loop that serves it. Its time passes only when it sleeps. */
#ifndef TESTS_LWIP_NEAR_H
#define TESTS_LWIP_NEAR_H

#include "lwip/lwip_tcp.h"
#include "far.h"

enum { NEAR_SILENCE = 12000 };

struct near {
	struct lwip_tcp link;
	quash_peer peer;
	quash_counters counters;
	quash_port port;
	u32_t ms;              /* the time */
	bool strict;           /* it hangs up on clients that have half-closed */
	size_t blocks;         /* of memory that lwIP used before */
	unsigned started, flagged; /* events of the trace */
	unsigned sleeps;
};

extern struct near near;

/* A device anew, which listens, with packets of at most so many bytes: a toolbox, or with another config. */
void near_start(u16_t mtu);
void near_start_with(u16_t mtu, const quash_config *config);

/* It serves for so many milliseconds. It sleeps for as long as the port says, and a packet wakes it. The test fails when it
 * finds no sleep. */
void near_run(u32_t ms);

/* A client says it, with ' for ", and the device serves for so long. */
void near_say(struct far *f, const char *text, u32_t ms);

/* A client is answered so within milliseconds; in both texts ' stands for ". */
#define SERVED(f, message, expected) near_served((f), (message), (expected), __FILE__, __LINE__)
void near_served(struct far *f, const char *message, const char *expected, const char *file, int line);

/* The network goes on, the device does not: a handler that blocks. */
void near_stand_still(u32_t ms);

/* Everything that was asked is over, the connections too; then: each slot was given back, and lwIP has its memory back. */
void near_stop(void);

#endif
