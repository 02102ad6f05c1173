/* SPDX-License-Identifier: MIT
 * Language servers whose methods do as their params tell them. */
#include "programs.h"

#include "quash.h"

#include <string.h>

enum { TOKEN = 14 };

/* What a handler is to do, by its params. */
struct work {
	quash_call call;
	int32_t steps;    /* calls until it answers */
	int32_t reported; /* steps so far */
	int32_t fails;    /* the code that it returns in the end */
	int32_t ramp;     /* calls of its end until what was moved is at rest */
	bool begun, creates, open;
	bool used; /* it was not zero at first */
	uint8_t tail[24]; /* next to the tokens */
};

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
	w->used = w->steps != 0;
	for (size_t i = 0; i < sizeof w->tail; i++)
		w->used = w->used || w->tail[i] != 0;
	w->begun = true;
	(void)quash_int32(quash_get(params, "steps"), &w->steps);
	(void)quash_int32(quash_get(params, "fails"), &w->fails);
	(void)quash_int32(quash_get(params, "ramp"), &w->ramp);
	w->creates = read_bool(params, "creates");
	w->open = read_bool(params, "open");
	return w;
}

static int32_t end_work(quash_request *request, const struct work *w)
{
	if (w->fails != 0)
		return w->fails;
	if (!w->open && quash_lsp_finish(request, "over") == QUASH_PENDING)
		return QUASH_PENDING;
	return quash_reply_text(request, "worked");
}

static int32_t work(quash_request *request)
{
	struct work *const w = begin(request);
	program_note(request, w->used ? "work in a used state" : "work");
	if (w->creates && quash_lsp_create(request, &w->call) == QUASH_PENDING)
		return QUASH_PENDING;
	if (quash_lsp_begin(request, "Work", "of mine", 0) == QUASH_PENDING)
		return QUASH_PENDING;
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED && (quash_method_of(request)->marks & QUASH_PARTIAL) == 0)
		return QUASH_CANCELLED;
	if (w->reported == w->steps)
		return end_work(request, w);
	if (quash_lsp_report(request, NULL, 50 * (w->reported + 1)) == QUASH_PENDING)
		return QUASH_PENDING;
	w->reported++;
	return QUASH_PENDING;
}

static int32_t work_end(quash_request *request)
{
	struct work *const w = QUASH_STATE(struct work, request);
	program_note(request, "end");
	return w->ramp-- > 0 ? QUASH_PENDING : QUASH_DONE;
}

static void work_released(quash_request *request)
{
	program_note(request, "released");
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
	if (w->used)
		return QUASH_INTERNAL_ERROR;
	if (!quash_lsp_wants_parts(request))
		return quash_reply(request, put_steps);
	if (w->reported == w->steps)
		return quash_lsp_end_parts(request);
	if (quash_lsp_part(request, put_reported) == QUASH_PENDING)
		return QUASH_PENDING;
	w->reported++;
	return QUASH_PENDING;
}

static int32_t thrust(quash_request *request)
{
	return quash_lsp_part(request, put_steps);
}

static int32_t quiet(quash_request *request)
{
	return quash_cancelled(request) != QUASH_NOT_CANCELLED ? QUASH_CANCELLED : QUASH_PENDING;
}

static int32_t give_up(quash_request *request)
{
	return quash_lsp_server_cancelled(request, read_bool(quash_params_of(request), "again"));
}

static int32_t note(quash_request *request)
{
	program_note(request, "note");
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

static void on_initialize(quash_peer *peer, quash_value params)
{
	(void)peer;
	program_note(NULL, quash_text(quash_get(params, "rootUri")));
}

static void on_initialized(quash_peer *peer)
{
	(void)peer;
	program_note(NULL, "initialized");
}

static quash_lsp_session session;

static const quash_lsp_capability capabilities[] = { { "hoverProvider", "true" } };
static const quash_lsp_server server = {
	.name = "unit", .version = "1", .capabilities = capabilities, .capability_count = COUNT(capabilities),
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
static const quash_lsp_method quiets = HANDLER(quiet, NULL);
static const quash_lsp_method gives_up = HANDLER(give_up, NULL);
static const quash_lsp_method notes = HANDLER(note, NULL);
static const quash_lsp_method bigs = HANDLER(big, NULL);
static const quash_lsp_method plain_works = QUASH_LSP_HANDLER(&plain_server, work, NULL, sizeof(struct work));

static quash_group alone;

static const quash_method methods[] = {
	QUASH_LSP_METHODS(&server),
	QUASH_LSP_WORK(&server),
	QUASH_LSP_REQUEST("work", &works),
	QUASH_LSP_ENTRY("drops", &works, QUASH_NO_LIMIT, 0, 0, NULL),
	QUASH_LSP_ENTRY("limited", &works, 5, 0, QUASH_FINISHES, NULL),
	QUASH_LSP_ENTRY("alone", &works, QUASH_NO_LIMIT, 0, QUASH_FINISHES, &alone),
	QUASH_LSP_REQUEST("keeps", &keeps),
	QUASH_LSP_PARTIAL("partial", &works),
	QUASH_LSP_REQUEST("waver", &wavers),
	QUASH_LSP_REQUEST("talk", &talks),
	QUASH_LSP_REQUEST("count", &counts),
	QUASH_LSP_REQUEST("thrust", &thrusts),
	QUASH_LSP_REQUEST("quiet", &quiets),
	QUASH_LSP_REQUEST("giveUp", &gives_up),
	QUASH_LSP_REQUEST("big", &bigs),
	QUASH_LSP_NOTIFICATION("note", &notes),
};
static const quash_method plain_methods[] = {
	QUASH_LSP_METHODS(&plain_server),
	QUASH_LSP_REQUEST("work", &plain_works),
};

static const quash_method leased_methods[] = {
	QUASH_LSP_METHODS(&server),
	QUASH_LSP_ENTRY("work", &works, 90000, 500, QUASH_FINISHES, NULL),
	QUASH_LSP_ENTRY("shorter", &works, QUASH_NO_LIMIT, 300, QUASH_FINISHES, NULL),
	QUASH_LSP_ENTRY("longer", &works, 60000, 400, QUASH_FINISHES, NULL),
	QUASH_LSP_REQUEST("none", &works),
};

static const quash_lsp_capability own_experiments[] = { { "own", "[1]" }, { "other", "{}" } };
static const quash_lsp_server experimental_server = {
	.name = "x", .version = "3", .session = &session, .experimental = own_experiments, .leases = &quash_lsp_leases, .experimental_count = 2 };
static const quash_lsp_method experiments = QUASH_LSP_HANDLER(&experimental_server, work, work_end, sizeof(struct work));
static const quash_method experimental_methods[] = {
	QUASH_LSP_METHODS(&experimental_server), QUASH_LSP_ENTRY("work", &experiments, QUASH_NO_LIMIT, 500, QUASH_FINISHES, NULL) };

/* --- As programs */

static void forget(void)
{
	static const quash_lsp_session fresh;
	static const quash_group nobodys;
	session = fresh;
	alone = nobodys;
}

static bool act(quash_peer *peer, const char *what)
{
	(void)peer;
	if (strcmp(what, "exit") == 0)
		program_note(NULL, quash_lsp_exit_code(&session) == 0 ? "0" : quash_lsp_exit_code(&session) != 1 ? "odd" : session.exited ? "1" : "not yet");
	else if (strcmp(what, "mint") == 0)
		session.created = 0xFEDCBA98;
	else
		return false;
	return true;
}

enum { STATE = (QUASH_LSP_STATE(TOKEN, sizeof(struct work)) + 7) / 8 * 8 };

#define CONFIG(list, count) \
	{ .dialect = &quash_lsp, .methods = list, .method_count = count, .id_size = 24, .state_size = STATE, \
	  .word_size = QUASH_WORD, .check = quash_lsp_check, .calls = &quash_calls }

static const quash_config config = CONFIG(methods, COUNT(methods));
/* Of firmware that leaves the checks out. */
static const quash_config small_config = { .dialect = &quash_lsp, .methods = methods, .method_count = COUNT(methods), .id_size = 24,
	.state_size = STATE - 8, .word_size = QUASH_WORD, .calls = &quash_calls };
static const quash_config plain_config = CONFIG(plain_methods, COUNT(plain_methods));
static const quash_config leased_config = CONFIG(leased_methods, COUNT(leased_methods));
static const quash_config experimental_config = CONFIG(experimental_methods, COUNT(experimental_methods));
static const quash_config still_config = CONFIG(experimental_methods, COUNT(experimental_methods) - 1);

const struct program lsp_programs[] = {
	{ "works", &config, forget, act }, { "works-plain", &plain_config, forget, act }, { "works-leased", &leased_config, forget, act },
	{ "works-small", &small_config, forget, act },
	{ "works-experimental", &experimental_config, forget, act }, { "works-experimental-still", &still_config, forget, act },
	{ NULL, NULL, NULL, NULL } };
