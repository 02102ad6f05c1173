/* SPDX-License-Identifier: MIT
 * An example of boards/apps/examples on stdin and stdout. `kill -USR1` presses its button. */
#include "posix/posix_system.h"

#include <signal.h>

#include "examples/pins.h"
#include "posix/posix_serve.h"
#include "program.h"

static void note_signal(int number)
{
	(void)number;
	pins_button();
}

int main(void)
{
	struct sigaction action = { .sa_handler = note_signal };
	uint32_t seed;
	sigaction(SIGUSR1, &action, NULL);
	if (posix_system_random(&seed, sizeof seed))
		pins_seed(seed);
	return posix_stdio_serve(firmware_config);
}
