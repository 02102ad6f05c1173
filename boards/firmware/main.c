/* SPDX-License-Identifier: MIT
 * The loop of every firmware. A config that is refused answers each request with what is wrong. One that can answer nothing says it in a
 * line on the UART, again and again, and the LED blinks. A stack that was too small stops the program. */
#include "board.h"
#include "firmware.h"
#include "guard.h"
#include "port_serve.h"

enum { BLINK_MS = 128, LINE_SIZE = 80, AGAIN_MS = 1000 };

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

static void explain(void)
{
}
#else
static quash_fault fault; /* for a debugger, too */

static bool start(void)
{
	return quash_init(&peer, firmware_config, &fault) || !quash_is_gone(&peer);
}

__attribute__((weak)) size_t firmware_words(const quash_fault *what, char *to, size_t size)
{
	return quash_fault_line(what, to, size);
}

static void explain(void)
{
	uint8_t line[LINE_SIZE];
	const size_t length = firmware_words(&fault, (char *)line, sizeof line);
	uint32_t begun = port.now(port.device);
	line[length] = '\n'; /* in place of the NUL */
	for (size_t at = 0; guard_holds();) {
		const uint32_t now = port.now(port.device);
		const int taken = at <= length ? port.write(port.device, line + at, length + 1 - at) : 0;
		board_led((now & BLINK_MS) != 0);
		at += taken > 0 ? (size_t)taken : 0;
		if (at > length && now - begun >= AGAIN_MS) {
			begun = now;
			at = 0;
		}
	}
}
#endif

void firmware_pump(void)
{
	quash_pump(&peer, &port);
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
		explain();
	return 1;
}
