/* SPDX-License-Identifier: MIT
 * The toolbox in one unit with the library, which is compiled for its config alone. So its sizes cannot be chosen. */
#include "main.h"
#include "toolbox.c"

int main(void)
{
	static struct host host = { .name = "toolbox" };
	return host_run(&host, &toolbox_config);
}

#include "quash.c"
