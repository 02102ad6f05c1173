/* SPDX-License-Identifier: MIT */
#include "lwip_tcp.h"

#include <lwip/sys.h>
#include <lwip/timeouts.h>

#if !LWIP_TCP_KEEPALIVE
#error "lwipopts.h: LWIP_TCP_KEEPALIVE must be 1, or a client that vanishes is noticed after hours"
#endif

enum { PROBES = 3, PIECE = 0x7FFF /* fits any int */, CHAIN = 0xFFFF /* what a pbuf can count */ };

/* --- What lwIP calls */

static void forget_client(struct lwip_tcp *link)
{
	if (link->received != NULL)
		pbuf_free(link->received);
	link->received = NULL;
	link->client = NULL;
	link->shown = 0;
	link->fresh = link->half_closed = false;
}

/* lwIP has freed the pcb. */
static void on_error(void *device, err_t error)
{
	(void)error;
	forget_client(device);
}

static err_t on_received(void *device, struct tcp_pcb *client, struct pbuf *bytes, err_t error)
{
	struct lwip_tcp *const link = device;
	(void)client;
	(void)error;
	if (bytes == NULL)
		link->half_closed = true;
	else if (link->received == NULL)
		link->received = bytes;
	else if (bytes->tot_len > CHAIN - link->received->tot_len)
		return ERR_MEM; /* lwIP keeps it, and offers it again */
	else
		pbuf_cat(link->received, bytes);
	return ERR_OK;
}

static void ask_when_silent(struct tcp_pcb *client, u32_t silence)
{
	ip_set_option(client, SOF_KEEPALIVE);
	client->keep_idle = silence / 2;
	client->keep_intvl = silence / 2 / PROBES;
	client->keep_cnt = PROBES;
}

static void serve(struct lwip_tcp *link, struct tcp_pcb *client)
{
	link->client = client;
	link->fresh = true;
	link->full = false;
	tcp_arg(client, link);
	tcp_recv(client, on_received);
	tcp_err(client, on_error);
	tcp_nagle_disable(client);
	ask_when_silent(client, link->silence);
}

static err_t on_accepted(void *device, struct tcp_pcb *client, err_t error)
{
	struct lwip_tcp *const link = device;
	if (error != ERR_OK || client == NULL)
		return ERR_VAL;
	if (link->client != NULL) {
		tcp_abort(client);
		return ERR_ABRT;
	}
	serve(link, client);
	return ERR_OK;
}

/* --- Listening and closing */

err_t lwip_tcp_listen(struct lwip_tcp *link, const ip_addr_t *address, u16_t number, u32_t silence)
{
	*link = (struct lwip_tcp){ .silence = silence };
	if (silence < LWIP_TCP_LEAST_SILENCE)
		return ERR_VAL;
	struct tcp_pcb *const pcb = tcp_new_ip_type(IP_GET_TYPE(address));
	if (pcb == NULL)
		return ERR_MEM;
#if SO_REUSE
	ip_set_option(pcb, SOF_REUSEADDR); /* connections of the last run may be closing yet */
#endif
	err_t error = tcp_bind(pcb, address, number);
	if (error == ERR_OK)
		link->listener = tcp_listen_with_backlog_and_err(pcb, TCP_DEFAULT_LISTEN_BACKLOG, &error);
	if (link->listener == NULL) {
		tcp_abort(pcb);
		return error;
	}
	tcp_arg(link->listener, link);
	tcp_accept(link->listener, on_accepted);
	return ERR_OK;
}

void lwip_tcp_hang_up(struct lwip_tcp *link)
{
	struct tcp_pcb *const client = link->client;
	if (client == NULL)
		return;
	tcp_arg(client, NULL);
	tcp_recv(client, NULL);
	tcp_err(client, NULL);
	forget_client(link);
	if (tcp_close(client) != ERR_OK)
		tcp_abort(client);
}

void lwip_tcp_close(struct lwip_tcp *link)
{
	lwip_tcp_hang_up(link);
	if (link->listener != NULL)
		(void)tcp_close(link->listener); /* never fails for a listener */
	link->listener = NULL;
}

/* --- The transport contract */

/* A client that is new is another link than the one that the peer is at. */
static bool is_gone(const struct lwip_tcp *link)
{
	return link->client == NULL || link->fresh;
}

/* The piece that stands in front; those that held nothing but headers are freed with it. */
static const struct pbuf *first_piece(const struct lwip_tcp *link)
{
	const struct pbuf *piece = link->received;
	while (piece != NULL && piece->len == 0)
		piece = piece->next;
	return piece;
}

static int peek(void *device, const uint8_t **bytes)
{
	struct lwip_tcp *const link = device;
	if (is_gone(link))
		return QUASH_GONE;
	const struct pbuf *const piece = first_piece(link);
	link->ended = link->half_closed && piece == NULL;
	if (piece == NULL)
		return link->ended ? QUASH_END : 0;
	link->shown = LWIP_MIN(piece->len, PIECE);
	*bytes = piece->payload;
	return link->shown;
}

static void take(void *device, size_t n)
{
	struct lwip_tcp *const link = device;
	link->received = pbuf_free_header(link->received, (u16_t)n);
	link->shown = (u16_t)(link->shown - n);
	tcp_recved(link->client, (u16_t)n);
}

/* What fits into one segment: more would leave as several anyway, and the pump asks again. */
static u16_t room(const struct tcp_pcb *client, size_t n)
{
	u16_t count = n < PIECE ? (u16_t)n : PIECE;
	if (count > tcp_sndbuf(client))
		count = tcp_sndbuf(client);
	return count < tcp_mss(client) ? count : tcp_mss(client);
}

/* Memory may be short of what the window has room for: then less will do. */
static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	struct lwip_tcp *const link = device;
	if (is_gone(link))
		return QUASH_GONE;
	u16_t count = room(link->client, n);
	while (count > 0 && tcp_write(link->client, data, count, TCP_WRITE_FLAG_COPY) != ERR_OK)
		count /= 2;
	link->full = count == 0;
	return count;
}

/* The pump asks after its last write: what it has written leaves in segments as large as can be. */
static uint32_t now(void *device)
{
	const struct lwip_tcp *const link = device;
	if (link->client != NULL)
		(void)tcp_output(link->client); /* lwIP tries again when memory is short */
	return sys_now();
}

quash_port lwip_tcp_port(struct lwip_tcp *link)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = link };
	return port;
}

/* --- The loop */

bool lwip_tcp_has_ended(const struct lwip_tcp *link)
{
	return !is_gone(link) && link->ended;
}

static bool is_finished(const struct lwip_tcp *link, const quash_peer *peer)
{
	return lwip_tcp_has_ended(link) && quash_is_at_rest(peer);
}

void lwip_tcp_turn(struct lwip_tcp *link, quash_peer *peer)
{
	if (link->fresh) {
		link->fresh = false;
		quash_reopen(peer);
		quash_new_session(peer);
	} else if (is_finished(link, peer))
		lwip_tcp_hang_up(link);
}

/* Bytes that the peer was shown and has not taken are no reason: `quash_idle_ms` knows what they wait for. Nor are those
 * that lwIP has no room for: an acknowledgement brings some, which is a frame, or one of lwIP's timers. */
static bool must_pump(const struct lwip_tcp *link, quash_peer *peer)
{
	size_t waiting;
	(void)quash_out(peer, &waiting);
	if (quash_is_gone(peer)) /* `lwip_tcp_turn` begins the next link */
		return link->fresh;
	if (is_gone(link))
		return true;
	const bool can_write = waiting > 0 && !link->full;
	const bool ends = link->half_closed && !link->ended;
	return can_write || is_finished(link, peer) || (link->shown == 0 && (ends || first_piece(link) != NULL));
}

u32_t lwip_tcp_idle_ms(const struct lwip_tcp *link, quash_peer *peer)
{
	quash_tick(peer, sys_now());             /* the step took its time */
	const bool pump = must_pump(link, peer); /* first: it may let the next message in */
	const u32_t ms = quash_idle_ms(peer);
	return pump ? 0 : LWIP_MIN(ms, sys_timeouts_sleeptime());
}
