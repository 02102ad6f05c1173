/* SPDX-License-Identifier: MIT */
#define _GNU_SOURCE 1
#include "descriptors.h"

#include <fcntl.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "unit.h"

int count_descriptors(void)
{
	int count = 0;
	for (int fd = 0; fd < 256; fd++) {
		if (fcntl(fd, F_GETFD) >= 0)
			count++;
	}
	return count;
}

int port_read(const quash_port *port, void *data, size_t n)
{
	const uint8_t *bytes;
	const int shown = port->peek(port->device, &bytes);
	if (shown <= 0)
		return shown;
	const size_t taken = (size_t)shown < n ? (size_t)shown : n;
	memcpy(data, bytes, taken);
	port->take(port->device, taken);
	return (int)taken;
}

bool read_on(int fd, char *text, size_t size)
{
	struct pollfd poll_for = { .fd = fd, .events = POLLIN };
	const size_t length = strlen(text);
	if (poll(&poll_for, 1, LOOK_MS) <= 0)
		return true;
	const ssize_t n = read(fd, text + length, size - 1 - length);
	text[length + (n > 0 ? (size_t)n : 0)] = '\0';
	return n > 0;
}

void read_until(const char *words, int fd, char *text, size_t size)
{
	while (strstr(text, words) == NULL) {
		if (!read_on(fd, text, size))
			fail_msg("waited in vain for %s, there is %s", words, text);
	}
}

int open_board(char *path, size_t size)
{
	const int board = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
	if (board < 0 || grantpt(board) != 0 || unlockpt(board) != 0)
		return -1;
	snprintf(path, size, "%s", ptsname(board));
	return board;
}
