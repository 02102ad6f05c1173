/* SPDX-License-Identifier: MIT
 * An example of boards/apps/examples on stdin and stdout. */
#include "posix/posix_serve.h"
#include "program.h"

int main(void)
{
	return posix_stdio_serve(firmware_config);
}
