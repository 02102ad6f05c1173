/* SPDX-License-Identifier: MIT
 * A dispenser of pills: a gate lets one fall at a time, and a beam of light sees it. No pill falls twice for one call, however
 * often its answer is asked for. A pill that falls is counted before anything else happens. A cancel, a client that is gone and
 * the longest time close the gate: then no further one falls. What has fallen is known to `stock` all the same.
 *
 * This is no emergency stop, and no medical device. */
#include "pins.h"
#include "program.h"
#include "quash.h"

enum { LONGEST_MS = 20000, LEASE_MS = 2000, OPEN_MS = 30, PAUSE_MS = 20 };

static int32_t dispensed; /* since the start */

/* --- dispense */

struct dispense {
	int32_t count;
	int32_t fallen;
	bool open;
};

static const quash_param dispense_list[] = { QUASH_ARG_INT(struct dispense, count, 1, 20, "how many pills") };
static const quash_params dispense_params = QUASH_PARAMS(struct dispense, dispense_list);

static void put_dispensed(quash_writer *w, const quash_request *request)
{
	const struct dispense *const d = QUASH_CONST_TOOL(struct dispense, request);
	quash_put_string_open(w);
	quash_put_string_part(w, "dispensed ", 10);
	quash_put_string_int(w, d->fallen);
	quash_put_string_part(w, " of ", 4);
	quash_put_string_int(w, d->count);
	quash_put_string_close(w);
}

/* The pill falls as the gate opens: it is counted at once, before a cancel can come between. */
static int32_t open_gate(quash_request *request, struct dispense *d)
{
	pin_write(PIN_GATE, true);
	d->open = true;
	if (!pin_read(PIN_BEAM))
		return quash_mcp_failure_put(request, put_dispensed); /* the magazine is empty */
	d->fallen++;
	dispensed++;
	return quash_wait(request, OPEN_MS);
}

static int32_t dispense(quash_request *request)
{
	struct dispense *const d = QUASH_TOOL(struct dispense, request);
	if (d->open) {
		pin_write(PIN_GATE, false);
		d->open = false;
		quash_mcp_progress(request, (uint32_t)d->fallen, (uint32_t)d->count, NULL);
		return quash_wait(request, PAUSE_MS);
	}
	return d->fallen == d->count ? quash_mcp_reply(request, put_dispensed) : open_gate(request, d);
}

/* On every way out. */
static int32_t dispense_end(quash_request *request)
{
	(void)request;
	pin_write(PIN_GATE, false);
	return QUASH_DONE;
}

/* --- stock */

struct stock {
	int32_t dispensed, left;
	bool open;
};

static const quash_param stock_list[] = {
	QUASH_ARG_INT(struct stock, dispensed, 0, INT32_MAX, "pills that have fallen since the start"),
	QUASH_ARG_INT(struct stock, left, 0, INT32_MAX, "pills in the magazine, by its scale"),
	QUASH_ARG_BOOL(struct stock, open, "whether the gate is open"),
};
static const quash_params stock_result = QUASH_PARAMS(struct stock, stock_list);
static const quash_params stock_params = QUASH_NO_PARAMS(struct stock);

static int32_t stock(quash_request *request)
{
	struct stock *const s = QUASH_TOOL(struct stock, request);
	s->dispensed = dispensed;
	s->left = pins_scale();
	s->open = pin_read(PIN_GATE);
	return quash_mcp_struct(request);
}

/* --- The server */

static quash_group one_gate;
static const quash_mcp_tool tools[] = {
	{ .name = "dispense",
	  .description = "Lets pills fall into the tray, one by one; a cancel stops it before the next one",
	  .args = &dispense_params,
	  .call = dispense,
	  .end = dispense_end,
	  .busy = "it dispenses",
	  .deadline = LONGEST_MS,
	  .lease = LEASE_MS,
	  .group = &one_gate,
	  .marks = QUASH_DROPS },
	{ .name = "stock",
	  .description = "How many pills have fallen, and how many are left",
	  .args = &stock_params,
	  .output = &stock_result,
	  .call = stock,
	  .hints = QUASH_MCP_READ_ONLY },
};
union state {
	struct dispense dispense;
	struct stock stock;
};
QUASH_MCP_DEVICE(device, tools, sizeof(union state), .name = "dispenser", .version = "1.0");

const quash_config *const firmware_config = &device;
