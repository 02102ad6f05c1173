/* SPDX-License-Identifier: MIT
 * A toolbox over lwIP, in real time: what comes on stdin goes over TCP to the device, and what it answers to stdout. So
 * whatever speaks with a program speaks with the port. */
#include "lwip/lwip_tcp.h"
#include "net.h"
#include "toolbox.h"

#include <errno.h>
#include <lwip/sys.h>
#include <lwip/timeouts.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SILENCE = 15000, GRACE = 1000, MTU = 576, CHUNK = 512 /* a pipe that has room takes it whole */ };

static quash_peer peer;
static struct lwip_tcp link_to_client;

static struct {
	struct tcp_pcb *pcb; /* the client's end; NULL when it has gone */
	struct pbuf *received;
	bool connected, input_ended, ended;
} client;

/* --- The client */

static void on_error(void *arg, err_t error)
{
	(void)arg;
	(void)error;
	client.pcb = NULL;
	client.ended = true;
}

static err_t on_received(void *arg, struct tcp_pcb *pcb, struct pbuf *bytes, err_t error)
{
	(void)arg;
	(void)pcb;
	(void)error;
	if (bytes == NULL)
		client.ended = true;
	else if (client.received == NULL)
		client.received = bytes;
	else
		pbuf_cat(client.received, bytes);
	return ERR_OK;
}

static err_t on_connected(void *arg, struct tcp_pcb *pcb, err_t error)
{
	(void)arg;
	(void)pcb;
	(void)error;
	client.connected = true;
	return ERR_OK;
}

static void connect_client(void)
{
	ip_addr_t device;
	IP_ADDR4(&device, 127, 0, 0, 1);
	client.pcb = tcp_new_ip_type(IPADDR_TYPE_V4);
	tcp_err(client.pcb, on_error);
	tcp_recv(client.pcb, on_received);
	tcp_nagle_disable(client.pcb);
	(void)tcp_connect(client.pcb, &device, NET_NUMBER, on_connected);
}

/* --- Descriptors */

static void end_input(void)
{
	client.input_ended = true;
	(void)tcp_shutdown(client.pcb, 0, 1);
}

static void read_input(void)
{
	uint8_t bytes[CHUNK];
	const ssize_t n = read(STDIN_FILENO, bytes, sizeof bytes);
	if (n > 0 && tcp_write(client.pcb, bytes, (u16_t)n, TCP_WRITE_FLAG_COPY) != ERR_OK)
		exit(EXIT_FAILURE); /* there was room */
	if (n > 0)
		(void)tcp_output(client.pcb);
	else if (n == 0 || errno != EINTR)
		end_input();
}

/* Nobody reads any more: the client is closed, and the device finds its requests without one. */
static void drop_client(void)
{
	if (client.pcb != NULL)
		tcp_abort(client.pcb);
	client.pcb = NULL;
	client.ended = true;
	pbuf_free(client.received);
	client.received = NULL;
}

static void write_output(void)
{
	const u16_t n = client.received->len < CHUNK ? client.received->len : CHUNK;
	const ssize_t written = n > 0 ? write(STDOUT_FILENO, client.received->payload, n) : 0;
	if (written < 0 && errno != EINTR) {
		drop_client();
		return;
	}
	if (n == 0) { /* nothing but headers */
		struct pbuf *const rest = pbuf_dechain(client.received);
		pbuf_free(client.received);
		client.received = rest;
	} else if (written > 0) {
		client.received = pbuf_free_header(client.received, (u16_t)written);
		if (client.pcb != NULL)
			tcp_recved(client.pcb, (u16_t)written);
	}
}

static bool has_room(void)
{
	return client.connected && !client.input_ended && client.pcb != NULL && tcp_sndbuf(client.pcb) >= CHUNK &&
		tcp_sndqueuelen(client.pcb) < TCP_SND_QUEUELEN / 2;
}

static void serve_descriptors(u32_t ms)
{
	struct pollfd fds[] = { { .fd = has_room() ? STDIN_FILENO : -1, .events = POLLIN },
		{ .fd = client.received != NULL ? STDOUT_FILENO : -1, .events = POLLOUT } };
	if (poll(fds, 2, (int)ms) <= 0)
		return;
	if (fds[1].revents != 0)
		write_output();
	if (fds[0].revents != 0 && client.pcb != NULL)
		read_input();
}

/* --- The device */

static void turn(const quash_port *port)
{
	(void)net_deliver();
	sys_check_timeouts();
	lwip_tcp_turn(&link_to_client, &peer);
	quash_pump(&peer, port);
	(void)quash_step(&peer);
}

/* A client that has half-closed gets its answers for a while. */
static void hang_up_in_time(void)
{
	static u32_t since;
	if (!lwip_tcp_has_ended(&link_to_client))
		since = sys_now();
	else if (sys_now() - since >= GRACE)
		lwip_tcp_hang_up(&link_to_client);
}

/* lwIP's timers end a sleep within a second. */
static u32_t rest(void)
{
	const u32_t ms = lwip_tcp_idle_ms(&link_to_client, &peer);
	return net_waits() ? 0 : LWIP_MIN(ms, 1000);
}

int main(void)
{
	const ip_addr_t any = IPADDR4_INIT(IPADDR_ANY);
	net_start(MTU);
	if (!quash_init(&peer, &toolbox_config, NULL) || lwip_tcp_listen(&link_to_client, &any, NET_NUMBER, SILENCE) != ERR_OK)
		return EXIT_FAILURE;
	const quash_port port = lwip_tcp_port(&link_to_client);
	connect_client();
	while (!client.ended || client.received != NULL) {
		turn(&port);
		hang_up_in_time();
		serve_descriptors(rest());
	}
	return EXIT_SUCCESS;
}
