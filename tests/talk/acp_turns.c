/* SPDX-License-Identifier: MIT
 * Agents whose turns do what the first text of the prompt names: a turn of the table below, and a number for it. */
#include "programs.h"
#include "testee.h"

#include "quash.h"
#include "quash/acp_client.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURN = 48 * sizeof(void *) + 96 };

/* What a turn keeps: first what its handler does. */
struct state {
	uint8_t turn[TURN];
	quash_handler *does;
	int32_t number; /* behind its name: how long its end takes, or why it stops */
	bool rests;
};

static quash_acp_connection connection;
static quash_acp_session sessions[2];

static int32_t number_of(const quash_request *request)
{
	return QUASH_CONST_STATE(struct state, request)->number;
}

/* --- Turns that ask nothing */

static int32_t ends(quash_request *request)
{
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static int32_t stops(quash_request *request)
{
	return quash_acp_stop(request, (quash_acp_reason)number_of(request));
}

static int32_t waits(quash_request *request)
{
	program_note(request, "turn");
	return quash_cancelled(request) ? QUASH_CANCELLED : QUASH_PENDING;
}

/* Sees no cancel, and ends with its third call. */
static int32_t stubborn(quash_request *request)
{
	uint8_t *const calls = QUASH_STATE(uint8_t, request);
	program_note(request, "stubborn");
	if (quash_cancelled(request) == QUASH_BY_LINK)
		quash_acp_message(request, "of a link that is gone");
	return ++*calls < 3 ? quash_wait(request, 2) : quash_acp_stop(request, QUASH_ACP_END_TURN);
}

/* What the last client's turn still reports is for nobody, and its session is not the new one's. */
static int32_t outlives(quash_request *request)
{
	uint8_t *const calls = QUASH_STATE(uint8_t, request);
	if (quash_cancelled(request) == QUASH_BY_SESSION) {
		program_note(NULL, quash_acp_session_of(request) == NULL ? "no session" : "a session");
		(void)quash_acp_message(request, "of the last session");
		(void)quash_acp_change_mode(request, 1);
	}
	return ++*calls < 5 ? QUASH_PENDING : quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static int32_t changes_mode(quash_request *request)
{
	if (quash_acp_change_mode(request, 2) != QUASH_INVALID_PARAMS)
		return QUASH_INTERNAL_ERROR;
	(void)quash_acp_change_mode(request, 1);
	return quash_acp_stop(request, QUASH_ACP_REFUSAL);
}

static int32_t lists(quash_request *request)
{
	const quash_value prompt = quash_acp_prompt_of(request);
	quash_value cursor = { NULL, 0, 0 }, text;
	while (quash_acp_next_text(prompt, &cursor, &text))
		program_note(NULL, quash_text(text));
	cursor = (quash_value){ NULL, 0, 0 };
	while (quash_acp_next_link(prompt, &cursor, &text))
		program_note(NULL, quash_text(quash_get(text, "uri")));
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static int32_t fails(quash_request *request)
{
	(void)request;
	return QUASH_INTERNAL_ERROR;
}

static void put_diff(quash_writer *w, const void *data)
{
	quash_put_raw(w, data);
}

static int32_t each_update(quash_request *request)
{
	static const quash_acp_tool_call call = { .id = "c", .title = "T", .kind = QUASH_ACP_SWITCH_MODE,
		.status = QUASH_ACP_FAILED, .text = "why", .path = "/a", .line = 7, .put = put_diff,
		.data = "{\"type\":\"diff\",\"path\":\"/a\",\"newText\":\"\"}" };
	static const quash_acp_tool_call bare = { .id = "c" };
	static const quash_acp_entry plan[] = { { "a", QUASH_ACP_HIGH, QUASH_ACP_COMPLETED },
		{ "b", QUASH_ACP_MEDIUM, QUASH_ACP_IN_PROGRESS }, { "c", QUASH_ACP_LOW, QUASH_ACP_ANY_STATUS },
		{ "d", QUASH_ACP_LOW, QUASH_ACP_PENDING } };
	uint8_t *const stage = QUASH_STATE(uint8_t, request);
	switch ((*stage)++) {
	case 0: return quash_acp_tool(request, &call) == QUASH_DONE ? QUASH_PENDING : QUASH_INTERNAL_ERROR;
	case 1: return quash_acp_tool_update(request, &bare) == QUASH_DONE ? QUASH_PENDING : QUASH_INTERNAL_ERROR;
	case 2: return quash_acp_plan(request, plan, 4) == QUASH_DONE ? QUASH_PENDING : QUASH_INTERNAL_ERROR;
	case 3: return quash_acp_thought(request, "hm") == QUASH_DONE ? QUASH_PENDING : QUASH_INTERNAL_ERROR;
	default: return quash_acp_stop(request, QUASH_ACP_END_TURN);
	}
}

/* Three chunks, each until it finds room. */
static int32_t three_chunks(quash_request *request)
{
	uint8_t *const sent = QUASH_STATE(uint8_t, request);
	while (*sent < 3) {
		const int32_t code = quash_acp_message(request, "chunk");
		if (code != QUASH_DONE)
			return code;
		(*sent)++;
	}
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static int32_t last_words(quash_request *request)
{
	if (quash_cancelled(request) == QUASH_NOT_CANCELLED)
		return QUASH_PENDING;
	(void)quash_acp_message(request, "stopped");
	const int32_t code = quash_acp_stop(request, QUASH_ACP_END_TURN);
	program_note(request, quash_acp_may_update(request) ? "may" : "may not");
	return code;
}

static int32_t reports_after_its_cancel(quash_request *request)
{
	uint8_t *const calls = QUASH_STATE(uint8_t, request);
	if (quash_cancelled(request) == QUASH_NOT_CANCELLED || ++*calls < 3)
		return QUASH_PENDING;
	program_note(request, quash_acp_may_update(request) ? "may" : "may not");
	return quash_acp_message(request, "stopped") == QUASH_PENDING ? QUASH_PENDING : QUASH_CANCELLED;
}

static int32_t too_late(quash_request *request)
{
	const int32_t code = quash_acp_stop(request, QUASH_ACP_END_TURN);
	program_note(request, quash_acp_may_update(request) ? "may" : "may not");
	(void)quash_acp_message(request, "late");
	(void)quash_acp_thought(request, "late");
	(void)quash_acp_plan(request, NULL, 0);
	(void)quash_acp_change_mode(request, 0);
	return code;
}

/* A cancel from an interrupt right after the answer. */
static int32_t cancelled_late(quash_request *request)
{
	const int32_t code = quash_acp_stop(request, QUASH_ACP_END_TURN);
	quash_cancel_async(quash_handle_of(request));
	(void)quash_acp_message(request, "late");
	return code;
}

static int32_t stays_busy(quash_request *request)
{
	const struct testee *const testee = quash_context(quash_peer_of(request));
	while (quash_cancelled(request) == QUASH_NOT_CANCELLED && !testee->ended(testee->device))
		testee->pump(quash_peer_of(request), testee->device);
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

/* A long message, in as many chunks as it takes. */
static int32_t streams(quash_request *request)
{
	static const char *const texts[] = { "ab defgh\xC3\xBC\n\x01\"\\xyz", "\xF0\x9F\x98\x80" };
	const char *const text = texts[number_of(request)];
	size_t *const sent = QUASH_STATE(size_t, request);
	const int32_t code = quash_acp_long_message(request, text, strlen(text), sent);
	return code == QUASH_DONE ? quash_acp_stop(request, QUASH_ACP_END_TURN) : code;
}

static int32_t reports_once(quash_request *request)
{
	const int32_t code = quash_acp_message(request, "longer than the smallest TX");
	return code == QUASH_DONE ? quash_acp_stop(request, QUASH_ACP_END_TURN) : code;
}

/* --- Turns that ask the client: the first call asks, the further ones look at the result, and note it */

struct turn {
	bool begun;
	bool finished;
	union {
		quash_acp_permission permission;
		quash_acp_read read;
		quash_acp_write write;
		struct {
			quash_acp_terminal terminal;
			quash_acp_look look;
			quash_acp_look kill;
		} run;
	} ask;
};

typedef char turn_fits[sizeof(struct turn) <= TURN ? 1 : -1];

static void note_number(const char *what, int32_t number)
{
	char text[40];
	(void)snprintf(text, sizeof text, "%s%ld", what, (long)number);
	program_note(NULL, text);
}

static int32_t end_with(quash_request *request, int32_t code)
{
	if (code != QUASH_PENDING)
		note_number("", code);
	if (quash_cancelled(request))
		return QUASH_CANCELLED;
	return code == QUASH_PENDING ? QUASH_PENDING : quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static bool begins(struct turn *t)
{
	const bool first = !t->begun;
	t->begun = true;
	return first;
}

static int32_t asks_permission(quash_request *request)
{
	static const quash_acp_tool_call call = { .id = "c", .title = "T", .path = "/p" };
	static const quash_acp_option options[] = { { "y", "Yes", QUASH_ACP_ALLOW_ONCE },
		{ "a", "Always", QUASH_ACP_ALLOW_ALWAYS }, { "n", "No", QUASH_ACP_REJECT_ONCE }, { "x", "Never", QUASH_ACP_REJECT_ALWAYS } };
	uint8_t chosen = 9;
	struct turn *const t = QUASH_STATE(struct turn, request);
	quash_acp_permission *const p = &t->ask.permission;
	if (begins(t)) {
		p->tool_call = &call;
		p->options = options;
		p->option_count = COUNT(options);
		note_number("", quash_acp_permission_result(p, &chosen));
		note_number("", quash_acp_request_permission(request, p));
		note_number("", quash_acp_request_permission(request, p));
	}
	const int32_t code = quash_acp_permission_result(p, &chosen);
	if (code == QUASH_DONE)
		note_number("option ", chosen);
	return end_with(request, code);
}

static int32_t asks_everything(quash_request *request)
{
	struct turn *const t = QUASH_STATE(struct turn, request);
	t->ask.read.path = "/a";
	note_number("", quash_acp_read_file(request, &t->ask.read));
	note_number("", quash_acp_result(&t->ask.read.ask));
	note_number("", quash_acp_write_file(request, &t->ask.write));
	note_number("", quash_acp_create_terminal(request, &t->ask.run.terminal));
	t->ask.run.look.terminal = &t->ask.run.terminal;
	note_number("", quash_acp_kill(request, &t->ask.run.look));
	note_number("", quash_acp_close_terminal(request, &t->ask.run.terminal));
	return quash_acp_stop(request, QUASH_ACP_END_TURN);
}

static int32_t reads(quash_request *request)
{
	struct turn *const t = QUASH_STATE(struct turn, request);
	quash_value text;
	if (begins(t)) {
		t->ask.read.path = "/a";
		t->ask.read.line = 3;
		t->ask.read.limit = 10;
		(void)quash_acp_read_file(request, &t->ask.read);
	}
	const int32_t code = quash_acp_read_result(&t->ask.read, &text);
	if (code == QUASH_DONE)
		program_note(NULL, quash_text(text));
	return end_with(request, code);
}

static char long_text[1000];

static int32_t writes(quash_request *request)
{
	struct turn *const t = QUASH_STATE(struct turn, request);
	if (begins(t)) {
		memset(long_text, 'w', sizeof long_text);
		t->ask.write.path = "/a";
		t->ask.write.content = long_text;
		t->ask.write.length = sizeof long_text;
		(void)quash_acp_write_file(request, &t->ask.write);
	}
	return end_with(request, quash_acp_result(&t->ask.write.ask));
}

static void note_end(const quash_acp_exit *how)
{
	if (!how->exited)
		program_note(NULL, "runs");
	else if (!how->has_code)
		program_note(NULL, quash_kind_of(how->signal) == QUASH_STRING ? quash_text(how->signal) : "no code");
	else
		program_note(NULL, how->code == UINT32_MAX ? "4294967295" : how->code == 0 ? "code 0" : "code 1");
}

static int32_t runs(quash_request *request)
{
	static const char *const args[] = { "-l", "/" };
	static const quash_acp_variable env[] = { { "A", "1" }, { "B", "2" } };
	struct turn *const t = QUASH_STATE(struct turn, request);
	quash_acp_terminal *const terminal = &t->ask.run.terminal;
	quash_acp_exit how;
	quash_value id;
	if (begins(t)) {
		terminal->command = "ls";
		terminal->args = args;
		terminal->arg_count = 2;
		terminal->env = env;
		terminal->env_count = 2;
		terminal->cwd = "/notes";
		terminal->output_limit = 100;
		(void)quash_acp_create_terminal(request, terminal);
		t->ask.run.look.terminal = t->ask.run.kill.terminal = terminal;
	}
	if (!quash_cancelled(request) && !t->finished) {
		int32_t outcome = quash_acp_terminal_result(terminal, &id);
		if (outcome == QUASH_PENDING)
			return QUASH_PENDING;
		if (outcome == QUASH_DONE && !quash_call_in_use(&t->ask.run.look.ask.call))
			(void)quash_acp_wait_for_exit(request, &t->ask.run.look);
		if (outcome == QUASH_DONE)
			outcome = quash_acp_exit_result(&t->ask.run.look, &how);
		if (outcome == QUASH_PENDING)
			return QUASH_PENDING;
		if (outcome == QUASH_DONE)
			note_end(&how);
		else
			note_number("", outcome);
		t->finished = true;
	}
	return quash_acp_close_terminal(request, terminal) == QUASH_PENDING ? QUASH_PENDING : end_with(request, QUASH_DONE);
}

static int32_t looks(quash_request *request)
{
	struct turn *const t = QUASH_STATE(struct turn, request);
	quash_acp_output output;
	quash_acp_terminal *const terminal = &t->ask.run.terminal;
	if (begins(t)) {
		terminal->command = "x";
		(void)quash_acp_create_terminal(request, terminal);
		t->ask.run.look.terminal = t->ask.run.kill.terminal = terminal;
	}
	if (quash_acp_terminal_result(terminal, NULL) == QUASH_PENDING)
		return QUASH_PENDING;
	if (!t->finished) {
		t->finished = true;
		(void)quash_acp_get_output(request, &t->ask.run.look);
		(void)quash_acp_kill(request, &t->ask.run.kill);
	}
	if (quash_acp_output_result(&t->ask.run.look, &output) == QUASH_DONE) {
		program_note(NULL, quash_text(output.text));
		program_note(NULL, output.truncated ? "truncated" : "whole");
		note_end(&output.end);
	}
	if (quash_acp_result(&t->ask.run.kill.ask) == QUASH_PENDING)
		return QUASH_PENDING;
	const int32_t code = quash_acp_close_terminal(request, terminal);
	return code == QUASH_PENDING ? code : quash_acp_stop(request, QUASH_ACP_END_TURN);
}

/* --- The agent */

static const struct {
	const char *name;
	quash_handler *does;
} turns[] = {
	{ "ends", ends }, { "stops", stops }, { "waits", waits }, { "stubborn", stubborn }, { "outlives", outlives },
	{ "changes_mode", changes_mode }, { "lists", lists }, { "fails", fails }, { "each_update", each_update },
	{ "three_chunks", three_chunks }, { "last_words", last_words }, { "reports_after_its_cancel", reports_after_its_cancel },
	{ "too_late", too_late }, { "cancelled_late", cancelled_late }, { "streams", streams }, { "reports_once", reports_once },
	{ "stays_busy", stays_busy },
	{ "asks_permission", asks_permission }, { "asks_everything", asks_everything }, { "reads", reads }, { "writes", writes },
	{ "runs", runs }, { "looks", looks },
};

/* Which one the prompt names; without a name it ends at once. */
static void choose(quash_request *request, struct state *s)
{
	quash_value cursor = { NULL, 0, 0 }, text;
	s->does = ends;
	if (!quash_acp_next_text(quash_acp_prompt_of(request), &cursor, &text))
		return;
	const char *const name = quash_text(text);
	const size_t length = strcspn(name, " ");
	for (size_t i = 0; i < COUNT(turns); i++) {
		if (strlen(turns[i].name) == length && memcmp(name, turns[i].name, length) == 0)
			s->does = turns[i].does;
	}
	s->number = name[length] == ' ' ? atoi(name + length) : 0;
}

static int32_t turn(quash_request *request)
{
	struct state *const s = QUASH_STATE(struct state, request);
	if (s->does == NULL)
		choose(request, s);
	return s->does(request);
}

static int32_t end(quash_request *request)
{
	struct state *const s = QUASH_STATE(struct state, request);
	program_note(request, quash_acp_may_update(request) ? "end that may report" : s->rests ? "rests" : "end");
	if (s->rests || s->number <= 3)
		return QUASH_DONE;
	s->rests = true;
	return quash_wait(request, (uint32_t)s->number);
}

static int32_t opened(quash_acp_session *session, quash_value params)
{
	program_note(NULL, session->number != 0 ? "open" : "open without a number");
	return quash_is(quash_get(params, "cwd"), "refuse") ? -32000 : QUASH_DONE;
}

static void closed(quash_acp_session *session)
{
	program_note(NULL, session->number != 0 ? "close" : "close without a number");
}

static void gives_back(quash_request *request)
{
	program_note(request, "released");
}

static const quash_acp_mode modes[] = { { "a", "A", "first" }, { "b", "B", NULL } };

#define AGENT \
	.name = "unit", .version = "1", .connection = &connection, .sessions = sessions, .prompt = turn, .leases = &quash_acp_leases, \
	.state_size = sizeof(struct state), .session_count = COUNT(sessions)
#define WHOLE AGENT, .title = "Unit", .modes = modes, .mode_count = COUNT(modes), .end = end, .open = opened, .close = closed

static const quash_acp_agent agent = { WHOLE, .accepts = QUASH_ACP_IMAGES };
static const quash_acp_agent unmoded = { AGENT, .title = "Unit", .end = end, .open = opened, .close = closed, .accepts = QUASH_ACP_IMAGES };
static const quash_acp_agent reader = { WHOLE, .accepts = QUASH_ACP_AUDIO | QUASH_ACP_EMBEDDED };
static const quash_acp_agent holder = { WHOLE, .released = gives_back };
static const quash_acp_agent bare = { AGENT };
static const quash_acp_agent exact = { .name = "unit", .version = "1", .connection = &connection, .sessions = sessions, .prompt = turn,
	.session_count = COUNT(sessions), .state_size = (8 - sizeof(quash_acp_slot) % 8) % 8 };

static int32_t homes(quash_request *request)
{
	return quash_reply_null(request);
}

static int32_t at_home(quash_request *request)
{
	(void)request;
	return QUASH_DONE;
}

static const quash_method methods[] = { QUASH_ACP_METHODS(&agent) }, base_methods[] = { QUASH_ACP_BASE(&unmoded) },
	reader_methods[] = { QUASH_ACP_BASE(&reader), QUASH_ACP_MODES(&reader) }, holder_methods[] = { QUASH_ACP_METHODS(&holder) },
	exact_methods[] = { QUASH_ACP_METHODS(&exact) }, bare_methods[] = { QUASH_ACP_METHODS(&bare) }, behind_methods[] = { {
		.name = "own", .handler = homes }, QUASH_ACP_METHODS(&agent) };
static const quash_method leased_methods[] = {
	QUASH_ACP_BEGIN(&agent), QUASH_ACP_PROMPT(&agent, QUASH_NO_LIMIT, 3000, NULL), QUASH_ACP_MODES(&agent),
	{ .name = "_home", .handler = homes, .motion = { .end = at_home, .longest = 60000, .lease = 2000 } },
	{ .name = "_away", .handler = homes, .motion = { .end = at_home, .longest = QUASH_NO_LIMIT, .lease = 4000 } }, {
		.name = "_where", .handler = homes } };

/* --- As programs */

static void forget(void)
{
	static const quash_acp_connection fresh;
	quash_acp_reset(&agent);
	connection = fresh;
}

static bool act(quash_peer *peer, const char *what)
{
	if (strcmp(what, "look") == 0) {
		note_number("client ", connection.client);
		note_number("mode ", sessions[0].mode);
	} else if (strcmp(what, "mint") == 0) {
		connection.minted = UINT32_MAX - 1;
	} else if (strcmp(what, "reset") == 0) {
		quash_acp_reset(&agent);
	} else if (strcmp(what, "update") == 0) {
		quash_writer *const w = quash_acp_update(peer, &sessions[0], "available_commands_update");
		quash_put_key(w, "availableCommands");
		quash_put_array(w);
		(void)quash_notify_send(peer);
	} else {
		return false;
	}
	return true;
}

enum { STATE = (QUASH_ACP_STATE(sizeof(struct state)) + 7) / 8 * 8 };

#define SIZED(list, state, tag, look) \
	{ .dialect = &quash_acp, .methods = list, .method_count = COUNT(list), .id_size = 64, .state_size = state, .word_size = QUASH_WORD, \
	  .tag_size = tag, .check = look, .new_session = quash_acp_new_session, .calls = &quash_calls }
#define CONFIG(list) SIZED(list, STATE, QUASH_ACP_TAG_SIZE, quash_acp_check)

/* What the profile asks for, and firmware without checks that has less. */
static const quash_config exact_config = SIZED(exact_methods, QUASH_ACP_STATE((8 - sizeof(quash_acp_slot) % 8) % 8), QUASH_ACP_TAG_SIZE, quash_acp_check);
static const quash_config short_tag = SIZED(methods, STATE, QUASH_ACP_TAG_SIZE - 1, NULL), small_state = SIZED(methods, STATE - 8, QUASH_ACP_TAG_SIZE, NULL);

static const quash_config config = CONFIG(methods), base = CONFIG(base_methods), reader_config = CONFIG(reader_methods),
	holder_config = CONFIG(holder_methods), bare_config = CONFIG(bare_methods), behind = CONFIG(behind_methods), leased = CONFIG(leased_methods);

const struct program acp_programs[] = { { "turns", &config, forget, act }, { "turns-base", &base, forget, act },
	{ "turns-reader", &reader_config, forget, act }, { "turns-holder", &holder_config, forget, act },
	{ "turns-bare", &bare_config, forget, act }, { "turns-behind", &behind, forget, act }, { "turns-leased", &leased, forget, act },
	{ "turns-exact", &exact_config, forget, act }, { "turns-short-tag", &short_tag, forget, act },
	{ "turns-small", &small_state, forget, act }, { NULL, NULL, NULL, NULL } };
