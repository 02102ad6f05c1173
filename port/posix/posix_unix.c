/* SPDX-License-Identifier: MIT */
#define _POSIX_C_SOURCE 200809L
#include "posix_unix.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* 0 or an errno. */
static int address_of(const char *path, struct sockaddr_un *address)
{
	const size_t length = strlen(path);
	memset(address, 0, sizeof *address);
	if (length == 0)
		return ENOENT; /* Linux would choose a name without a file */
	if (length >= sizeof address->sun_path)
		return ENAMETOOLONG;
	address->sun_family = AF_UNIX;
	memcpy(address->sun_path, path, length);
	return 0;
}

static int connect_to(struct posix_socket *socket, const struct sockaddr_un *address)
{
	const int fd = posix_socket_open_(AF_UNIX);
	if (fd < 0)
		return errno;
	return posix_socket_connect_(socket, fd, (const struct sockaddr *)address, sizeof *address);
}

int posix_unix_connect(struct posix_socket *socket, const char *path)
{
	struct sockaddr_un address;
	socket->stdio.in = socket->stdio.out = -1;
	const int error = address_of(path, &address);
	return error != 0 ? error : connect_to(socket, &address);
}

/* A socket whose program has gone. */
static bool is_left_behind(const struct sockaddr_un *address)
{
	struct stat file;
	if (lstat(address->sun_path, &file) != 0 || !S_ISSOCK(file.st_mode))
		return false;
	const int fd = posix_socket_open_(AF_UNIX);
	const bool refused = connect(fd, (const struct sockaddr *)address, sizeof *address) != 0 && errno == ECONNREFUSED;
	if (fd >= 0)
		close(fd);
	return refused;
}

static bool bind_to(int fd, const struct sockaddr_un *address)
{
	const struct sockaddr *const any = (const struct sockaddr *)address;
	if (bind(fd, any, sizeof *address) == 0)
		return true;
	if (errno != EADDRINUSE)
		return false;
	if (is_left_behind(address) && unlink(address->sun_path) == 0)
		return bind(fd, any, sizeof *address) == 0;
	errno = EADDRINUSE;
	return false;
}

/* No client can connect before `listen`, so none can be faster than the mode. */
static int open_to_us(struct posix_unix *server, int fd)
{
	struct stat file;
	const char *const path = server->address.sun_path;
	if (chmod(path, S_IRUSR | S_IWUSR) != 0 || lstat(path, &file) != 0 || listen(fd, SOMAXCONN) != 0) {
		const int error = posix_socket_fail_(fd);
		unlink(path);
		return error;
	}
	server->device = file.st_dev;
	server->file = file.st_ino;
	server->listener.fd = fd;
	return 0;
}

int posix_unix_listen(struct posix_unix *server, const char *path)
{
	server->listener.fd = -1;
	const int error = address_of(path, &server->address);
	if (error != 0)
		return error;
	const int fd = posix_socket_open_(AF_UNIX);
	if (fd < 0)
		return errno;
	return bind_to(fd, &server->address) ? open_to_us(server, fd) : posix_socket_fail_(fd);
}

void posix_unix_stop(struct posix_unix *server)
{
	struct stat file;
	const char *const path = server->address.sun_path;
	if (server->listener.fd < 0)
		return;
	if (lstat(path, &file) == 0 && file.st_dev == server->device && file.st_ino == server->file)
		unlink(path);
	posix_listener_close(&server->listener);
}
