/* SPDX-License-Identifier: MIT
 * The lift of docs/actuators.md. Each step of its handler takes it as far as its speed is. */
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

#include "actuators_page.h"

int main(void)
{
	return converse(&config);
}
