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

/* What a question has come to; a turn that waits for the client sleeps. */
static int32_t await(quash_request *request, int32_t code)
{
	return code == QUASH_PENDING ? quash_wait(request, WAIT_MS) : code;
}

void agent_forget(struct agent_turn *turn)
{
	static const union agent_question none;
	if (quash_call_release(&turn->ask.any.call))
		turn->ask = none;
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

static int32_t ask_permission(quash_request *request, quash_acp_permission *permission)
{
	permission->tool_call = &motion;
	permission->options = options;
	permission->option_count = COUNT(options);
	return quash_acp_request_permission(request, permission);
}

int32_t agent_permission(quash_request *request, struct agent_turn *turn)
{
	quash_acp_permission *const permission = &turn->ask.permission;
	uint8_t option;
	int32_t code = turn->part == 0 ? ask_permission(request, permission) : QUASH_DONE;
	turn->part = 1;
	if (code == QUASH_DONE)
		code = await(request, quash_acp_permission_result(permission, &option));
	if (code == QUASH_DONE)
		return decide(turn, option);
	return code == QUASH_PENDING ? code : agent_failed(turn, code);
}

/* --- read, write */

static int32_t forward(quash_request *request, struct agent_turn *turn, quash_value text)
{
	return quash_acp_long_message(request, quash_text(text), quash_length(text), &turn->sent);
}

static int32_t ask_to_read(quash_request *request, struct agent_turn *turn)
{
	turn->ask.read.path = turn->name;
	return quash_acp_read_file(request, &turn->ask.read);
}

int32_t agent_read(quash_request *request, struct agent_turn *turn)
{
	quash_value content;
	int32_t code = turn->part == 0 ? ask_to_read(request, turn) : QUASH_DONE;
	turn->part = 1;
	if (code == QUASH_DONE)
		code = await(request, quash_acp_read_result(&turn->ask.read, &content));
	if (code == QUASH_DONE)
		return forward(request, turn, content);
	return code == QUASH_PENDING ? code : agent_failed(turn, code);
}

static int32_t ask_to_write(quash_request *request, struct agent_turn *turn)
{
	static const char text[] = "written by a device\n";
	turn->ask.write.path = turn->name;
	turn->ask.write.content = text;
	turn->ask.write.length = sizeof text - 1;
	return quash_acp_write_file(request, &turn->ask.write);
}

int32_t agent_write(quash_request *request, struct agent_turn *turn)
{
	int32_t code = turn->part == 0 ? ask_to_write(request, turn) : QUASH_DONE;
	turn->part = 1;
	if (code == QUASH_DONE)
		code = await(request, quash_acp_result(&turn->ask.write.ask));
	if (code == QUASH_PENDING)
		return code;
	if (code != QUASH_DONE)
		return agent_failed(turn, code);
	turn->note = "Written.";
	return QUASH_DONE;
}

/* --- run */

enum { RUN_CREATE, RUN_CREATING, RUN_RUNNING, RUN_READING, RUN_CLOSING };

static int32_t create(quash_request *request, struct agent_turn *turn)
{
	turn->ask.run.terminal.command = turn->name;
	turn->ask.run.look.terminal = &turn->ask.run.terminal;
	return quash_acp_create_terminal(request, &turn->ask.run.terminal);
}

static int32_t created(quash_request *request, struct agent_turn *turn)
{
	const int32_t code = await(request, quash_acp_terminal_result(&turn->ask.run.terminal, NULL));
	return code == QUASH_DONE ? quash_acp_wait_for_exit(request, &turn->ask.run.look) : code;
}

static int32_t exited(quash_request *request, struct agent_turn *turn)
{
	quash_acp_exit result;
	const int32_t code = await(request, quash_acp_exit_result(&turn->ask.run.look, &result));
	return code == QUASH_DONE ? quash_acp_get_output(request, &turn->ask.run.look) : code;
}

static int32_t forward_output(quash_request *request, struct agent_turn *turn)
{
	quash_acp_output output;
	const int32_t code = await(request, quash_acp_output_result(&turn->ask.run.look, &output));
	return code == QUASH_DONE ? forward(request, turn, output.text) : code;
}

static int32_t run_part(quash_request *request, struct agent_turn *turn)
{
	switch (turn->part) {
	case RUN_CREATE: return create(request, turn);
	case RUN_CREATING: return created(request, turn);
	case RUN_RUNNING: return exited(request, turn);
	default: return forward_output(request, turn);
	}
}

/* What has failed is closed all the same; what is cancelled, by `serve` when it is called again. */
int32_t agent_run(quash_request *request, struct agent_turn *turn)
{
	while (turn->part < RUN_CLOSING) {
		const int32_t code = run_part(request, turn);
		if (code == QUASH_PENDING)
			return code;
		turn->part = code == QUASH_DONE ? (uint16_t)(turn->part + 1) : RUN_CLOSING;
		if (code != QUASH_DONE && agent_failed(turn, code) == QUASH_CANCELLED) {
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
