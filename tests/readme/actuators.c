/* SPDX-License-Identifier: MIT
 * The lift of docs/actuators.md, and its fan. Each step of its handler takes the lift as far as its speed is. */
#include "conversation.h"

static int32_t position;

static int32_t lift_position(void)
{
	return position;
}

static bool lift_at_switch(void)
{
	return position > 350;
}

static void lift_drive(int32_t speed)
{
	position += speed;
	printf("-- speed %d\n", (int)speed);
}

static void drive(const char *what, bool on)
{
	printf("-- %s %s\n", what, on ? "on" : "off");
}

#include "actuators_page.h"

int main(int argc, char **argv)
{
	(void)argv;
	return converse(argc > 1 ? &fan_config : &config);
}
