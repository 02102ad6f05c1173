/* SPDX-License-Identifier: MIT
 * conformance [--slots N] [--arena N] [--tx N]: the conformance server on stdin and stdout. */
#include "conformance.h"
#include "main.h"

int main(int argc, char **argv)
{
	static struct host host = { .name = "conformance" };
	static quash_config config;
	struct sizes sizes = sizes_of(&conformance_config);
	const struct argument_table tables[] = { { sizes_arguments, SIZES_ARGUMENTS, &sizes } };
	if (arguments_read(host.name, tables, 1, argc, argv) != argc)
		return ARGUMENTS_BAD;
	config = conformance_config;
	sizes_provide(host.name, &sizes, &config);
	return host_run(&host, &config);
}
