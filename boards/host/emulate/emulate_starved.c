/* SPDX-License-Identifier: MIT */
#include "posix/posix_system.h"

#include "emulate_starved.h"

#include <dirent.h>
#include <inttypes.h>
#include <stdio.h>

/* The second number is what we want. */
static int64_t of_thread(pid_t pid, const char *thread)
{
	char path[300];
	int64_t waited = 0;
	snprintf(path, sizeof path, POSIX_SYSTEM_PROCESSES "/%ld/task/%s/schedstat", (long)pid, thread);
	FILE *const file = fopen(path, "re");
	if (file == NULL)
		return 0;
	if (fscanf(file, "%*s %" SCNd64, &waited) != 1)
		waited = 0;
	fclose(file);
	return waited;
}

int64_t emulate_starved(pid_t pid)
{
	char path[64];
	int64_t longest = 0;
	snprintf(path, sizeof path, POSIX_SYSTEM_PROCESSES "/%ld/task", (long)pid);
	DIR *const threads = opendir(path);
	if (threads == NULL)
		return 0;
	for (const struct dirent *thread; (thread = readdir(threads)) != NULL;) {
		const int64_t waited = thread->d_name[0] != '.' ? of_thread(pid, thread->d_name) : 0;
		longest = waited > longest ? waited : longest;
	}
	closedir(threads);
	return longest;
}
