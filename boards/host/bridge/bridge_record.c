/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_record.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *file;
static uint32_t (*clock_ms)(void);
static uint32_t begun;

int record_open(const char *path, const char *protocol, uint32_t (*now)(void))
{
	const int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, S_IRUSR | S_IWUSR);
	if (fd < 0)
		return errno;
	fchmod(fd, S_IRUSR | S_IWUSR); /* one that was there may have been open to all */
	file = fdopen(fd, "w");
	if (file == NULL) {
		const int error = errno;
		close(fd);
		return error;
	}
	clock_ms = now;
	begun = now();
	fprintf(file, "# quash-bridge record 1 %s\n", protocol);
	return 0;
}

bool record_is_open(void)
{
	return file != NULL;
}

void record_line(const char *device, enum record_way way, const char *text, size_t length)
{
	if (file == NULL)
		return;
	fprintf(file, "%lu %s %c%s", (unsigned long)(uint32_t)(clock_ms() - begun), device, way, length > 0 ? " " : "");
	for (size_t i = 0; i < length; i++)
		putc(text[i] == '\n' || text[i] == '\r' ? ' ' : text[i], file);
	putc('\n', file);
}

void record_flush(void)
{
	if (file != NULL)
		fflush(file);
}
