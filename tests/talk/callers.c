/* SPDX-License-Identifier: MIT
 * Methods that ask the other side for `ping`, each with a habit of its own. All answer how their call has ended:
 * `{"outcome":NAME,"code":CODE}`. */
#include "end.h"

struct habit {
	uint32_t deadline;     /* of the call */
	uint8_t marks;         /* of the call */
	bool busy;             /* stays inside until it is answered or cancelled */
	bool tidy;             /* waits for the call's end also when cancelled */
	bool sleeps;           /* until woken */
	bool until_done;       /* waits for `done`, not for the answer */
	bool releases;         /* its call, in its second step, and waits until that has left */
	bool lets_go;          /* of its call, and ends */
	uint8_t again;         /* asks so often from `done` */
	uint8_t retries;       /* of `done` */
	const char *method;    /* asked for; without one `ping` */
	quash_call_put *put;
	quash_call_done *done;
};

struct caller {
	quash_call call;
	uint8_t asked, again, retries; /* so often */
	bool done;
	quash_outcome outcome; /* when it was done */
	int32_t code;
};

typedef char caller_fits[sizeof(struct caller) <= TALK_STATE_SIZE ? 1 : -1];

static struct caller *caller_of(const quash_call *call)
{
	return QUASH_STATE(struct caller, call->parent);
}

/* --- Params */

static void put_deep(quash_writer *w, const quash_call *call)
{
	(void)call;
	for (int i = 0; i < 40; i++)
		quash_put_array(w);
}

static void put_letters(quash_writer *w, char letter)
{
	quash_put_array(w);
	quash_put_string_open(w);
	for (int i = 0; i < 100; i++)
		quash_put_string_part(w, &letter, 1);
	quash_put_string_close(w);
}

static void put_long(quash_writer *w, const quash_call *call)
{
	(void)call;
	put_letters(w, 'a');
}

/* Other letters each time, which no put function may. */
static void put_changing(quash_writer *w, const quash_call *call)
{
	put_letters(w, (char)('a' + caller_of(call)->again++ % 26));
}

/* --- Done */

static void take_down(struct caller *s, const quash_call *call)
{
	s->outcome = quash_call_outcome(call);
	s->code = quash_call_code(call);
}

static void note_done(const quash_call *call)
{
	struct caller *s = caller_of(call);
	s->done = true;
	take_down(s, call);
	end_of(call->peer)->dones++;
}

static int32_t done(quash_call *call)
{
	struct caller *s = caller_of(call);
	const struct habit *habit = quash_data(call->parent);
	if (s->retries < habit->retries) {
		s->retries++;
		return QUASH_PENDING;
	}
	if (s->again < habit->again) {
		s->again++;
		quash_call_start_for(call->parent, call->peer, call);
		return QUASH_DONE;
	}
	note_done(call);
	return QUASH_DONE;
}

/* The request is cancelled with its call. */
static int32_t follow(quash_call *call)
{
	note_done(call);
	if (quash_call_code(call) == QUASH_CANCELLED)
		quash_call_cancel_parent(call);
	return QUASH_DONE;
}

static int32_t count(quash_call *call)
{
	end_of(call->peer)->dones++;
	return QUASH_DONE;
}

/* --- Asking */

static void ask(quash_request *request, quash_call *call, const struct habit *habit)
{
	call->method = habit->method != NULL ? habit->method : "ping";
	call->put = habit->put;
	call->done = habit->done;
	call->deadline = habit->deadline;
	call->marks = habit->marks;
	quash_call_start_for(request, quash_peer_of(request), call);
}

static void stay_inside(quash_request *request, quash_call *call)
{
	const struct testee *testee = quash_context(quash_peer_of(request));
	while (!quash_call_has_ended(call) && !quash_cancelled(request) && !testee->ended(testee->device))
		testee->pump(quash_peer_of(request), testee->device);
}

static void put_outcome(quash_writer *w, const quash_request *request)
{
	static const char *const names[] = { "open", "result", "error", "cancelled", "overdue", "link", "too large",
		"malformed", "unwritten" };
	const struct caller *s = QUASH_CONST_STATE(struct caller, request);
	quash_put_object(w);
	quash_put_key(w, "outcome");
	quash_put_text(w, names[s->outcome]);
	quash_put_key(w, "code");
	quash_put_int(w, s->code);
}

static int32_t answer(quash_request *request, struct caller *s)
{
	if (!s->done)
		take_down(s, &s->call);
	return quash_reply(request, put_outcome);
}

static int32_t let_go(quash_request *request, struct caller *s, const struct habit *habit)
{
	quash_call *call = end_free_call(end_of(quash_peer_of(request)));
	if (call != NULL) {
		ask(request, call, habit);
		quash_call_let_go(call);
	}
	return answer(request, s);
}

static bool is_over(struct caller *s, const struct habit *habit)
{
	if (habit->releases && s->asked == 1) {
		s->asked = 2;
		return false;
	}
	if (habit->releases)
		return quash_call_release(&s->call);
	return habit->until_done ? s->done : quash_call_has_ended(&s->call);
}

static int32_t call_once(quash_request *request)
{
	struct caller *s = QUASH_STATE(struct caller, request);
	const struct habit *habit = quash_data(request);
	if (habit->lets_go)
		return let_go(request, s, habit);
	if (s->asked == 0) {
		s->asked = 1;
		ask(request, &s->call, habit);
	}
	if (habit->busy)
		stay_inside(request, &s->call);
	if (!habit->tidy && quash_cancelled(request))
		return QUASH_CANCELLED;
	if (!is_over(s, habit))
		return habit->sleeps ? quash_wait(request, 1000000) : QUASH_PENDING;
	return answer(request, s);
}

static int32_t count_hook(quash_request *request)
{
	end_of(quash_peer_of(request))->hooks++;
	return QUASH_DONE;
}

static const struct habit plain = { 0 };
static const struct habit busy = { .busy = true };
static const struct habit busy_long = { .busy = true, .put = put_long };
static const struct habit tidy = { .tidy = true };
static const struct habit hurried = { .tidy = true, .deadline = 100 };
static const struct habit at_once = { .tidy = true, .marks = QUASH_CALL_ENDS_AT_ONCE };
static const struct habit asleep = { .sleeps = true };
static const struct habit done_asleep = { .sleeps = true, .until_done = true, .done = done };
static const struct habit chain = { .until_done = true, .done = done, .again = 2 };
static const struct habit patient = { .until_done = true, .done = done, .retries = 3 };
static const struct habit follower = { .until_done = true, .done = follow };
static const struct habit releasing = { .releases = true };
static const struct habit letting_go = { .lets_go = true, .done = count };
static const struct habit deep = { .put = put_deep };
static const struct habit changing = { .put = put_changing };

enum { SIZE = sizeof(struct caller) };

static int32_t no_end(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

const TALK_FLASH quash_method caller_methods[CALLERS] = {
	{ .name = "asks", .handler = call_once, .motion = { .end = count_hook, .longest = QUASH_NO_LIMIT }, .data = &plain, .state_size = SIZE, .marks = QUASH_FINISHES },
	{ .name = "holds", .handler = call_once, .data = &busy, .state_size = SIZE },
	{ .name = "holds-long", .handler = call_once, .data = &busy_long, .state_size = SIZE },
	{ .name = "tidies", .handler = call_once, .data = &tidy, .state_size = SIZE, .marks = QUASH_PARTIAL },
	{ .name = "hurries", .handler = call_once, .data = &hurried, .state_size = SIZE, .marks = QUASH_PARTIAL },
	{ .name = "quits", .handler = call_once, .data = &at_once, .state_size = SIZE, .marks = QUASH_PARTIAL },
	{ .name = "naps", .handler = call_once, .data = &asleep, .state_size = SIZE },
	{ .name = "dreams", .handler = call_once, .data = &done_asleep, .state_size = SIZE },
	{ .name = "chain", .handler = call_once, .data = &chain, .state_size = SIZE },
	{ .name = "patient", .handler = call_once, .data = &patient, .state_size = SIZE },
	{ .name = "follows", .handler = call_once, .data = &follower, .state_size = SIZE },
	{ .name = "releases", .handler = call_once, .data = &releasing, .state_size = SIZE },
	{ .name = "lets-go", .handler = call_once, .data = &letting_go, .state_size = SIZE },
	{ .name = "deep", .handler = call_once, .data = &deep, .state_size = SIZE },
	{ .name = "changing", .handler = call_once, .data = &changing, .state_size = SIZE },
	{ .name = "limited-call", .handler = call_once, .data = &plain, .motion = { .end = no_end, .longest = 100 }, .state_size = SIZE, .marks = QUASH_FINISHES },
	{ .name = "drops-call",
		.handler = call_once,
		.motion = { .end = count_hook, .longest = QUASH_NO_LIMIT },
		.data = &plain,
		.state_size = SIZE },
};
