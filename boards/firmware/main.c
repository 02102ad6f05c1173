/* SPDX-License-Identifier: MIT
 * The loop of every firmware. A config that is refused and a stack that was too small end in a device that says nothing:
 * the tests see it. */
#include "board.h"
#include "firmware.h"
#include "guard.h"

static quash_peer peer;
static quash_port port;

void firmware_pump(void)
{
	quash_pump(&peer, &port);
}

int main(void)
{
	guard_set();
	if (quash_init(&peer, firmware_config) != NULL)
		return 1;
	port = board_start(&peer);
	while (guard_holds()) {
		quash_pump(&peer, &port);
		quash_step(&peer);
		board_sleep(quash_idle_ms(&peer));
	}
	return 1;
}
