/* SPDX-License-Identifier: MIT
 * STUB: no header of ESP-IDF. It states what port/esp-idf and its examples use of lwIP's BSD sockets. On the host those of POSIX stand in for them, so that they can be compiled, and
 * tried over fake.c, where there is no ESP-IDF. Names, types and parameters are those of ESP-IDF 5. */
#ifndef STATED_SOCKETS_H
#define STATED_SOCKETS_H

#if defined __linux__
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#else
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#define AF_INET       2
#define SOCK_STREAM   1
#define SOL_SOCKET    0xfff
#define SO_REUSEADDR  0x0004
#define SO_KEEPALIVE  0x0008
#define IPPROTO_TCP   6
#define TCP_NODELAY   0x01
#define TCP_KEEPIDLE  0x03
#define TCP_KEEPINTVL 0x04
#define TCP_KEEPCNT   0x05
#define MSG_DONTWAIT  0x08
#define MSG_NOSIGNAL  0x20

typedef uint32_t socklen_t;
typedef uint8_t sa_family_t;
typedef uint16_t in_port_t;
typedef uint32_t in_addr_t;

struct in_addr {
	in_addr_t s_addr;
};

struct sockaddr {
	uint8_t sa_len;
	sa_family_t sa_family;
	char sa_data[14];
};

struct sockaddr_in {
	uint8_t sin_len;
	sa_family_t sin_family;
	in_port_t sin_port;
	struct in_addr sin_addr;
	char sin_zero[8];
};

int socket(int domain, int type, int protocol);
int bind(int s, const struct sockaddr *name, socklen_t namelen);
int listen(int s, int backlog);
int accept(int s, struct sockaddr *addr, socklen_t *addrlen);
int getsockname(int s, struct sockaddr *name, socklen_t *namelen);
int setsockopt(int s, int level, int optname, const void *opval, socklen_t optlen);
ssize_t recv(int s, void *mem, size_t len, int flags);
ssize_t send(int s, const void *dataptr, size_t size, int flags);
int inet_pton(int af, const char *src, void *dst);
uint16_t htons(uint16_t n);
uint16_t ntohs(uint16_t n);
#endif

#endif
