/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "host_ports.h"

#include "builder.h"
#include "device_arguments.h"

#include <dirent.h>
#include <stdio.h>

/* --- Files of Linux */

bool host_ports_in(struct ports *ports, const char *folder)
{
	DIR *const all = opendir(folder);
	if (all == NULL)
		return false;
	for (const struct dirent *entry; (entry = readdir(all)) != NULL;)
		ports_add_from(ports, folder, entry->d_name);
	closedir(all);
	return true;
}

/* --- What macOS prints */

static void ask_ioreg(struct ports *ports)
{
	struct builder text = build_begin(&heap_standard);
	char piece[4096];
	FILE *const shown = popen("{ ioreg -r -l -w 0 -c IOUSBHostDevice; ioreg -r -l -w 0 -c IOSerialBSDClient; } 2>/dev/null", "r");
	if (shown == NULL)
		return;
	for (size_t n; (n = fread(piece, 1, sizeof piece, shown)) > 0;)
		build_bytes(&text, piece, n);
	pclose(shown);
	if (text.length > 0)
		ports_read(ports, text.text, text.length);
	heap_free(&heap_standard, build_end(&text));
}

void device_ports(struct ports *ports)
{
	ports->count = 0;
	if (!host_ports_in(ports, POSIX_SYSTEM_PORTS))
		ask_ioreg(ports);
	ports_sort(ports);
}
