/* SPDX-License-Identifier: MIT
 * mover LOG [DEFECT]: the motor on stdin and stdout of a program on the host. It is observed in LOG, a file that has been
 * made by log_make. DEFECT is the number of an enum mover_defect. */
#define _GNU_SOURCE 1
#include "log.h"
#include "main.h"
#include "mover.h"

#include <stdlib.h>
#include <sys/prctl.h>
#include <unistd.h>

static struct log *observed;

void mover_note(enum mover_note what, uint32_t now)
{
	log_add(observed, what, now);
}

/* The linker puts it in the place of gather_port. */
quash_port __real_gather_port(struct gather *g);
quash_port __wrap_gather_port(struct gather *g);

quash_port __wrap_gather_port(struct gather *g)
{
	return mover_watch(__real_gather_port(g));
}

int main(int argc, char **argv)
{
	static struct host host = { .name = "mover" };
	observed = argc > 1 ? log_open(argv[1]) : NULL;
	if (observed == NULL)
		return arguments_refuse(host.name, NULL, "no log: mover LOG [DEFECT]");
	mover_plant(argc > 2 ? (enum mover_defect)atoi(argv[2]) : MOVER_SOUND);
	prctl(PR_SET_TIMERSLACK, 1); /* it sleeps as long as it wants to */
	observed->pid = getpid();
	const int code = host_run(&host, &mover_config);
	observed->pid = 0;
	return code;
}
