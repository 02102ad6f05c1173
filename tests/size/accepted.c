/* SPDX-License-Identifier: MIT
 * Whether quash_init accepts the config of a program, which is included before this and whose main is `endless`. */
#undef main
#include <stdio.h>

int main(void)
{
	static quash_peer peer;
	static quash_fault fault;
	char line[200];
	if (quash_init(&peer, &device, &fault))
		return 0;
	(void)quash_fault_line(&fault, line, sizeof line);
	fputs(line, stderr);
	return 1;
}
