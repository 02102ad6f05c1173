/* SPDX-License-Identifier: MIT
 * A peer whose config has wrong storage or a wrong dialect: whatever is called, nothing is taken, nothing
 * leaves, and it stays so. Nothing that its config names is there to be read. */
#include "any.h"
#include "quash.h"

enum { CHUNK = 4 };

static quash_dialect dialect;
static quash_request slot;
static quash_peer peer;
static quash_call call;

static int peek(void *device, const uint8_t **bytes)
{
	static uint8_t input[CHUNK];
	(void)device;
	*bytes = input;
	return Frama_C_interval(QUASH_LOST, CHUNK);
}

static void take(void *device, size_t n)
{
	(void)device;
	/*@ assert n == 0; */
	(void)n;
}

static int write_some(void *device, const uint8_t *bytes, size_t n)
{
	(void)device;
	(void)bytes;
	/*@ assert n == 0; */
	(void)n;
	return QUASH_GONE;
}

static uint32_t any_time(void *device)
{
	(void)device;
	return any_uint();
}

static void receive(void)
{
	static const uint8_t data[CHUNK];
	const size_t taken = quash_feed(&peer, data, any_size(CHUNK));
	/*@ assert taken == 0; */
	(void)taken;
}

static void transmit(void)
{
	size_t n;
	(void)quash_out(&peer, &n);
	/*@ assert n == 0; */
	quash_sent(&peer, n);
}

static void notify(void)
{
	quash_writer *const w = quash_notify(&peer, "note");
	quash_put_object(w);
	quash_put_bool(w, any_bool());
	quash_put_int(w, (int32_t)any_uint());
	quash_put_null(w);
	quash_put_quote_open(w);
	quash_put_quote_close(w);
	quash_put_end(w);
	(void)quash_notify_send(&peer);
	(void)quash_notify_fits(&peer);
}

static void pump(void)
{
	static const quash_port port = { peek, take, write_some, any_time, NULL };
	quash_pump(&peer, &port);
}

static void link(void)
{
	switch (Frama_C_interval(0, 5)) {
	case 0: quash_input_end(&peer); break;
	case 1: quash_gone(&peer); break;
	case 2: quash_reopen(&peer); break;
	case 3: quash_new_session(&peer); break;
	case 4: quash_end_leases(&peer); break;
	default: quash_lost(&peer); break;
	}
}

static void look(void)
{
	quash_live live = { 0 };
	const bool found = quash_next_live(&peer, &live);
	/*@ assert found == 0; */
	(void)found;
	(void)quash_is_at_rest(&peer);
	(void)quash_idle_ms(&peer);
	(void)quash_live_count(&peer);
	(void)quash_call_count(&peer);
	(void)quash_now(&peer);
	(void)quash_call_in_use(&call);
	(void)quash_call_has_ended(&call);
	(void)quash_call_outcome(&call);
	(void)quash_call_cancel_id(&peer, any_uint());
	quash_call_ids_from(&peer, any_uint());
	(void)quash_counters_of(&peer);
	(void)quash_context(&peer);
}

static void begin_call(void)
{
	(void)quash_call_start(&peer, &call);
	quash_call_cancel(&call);
	(void)quash_call_release(&call);
}

static void do_anything(void)
{
	switch (Frama_C_interval(0, 8)) {
	case 0: receive(); break;
	case 1: transmit(); break;
	case 2: quash_tick(&peer, any_uint()); break;
	case 3: notify(); break;
	case 4: link(); break;
	case 5: look(); break;
	case 6: pump(); break;
	case 7: begin_call(); break;
	default: quash_cancel_all(&peer); break;
	}
}

/* One member is right: what it names must not be read either. */
static const quash_config *any_config(void)
{
	static quash_config config;
	config.dialect = any_bool() ? &dialect : NULL;
	config.slots = any_bool() ? &slot : NULL;
	config.slot_count = any_byte();
	config.method_count = any_byte();
	config.calls = &quash_calls;
	return &config;
}

int main(void)
{
	quash_fault fault;
	const bool begun = quash_init(&peer, any_config(), any_bool() ? &fault : NULL);
	/*@ assert begun == 0; */
	(void)begun;
	call.method = "ask";
	while (any_bool()) {
		if (any_bool())
			(void)quash_step(&peer);
		else
			do_anything();
		const bool gone = quash_is_gone(&peer);
		/*@ assert gone == 1; */
		(void)gone;
	}
	return 0;
}
