/* SPDX-License-Identifier: MIT */
#include "far.h"

#include "unit.h"

static void on_error(void *arg, err_t error)
{
	struct far *const f = arg;
	(void)error;
	f->pcb = NULL;
	f->reset = true;
}

static void keep(struct far *f, const struct pbuf *bytes)
{
	assert_true(f->length + bytes->tot_len < sizeof f->received);
	f->length += pbuf_copy_partial(bytes, f->received + f->length, bytes->tot_len, 0);
	f->received[f->length] = '\0';
}

static err_t on_received(void *arg, struct tcp_pcb *pcb, struct pbuf *bytes, err_t error)
{
	struct far *const f = arg;
	(void)error;
	if (bytes == NULL) {
		f->ended = true;
		return ERR_OK;
	}
	keep(f, bytes);
	if (f->reads)
		tcp_recved(pcb, bytes->tot_len);
	else
		f->withheld += bytes->tot_len;
	pbuf_free(bytes);
	return ERR_OK;
}

static err_t on_sent(void *arg, struct tcp_pcb *pcb, u16_t length)
{
	(void)pcb;
	(void)length;
	far_push(arg);
	return ERR_OK;
}

static err_t on_poll(void *arg, struct tcp_pcb *pcb)
{
	(void)pcb;
	far_push(arg);
	return ERR_OK;
}

static err_t on_connected(void *arg, struct tcp_pcb *pcb, err_t error)
{
	struct far *const f = arg;
	(void)error;
	f->connected = true;
	if (f->window > 0)
		net_narrow(pcb, f->window);
	far_push(f);
	return ERR_OK;
}

void far_connect(struct far *f, u16_t window)
{
	ip_addr_t device;
	IP_ADDR4(&device, 127, 0, 0, 1);
	f->connected = f->ended = f->reset = false;
	f->reads = true;
	f->window = window;
	f->withheld = f->length = f->sent = f->size = 0;
	f->received[0] = '\0';
	f->pcb = tcp_new_ip_type(IPADDR_TYPE_V4);
	assert_non_null(f->pcb);
	tcp_arg(f->pcb, f);
	tcp_err(f->pcb, on_error);
	tcp_recv(f->pcb, on_received);
	tcp_sent(f->pcb, on_sent);
	tcp_poll(f->pcb, on_poll, 1);
	tcp_nagle_disable(f->pcb);
	assert_int_equal(tcp_connect(f->pcb, &device, NET_NUMBER, on_connected), ERR_OK);
	f->number = f->pcb->local_port;
}

/* A segment at a time: lwIP takes all of what it is given, or nothing. */
static bool push_segment(struct far *f)
{
	size_t n = f->size - f->sent;
	if (n > tcp_sndbuf(f->pcb))
		n = tcp_sndbuf(f->pcb);
	if (n > tcp_mss(f->pcb))
		n = tcp_mss(f->pcb);
	if (n == 0 || tcp_write(f->pcb, f->sending + f->sent, (u16_t)n, TCP_WRITE_FLAG_COPY) != ERR_OK)
		return false;
	f->sent += n;
	return true;
}

void far_push(struct far *f)
{
	if (f->pcb == NULL || !f->connected)
		return;
	while (push_segment(f))
		;
	tcp_output(f->pcb);
}

void far_send(struct far *f, const void *bytes, size_t n)
{
	assert_true(f->size + n <= sizeof f->sending);
	memcpy(f->sending + f->size, bytes, n);
	f->size += n;
	far_push(f);
}

static void quote(char *to, const char *text)
{
	do
		*to++ = *text == '\'' ? '"' : *text;
	while (*text++ != '\0');
}

void far_say(struct far *f, const char *text)
{
	const size_t n = strlen(text);
	assert_true(f->size + n < sizeof f->sending);
	quote(f->sending + f->size, text);
	f->size += n;
	far_push(f);
}

void far_answered(struct far *f, const char *expected, const char *file, int line)
{
	static char quoted[FAR_ROOM];
	assert_true(strlen(expected) < sizeof quoted);
	quote(quoted, expected);
	_assert_string_equal(f->received, quoted, file, line);
	far_forget(f);
}

void far_forget(struct far *f)
{
	f->length = 0;
	f->received[0] = '\0';
}

void far_read(struct far *f)
{
	f->reads = true;
	while (f->withheld > 0) {
		const u16_t n = f->withheld < 0xFFFF ? (u16_t)f->withheld : 0xFFFF;
		f->withheld -= n;
		tcp_recved(f->pcb, n);
	}
}

void far_half_close(struct far *f)
{
	assert_int_equal(f->sent, f->size);
	assert_int_equal(tcp_shutdown(f->pcb, 0, 1), ERR_OK);
}

static struct tcp_pcb *let_go(struct far *f)
{
	struct tcp_pcb *const pcb = f->pcb;
	f->pcb = NULL;
	if (pcb != NULL) {
		tcp_arg(pcb, NULL);
		tcp_err(pcb, NULL);
		tcp_recv(pcb, NULL);
		tcp_sent(pcb, NULL);
		tcp_poll(pcb, NULL, 0);
	}
	return pcb;
}

void far_close(struct far *f)
{
	struct tcp_pcb *const pcb = let_go(f);
	if (pcb != NULL)
		assert_int_equal(tcp_close(pcb), ERR_OK);
}

void far_reset(struct far *f)
{
	struct tcp_pcb *const pcb = let_go(f);
	if (pcb != NULL)
		tcp_abort(pcb);
}

/* It is aborted for its memory; its reset is on the wire, and gets lost. */
void far_vanish(struct far *f)
{
	net.cut = f->number;
	far_reset(f);
}
