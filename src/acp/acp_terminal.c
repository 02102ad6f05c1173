/* SPDX-License-Identifier: MIT
 * terminal/create and terminal/release. */
#include "acp_inner.h"

enum { TERMINAL_LOOK_MS = 5 }; /* between looks at whether it is released: it is no child, whose end wakes the turn */

/* --- Creating */

static void put_args(quash_writer *w, const quash_acp_terminal *terminal)
{
	if (terminal->arg_count == 0)
		return;
	quash_put_key(w, "args");
	quash_put_array(w);
	for (uint8_t i = 0; i < terminal->arg_count; i++)
		quash_put_text(w, terminal->args[i]);
	quash_put_end(w);
}

static void put_env(quash_writer *w, const quash_acp_terminal *terminal)
{
	if (terminal->env_count == 0)
		return;
	quash_put_key(w, "env");
	quash_put_array(w);
	for (uint8_t i = 0; i < terminal->env_count; i++) {
		quash_put_object(w);
		quash_put_member(w, "name", terminal->env[i].name);
		quash_put_member(w, "value", terminal->env[i].value);
		quash_put_end(w);
	}
	quash_put_end(w);
}

static void put_create(quash_writer *w, const quash_call *call)
{
	const quash_acp_terminal *const terminal = quash_acp_put_question(w, call);
	quash_put_member(w, "command", terminal->command);
	put_args(w, terminal);
	put_env(w, terminal);
	quash_put_optional(w, "cwd", terminal->cwd);
	quash_acp_put_nonzero(w, "outputByteLimit", terminal->output_limit);
}

int32_t quash_acp_create_terminal(quash_request *request, quash_acp_terminal *terminal)
{
	return quash_acp_ask(request, &terminal->ask, QUASH_ACP_HAS_TERMINAL, "terminal/create", put_create);
}

int32_t quash_acp_terminal_result(const quash_acp_terminal *terminal, quash_value *id)
{
	quash_value found;
	const int32_t code = quash_acp_string_result(&terminal->ask, "terminalId", &found);
	if (code == QUASH_DONE && id != NULL)
		*id = found;
	return code;
}

void quash_acp_put_terminal(quash_writer *w, const quash_acp_terminal *terminal)
{
	quash_put_key(w, "terminalId");
	quash_put_value(w, quash_get(quash_call_answer(&terminal->ask.call), "terminalId"));
}

/* --- Releasing */

static void put_release(quash_writer *w, const quash_call *call)
{
	const quash_acp_terminal *const terminal = call->context;
	quash_put_object(w);
	quash_put_key(w, "sessionId");
	quash_acp_put_number(w, terminal->ask.session);
	quash_acp_put_terminal(w, terminal);
}

/* Not as a child: a cancelled turn could not ask any more. */
static void start_release(quash_request *request, quash_acp_terminal *terminal)
{
	terminal->release.method = "terminal/release";
	terminal->release.put = put_release;
	terminal->release.context = terminal;
	terminal->release.deadline = QUASH_ACP_CLOSE_MS;
	(void)quash_call_start(quash_peer_of(request), &terminal->release);
}

/* The id may still come, and with it a terminal to be released. */
static bool may_be_created(const quash_request *request, quash_acp_terminal *terminal)
{
	const uint32_t now = quash_now(quash_peer_of(request));
	if (!terminal->closing) {
		terminal->closing = true;
		terminal->due = now + QUASH_ACP_CLOSE_MS;
		if (quash_call_in_use(&terminal->ask.call))
			quash_call_cancel(&terminal->ask.call);
	}
	return quash_acp_terminal_result(terminal, NULL) == QUASH_PENDING && (int32_t)(now - terminal->due) < 0;
}

static bool is_releasing(const quash_acp_terminal *terminal)
{
	return quash_call_in_use(&terminal->release) && !quash_call_has_ended(&terminal->release);
}

int32_t quash_acp_close_terminal(quash_request *request, quash_acp_terminal *terminal)
{
	if (!quash_call_in_use(&terminal->release)) {
		if (may_be_created(request, terminal))
			return quash_wait(request, TERMINAL_LOOK_MS);
		if (quash_acp_terminal_result(terminal, NULL) == QUASH_DONE)
			start_release(request, terminal);
	}
	if (is_releasing(terminal) || !quash_call_release(&terminal->release) || !quash_call_release(&terminal->ask.call))
		return quash_wait(request, TERMINAL_LOOK_MS);
	terminal->closing = false;
	return QUASH_DONE;
}
