/* SPDX-License-Identifier: MIT
 * Calls that are asked, cancelled, released, asked again, by handlers, callbacks and the program, in any order.
 * For a harness that has `peer`, `put_anything`, `read_params` and `do_anything`. */
#ifndef QUASH_PROOF_CALLS_H
#define QUASH_PROOF_CALLS_H

static quash_call calls[CALLS];

static void put_params(quash_writer *w, const quash_call *call)
{
	put_anything(w, quash_answer(call));
}

static void look_at_call(quash_call *call)
{
	(void)quash_call_outcome(call);
	(void)quash_call_code(call);
	(void)quash_call_count(&peer);
	(void)quash_asked(call);
	if (quash_answered(call))
		read_params(quash_answer(call));
}

static void end_call(quash_call *call)
{
	switch (Frama_C_interval(0, 4)) {
	case 0: quash_call_cancel(call); break;
	case 1: (void)quash_call_cancel_id(&peer, any_uint()); break;
	case 2: quash_cancel_parent(call); break;
	case 3: quash_call_let_go(call); break;
	default: (void)quash_call_release(call); break;
	}
}

static int32_t told(quash_call *call, quash_value answer);

/* Its caller may only change what is not in use. */
static void prepare(quash_call *call)
{
	if (quash_call_in_use(call))
		return;
	call->put = any_bool() ? put_params : NULL;
	call->done = any_bool() ? told : NULL;
	call->deadline = any_uint();
	call->marks = any_byte();
}

static void use_call(quash_request *parent)
{
	quash_call *call = &calls[any_size(CALLS - 1)];
	switch (Frama_C_interval(0, 4)) {
	case 0: prepare(call); break;
	case 1: (void)quash_ask(&peer, call); break;
	case 2:
		if (parent != NULL)
			(void)quash_ask_for(parent, &peer, call);
		break;
	case 3: end_call(call); break;
	default: look_at_call(call); break;
	}
}

static int32_t told(quash_call *call, quash_value answer)
{
	read_params(answer);
	(void)quash_ask(&peer, call);
	while (any_bool())
		do_anything();
	return any_int();
}

/* Looked at while they are fresh, then each is asked for the first time. */
static void begin_calls(void)
{
	/*@ loop unroll CALLS; */
	for (int i = 0; i < CALLS; i++) {
		(void)quash_call_in_use(&calls[i]);
		look_at_call(&calls[i]);
		end_call(&calls[i]);
		calls[i].method = i == 0 ? "initialize" : "ask";
		prepare(&calls[i]);
		(void)quash_ask(&peer, &calls[i]);
	}
}

#endif
