/* SPDX-License-Identifier: MIT
 * Terminals of the client. */
#include "acp_inner.h"

/* between two checks of its release: that is no child, so its end does not wake the turn */
enum { TERMINAL_LOOK_MS = 5 };

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

static void put_terminal_id(quash_writer *w, const quash_acp_terminal *terminal)
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
	put_terminal_id(w, terminal);
}

/* No child of the request: a cancelled turn cannot start one. */
static void start_release(quash_request *request, quash_acp_terminal *terminal)
{
	terminal->release.method = "terminal/release";
	terminal->release.put = put_release;
	terminal->release.context = terminal;
	terminal->release.deadline = QUASH_ACP_CLOSE_MS;
	(void)quash_call_start(quash_peer_of(request), &terminal->release);
}

/* True while the id may still arrive: then a terminal exists that must be released. */
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

int32_t quash_acp_close_terminal(quash_request *request, quash_acp_terminal *terminal)
{
	if (!quash_call_in_use(&terminal->release)) {
		if (may_be_created(request, terminal))
			return quash_wait(request, TERMINAL_LOOK_MS);
		if (quash_acp_terminal_result(terminal, NULL) == QUASH_DONE)
			start_release(request, terminal);
	}
	const bool releasing = quash_call_in_use(&terminal->release) && !quash_call_has_ended(&terminal->release);
	if (releasing || !quash_call_release(&terminal->release) || !quash_call_release(&terminal->ask.call))
		return quash_wait(request, TERMINAL_LOOK_MS);
	terminal->closing = false;
	return QUASH_DONE;
}

/* --- Questions about a terminal */

static void put_look(quash_writer *w, const quash_call *call)
{
	const quash_acp_look *const look = quash_acp_put_question(w, call);
	put_terminal_id(w, look->terminal);
}

static int32_t ask_about(quash_request *request, quash_acp_look *look, const char *method)
{
	const quash_call *const created = &look->terminal->ask.call;
	if (quash_kind_of(quash_get(quash_call_answer(created), "terminalId")) != QUASH_STRING)
		return QUASH_INVALID_REQUEST;
	return quash_acp_ask(request, &look->ask, QUASH_ACP_HAS_TERMINAL, method, put_look);
}

/* An exit code is an unsigned integer of 32 bits. */
static bool read_code(quash_value value, uint32_t *code)
{
	int64_t wide;
	if (quash_int64(value, &wide) != QUASH_NUMBER_OK || wide < 0 || wide > (int64_t)UINT32_MAX)
		return false;
	*code = (uint32_t)wide;
	return true;
}

static void read_exit(quash_value status, quash_acp_exit *result)
{
	static const quash_value none = { NULL, 0, 0 };
	const quash_value signal = quash_get(status, "signal");
	result->exited = quash_kind_of(status) == QUASH_OBJECT;
	result->code = 0;
	result->has_code = read_code(quash_get(status, "exitCode"), &result->code);
	result->signal = quash_kind_of(signal) == QUASH_STRING ? signal : none;
}

/* --- terminal/wait_for_exit */

int32_t quash_acp_wait_for_exit(quash_request *request, quash_acp_look *look)
{
	return ask_about(request, look, "terminal/wait_for_exit");
}

int32_t quash_acp_exit_result(const quash_acp_look *look, quash_acp_exit *result)
{
	const int32_t code = quash_acp_result(&look->ask);
	if (code != QUASH_DONE)
		return code;
	read_exit(quash_call_answer(&look->ask.call), result);
	return result->exited ? QUASH_DONE : QUASH_INTERNAL_ERROR;
}

/* --- terminal/kill */

int32_t quash_acp_kill(quash_request *request, quash_acp_look *look)
{
	return ask_about(request, look, "terminal/kill");
}

/* --- terminal/output */

int32_t quash_acp_get_output(quash_request *request, quash_acp_look *look)
{
	return ask_about(request, look, "terminal/output");
}

int32_t quash_acp_output_result(const quash_acp_look *look, quash_acp_output *result)
{
	const int32_t code = quash_acp_string_result(&look->ask, "output", &result->text);
	if (code != QUASH_DONE)
		return code;
	const quash_value answer = quash_call_answer(&look->ask.call);
	result->truncated = quash_kind_of(quash_get(answer, "truncated")) == QUASH_TRUE;
	read_exit(quash_get(answer, "exitStatus"), &result->end);
	return QUASH_DONE;
}
