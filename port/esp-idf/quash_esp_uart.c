/* SPDX-License-Identifier: MIT */
#include "quash_esp_uart.h"

#include "quash_esp_time.h"

enum { RTS_AT = 122, BITS_A_BYTE = 10, ROOM = 64, MS_A_SECOND = 1000 };

/* --- Events of the driver */

static bool is_gap(const uart_event_t *event)
{
	return event->type == UART_FIFO_OVF || event->type == UART_FRAME_ERR || event->type == UART_PARITY_ERR;
}

/* What finds no room in the queue the driver does not report: it may have been a gap. What waited at first and what waits
 * after it may have stood there together. */
static void note_events(quash_esp_uart *u)
{
	uart_event_t event;
	const UBaseType_t count = uxQueueMessagesWaiting(u->events);
	for (UBaseType_t left = count; left > 0; left--) {
		if (xQueueReceive(u->events, &event, 0) == pdTRUE)
			u->lost = u->lost || is_gap(&event);
	}
	u->lost = u->lost || (count > 0 && count >= uxQueueSpacesAvailable(u->events));
}

/* --- The contract */

/* The driver reports a gap before it receives what is after it. So with no report after the read, none is among these. */
static void fetch(quash_esp_uart *u)
{
	const int n = uart_read_bytes(u->number, u->chunk, sizeof u->chunk, 0);
	note_events(u);
	u->from = 0;
	u->to = n > 0 && !u->lost ? (size_t)n : 0;
}

static int pass_gap(quash_esp_uart *u)
{
	(void)uart_flush_input(u->number);
	u->lost = false;
	return QUASH_LOST;
}

static int peek(void *device, const uint8_t **bytes)
{
	quash_esp_uart *const u = device;
	if (u->from == u->to && !u->lost)
		fetch(u);
	if (u->from == u->to && u->lost)
		return pass_gap(u);
	*bytes = u->chunk + u->from;
	return (int)(u->to - u->from);
}

static void take(void *device, size_t n)
{
	quash_esp_uart *const u = device;
	u->from += n;
}

static int write_bytes(void *device, const uint8_t *data, size_t n)
{
	quash_esp_uart *const u = device;
	const int taken = uart_tx_chars(u->number, (const char *)data, (uint32_t)n);
	const size_t count = taken > 0 ? (size_t)taken : 0;
	u->full = count < n;
	return (int)count;
}

static uint32_t now(void *device)
{
	(void)device;
	return quash_esp_ms();
}

quash_port quash_esp_uart_port(quash_esp_uart *u)
{
	const quash_port port = { .peek = peek, .take = take, .write = write_bytes, .now = now, .device = u };
	return port;
}

/* --- Starting */

static uart_hw_flowcontrol_t flow_of(const quash_esp_uart_choice *choice)
{
	const bool rts = choice->rts != UART_PIN_NO_CHANGE;
	const bool cts = choice->cts != UART_PIN_NO_CHANGE;
	if (rts && cts)
		return UART_HW_FLOWCTRL_CTS_RTS;
	if (rts)
		return UART_HW_FLOWCTRL_RTS;
	return cts ? UART_HW_FLOWCTRL_CTS : UART_HW_FLOWCTRL_DISABLE;
}

static esp_err_t set_line(const quash_esp_uart_choice *choice)
{
	const uart_config_t config = {
		.baud_rate = choice->baud,
		.data_bits = UART_DATA_8_BITS,
		.parity = UART_PARITY_DISABLE,
		.stop_bits = UART_STOP_BITS_1,
		.flow_ctrl = flow_of(choice),
		.rx_flow_ctrl_thresh = RTS_AT,
		.source_clk = UART_SCLK_DEFAULT,
	};
	const esp_err_t error = uart_param_config(choice->number, &config);
	if (error != ESP_OK)
		return error;
	return uart_set_pin(choice->number, choice->tx, choice->rx, choice->rts, choice->cts);
}

static void begin(quash_esp_uart *u, quash_peer *peer, const quash_esp_uart_choice *choice)
{
	static const quash_esp_uart fresh = { .peer = NULL };
	*u = fresh;
	u->peer = peer;
	u->number = choice->number;
	u->rest = choice->rest;
}

/* Without a ring to transmit the driver never waits in `uart_tx_chars`; with one it does, when the ring is full. */
esp_err_t quash_esp_uart_start(quash_esp_uart *u, quash_peer *peer, const quash_esp_uart_choice *choice)
{
	begin(u, peer, choice);
	esp_err_t error = uart_driver_install(choice->number, choice->rx_size, 0, choice->events, &u->events, 0);
	if (error != ESP_OK)
		return error;
	error = set_line(choice);
	if (error != ESP_OK)
		(void)uart_driver_delete(u->number);
	else
		u->room_ms = (uint32_t)(ROOM * BITS_A_BYTE * MS_A_SECOND) / (uint32_t)choice->baud + 1;
	return error;
}

/* --- The task */

/* Bytes that the peer was shown and has not taken are none: `quash_idle_ms` knows what they wait for. */
static bool has_news(const quash_esp_uart *u)
{
	size_t received = 0;
	if (u->from < u->to)
		return false;
	(void)uart_get_buffered_data_len(u->number, &received);
	return u->lost || received > 0;
}

/* The driver does not report room in the FIFO, so a task that waits for it looks again after a while. */
static uint32_t nap(const quash_esp_uart *u)
{
	const bool has_output = rtos_has_output(u->peer);
	if (has_output && !u->full)
		return 0;
	const uint32_t ms = rtos_nap(u->peer, has_news(u), u->rest);
	return has_output && ms > u->room_ms ? u->room_ms : ms;
}

/* Until there is something to pump or to step. */
static void sleep_until_due(quash_esp_uart *u)
{
	uart_event_t event;
	quash_tick(u->peer, quash_esp_ms()); /* the step took its time */
	note_events(u);
	const TickType_t ticks = quash_esp_ticks(nap(u));
	if (ticks > 0)
		(void)xQueuePeek(u->events, &event, ticks); /* it stays: `note_events` sees how full the queue has become */
	u->full = false;
}

void quash_esp_uart_serve(quash_esp_uart *u)
{
	const quash_port port = quash_esp_uart_port(u);
	for (;;) {
		quash_pump(u->peer, &port);
		(void)quash_step(u->peer);
		sleep_until_due(u);
	}
}

/* --- Elsewhere. An event that waits has the owner look at everything: a further one would only fill the queue. */

static const uart_event_t call = { .type = UART_EVENT_MAX };

static void call_owner(const quash_esp_uart *u)
{
	if (uxQueueMessagesWaiting(u->events) == 0)
		(void)xQueueSend(u->events, &call, 0);
}

static void call_owner_from_isr(const quash_esp_uart *u, BaseType_t *woken)
{
	if (uxQueueMessagesWaitingFromISR(u->events) == 0)
		(void)xQueueSendFromISR(u->events, &call, woken);
}

void quash_esp_uart_cancel(const quash_esp_uart *u, quash_handle handle)
{
	quash_cancel_async(handle);
	call_owner(u);
}

void quash_esp_uart_wake(const quash_esp_uart *u, quash_request *request)
{
	quash_wake(request);
	call_owner(u);
}

void quash_esp_uart_cancel_from_isr(const quash_esp_uart *u, quash_handle handle, BaseType_t *woken)
{
	quash_cancel_async(handle);
	call_owner_from_isr(u, woken);
}

void quash_esp_uart_wake_from_isr(const quash_esp_uart *u, quash_request *request, BaseType_t *woken)
{
	quash_wake(request);
	call_owner_from_isr(u, woken);
}
