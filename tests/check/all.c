/* SPDX-License-Identifier: MIT
 * Runs quash_init on each config that tables have, as port/package/check/pc_check.c does on one. Prints a line each. */
#include "handlers.h"

#include "../../port/package/check/pc_check.h"

#include <stdio.h>
#include <stdlib.h>

#define PLANTED(number) extern const quash_config *const planted_##number;
#include "planted.h"
#undef PLANTED
#define PLANTED(number) &planted_##number,
static const quash_config *const *const planted[] = {
#include "planted.h"
};

/* A stub for each function that tables name. */
int32_t turn(quash_request *request) { (void)request; return QUASH_DONE; }
int32_t look(quash_request *request) { return turn(request); }
int32_t halt(quash_request *request) { return turn(request); }
int32_t hover(quash_request *request) { return turn(request); }
int32_t prompt(quash_request *request) { return turn(request); }
int32_t greet(quash_request *request) { return turn(request); }
int32_t measure(quash_request *request) { return turn(request); }
int32_t motor_off(quash_request *request) { return turn(request); }
int32_t confirmed_off(quash_request *request) { return turn(request); }
const char *suggest(const quash_request *request, quash_value typed, quash_value arguments, uint16_t index)
{
	(void)request;
	(void)typed;
	(void)arguments;
	(void)index;
	return NULL;
}
quash_group motor;
quash_peer far_side;
uint8_t planted_key[QUASH_MCP_KEY] = { 1 };

extern const char *const quash_pc_place;
const char *const quash_pc_place = "tables.c: config device";

/* all NUMBER: what the device's compiler is to compare of that one. */
int main(int argc, char **argv)
{
	if (argc > 1) {
		quash_pc_numbers(*planted[atoi(argv[1])]);
		return 0;
	}
	for (size_t i = 0; i < sizeof planted / sizeof planted[0]; i++) {
		static quash_peer peer;
		quash_fault fault;
		char line[400] = "";
		if (!quash_init(&peer, *planted[i], &fault))
			quash_fault_line(&fault, line, sizeof line);
		puts(line);
	}
	return 0;
}
