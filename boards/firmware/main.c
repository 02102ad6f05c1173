/* SPDX-License-Identifier: MIT
 * The loop of every firmware. A config that is refused answers each request with what is wrong, or makes the LED blink. A stack
 * that was too small stops the program. */
#include "board.h"
#include "firmware.h"
#include "guard.h"
#include "port_serve.h"

enum { BLINK_MS = 128 };

static quash_peer peer;
static quash_port port;

/* FIRMWARE_CHECKED: a program on the host checks the same config. */
#ifdef FIRMWARE_CHECKED
static bool start(void)
{
#ifdef QUASH_THE_CONFIG
	quash_start_with_(&peer, quash_the_config_());
#else
	quash_start_with_(&peer, firmware_config);
#endif
	return true;
}
#else
static quash_fault fault; /* for a debugger: what is wrong with the config */

static bool start(void)
{
	return quash_init(&peer, firmware_config, &fault) || !quash_is_gone(&peer);
}
#endif

void firmware_pump(void)
{
	quash_pump(&peer, &port);
}

static void blink(void)
{
	while (guard_holds())
		board_led((port.now(port.device) & BLINK_MS) != 0);
}

/* Bytes that the peer has left in the port wait for a step, or for its output: quash_idle_ms is 0 if a step helps. */
static bool rest(uint32_t ms)
{
	board_sleep(ms);
	return guard_holds();
}

QUASH_NOINLINE static void serve(void)
{
	port_serve(&peer, &port, rest);
}

int main(void)
{
	guard_set();
	port = board_start();
	if (start())
		serve();
	else
		blink();
	return 1;
}
