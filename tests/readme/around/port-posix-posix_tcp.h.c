/* SPDX-License-Identifier: MIT
 * The surroundings of the code of port/posix/posix_tcp.h. */
#include "posix/posix_tcp.h"
#include "quash.h"

static int serve(void)
{
	quash_port port = { .device = NULL };
#define DOTS_1 if (error != 0) return error;
#include BLOCK
	return port.peek == NULL;
}
