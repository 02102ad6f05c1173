/* SPDX-License-Identifier: MIT */
#include "quash_pico.h"

#include "usb/usb_tinyusb.h"

#include <hardware/sync.h>
#include <pico/time.h>
#include <tusb.h>

static port_usb_tinyusb usb;

void tud_cdc_line_state_cb(uint8_t itf, bool dtr, bool rts)
{
	(void)rts;
	port_usb_tinyusb_line_state(&usb, itf, dtr);
}

static uint32_t now(void)
{
	return to_ms_since_boot(get_absolute_time());
}

/* An interrupt or the other core that comes before the sleep ends it at once: WFE remembers. */
static bool rest(uint32_t ms)
{
	if (ms == UINT32_MAX)
		__wfe();
	else if (ms > 0)
		(void)best_effort_wfe_or_timeout(make_timeout_time_ms(ms));
	tud_task();
	return true;
}

void quash_pico_serve(quash_peer *peer)
{
	port_usb_tinyusb_start(&usb, 0, peer, now);
	(void)tusb_init();
	port_usb_serve(&usb.usb, rest);
}

void quash_pico_pump(void)
{
	tud_task();
	port_usb_pump(&usb.usb);
}

void quash_pico_cancel(quash_handle handle)
{
	quash_cancel_async(handle);
	__sev();
}

void quash_pico_wake(quash_request *request)
{
	quash_wake(request);
	__sev();
}
