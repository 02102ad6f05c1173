/* SPDX-License-Identifier: MIT
 * Calls that are started, cancelled, released, started again, by handlers, callbacks and the program, in any order.
 * For a harness that has `peer`, `read_params` and `be_busy`. */
#ifndef QUASH_PROOF_CALLS_H
#define QUASH_PROOF_CALLS_H

static quash_call calls[CALLS];

static void put_params(quash_writer *w, const quash_call *call)
{
	quash_put_value(w, quash_call_answer(call));
	quash_put_text(w, call->method);
}

static void look_at_call(quash_call *call)
{
	(void)quash_call_in_use(call);
	(void)quash_call_outcome(call);
	(void)quash_call_code(call);
	(void)quash_call_count(&peer);
	if (quash_call_has_ended(call))
		read_params(quash_call_answer(call));
}

static void end_call(quash_call *call)
{
	switch (Frama_C_interval(0, 4)) {
	case 0: quash_call_cancel(call); break;
	case 1: (void)quash_call_cancel_id(&peer, any_uint()); break;
	case 2: quash_call_cancel_parent(call); break;
	case 3: quash_call_let_go(call); break;
	default: (void)quash_call_release(call); break;
	}
}

static int32_t call_ended(quash_call *call);

/* Its caller may only change what is not in use. */
static void prepare(quash_call *call)
{
	if (quash_call_in_use(call))
		return;
	call->put = any_bool() ? put_params : NULL;
	call->done = any_bool() ? call_ended : NULL;
	call->deadline = any_uint();
	call->marks = any_byte();
}

/* For any request, live or not. */
static void use_call(void)
{
	quash_request *parent = &slots[any_size(SLOTS - 1)];
	quash_call *call = &calls[any_size(CALLS - 1)];
	switch (Frama_C_interval(0, 4)) {
	case 0: prepare(call); break;
	case 1: (void)quash_call_start(&peer, call); break;
	case 2: (void)quash_call_start_for(parent, &peer, call); break;
	case 3: end_call(call); break;
	default: look_at_call(call); break;
	}
}

static int32_t call_ended(quash_call *call)
{
	read_params(quash_call_answer(call));
	be_busy();
	return any_int();
}

/* One is looked at while it is fresh, started under a short name and cancelled; then all is forgotten. */
static void try_call(void)
{
	look_at_call(&calls[0]);
	end_call(&calls[0]);
	calls[0].method = "ask";
	(void)quash_call_start(&peer, &calls[0]);
	quash_call_cancel(&calls[0]);
	calls[0] = (quash_call){ .method = NULL };
	start();
}

static quash_call *any_call(void)
{
	return any_bool() ? &calls[any_size(CALLS - 1)] : NULL;
}

/* In use or not, somebody's child or nobody's, listed with any others. */
static void be_any_call(quash_call *call)
{
	call->state = (uint8_t)Frama_C_interval(0, 2);
	call->flags = any_byte();
	call->outcome = (uint8_t)Frama_C_interval(QUASH_CALL_OPEN, QUASH_CALL_UNWRITTEN);
	call->parent = any_bool() ? &slots[any_size(SLOTS - 1)] : NULL;
	call->next = any_call();
	call->sibling = any_call();
	call->id = any_uint();
	call->due = any_uint();
	call->tape = (quash_size)any_size(ARENA);
	call->tape_size = (quash_size)any_size(ARENA);
}

/* Under names as long as any that they are compared with, or longer: which call has which name is soon forgotten. Then
 * again as if there had never been one. */
static void begin_calls(void)
{
	/*@ loop unroll CALLS; */
	for (int i = 0; i < CALLS; i++) {
		calls[i].method = i == 0 ? "initialize" : "session/prompt";
		prepare(&calls[i]);
		(void)quash_call_start(&peer, &calls[i]);
	}
	/*@ loop unroll CALLS; */
	for (int i = 0; i < CALLS; i++)
		be_any_call(&calls[i]);
	peer.calls = any_call();
	peer.children = any_call();
	peer.out.call = &calls[any_size(CALLS - 1)];
}

#endif
