/* SPDX-License-Identifier: MIT
 * A fake of the USB-Serial-JTAG and its driver, over stdin and stdout. As there, a ring that is full drops whole packets without a
 * report, a write takes all or nothing, and a packet in the hardware outlives the driver. Bytes of stdin are events, see below.
 * The program ends with stdin. */
#define _GNU_SOURCE 1
#include "fake.h"

#include "stated/driver/usb_serial_jtag.h"
#include "stated/freertos/FreeRTOS.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

enum {
	PULLED = 0x19,  /* the cable */
	PLUGGED = 0x1A,
	DEAF = 0x1C,    /* the host does not read */
	HEARING = 0x1D,
	BLINK = 0x1E,   /* the driver misses the host a few times */
	SCARCE = 0x1F   /* the driver finds no memory once */
};

enum { PACKET = 64, RING = 65536, PACKET_US = 50, BLINKS = 3 };

static struct {
	pthread_mutex_t lock;
	pthread_cond_t changed;
	unsigned char received[RING], sent[RING], fifo[PACKET];
	size_t received_count, sent_count, fifo_count, rx_size, tx_size;
	unsigned misses;
	bool installed, started, pulled, deaf, scarce;
} usb = { .lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER };

/* --- The host */

static void happen(unsigned char event)
{
	usb.pulled = (usb.pulled && event != PLUGGED) || event == PULLED;
	usb.deaf = (usb.deaf && event != HEARING) || event == DEAF;
	usb.scarce = usb.scarce || event == SCARCE;
	usb.misses = event == BLINK ? BLINKS : usb.misses;
	fprintf(stderr, "usb event %02x\n", event);
}

static void receive(const unsigned char *bytes, size_t n)
{
	if (usb.pulled || !usb.installed)
		return;
	if (usb.rx_size - usb.received_count < n) {
		fprintf(stderr, "usb drops\n");
		return;
	}
	memcpy(usb.received + usb.received_count, bytes, n);
	usb.received_count += n;
}

static size_t receive_around(const unsigned char *bytes, size_t n)
{
	size_t plain = 0;
	while (plain < n && (bytes[plain] < PULLED || bytes[plain] > SCARCE))
		plain++;
	if (plain > 0)
		receive(bytes, plain);
	else
		happen(bytes[0]);
	return plain > 0 ? plain : 1;
}

static void *receiver(void *nothing)
{
	unsigned char bytes[PACKET];
	ssize_t n;
	while ((n = read(0, bytes, sizeof bytes)) > 0) {
		pthread_mutex_lock(&usb.lock);
		for (size_t at = 0; at < (size_t)n;)
			at += receive_around(bytes + at, (size_t)n - at);
		pthread_cond_broadcast(&usb.changed);
		pthread_mutex_unlock(&usb.lock);
		usleep(PACKET_US);
	}
	usleep(200000);
	exit(0);
	return nothing;
}

static void fill_fifo(void)
{
	usb.fifo_count = usb.sent_count < PACKET ? usb.sent_count : PACKET;
	memcpy(usb.fifo, usb.sent, usb.fifo_count);
	usb.sent_count -= usb.fifo_count;
	memmove(usb.sent, usb.sent + usb.fifo_count, usb.sent_count);
}

static void *transmitter(void *nothing)
{
	pthread_mutex_lock(&usb.lock);
	for (;;) {
		if (usb.fifo_count == 0)
			fill_fifo();
		if (usb.fifo_count == 0 || usb.pulled || usb.deaf) {
			pthread_cond_wait(&usb.changed, &usb.lock);
			continue;
		}
		if (write(1, usb.fifo, usb.fifo_count) != (ssize_t)usb.fifo_count)
			exit(0);
		usb.fifo_count = 0;
	}
	return nothing;
}

/* --- The driver */

static void start(void)
{
	if (!usb.started) {
		fake_thread(receiver, NULL);
		fake_thread(transmitter, NULL);
	}
	usb.started = true;
}

bool fake_usb_reads(void)
{
	pthread_mutex_lock(&usb.lock);
	const bool reads = usb.started;
	pthread_mutex_unlock(&usb.lock);
	return reads;
}

esp_err_t usb_serial_jtag_driver_install(usb_serial_jtag_driver_config_t *config)
{
	pthread_mutex_lock(&usb.lock);
	const bool can = !usb.installed && config->rx_buffer_size > PACKET && config->rx_buffer_size <= RING &&
		config->tx_buffer_size > 0 && config->tx_buffer_size <= RING && !usb.scarce;
	usb.scarce = false;
	usb.installed = usb.installed || can;
	usb.rx_size = config->rx_buffer_size;
	usb.tx_size = config->tx_buffer_size;
	if (can)
		start();
	else
		fprintf(stderr, "usb not installed\n");
	pthread_mutex_unlock(&usb.lock);
	return can ? ESP_OK : ESP_FAIL;
}

esp_err_t usb_serial_jtag_driver_uninstall(void)
{
	pthread_mutex_lock(&usb.lock);
	usb.received_count = usb.sent_count = 0;
	usb.installed = false;
	pthread_mutex_unlock(&usb.lock);
	return ESP_OK;
}

static struct timespec after(uint32_t ticks)
{
	struct timespec until;
	clock_gettime(CLOCK_REALTIME, &until);
	until.tv_nsec += (long)ticks * (1000000000 / configTICK_RATE_HZ);
	until.tv_sec += until.tv_nsec / 1000000000;
	until.tv_nsec %= 1000000000;
	return until;
}

int usb_serial_jtag_read_bytes(void *buf, uint32_t length, uint32_t ticks)
{
	const struct timespec until = after(ticks);
	pthread_mutex_lock(&usb.lock);
	if (!usb.installed)
		fake_fail("a read without a driver");
	while (usb.received_count == 0 && ticks > 0)
		if (pthread_cond_timedwait(&usb.changed, &usb.lock, &until) != 0)
			break;
	const size_t n = usb.received_count < length ? usb.received_count : length;
	memcpy(buf, usb.received, n);
	usb.received_count -= n;
	memmove(usb.received, usb.received + n, usb.received_count);
	pthread_mutex_unlock(&usb.lock);
	return (int)n;
}

int usb_serial_jtag_write_bytes(const void *src, size_t size, uint32_t ticks)
{
	pthread_mutex_lock(&usb.lock);
	if (ticks != 0 || size == 0 || !usb.installed)
		fake_fail("a write that waits, or of nothing, or without a driver");
	const bool fits = size <= usb.tx_size - usb.sent_count;
	if (fits)
		memcpy(usb.sent + usb.sent_count, src, size);
	usb.sent_count += fits ? size : 0;
	pthread_cond_broadcast(&usb.changed);
	pthread_mutex_unlock(&usb.lock);
	return fits ? (int)size : 0;
}

bool usb_serial_jtag_is_connected(void)
{
	pthread_mutex_lock(&usb.lock);
	const bool missed = usb.misses > 0;
	usb.misses -= missed ? 1 : 0;
	const bool connected = !usb.pulled && !missed;
	pthread_mutex_unlock(&usb.lock);
	return connected;
}
