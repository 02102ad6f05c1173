/* SPDX-License-Identifier: MIT
 * gallery: an MCP server on stdin and stdout. It takes no options. */
#include "gallery.h"
#include "main.h"

int main(void)
{
	static struct host host = { .name = "gallery" };
	return host_run(&host, &gallery_config);
}
