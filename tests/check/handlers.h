/* SPDX-License-Identifier: MIT
 * What planted table files name, and no other file defines: handlers, and what is in RAM. */
#ifndef HANDLERS_H
#define HANDLERS_H

#include "quash.h"

struct turning {
	int32_t steps, done;
	char way[8];
	int32_t list[3];
	uint8_t listed;
	uint8_t mode;
	double speed;
};
struct confirmed {
	quash_mcp_confirming confirming;
	int32_t steps;
};

quash_handler turn, look, halt, hover, prompt, greet, measure;
int32_t motor_off(quash_request *request);
int32_t confirmed_off(quash_request *request);
const char *suggest(const quash_request *request, quash_value typed, quash_value arguments, uint16_t index);
extern quash_group motor;
extern quash_peer far_side;

#endif
