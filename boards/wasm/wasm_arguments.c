/* SPDX-License-Identifier: MIT
 * What the reader of the command line asks of the system. */
#include "device_arguments.h"
#include "wasm_host.h"

#include <string.h>

bool device_is_address(const char *host)
{
	return shell_is_address(host, strlen(host)) != 0;
}

/* The line says whether it can be so fast. */
bool device_knows_rate(uint32_t baud)
{
	return baud != 0;
}
