/* SPDX-License-Identifier: MIT
 * gallery: an MCP server on stdin and stdout. It takes no options. */
#include "gallery.h"
#include "main.h"

int main(void)
{
	static struct host host;
	const char *wrong = host_init(&host, &gallery_config);
	if (wrong != NULL)
		return host_bad_option("gallery", "bad config", wrong);
	return host_run(&host);
}
