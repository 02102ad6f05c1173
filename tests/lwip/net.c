/* SPDX-License-Identifier: MIT */
#include "net.h"

#include <lwip/init.h>
#include <lwip/ip.h>
#include <lwip/mem.h>
#include <lwip/netif.h>
#include <lwip/priv/tcp_priv.h>

#include <stdlib.h>
#include <string.h>

enum { WAITING = 4096, BYTES = 1500 };

struct packet {
	u16_t length;
	uint8_t bytes[BYTES];
};

struct net net;

static struct netif lo;
static struct packet wire[WAITING]; /* from `first` on, around */
static unsigned first, count;
static size_t blocks;

/* --- In the place of lwIP's own */

/* The linker gives both of these their names: --wrap=tcp_write. */
err_t __real_tcp_write(struct tcp_pcb *pcb, const void *bytes, u16_t n, u8_t flags);
err_t __wrap_tcp_write(struct tcp_pcb *pcb, const void *bytes, u16_t n, u8_t flags);

err_t __wrap_tcp_write(struct tcp_pcb *pcb, const void *bytes, u16_t n, u8_t flags)
{
	return net.longest > 0 && n > net.longest ? ERR_MEM : __real_tcp_write(pcb, bytes, n, flags);
}

void *mem_malloc(mem_size_t size)
{
	if (net.deny > 0 && size > net.deny)
		return NULL;
	void *const block = malloc(size);
	blocks += block != NULL;
	return block;
}

void mem_free(void *block)
{
	blocks -= block != NULL;
	free(block);
}

/* --- The wire */

struct ports {
	u16_t from, to;
	size_t data; /* where that begins */
};

static struct ports ports_of(const struct packet *packet)
{
	const size_t ip = (size_t)(packet->bytes[0] & 15) * 4;
	const uint8_t *const tcp = packet->bytes + ip;
	const struct ports ports = { (u16_t)(tcp[0] << 8 | tcp[1]), (u16_t)(tcp[2] << 8 | tcp[3]), ip + (size_t)(tcp[12] >> 4) * 4 };
	return ports;
}

/* --- Narrow windows */

void net_narrow(struct tcp_pcb *pcb, u16_t window)
{
	pcb->rcv_wnd = pcb->rcv_ann_wnd = window;
	pcb->rcv_ann_right_edge = pcb->rcv_nxt + window;
}

static void store16(uint8_t *bytes, uint32_t value)
{
	bytes[0] = (uint8_t)(value >> 8);
	bytes[1] = (uint8_t)value;
}

/* The device's first packet promises no more; its checksum follows. */
static void announce(struct packet *packet, u16_t window)
{
	uint8_t *const tcp = packet->bytes + (size_t)(packet->bytes[0] & 15) * 4;
	const uint32_t old = (uint32_t)(tcp[14] << 8 | tcp[15]);
	uint32_t sum = (uint16_t) ~(tcp[16] << 8 | tcp[17]);
	sum += (uint16_t)~old + (uint32_t)window;
	sum = (sum & 0xFFFF) + (sum >> 16);
	sum = (sum & 0xFFFF) + (sum >> 16);
	store16(tcp + 14, window);
	store16(tcp + 16, ~sum);
}

static void narrow_new_one(void)
{
	for (struct tcp_pcb *pcb = tcp_active_pcbs; pcb != NULL; pcb = pcb->next) {
		if (pcb->local_port == NET_NUMBER && pcb->state == SYN_RCVD)
			net_narrow(pcb, net.window);
	}
}

/* --- Delivering */

static struct pbuf *copied(const uint8_t *bytes, size_t length)
{
	struct pbuf *const p = pbuf_alloc(PBUF_RAW, (u16_t)length, PBUF_RAM);
	if (p != NULL)
		memcpy(p->payload, bytes, length);
	return p;
}

/* The headers in one pbuf, then the data in pieces, made from the last on; NULL without memory. */
static struct pbuf *in_pieces(const struct packet *packet, size_t data, unsigned piece)
{
	struct pbuf *chain = NULL;
	size_t end = packet->length;
	while (end > 0) {
		const size_t rest = end > data ? (end - data) % piece : 0;
		const size_t length = end == data ? data : rest > 0 ? rest : piece;
		struct pbuf *const p = copied(packet->bytes + end - length, length);
		if (p == NULL) {
			if (chain != NULL)
				pbuf_free(chain);
			return NULL;
		}
		if (chain != NULL)
			pbuf_cat(p, chain);
		chain = p;
		end -= length;
	}
	return chain;
}

static void note_place(const struct pbuf *p)
{
	while (p->next != NULL)
		p = p->next;
	net.begin = p->payload;
	net.end = net.begin + p->len;
}

static void arrive(const struct packet *packet)
{
	const struct ports ports = ports_of(packet);
	const bool lost = net.cut != 0 && (ports.from == net.cut || ports.to == net.cut);
	const bool to_device = ports.to == NET_NUMBER;
	net.packets += !lost && !to_device && packet->length > ports.data;
	if (lost)
		return;
	struct pbuf *const p = to_device && net.piece > 0 ? in_pieces(packet, ports.data, net.piece)
							  : copied(packet->bytes, packet->length);
	if (p == NULL)
		return;
	if (to_device)
		note_place(p);
	if (lo.input(p, &lo) != ERR_OK)
		pbuf_free(p);
	if (net.window > 0)
		narrow_new_one();
}

static bool is_first_of_device(const struct packet *packet)
{
	const uint8_t *const tcp = packet->bytes + (size_t)(packet->bytes[0] & 15) * 4;
	return ports_of(packet).from == NET_NUMBER && (tcp[13] & TCP_SYN) != 0;
}

/* In the place of lwIP's own. A wire that is full loses packets, as networks do. */
err_t netif_loop_output(struct netif *netif, struct pbuf *p)
{
	(void)netif;
	if (count == WAITING || p->tot_len > BYTES)
		return ERR_MEM;
	struct packet *const packet = &wire[(first + count++) % WAITING];
	packet->length = pbuf_copy_partial(p, packet->bytes, p->tot_len, 0);
	if (net.window > 0 && is_first_of_device(packet))
		announce(packet, net.window);
	return ERR_OK;
}

bool net_waits(void)
{
	return count > 0;
}

bool net_deliver(void)
{
	const unsigned now = count;
	for (unsigned i = 0; i < now; i++) {
		const struct packet packet = wire[first];
		first = (first + 1) % WAITING;
		count--;
		arrive(&packet);
	}
	return now > 0;
}

size_t net_blocks(void)
{
	return blocks;
}

static err_t start_lo(struct netif *netif)
{
	netif->name[0] = 'l';
	netif->name[1] = 'o';
	return ERR_OK;
}

void net_start(u16_t mtu)
{
	static bool started;
	ip4_addr_t address, mask;
	if (!started) {
		IP4_ADDR(&address, 127, 0, 0, 1);
		IP4_ADDR(&mask, 255, 0, 0, 0);
		lwip_init();
		netif_add(&lo, &address, &mask, &address, NULL, start_lo, ip_input);
		netif_set_default(&lo);
		netif_set_up(&lo);
		netif_set_link_up(&lo);
	}
	started = true;
	lo.mtu = mtu;
	net = (struct net){ .piece = 0 };
}
