/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "bridge_clock.h"
#include "bridge_output.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

static FILE *file;
static uint32_t begun;

static void write_built(struct builder *made)
{
	char *const text = build_end(made);
	if (text != NULL)
		fwrite(text, 1, made->length, file);
	else
		fputs("# a line is not here: out of memory\n", file);
	heap_free(&heap_standard, text);
}

int record_open(const char *path, const char *protocol)
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
	begun = bridge_clock();
	struct builder made = build_begin(&heap_standard);
	record_put_head(&made, protocol);
	write_built(&made);
	return 0;
}

void record_write(const char *device, enum record_way way, const char *text, size_t length)
{
	if (file == NULL)
		return;
	struct builder made = build_begin(&heap_standard);
	const struct record_entry entry = { (uint32_t)(bridge_clock() - begun), way, span_of(device), { text, length } };
	record_put(&made, &entry);
	write_built(&made);
}

void record_flush(void)
{
	if (file != NULL)
		fflush(file);
}
