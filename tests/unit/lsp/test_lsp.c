/* SPDX-License-Identifier: MIT */
#include "device.h"

#include "quash/lsp.h"

#include <stdio.h>
#include <stdlib.h>

enum { TOKEN = 14 };

/* --- The server under test */

/* What a handler is to do, by its params. */
struct work {
	quash_call call;
	int32_t steps;    /* calls until it answers */
	int32_t reported; /* steps so far */
	int32_t fails;    /* the code that it returns in the end */
	bool begun, creates, open;
};

static int32_t last_code; /* of the last progress or part */
static uint8_t ramp;      /* calls until what was moved is at rest */

static bool read_bool(quash_value params, const char *name)
{
	return quash_kind_of(quash_get(params, name)) == QUASH_TRUE;
}

static struct work *begin(quash_request *request)
{
	const quash_value params = quash_params_of(request);
	struct work *const w = QUASH_STATE(struct work, request);
	if (w->begun)
		return w;
	assert_int_equal(w->steps, 0);
	w->begun = true;
	(void)quash_int32(quash_get(params, "steps"), &w->steps);
	(void)quash_int32(quash_get(params, "fails"), &w->fails);
	w->creates = read_bool(params, "creates");
	w->open = read_bool(params, "open");
	return w;
}

static int32_t end_work(quash_request *request, const struct work *w)
{
	if (w->fails != 0)
		return w->fails;
	if (!w->open && (last_code = quash_lsp_finish(request, "over")) == QUASH_PENDING)
		return QUASH_PENDING;
	return quash_reply_text(request, "worked");
}

static int32_t work(quash_request *request)
{
	struct work *const w = begin(request);
	device_note(request, "work");
	if (w->creates && quash_lsp_create(request, &w->call) == QUASH_PENDING)
		return QUASH_PENDING;
	if ((last_code = quash_lsp_begin(request, "Work", "of mine", 0)) == QUASH_PENDING)
		return QUASH_PENDING;
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED && (quash_method_of(request)->marks & QUASH_PARTIAL) == 0)
		return QUASH_CANCELLED;
	if (w->reported == w->steps)
		return end_work(request, w);
	if ((last_code = quash_lsp_report(request, NULL, 50 * (w->reported + 1))) == QUASH_PENDING)
		return QUASH_PENDING;
	w->reported++;
	return QUASH_PENDING;
}

static int32_t work_end(quash_request *request)
{
	assert_true(QUASH_STATE(struct work, request)->begun);
	device_note(request, "end");
	if (ramp == 0)
		return QUASH_DONE;
	ramp--;
	return QUASH_PENDING;
}

static void work_released(quash_request *request)
{
	device_note(request, "released");
}

/* Reports in an order that is none. */
static int32_t waver(quash_request *request)
{
	quash_lsp_report(request, "too early", 1);
	quash_lsp_finish(request, "too early");
	quash_lsp_begin(request, "Waver", NULL, -1);
	quash_lsp_begin(request, "Again", NULL, -1);
	quash_lsp_report(request, "so \"far\"", -1);
	quash_lsp_finish(request, NULL);
	quash_lsp_finish(request, NULL);
	quash_lsp_report(request, "too late", 100);
	return quash_lsp_end_parts(request);
}

static int32_t talkative(quash_request *request)
{
	quash_lsp_begin(request, quash_text(quash_get(quash_params_of(request), "title")), NULL, 100);
	return quash_lsp_report(request, "still", INT32_MAX);
}

static void put_array_of(quash_writer *w, int32_t number)
{
	quash_put_array(w);
	quash_put_int(w, number);
	quash_put_end(w);
}

static void put_steps(quash_writer *w, const quash_request *request)
{
	put_array_of(w, QUASH_CONST_STATE(struct work, request)->steps);
}

static void put_reported(quash_writer *w, const quash_request *request)
{
	put_array_of(w, QUASH_CONST_STATE(struct work, request)->reported);
}

/* Counts up to `steps`, in parts for who wants them. */
static int32_t count(quash_request *request)
{
	struct work *const w = begin(request);
	if (!quash_lsp_wants_parts(request))
		return quash_reply(request, put_steps);
	if (w->reported == w->steps)
		return quash_lsp_end_parts(request);
	if ((last_code = quash_lsp_part(request, put_reported)) == QUASH_PENDING)
		return QUASH_PENDING;
	w->reported++;
	return QUASH_PENDING;
}

static int32_t thrust(quash_request *request)
{
	return quash_lsp_part(request, put_steps);
}

static int32_t give_up(quash_request *request)
{
	return quash_lsp_server_cancelled(request, read_bool(quash_params_of(request), "again"));
}

static int32_t note(quash_request *request)
{
	assert_non_null(QUASH_STATE(struct work, request));
	device_note(request, "note");
	return QUASH_DONE;
}

static bool put_digits(quash_writer *w, const quash_request *request, uint16_t index)
{
	(void)request;
	if (index == 60)
		return false;
	if (index == 0)
		quash_put_array(w);
	quash_put_text(w, "0123456789");
	return true;
}

static int32_t big(quash_request *request)
{
	return quash_reply_items(request, put_digits);
}

static char root[16];
static unsigned initialized;

static void on_initialize(quash_peer *peer, quash_value params)
{
	assert_ptr_equal(peer, &device.peer);
	strncpy(root, quash_text(quash_get(params, "rootUri")), sizeof root - 1);
}

static void on_initialized(quash_peer *peer)
{
	assert_ptr_equal(peer, &device.peer);
	initialized++;
}

static quash_lsp_session session;

static const quash_lsp_capability capabilities[] = { { "hoverProvider", "true" } };
static const quash_lsp_server server = {
	.name = "unit", .version = "1", .capabilities = capabilities, .capability_count = COUNT_OF(capabilities),
	.session = &session, .initialize = on_initialize, .initialized = on_initialized, .leases = &quash_lsp_leases, .token_size = TOKEN,
};
static const quash_lsp_server plain_server = { .name = "plain", .version = "2", .session = &session };

#define HANDLER(handler, end) QUASH_LSP_HANDLER(&server, handler, end, sizeof(struct work))

static const quash_lsp_method works = HANDLER(work, work_end);
static const quash_lsp_method keeps = {
	.server = &server, .handler = work, .released = work_released, .state_size = sizeof(struct work) };
static const quash_lsp_method wavers = {
	.server = &server, .handler = waver, .empty = "null", .state_size = sizeof(struct work) };
static const quash_lsp_method talks = HANDLER(talkative, NULL);
static const quash_lsp_method counts = HANDLER(count, NULL);
static const quash_lsp_method thrusts = HANDLER(thrust, NULL);
static const quash_lsp_method gives_up = HANDLER(give_up, NULL);
static const quash_lsp_method notes = HANDLER(note, NULL);
static const quash_lsp_method bigs = HANDLER(big, NULL);
static const quash_lsp_method plain_works = QUASH_LSP_HANDLER(&plain_server, work, NULL, sizeof(struct work));

static quash_group alone;

static const quash_method methods[] = {
	QUASH_LSP_METHODS(&server),
	QUASH_LSP_WORK(&server),
	QUASH_LSP_REQUEST("work", &works),
	QUASH_LSP_ENTRY("drops", &works, 0, 0, QUASH_DROPS, NULL),
	QUASH_LSP_ENTRY("limited", &works, 5, 0, 0, NULL),
	QUASH_LSP_ENTRY("alone", &works, 0, 0, 0, &alone),
	QUASH_LSP_REQUEST("keeps", &keeps),
	QUASH_LSP_PARTIAL("partial", &works),
	QUASH_LSP_REQUEST("waver", &wavers),
	QUASH_LSP_REQUEST("talk", &talks),
	QUASH_LSP_REQUEST("count", &counts),
	QUASH_LSP_REQUEST("thrust", &thrusts),
	QUASH_LSP_REQUEST("giveUp", &gives_up),
	QUASH_LSP_REQUEST("big", &bigs),
	QUASH_LSP_NOTIFICATION("note", &notes),
};
static const quash_method plain_methods[] = {
	QUASH_LSP_METHODS(&plain_server),
	QUASH_LSP_REQUEST("work", &plain_works),
};

/* --- Talking */

enum { STATE = (QUASH_LSP_STATE(TOKEN, sizeof(struct work)) + 7) / 8 * 8 };
static uint64_t states[LOOP_SLOTS * STATE / 8];

static void start_with(const quash_method *list, uint8_t n, quash_size state_size, quash_size tx_size)
{
	static const quash_lsp_session fresh;
	session = fresh;
	root[0] = '\0';
	initialized = 0;
	last_code = 77;
	ramp = 0;
	device_prepare(&quash_lsp);
	device.config.methods = list;
	device.config.method_count = n;
	device.config.states = states;
	device.config.state_size = state_size;
	device.config.tx_size = tx_size;
	device.config.check = quash_lsp_check;
	device.config.calls = &quash_calls;
	device_begin();
}

static int set_up(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), STATE, LOOP_TX);
	return 0;
}

static void settle(void)
{
	loop_settle(&device, 2000);
}

#define INITIALIZE(id)  REQUEST_WITH(id, "initialize", "{'processId':null,'rootUri':'file:///','capabilities':{}}")
#define INITIALIZED(id) RESULT(id, "{'capabilities':{'hoverProvider':true},'serverInfo':{'name':'unit','version':'1'}}")
#define UNREADY(id)     ERROR(id, "-32002", "Server not initialized")
#define WORK(token, kind, rest) \
	"{'jsonrpc':'2.0','method':'$/progress','params':{'token':" token ",'value':{'kind':'" kind "'" rest "}}}\n"
#define BEGIN(token) \
	WORK(token, "begin", ",'title':'Work','cancellable':true,'message':'of mine','percentage':0")
#define REPORT(token, percentage) WORK(token, "report", ",'percentage':" percentage)
#define OVER(token)               WORK(token, "end", ",'message':'over'")
#define END(token)                WORK(token, "end", "")
#define PART(token, value) \
	"{'jsonrpc':'2.0','method':'$/progress','params':{'token':" token ",'value':" value "}}\n"
#define CREATE(id, token) \
	"{'jsonrpc':'2.0','id':" id ",'method':'window/workDoneProgress/create','params':{'token':" token "}}\n"
#define STOP(token)  NOTE_WITH("window/workDoneProgress/cancel", "{'token':" token "}")
#define GRANT(id)    "{'jsonrpc':'2.0','id':" id ",'result':null}"
#define REFUSE(id)   "{'jsonrpc':'2.0','id':" id ",'error':{'code':-32601,'message':'no'}}"

static int set_up_open(void **state)
{
	set_up(state);
	say(INITIALIZE("0"));
	settle();
	ANSWERS(INITIALIZED("0"));
	return 0;
}

/* With a client that grants tokens. */
static int set_up_creating(void **state)
{
	set_up(state);
	say(REQUEST_WITH("0", "initialize", "{'capabilities':{'window':{'workDoneProgress':true}}}"));
	settle();
	ANSWERS(INITIALIZED("0"));
	return 0;
}

/* --- Life cycle */

static void test_life(void **state)
{
	(void)state;
	assert_int_equal(quash_lsp_exit_code(&session), 1);
	say(INITIALIZE("1"));
	settle();
	ANSWERS(INITIALIZED("1"));
	assert_string_equal(root, "file:///");
	say(NOTE_WITH("initialized", "{}"));
	say(NOTE("note"));
	say(REQUEST("2", "work"));
	settle();
	ANSWERS(RESULT("2", "'worked'"));
	assert_int_equal(initialized, 1);
	assert_int_equal(quash_lsp_exit_code(&session), 1);
	say(REQUEST("3", "shutdown"));
	settle();
	ANSWERS(RESULT("3", "null"));
	assert_false(session.exited);
	say(NOTE("exit"));
	settle();
	ANSWERS("");
	assert_true(session.exited);
	assert_int_equal(quash_lsp_exit_code(&session), 0);
	DID("note(-) work(2) end(2)");
}

static void test_life_in_one_read(void **state)
{
	(void)state;
	say(INITIALIZE("1"));
	say(REQUEST("2", "work"));
	say(REQUEST("3", "shutdown"));
	say(REQUEST("4", "work"));
	say(NOTE("exit"));
	step();
	ANSWERS(INITIALIZED("1") RESULT("2", "'worked'") RESULT("3", "null") INVALID("4"));
	assert_int_equal(quash_lsp_exit_code(&session), 0);
}

static void test_before_initialize(void **state)
{
	(void)state;
	say(REQUEST("1", "work"));
	say(REQUEST("2", "shutdown"));
	say(NOTE("note"));
	say(NOTE("initialized"));
	say(STOP("1"));
	settle();
	ANSWERS(UNREADY("1") UNREADY("2"));
	DID("");
	assert_int_equal(initialized, 0);
	say(INITIALIZE("3"));
	settle();
	ANSWERS(INITIALIZED("3"));
}

static void test_exit_without_shutdown(void **state)
{
	(void)state;
	say(NOTE("exit"));
	say(INITIALIZE("1"));
	say(REQUEST("2", "work"));
	say(REQUEST("3", "shutdown"));
	settle();
	ANSWERS(INVALID("1") INVALID("2") INVALID("3"));
	assert_true(session.exited);
	assert_int_equal(quash_lsp_exit_code(&session), 1);
}

static void test_initialize_once(void **state)
{
	(void)state;
	say(INITIALIZE("1"));
	say(REQUEST_WITH("2", "initialize", "{'rootUri':'other'}"));
	settle();
	ANSWERS(INITIALIZED("1") INVALID("2"));
	assert_string_equal(root, "file:///");
}

static void test_after_shutdown(void **state)
{
	(void)state;
	say(REQUEST("1", "shutdown"));
	say(REQUEST("2", "shutdown"));
	say(REQUEST("3", "work"));
	say(INITIALIZE("4"));
	say(NOTE("note"));
	say(NOTE("initialized"));
	settle();
	ANSWERS(RESULT("1", "null") INVALID("2") INVALID("3") INVALID("4"));
	DID("");
	assert_int_equal(initialized, 0);
}

/* What was begun before goes on. */
static void test_shutdown_while_at_work(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "work", "{'steps':3}"));
	step();
	say(REQUEST("2", "shutdown"));
	settle();
	ANSWERS(RESULT("2", "null") RESULT("1", "'worked'"));
}

static void test_life_cycle_is_not_cancelled(void **state)
{
	(void)state;
	say(INITIALIZE("1"));
	say(LSP_CANCEL("1"));
	settle();
	ANSWERS(INITIALIZED("1"));
	say(REQUEST("2", "shutdown"));
	say(LSP_CANCEL("2"));
	settle();
	ANSWERS(RESULT("2", "null"));
}

static void test_initialize_without_params(void **state)
{
	(void)state;
	start_with(plain_methods, COUNT_OF(plain_methods), STATE, LOOP_TX);
	say(REQUEST("1", "initialize"));
	say(NOTE("initialized"));
	settle();
	ANSWERS(RESULT("1", "{'capabilities':{},'serverInfo':{'name':'plain','version':'2'}}"));
}

/* As requests they are unknown, which nothing is before `initialize`; as notifications nothing. */
static void test_wrong_kind_of_message(void **state)
{
	(void)state;
	say(NOTE("initialize"));
	say(NOTE("shutdown"));
	say(REQUEST("1", "exit"));
	say(REQUEST("2", "initialized"));
	settle();
	ANSWERS(UNREADY("1") UNREADY("2"));
	assert_false(session.exited);
	assert_int_equal(quash_lsp_exit_code(&session), 1);
}

/* Its answer is longer than TX. */
static void test_smallest_tx(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), STATE, QUASH_TX_MIN);
	device.stalled = true;
	say(INITIALIZE("1"));
	say(REQUEST("2", "shutdown"));
	say(REQUEST("3", "work"));
	say(INITIALIZE("4"));
	steps(5);
	device.stalled = false;
	settle();
	ANSWERS(INITIALIZED("1") RESULT("2", "null") INVALID("3") INVALID("4"));
}

/* For firmware that leaves the checks out. */
static void test_small_state(void **state)
{
	set_up(state);
	device.config.state_size = STATE - 8;
	quash_start(&device.peer, &device.config);
	say(INITIALIZE("1"));
	say(REQUEST("2", "work"));
	settle();
	ANSWERS(INITIALIZED("1") INTERNAL("2"));
	DID("");
}

static const quash_method leased_methods[] = {
	QUASH_LSP_METHODS(&server),
	QUASH_LSP_ENTRY("work", &works, 90000, 500, 0, NULL),
	QUASH_LSP_ENTRY("shorter", &works, QUASH_NO_LIMIT, 300, 0, NULL),
	QUASH_LSP_ENTRY("longer", &works, 60000, 400, 0, NULL),
	QUASH_LSP_REQUEST("none", &works),
};

static void test_leases(void **state)
{
	(void)state;
	start_with(leased_methods, COUNT_OF(leased_methods), STATE, LOOP_TX);
	say(INITIALIZE("1"));
	settle();
	ANSWERS(RESULT("1", "{'capabilities':{'hoverProvider':true,'experimental':{'quash/lifeSign':{'ms':300},'quash/longest':{'work':90000,'longer':60000}}},"
		"'serverInfo':{'name':'unit','version':'1'}}"));
}

static const quash_lsp_capability own_experiments[] = { { "own", "[1]" }, { "other", "{}" } };
static const quash_lsp_server experimental_server = {
	.name = "x", .version = "3", .session = &session, .experimental = own_experiments, .leases = &quash_lsp_leases, .experimental_count = 2 };
static const quash_lsp_method experiments = QUASH_LSP_HANDLER(&experimental_server, work, work_end, sizeof(struct work));
static const quash_method experimental_methods[] = {
	QUASH_LSP_METHODS(&experimental_server), QUASH_LSP_ENTRY("work", &experiments, QUASH_NO_LIMIT, 500, 0, NULL) };

static void test_experimental_capabilities(void **state)
{
	(void)state;
	start_with(experimental_methods, COUNT_OF(experimental_methods), STATE, QUASH_TX_MIN);
	say(INITIALIZE("1"));
	settle();
	ANSWERS(RESULT("1", "{'capabilities':{'experimental':{'own':[1],'other':{},'quash/lifeSign':{'ms':500},'quash/longest':{}}},"
		"'serverInfo':{'name':'x','version':'3'}}"));
	start_with(experimental_methods, COUNT_OF(experimental_methods) - 1, STATE, QUASH_TX_MIN);
	say(INITIALIZE("1"));
	settle();
	ANSWERS(RESULT("1", "{'capabilities':{'experimental':{'own':[1],'other':{}}},"
		"'serverInfo':{'name':'x','version':'3'}}"));
}

/* --- Work done progress */

static void test_progress(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "work", "{'steps':2,'workDoneToken':'a \\'token\\''}"));
	settle();
	ANSWERS(BEGIN("'a \\'token\\''") REPORT("'a \\'token\\''", "50") REPORT("'a \\'token\\''", "100")
		OVER("'a \\'token\\''") RESULT("1", "'worked'"));
	say(REQUEST_WITH("1", "work", "{'workDoneToken':-12}"));
	settle();
	ANSWERS(BEGIN("-12") OVER("-12") RESULT("1", "'worked'"));
	say(REQUEST_WITH("1", "work", "{'workDoneToken':''}"));
	settle();
	ANSWERS(BEGIN("''") OVER("''") RESULT("1", "'worked'"));
}

static void test_no_progress(void **state)
{
	static const char *const params[] = { "{}", "{'workDoneToken':null}", "{'workDoneToken':true}",
		"{'workDoneToken':1.5}", "{'workDoneToken':{'a':1}}", "{'workDoneToken':['a']}",
		"{'workDoneToken':'123456789012345'}", "{'workDoneToken':123456789012345}", "['workDoneToken']" };
	(void)state;
	for (size_t i = 0; i < COUNT_OF(params); i++) {
		char message[160];
		snprintf(message, sizeof message, "{'jsonrpc':'2.0','id':1,'method':'waver','params':%s}", params[i]);
		say(message);
		settle();
		ANSWERS(RESULT("1", "null"));
	}
	COUNTED(dropped, 0);
}

static void test_progress_in_any_order(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "waver", "{'workDoneToken':'12345678901234'}"));
	settle();
	ANSWERS(WORK("'12345678901234'", "begin", ",'title':'Waver','cancellable':true")
		WORK("'12345678901234'", "report", ",'message':'so \\'far\\''")
		END("'12345678901234'") RESULT("1", "null"));
}

/* Whatever has to wait, all of it is reported, in order. */
static void test_nothing_is_lost(void **state)
{
	(void)state;
	device.stalled = true;
	say(REQUEST_WITH("1", "work", "{'steps':6,'workDoneToken':1}"));
	steps(20);
	assert_int_equal(last_code, QUASH_PENDING);
	assert_true(quash_live_count(&device.peer) > 0);
	device.stalled = false;
	settle();
	ANSWERS(BEGIN("1") REPORT("1", "50") REPORT("1", "100") REPORT("1", "100") REPORT("1", "100") REPORT("1", "100")
		REPORT("1", "100") OVER("1") RESULT("1", "'worked'"));
}

static void test_too_long_for_tx(void **state)
{
	(void)state;
	start_with(methods, COUNT_OF(methods), STATE, 128);
	say(INITIALIZE("0"));
	settle();
	ANSWERS(INITIALIZED("0"));
	say(REQUEST_WITH("1", "work", "{'workDoneToken':1}"));
	settle();
	ANSWERS(RESULT("1", "'worked'"));
	assert_int_equal(last_code, QUASH_DONE);
	COUNTED(dropped, 1);
}

static void test_progress_ends_with_the_cancel(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "work", "{'steps':9,'workDoneToken':1}"));
	step();
	ANSWERS(BEGIN("1") REPORT("1", "50"));
	say(LSP_CANCEL("1"));
	settle();
	ANSWERS(CANCELLED("1"));
	COUNTED(dropped, 0);
}

static void test_a_token_of_another_request(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "work", "{'workDoneToken':1}"));
	settle();
	ANSWERS(BEGIN("1") OVER("1") RESULT("1", "'worked'"));
	say(REQUEST_WITH("1", "work", "{}"));
	settle();
	ANSWERS(RESULT("1", "'worked'"));
}

/* --- Cancels by token */

static void test_cancel_by_token(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "drops", "{'steps':9,'workDoneToken':'1'}"));
	step();
	ANSWERS(BEGIN("'1'") REPORT("'1'", "50"));
	say(REQUEST_WITH("2", "drops", "{'steps':9,'workDoneToken':1}"));
	step();
	ANSWERS(REPORT("'1'", "100") BEGIN("1") REPORT("1", "50"));
	say(STOP("1"));
	steps(2);
	ANSWERS(REPORT("'1'", "100") REPORT("1", "100") FAILED("2") REPORT("'1'", "100"));
	say(STOP("'2'"));
	say(STOP("null"));
	say(NOTE("window/workDoneProgress/cancel"));
	say(STOP("'1'"));
	steps(2);
	ANSWERS(REPORT("'1'", "100") FAILED("1"));
	say(STOP("'1'"));
	settle();
	ANSWERS("");
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 2);
}

/* Of tokens that are much alike only the very one is meant. */
static void test_cancel_among_similar_tokens(void **state)
{
	static const char *const tokens[] = { "'ab'", "'ac'", "'bb'", "'abc'", "12", "'12'", "13" };
	assert_room(COUNT_OF(tokens) <= LOOP_SLOTS);
	for (unsigned i = 0; i < COUNT_OF(tokens); i++) {
		char message[120];
		set_up_open(state);
		for (unsigned k = 0; k < COUNT_OF(tokens); k++) {
			snprintf(message, sizeof message, REQUEST_WITH("%u", "drops", "{'steps':99,'workDoneToken':%s}"), k + 1, tokens[k]);
			say(message);
			step();
		}
		loop_heard(&device);
		snprintf(message, sizeof message, STOP("%s"), tokens[i]);
		say(message);
		step();
		COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 1);
		for (quash_live one = { .request = NULL }; quash_next_live(&device.peer, &one);)
			assert_true(one.cause == QUASH_NOT_CANCELLED || strtoul(one.id, NULL, 10) == i + 1);
		loop_heard(&device);
	}
}

static void test_cancel_right_behind(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "drops", "{'steps':9,'workDoneToken':5}"));
	say(STOP("5"));
	settle();
	ANSWERS(BEGIN("5") REPORT("5", "50") FAILED("1"));
	DID("work(1) end(1)");
}

/* The client has its answer and may use the token anew, while what was moved comes to rest. */
static void test_cancel_of_a_token_that_is_used_again(void **state)
{
	(void)state;
	ramp = 50;
	say(REQUEST_WITH("1", "work", "{'workDoneToken':5}"));
	step();
	ANSWERS(BEGIN("5") OVER("5") RESULT("1", "'worked'"));
	say(REQUEST_WITH("2", "keeps", "{'steps':9,'workDoneToken':5}"));
	step();
	say(STOP("5"));
	steps(3);
	ANSWERS(BEGIN("5") REPORT("5", "50") REPORT("5", "100") FAILED("2"));
}

/* A long answer that waits for TX keeps nobody from starting. */
static void test_cancel_behind_a_long_reply(void **state)
{
	(void)state;
	device.stalled = true;
	say(REQUEST("1", "big"));
	steps(2);
	say(REQUEST_WITH("2", "drops", "{'steps':9,'workDoneToken':5}"));
	say(STOP("5"));
	steps(3);
	device.stalled = false;
	settle();
	loop_heard(&device);
	COUNTED(cancelled[QUASH_BY_LOCAL_CODE], 1);
	DID("work(2) end(2)");
}

/* --- Tokens of our own */

#define OWN "'quash-00000001'"

static void ask_for_token(const char *method_and_params)
{
	say(method_and_params);
	steps(2);
	ANSWERS(CREATE("1", OWN));
	DID("work(1) work(1)");
}

static void test_create(void **state)
{
	(void)state;
	ask_for_token(REQUEST_WITH("1", "work", "{'steps':1,'creates':true}"));
	say(GRANT("1"));
	settle();
	ANSWERS(BEGIN(OWN) REPORT(OWN, "50") OVER(OWN) RESULT("1", "'worked'"));
	say(REQUEST_WITH("2", "work", "{'creates':true}"));
	step();
	ANSWERS(CREATE("2", "'quash-00000002'"));
	session.created = 0xFEDCBA98;
	say(GRANT("2"));
	say(REQUEST_WITH("3", "work", "{'creates':true}"));
	steps(2);
	ANSWERS(BEGIN("'quash-00000002'") OVER("'quash-00000002'") RESULT("2", "'worked'") CREATE("3", "'quash-fedcba99'"));
	say(REFUSE("3"));
	settle();
	ANSWERS(RESULT("3", "'worked'"));
}

static void test_create_where_a_token_is(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "work", "{'creates':true,'workDoneToken':1}"));
	settle();
	ANSWERS(BEGIN("1") OVER("1") RESULT("1", "'worked'"));
}

static void test_create_for_a_client_that_cannot(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "work", "{'creates':true}"));
	settle();
	ANSWERS(RESULT("1", "'worked'"));
}

static void test_create_without_room_for_the_token(void **state)
{
	(void)state;
	start_with(plain_methods, COUNT_OF(plain_methods), STATE, LOOP_TX);
	say(REQUEST_WITH("0", "initialize", "{'capabilities':{'window':{'workDoneProgress':true}}}"));
	say(REQUEST_WITH("1", "work", "{'creates':true}"));
	settle();
	ANSWERS(RESULT("0", "{'capabilities':{},'serverInfo':{'name':'plain','version':'2'}}") RESULT("1", "'worked'"));
}

static void test_cancel_while_creating(void **state)
{
	(void)state;
	ask_for_token(REQUEST_WITH("1", "work", "{'creates':true}"));
	say(STOP(OWN));
	steps(2);
	ANSWERS(LSP_CANCEL("1") "\n" FAILED("1"));
	say("{'jsonrpc':'2.0','id':1,'error':{'code':-32800,'message':'Request cancelled'}}");
	settle();
	ANSWERS("");
	COUNTED(late_responses, 1);
}

/* Such a client gets no progress, but its result. */
static void test_a_client_that_never_grants(void **state)
{
	(void)state;
	ask_for_token(REQUEST_WITH("1", "work", "{'creates':true}"));
	steps(QUASH_LSP_CREATE_MS - 10);
	ANSWERS("");
	steps(20);
	ANSWERS(LSP_CANCEL("1") "\n" RESULT("1", "'worked'"));
	say(GRANT("1"));
	settle();
	ANSWERS("");
}

static void test_cancel_of_our_token(void **state)
{
	(void)state;
	ask_for_token(REQUEST_WITH("1", "drops", "{'steps':9,'creates':true}"));
	say(GRANT("1"));
	step();
	ANSWERS(BEGIN(OWN) REPORT(OWN, "50"));
	say(STOP(OWN));
	settle();
	ANSWERS(REPORT(OWN, "100") FAILED("1") END(OWN));
}

static void test_our_work_ends_with_the_cancel(void **state)
{
	(void)state;
	ask_for_token(REQUEST_WITH("1", "work", "{'steps':9,'creates':true}"));
	say(GRANT("1"));
	step();
	ANSWERS(BEGIN(OWN) REPORT(OWN, "50"));
	say(LSP_CANCEL("1"));
	settle();
	ANSWERS(CANCELLED("1") END(OWN));
}

static void test_our_work_ends_with_an_error(void **state)
{
	(void)state;
	ask_for_token(REQUEST_WITH("1", "work", "{'fails':-32803,'creates':true}"));
	say(GRANT("1"));
	settle();
	ANSWERS(BEGIN(OWN) FAILED("1") END(OWN));
}

static void test_our_work_ends_if_forgotten(void **state)
{
	(void)state;
	ask_for_token(REQUEST_WITH("1", "work", "{'open':true,'creates':true}"));
	say(GRANT("1"));
	settle();
	ANSWERS(BEGIN(OWN) RESULT("1", "'worked'") END(OWN));
}

/* TX holds the begin, and then nothing more. */
static void fill_with_begin(const char *message)
{
	start_with(methods, COUNT_OF(methods), STATE, 192);
	say(REQUEST_WITH("0", "initialize", "{'capabilities':{'window':{'workDoneProgress':true}}}"));
	settle();
	loop_heard(&device);
	ask_for_token(message);
	say(GRANT("1"));
	device.stalled = true;
	steps(5);
}

/* An earlier report had found no room, so the answer lets the end go first. */
static void check_late_end(const char *message)
{
	fill_with_begin(message);
	say(LSP_CANCEL("1"));
	steps(5);
	assert_int_equal(quash_live_count(&device.peer), 1);
	device.stalled = false;
	settle();
	ANSWERS(BEGIN(OWN) END(OWN) CANCELLED("1"));
}

static void test_our_work_waits_for_room(void **state)
{
	(void)state;
	check_late_end(REQUEST_WITH("1", "work", "{'steps':1,'creates':true}"));
	check_late_end(REQUEST_WITH("1", "drops", "{'steps':1,'creates':true}"));
}

static void test_the_end_of_failed_work_waits_for_room(void **state)
{
	(void)state;
	fill_with_begin(REQUEST_WITH("1", "work", "{'fails':-32801,'creates':true}"));
	device.stalled = false;
	settle();
	ANSWERS(BEGIN(OWN) ERROR("1", "-32801", "Content modified") END(OWN));
	DID("work(1) end(1)");
}

/* The motor stops at once, whether or not anything can be written. */
static void test_the_end_of_work_waits_behind_the_end_of_motion(void **state)
{
	(void)state;
	ask_for_token(REQUEST_WITH("1", "work", "{'steps':9,'creates':true}"));
	say(GRANT("1"));
	step();
	ANSWERS(BEGIN(OWN) REPORT(OWN, "50"));
	device_forget();
	ramp = 2;
	say(LSP_CANCEL("1"));
	settle();
	ANSWERS(CANCELLED("1") END(OWN));
	DID("work(1) end(1) end(1) end(1)");
}

static void test_a_link_that_goes_ends_our_work_in_silence(void **state)
{
	(void)state;
	fill_with_begin(REQUEST_WITH("1", "work", "{'steps':1,'creates':true}"));
	say(LSP_CANCEL("1"));
	steps(2);
	quash_gone(&device.peer);
	steps(2);
	assert_int_equal(quash_live_count(&device.peer), 0);
}

static void test_the_link_goes_while_creating(void **state)
{
	(void)state;
	ask_for_token(REQUEST_WITH("1", "work", "{'steps':9,'creates':true}"));
	quash_gone(&device.peer);
	settle();
	ANSWERS("");
	COUNTED(cancelled[QUASH_BY_LINK], 1);
}

/* --- Partial results */

static void test_parts(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "count", "{'steps':2,'partialResultToken':'p'}"));
	settle();
	ANSWERS(PART("'p'", "[0]") PART("'p'", "[1]") RESULT("1", "[]"));
	say(REQUEST_WITH("1", "count", "{'steps':2,'partialResultToken':3,'workDoneToken':4}"));
	settle();
	ANSWERS(PART("3", "[0]") PART("3", "[1]") RESULT("1", "[]"));
	say(REQUEST_WITH("1", "count", "{'steps':2}"));
	settle();
	ANSWERS(RESULT("1", "[2]"));
}

static void test_parts_wait_for_room(void **state)
{
	(void)state;
	device.stalled = true;
	say(REQUEST_WITH("1", "count", "{'steps':9,'partialResultToken':1}"));
	steps(20);
	assert_int_equal(last_code, QUASH_PENDING);
	device.stalled = false;
	settle();
	ANSWERS(PART("1", "[0]") PART("1", "[1]") PART("1", "[2]") PART("1", "[3]") PART("1", "[4]") PART("1", "[5]")
		PART("1", "[6]") PART("1", "[7]") PART("1", "[8]") RESULT("1", "[]"));
}

static void test_parts_end_with_the_cancel(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "count", "{'steps':9,'partialResultToken':1}"));
	step();
	ANSWERS(PART("1", "[0]"));
	say(LSP_CANCEL("1"));
	settle();
	ANSWERS(CANCELLED("1"));
}

static void test_parts_that_nobody_wants(void **state)
{
	(void)state;
	say(REQUEST("1", "thrust"));
	settle();
	ANSWERS(INTERNAL("1"));
}

/* --- Handlers */

static void test_server_cancelled(void **state)
{
	(void)state;
	say(REQUEST("1", "giveUp"));
	say(REQUEST_WITH("2", "giveUp", "{'again':true}"));
	settle();
#define GAVE_UP(id, again) "{'jsonrpc':'2.0','id':" id ",'error':{'code':-32802,'message':'Server cancelled'," \
			   "'data':{'retriggerRequest':" again "}}}\n"
	ANSWERS(GAVE_UP("1", "false") GAVE_UP("2", "true"));
}

static void test_codes(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "work", "{'fails':-32801}"));
	say(REQUEST_WITH("2", "work", "{'fails':-32803}"));
	say(REQUEST_WITH("3", "work", "{'fails':-32800}"));
	settle();
	ANSWERS(ERROR("1", "-32801", "Content modified") FAILED("2") FAILED("3"));
}

static void test_drops(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "drops", "{'steps':9}"));
	say(REQUEST_WITH("2", "work", "{'steps':9}"));
	step();
	DID("work(1) work(2)");
	say(LSP_CANCEL("1"));
	say(LSP_CANCEL("2"));
	settle();
	ANSWERS(CANCELLED("1") CANCELLED("2"));
	DID("end(1) work(2) end(2)");
}

static void test_one_at_a_time(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "alone", "{'steps':2}"));
	step();
	say(REQUEST("2", "alone"));
	say(REQUEST("3", "work"));
	settle();
	ANSWERS(ERROR("2", "-32010", "Busy: one at a time") RESULT("3", "'worked'") RESULT("1", "'worked'"));
}

static void test_released(void **state)
{
	(void)state;
	say(REQUEST("1", "keeps"));
	say(REQUEST("2", "shutdown"));
	say(REQUEST("3", "keeps"));
	settle();
	ANSWERS(RESULT("1", "'worked'") RESULT("2", "null") INVALID("3"));
	DID("work(1) released(1)");
}

static void test_partial(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "partial", "{'steps':2}"));
	say(LSP_CANCEL("1"));
	settle();
	ANSWERS(RESULT("1", "'worked'"));
}

static void test_deadline(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "limited", "{'steps':8}"));
	settle();
	ANSWERS(FAILED("1"));
	COUNTED(cancelled[QUASH_BY_DEADLINE], 1);
}

static void test_notifications_have_states(void **state)
{
	(void)state;
	say(NOTE("note"));
	say(NOTE_WITH("note", "{'workDoneToken':1}"));
	settle();
	DID("note(-) note(-)");
	ANSWERS("");
}

static void test_a_handler_that_only_reports(void **state)
{
	(void)state;
	say(REQUEST_WITH("1", "talk", "{'title':'x','workDoneToken':1}"));
	settle();
	ANSWERS(WORK("1", "begin", ",'title':'x','cancellable':true,'percentage':100")
		WORK("1", "report", ",'message':'still','percentage':100") INTERNAL("1"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(test_life, set_up),
		cmocka_unit_test_setup(test_life_in_one_read, set_up),
		cmocka_unit_test_setup(test_before_initialize, set_up),
		cmocka_unit_test_setup(test_exit_without_shutdown, set_up),
		cmocka_unit_test_setup(test_initialize_once, set_up),
		cmocka_unit_test_setup(test_after_shutdown, set_up_open),
		cmocka_unit_test_setup(test_shutdown_while_at_work, set_up_open),
		cmocka_unit_test_setup(test_life_cycle_is_not_cancelled, set_up),
		cmocka_unit_test(test_initialize_without_params),
		cmocka_unit_test_setup(test_wrong_kind_of_message, set_up),
		cmocka_unit_test(test_smallest_tx),
		cmocka_unit_test(test_small_state),
		cmocka_unit_test(test_leases),
		cmocka_unit_test(test_experimental_capabilities),
		cmocka_unit_test_setup(test_progress, set_up_open),
		cmocka_unit_test_setup(test_no_progress, set_up_open),
		cmocka_unit_test_setup(test_progress_in_any_order, set_up_open),
		cmocka_unit_test_setup(test_nothing_is_lost, set_up_open),
		cmocka_unit_test(test_too_long_for_tx),
		cmocka_unit_test_setup(test_progress_ends_with_the_cancel, set_up_open),
		cmocka_unit_test_setup(test_a_token_of_another_request, set_up_open),
		cmocka_unit_test_setup(test_cancel_by_token, set_up_open),
		cmocka_unit_test_setup(test_cancel_among_similar_tokens, set_up_open),
		cmocka_unit_test_setup(test_cancel_right_behind, set_up_open),
		cmocka_unit_test_setup(test_cancel_of_a_token_that_is_used_again, set_up_open),
		cmocka_unit_test_setup(test_cancel_behind_a_long_reply, set_up_open),
		cmocka_unit_test_setup(test_create, set_up_creating),
		cmocka_unit_test_setup(test_create_where_a_token_is, set_up_creating),
		cmocka_unit_test_setup(test_create_for_a_client_that_cannot, set_up_open),
		cmocka_unit_test(test_create_without_room_for_the_token),
		cmocka_unit_test_setup(test_cancel_while_creating, set_up_creating),
		cmocka_unit_test_setup(test_a_client_that_never_grants, set_up_creating),
		cmocka_unit_test_setup(test_cancel_of_our_token, set_up_creating),
		cmocka_unit_test_setup(test_our_work_ends_with_the_cancel, set_up_creating),
		cmocka_unit_test_setup(test_our_work_ends_with_an_error, set_up_creating),
		cmocka_unit_test_setup(test_our_work_ends_if_forgotten, set_up_creating),
		cmocka_unit_test(test_our_work_waits_for_room),
		cmocka_unit_test(test_the_end_of_failed_work_waits_for_room),
		cmocka_unit_test_setup(test_the_end_of_work_waits_behind_the_end_of_motion, set_up_creating),
		cmocka_unit_test(test_a_link_that_goes_ends_our_work_in_silence),
		cmocka_unit_test_setup(test_the_link_goes_while_creating, set_up_creating),
		cmocka_unit_test_setup(test_parts, set_up_open),
		cmocka_unit_test_setup(test_parts_wait_for_room, set_up_open),
		cmocka_unit_test_setup(test_parts_end_with_the_cancel, set_up_open),
		cmocka_unit_test_setup(test_parts_that_nobody_wants, set_up_open),
		cmocka_unit_test_setup(test_server_cancelled, set_up_open),
		cmocka_unit_test_setup(test_codes, set_up_open),
		cmocka_unit_test_setup(test_drops, set_up_open),
		cmocka_unit_test_setup(test_one_at_a_time, set_up_open),
		cmocka_unit_test_setup(test_released, set_up_open),
		cmocka_unit_test_setup(test_partial, set_up_open),
		cmocka_unit_test_setup(test_deadline, set_up_open),
		cmocka_unit_test_setup(test_notifications_have_states, set_up_open),
		cmocka_unit_test_setup(test_a_handler_that_only_reports, set_up_open),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
