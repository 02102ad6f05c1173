/* SPDX-License-Identifier: MIT
 * The stages of the agent that ask its client. */
#include "agent.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { WAIT_MS = 1000 }; /* the answer wakes the turn earlier */

int32_t agent_failed(struct agent_turn *turn, int32_t code)
{
	if (code == QUASH_CANCELLED || code == QUASH_LINK_LOST)
		return QUASH_CANCELLED;
	turn->note = code == QUASH_METHOD_NOT_FOUND ? "The client cannot do that." : "The client has refused.";
	return QUASH_DONE;
}

int32_t agent_wait(quash_request *request)
{
	return quash_wait(request, WAIT_MS);
}

void agent_forget(struct agent_turn *turn)
{
	static const union agent_question none;
	if (quash_call_release(&turn->ask.any.call))
		turn->ask = none;
}

/* After asking: the next part, or the end of the stage. */
static int32_t asked(struct agent_turn *turn, int32_t code)
{
	if (code != QUASH_DONE)
		return agent_failed(turn, code);
	turn->part++;
	return QUASH_PENDING;
}

/* --- permission */

static const quash_acp_tool_call motion = {
	.id = "motion", .title = "Move the motor", .kind = QUASH_ACP_EXECUTE, .status = QUASH_ACP_PENDING };

static const quash_acp_option options[] = {
	{ "allow", "Allow", QUASH_ACP_ALLOW_ONCE },
	{ "reject", "Reject", QUASH_ACP_REJECT_ONCE },
};

static int32_t decide(struct agent_turn *turn, uint8_t option)
{
	turn->note = option == 0 ? "Allowed." : "Rejected.";
	if (option != 0)
		turn->wanted = 0;
	return QUASH_DONE;
}

int32_t agent_permission(quash_request *request, struct agent_turn *turn, quash_value prompt)
{
	quash_acp_permission *const permission = &turn->ask.permission;
	uint8_t option;
	(void)prompt;
	if (turn->part == 0) {
		permission->tool_call = &motion;
		permission->options = options;
		permission->option_count = COUNT(options);
		const int32_t code = asked(turn, quash_acp_request_permission(request, permission));
		if (code != QUASH_PENDING)
			return code;
	}
	const int32_t code = quash_acp_permission_result(permission, &option);
	if (code == QUASH_PENDING)
		return agent_wait(request);
	return code == QUASH_DONE ? decide(turn, option) : agent_failed(turn, code);
}

/* --- read, write */

static int32_t speak(quash_request *request, struct agent_turn *turn, quash_value text)
{
	return quash_acp_speak(request, quash_text(text), quash_length(text), &turn->spoken);
}

int32_t agent_read(quash_request *request, struct agent_turn *turn, quash_value prompt)
{
	quash_acp_read *const read = &turn->ask.read;
	quash_value content;
	(void)prompt;
	if (turn->part == 0) {
		read->path = turn->name;
		const int32_t code = asked(turn, quash_acp_read_file(request, read));
		if (code != QUASH_PENDING)
			return code;
	}
	const int32_t code = quash_acp_read_result(read, &content);
	if (code == QUASH_PENDING)
		return agent_wait(request);
	return code == QUASH_DONE ? speak(request, turn, content) : agent_failed(turn, code);
}

int32_t agent_write(quash_request *request, struct agent_turn *turn, quash_value prompt)
{
	static const char text[] = "written by a device\n";
	quash_acp_write *const write = &turn->ask.write;
	(void)prompt;
	if (turn->part == 0) {
		write->path = turn->name;
		write->content = text;
		write->length = sizeof text - 1;
		const int32_t code = asked(turn, quash_acp_write_file(request, write));
		if (code != QUASH_PENDING)
			return code;
	}
	const int32_t code = quash_acp_result(&write->ask);
	if (code == QUASH_PENDING)
		return agent_wait(request);
	if (code != QUASH_DONE)
		return agent_failed(turn, code);
	turn->note = "Written.";
	return QUASH_DONE;
}

/* --- run */

enum { RUN_CREATE, RUN_CREATING, RUN_RUNNING, RUN_READING, RUN_CLOSING };

static int32_t next_part(struct agent_turn *turn, int32_t code)
{
	if (code == QUASH_DONE) {
		turn->part++;
		return QUASH_DONE;
	}
	if (code == QUASH_PENDING || code == QUASH_RETRY)
		return code;
	const int32_t failed = agent_failed(turn, code);
	turn->part = RUN_CLOSING;
	return failed;
}

static int32_t create(quash_request *request, struct agent_turn *turn)
{
	turn->ask.run.terminal.command = turn->name;
	turn->ask.run.look.terminal = &turn->ask.run.terminal;
	return quash_acp_create_terminal(request, &turn->ask.run.terminal);
}

static int32_t created(quash_request *request, struct agent_turn *turn)
{
	const int32_t code = quash_acp_terminal_result(&turn->ask.run.terminal, NULL);
	return code == QUASH_DONE ? quash_acp_wait_for_exit(request, &turn->ask.run.look) : code;
}

static int32_t exited(quash_request *request, struct agent_turn *turn)
{
	quash_acp_exit result;
	const int32_t code = quash_acp_exit_result(&turn->ask.run.look, &result);
	return code == QUASH_DONE ? quash_acp_get_output(request, &turn->ask.run.look) : code;
}

static int32_t tell_output(quash_request *request, struct agent_turn *turn)
{
	quash_acp_output output;
	const int32_t code = quash_acp_output_result(&turn->ask.run.look, &output);
	return code == QUASH_DONE ? speak(request, turn, output.text) : code;
}

static int32_t run_part(quash_request *request, struct agent_turn *turn)
{
	switch (turn->part) {
	case RUN_CREATE: return next_part(turn, create(request, turn));
	case RUN_CREATING: return next_part(turn, created(request, turn));
	case RUN_RUNNING: return next_part(turn, exited(request, turn));
	default: return next_part(turn, tell_output(request, turn));
	}
}

int32_t agent_run(quash_request *request, struct agent_turn *turn, quash_value prompt)
{
	(void)prompt;
	while (turn->part < RUN_CLOSING) {
		const int32_t code = run_part(request, turn);
		if (code == QUASH_PENDING)
			return agent_wait(request);
		if (code == QUASH_RETRY)
			return code;
		if (code == QUASH_CANCELLED) {
			quash_cancel(request);
			return QUASH_PENDING;
		}
	}
	const int32_t code = agent_tidy(request, turn);
	if (code == QUASH_DONE)
		(void)quash_call_release(&turn->ask.run.look.ask.call);
	return code;
}

int32_t agent_tidy(quash_request *request, struct agent_turn *turn)
{
	return quash_acp_close_terminal(request, &turn->ask.run.terminal);
}
