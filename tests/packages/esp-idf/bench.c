/* SPDX-License-Identifier: MIT
 * In place of the UART example's server: what the tests want of the ports. `busy` stays inside and pumps, `stall` does not; `hold` ends when another
 * task has cancelled or woken it; `counts` are the peer's. Over the UART, or over TCP or the USB-Serial-JTAG if the
 * environment has BENCH_TCP or BENCH_USB; with BENCH_RING and BENCH_LATE the driver's ring is large. */
#include "quash_esp_config.h"
#include "quash_esp_tcp.h"
#include "quash_esp_uart.h"
#include "quash_esp_usb.h"
#include "tools.h"

#include <esp_log.h>
#include <esp_vfs_eventfd.h>
#include <freertos/task.h>
#include <stdlib.h>
#include <unistd.h>

static quash_peer peer;
static quash_esp_uart uart;
static quash_esp_tcp tcp;
static quash_esp_usb usb;
static quash_port port;
static quash_handle held;

static bool over_tcp, over_usb;

static int32_t busy(quash_request *request)
{
	for (;;) {
		if (over_usb)
			quash_esp_usb_pump(&usb);
		else
			quash_pump(&peer, &port);
		if (quash_cancelled(request))
			return QUASH_CANCELLED;
	}
}

/* Neither pumps nor returns. */
static int32_t stall(quash_request *request)
{
	usleep(500000);
	return quash_reply_bool(request, true);
}

static int32_t stall_in_silence(quash_request *request)
{
	(void)request;
	usleep(500000);
	return QUASH_DONE;
}

static void put_params(quash_writer *w, const quash_request *request)
{
	quash_put_value(w, quash_params_of(request));
}

static int32_t echo(quash_request *request)
{
	return quash_reply(request, put_params);
}

/* --- What another task ends */

static void pause_a_while(void)
{
	usleep(100000);
}

static void cancel_held(void *from_isr)
{
	BaseType_t woken = pdFALSE;
	pause_a_while();
	if (over_usb)
		quash_cancel_async(held);
	else if (over_tcp)
		quash_esp_tcp_cancel(&tcp, held);
	else if (from_isr != NULL)
		quash_esp_uart_cancel_from_isr(&uart, held, &woken);
	else
		quash_esp_uart_cancel(&uart, held);
	vTaskDelete(NULL);
}

static void wake_held(void *from_isr)
{
	BaseType_t woken = pdFALSE;
	pause_a_while();
	if (over_usb)
		quash_wake(held.request);
	else if (over_tcp)
		quash_esp_tcp_wake(&tcp, held.request);
	else if (from_isr != NULL)
		quash_esp_uart_wake_from_isr(&uart, held.request, &woken);
	else
		quash_esp_uart_wake(&uart, held.request);
	vTaskDelete(NULL);
}

static bool has(quash_value value, const char *member)
{
	return quash_kind_of(quash_get(value, member)) != QUASH_NONE;
}

static int32_t hold(quash_request *request)
{
	bool *const begun = QUASH_STATE(bool, request);
	const quash_value how = quash_params_of(request);
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	if (*begun)
		return quash_reply_text(request, "woken");
	*begun = true;
	held = quash_handle_of(request);
	xTaskCreate(has(how, "wake") ? wake_held : cancel_held, "other", 4096,
		has(how, "isr") ? &peer : NULL, 1, NULL);
	return quash_wait(request, 3600000);
}

static void put_counts(quash_writer *w, const quash_request *request)
{
	(void)request;
	quash_put_object(w);
	quash_put_key(w, "lost");
	quash_put_uint(w, quash_counters_of(&peer)->lost);
	quash_put_key(w, "junk");
	quash_put_uint(w, quash_counters_of(&peer)->parse_errors + quash_counters_of(&peer)->invalid);
	quash_put_end(w);
}

static int32_t counts(quash_request *request)
{
	return quash_reply(request, put_counts);
}

static const quash_method methods[] = {
	{ .name = "busy", .handler = busy },
	{ .name = "stall", .handler = stall },
	{ .name = "stall_in_silence", .handler = stall_in_silence, .marks = QUASH_NOTIFICATION },
	{ .name = "echo", .handler = echo },
	{ .name = "hold", .handler = hold, .state_size = sizeof(bool) },
	{ .name = "counts", .handler = counts },
};
QUASH_ESP_STORAGE(bench_store, sizeof(bool));
static const quash_config bench_config = { QUASH_CONFIG(bench_store, &quash_acp, methods) };

static void serve(void *unused)
{
	quash_esp_uart_choice uart_choice = QUASH_ESP_UART_CHOICE;
	static const quash_esp_tcp_choice tcp_choice = QUASH_ESP_TCP_CHOICE;
	static const quash_esp_usb_choice usb_choice = QUASH_ESP_USB_CHOICE;
	(void)unused;
	over_tcp = getenv("BENCH_TCP") != NULL;
	over_usb = getenv("BENCH_USB") != NULL;
	if (over_usb) {
		ESP_ERROR_CHECK(quash_esp_usb_start(&usb, &peer, &usb_choice));
		quash_esp_usb_serve(&usb);
	}
	if (getenv("BENCH_RING") != NULL || getenv("BENCH_LATE") != NULL)
		uart_choice.rx_size = 16384;
	if (getenv("BENCH_NO_BAUD") != NULL)
		uart_choice.baud = 0;
	port = over_tcp ? quash_esp_tcp_port(&tcp) : quash_esp_uart_port(&uart);
	if (!over_tcp) {
		ESP_ERROR_CHECK(quash_esp_uart_start(&uart, &peer, &uart_choice));
		quash_esp_uart_serve(&uart);
	}
	ESP_ERROR_CHECK(quash_esp_tcp_start(&tcp, &peer, &tcp_choice));
	ESP_LOGI("bench", "listens at %s:%u", tcp_choice.address, (unsigned)quash_esp_tcp_number(&tcp));
	quash_esp_tcp_serve(&tcp);
}

void app_main(void)
{
	const esp_vfs_eventfd_config_t events = ESP_VFS_EVENTD_CONFIG_DEFAULT();
	ESP_ERROR_CHECK(esp_vfs_eventfd_register(&events));
	ESP_ERROR_CHECK(quash_init(&peer, &bench_config, NULL) ? ESP_OK : ESP_FAIL);
	xTaskCreate(serve, "quash", CONFIG_EXAMPLE_TASK_STACK, NULL, CONFIG_EXAMPLE_TASK_PRIORITY, NULL);
}
