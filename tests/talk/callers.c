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
	bool until_told;       /* waits for `done`, not for the answer */
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
	bool told, answering;
	quash_outcome outcome; /* as it was told */
	int32_t code;
};

typedef char caller_fits[sizeof(struct caller) <= TESTEE_STATE_SIZE ? 1 : -1];

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

/* Other letters each time. */
static void put_changing(quash_writer *w, const quash_call *call)
{
	struct caller *s = quash_state(call->parent);
	put_letters(w, (char)('a' + s->again++ % 26));
}

/* --- Told */

static void take_down(struct caller *s, const quash_call *call)
{
	s->told = true;
	s->outcome = quash_call_outcome(call);
	s->code = quash_call_code(call);
	end_of(call->peer)->told++;
}

static int32_t told(quash_call *call, quash_value answer)
{
	struct caller *s = quash_state(call->parent);
	const struct habit *habit = quash_data(call->parent);
	(void)answer;
	if (s->retries < habit->retries) {
		s->retries++;
		return QUASH_RETRY;
	}
	if (s->again < habit->again) {
		s->again++;
		quash_ask_for(call->parent, call->peer, call);
		return QUASH_DONE;
	}
	take_down(s, call);
	return QUASH_DONE;
}

/* The request is cancelled with its call. */
static int32_t follow(quash_call *call, quash_value answer)
{
	(void)answer;
	take_down(quash_state(call->parent), call);
	if (quash_call_code(call) == QUASH_CANCELLED)
		quash_cancel_parent(call);
	return QUASH_DONE;
}

static int32_t count(quash_call *call, quash_value answer)
{
	(void)answer;
	end_of(call->peer)->told++;
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
	quash_ask_for(request, quash_peer_of(request), call);
}

static void stay_inside(quash_request *request, quash_call *call)
{
	const struct testee *testee = quash_context(quash_peer_of(request));
	while (!quash_answered(call) && !quash_cancelled(request) && !testee->ended(testee->device))
		testee->pump(quash_peer_of(request), testee->device);
}

static int32_t answer(quash_request *request, struct caller *s)
{
	static const char *const names[] = { "open", "result", "error", "cancelled", "overdue", "link", "too large",
		"malformed" };
	quash_writer *w = quash_reply(request);
	if (!s->answering && !s->told) {
		s->outcome = quash_call_outcome(&s->call);
		s->code = quash_call_code(&s->call);
	}
	s->answering = true;
	quash_put_object(w);
	quash_put_key(w, "outcome");
	quash_put_text(w, names[s->outcome]);
	quash_put_key(w, "code");
	quash_put_int(w, s->code);
	return quash_send(request);
}

static int32_t let_go(quash_request *request, struct caller *s, const struct habit *habit)
{
	quash_call *call = s->asked > 0 ? NULL : end_free_call(end_of(quash_peer_of(request)));
	s->asked = 1;
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
	return habit->until_told ? s->told : quash_answered(&s->call);
}

static int32_t call_once(quash_request *request, quash_value params)
{
	struct caller *s = quash_state(request);
	const struct habit *habit = quash_data(request);
	(void)params;
	if (habit->lets_go)
		return let_go(request, s, habit);
	if (s->asked == 0) {
		s->asked = 1;
		ask(request, &s->call, habit);
	}
	if (habit->busy)
		stay_inside(request, &s->call);
	if (!s->answering && !habit->tidy && quash_cancelled(request))
		return QUASH_CANCELLED;
	if (!s->answering && !is_over(s, habit))
		return habit->sleeps ? quash_wait(request, 1000000) : QUASH_PENDING;
	return answer(request, s);
}

static void count_hook(quash_request *request)
{
	end_of(quash_peer_of(request))->hooks++;
}

static const struct habit plain = { 0 };
static const struct habit busy = { .busy = true };
static const struct habit busy_long = { .busy = true, .put = put_long };
static const struct habit tidy = { .tidy = true };
static const struct habit hurried = { .tidy = true, .deadline = 100 };
static const struct habit at_once = { .tidy = true, .marks = QUASH_CALL_ENDS_AT_ONCE };
static const struct habit asleep = { .sleeps = true };
static const struct habit told_asleep = { .sleeps = true, .until_told = true, .done = told };
static const struct habit chain = { .until_told = true, .done = told, .again = 2 };
static const struct habit patient = { .until_told = true, .done = told, .retries = 3 };
static const struct habit follower = { .until_told = true, .done = follow };
static const struct habit releasing = { .releases = true };
static const struct habit letting_go = { .lets_go = true, .done = count };
static const struct habit deep = { .put = put_deep };
static const struct habit changing = { .put = put_changing };

const quash_method caller_methods[CALLERS] = {
	{ .name = "asks", .handler = call_once, .end = count_hook, .data = &plain, .marks = QUASH_LONG },
	{ .name = "holds", .handler = call_once, .data = &busy, .marks = QUASH_LONG },
	{ .name = "holds-long", .handler = call_once, .data = &busy_long, .marks = QUASH_LONG },
	{ .name = "tidies", .handler = call_once, .data = &tidy, .marks = QUASH_LONG | QUASH_PARTIAL },
	{ .name = "hurries", .handler = call_once, .data = &hurried, .marks = QUASH_LONG | QUASH_PARTIAL },
	{ .name = "quits", .handler = call_once, .data = &at_once, .marks = QUASH_LONG | QUASH_PARTIAL },
	{ .name = "naps", .handler = call_once, .data = &asleep, .marks = QUASH_LONG },
	{ .name = "dreams", .handler = call_once, .data = &told_asleep, .marks = QUASH_LONG },
	{ .name = "chain", .handler = call_once, .data = &chain, .marks = QUASH_LONG },
	{ .name = "patient", .handler = call_once, .data = &patient, .marks = QUASH_LONG },
	{ .name = "follows", .handler = call_once, .data = &follower, .marks = QUASH_LONG },
	{ .name = "releases", .handler = call_once, .data = &releasing, .marks = QUASH_LONG },
	{ .name = "lets-go", .handler = call_once, .data = &letting_go, .marks = QUASH_LONG },
	{ .name = "deep", .handler = call_once, .data = &deep, .marks = QUASH_LONG },
	{ .name = "changing", .handler = call_once, .data = &changing, .marks = QUASH_LONG },
	{ .name = "limited-call", .handler = call_once, .data = &plain, .deadline = 100, .marks = QUASH_LONG },
	{ .name = "drops-call",
		.handler = call_once,
		.end = count_hook,
		.data = &plain,
		.marks = QUASH_LONG | QUASH_DROPS },
};
