/* SPDX-License-Identifier: MIT */
#include "agent.h"

#include "quash.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { SLOW_STEPS = 10, SLOW_STEP_MS = 500 };

static uint32_t now(const quash_request *request)
{
	return quash_now(quash_peer_of(request));
}

/* --- Stages */

/* The n-th part of the prompt: its texts, then its links. */
static bool part_of(quash_value prompt, uint16_t n, quash_value *text)
{
	quash_value cursor = { NULL, 0, 0 };
	while (quash_acp_next_text(prompt, &cursor, text)) {
		if (n-- == 0)
			return true;
	}
	cursor = (quash_value){ NULL, 0, 0 };
	while (quash_acp_next_link(prompt, &cursor, text)) {
		*text = quash_get(*text, "uri");
		if (n-- == 0)
			return true;
	}
	return false;
}

static int32_t echo(quash_request *request, struct agent_turn *turn)
{
	const quash_value prompt = quash_acp_prompt_of(request);
	quash_value text;
	const int32_t code = turn->part == 0 ? quash_acp_message(request, "You said: ") : QUASH_DONE;
	if (code != QUASH_DONE)
		return code;
	if (turn->part == 0)
		turn->part = 1;
	while (part_of(prompt, (uint16_t)(turn->part - 1), &text)) {
		const int32_t outcome = quash_acp_long_message(request, quash_text(text), quash_length(text), &turn->sent);
		if (outcome != QUASH_DONE)
			return outcome;
		turn->part++;
		turn->sent = 0;
	}
	return QUASH_DONE;
}

static int32_t think(quash_request *request, struct agent_turn *turn)
{
	(void)turn;
	return quash_acp_thought(request, "The motor is cold, the light is off.");
}

static int32_t send_plan(quash_request *request, quash_acp_status first, quash_acp_status second)
{
	const quash_acp_entry entries[] = {
		{ "Look at the device", QUASH_ACP_HIGH, first },
		{ "Do as told", QUASH_ACP_MEDIUM, second },
	};
	return quash_acp_plan(request, entries, COUNT(entries));
}

static int32_t plan(quash_request *request, struct agent_turn *turn)
{
	(void)turn;
	return send_plan(request, QUASH_ACP_COMPLETED, QUASH_ACP_IN_PROGRESS);
}

static int32_t plan_end(quash_request *request, struct agent_turn *turn)
{
	(void)turn;
	return send_plan(request, QUASH_ACP_COMPLETED, QUASH_ACP_COMPLETED);
}

static int32_t mode(quash_request *request, struct agent_turn *turn)
{
	(void)turn;
	return quash_acp_change_mode(request, quash_acp_session_of(request)->mode == 0 ? 1 : 0);
}

static int32_t tool(quash_request *request, struct agent_turn *turn)
{
	static const quash_acp_tool_call begin = {
		.id = "sensor", .title = "Read the sensor", .kind = QUASH_ACP_READ, .status = QUASH_ACP_IN_PROGRESS };
	static const quash_acp_tool_call end = { .id = "sensor", .status = QUASH_ACP_COMPLETED, .text = "21 degrees" };
	if (turn->part == 0) {
		const int32_t code = quash_acp_tool(request, &begin);
		if (code != QUASH_DONE)
			return code;
		turn->part = 1;
	}
	return quash_acp_tool_update(request, &end);
}

static int32_t slow(quash_request *request, struct agent_turn *turn)
{
	if (turn->part == 0) {
		turn->part = 1;
		turn->start = now(request);
	}
	while (turn->part <= SLOW_STEPS) {
		const uint32_t due = (uint32_t)turn->part * SLOW_STEP_MS;
		const uint32_t elapsed = now(request) - turn->start;
		if (elapsed < due)
			return quash_wait(request, due - elapsed);
		const int32_t code = quash_acp_message(request, ".");
		if (code != QUASH_DONE)
			return code;
		turn->part++;
	}
	return QUASH_DONE;
}

/* --- Words */

struct word {
	const char *word; /* NULL: always */
	agent_stage *stage;
	bool named;       /* the next word is a name for it */
};

static const struct word words[] = {
	{ NULL, echo, false },
	{ "think", think, false },
	{ "plan", plan, false },
	{ "permission", agent_permission, false },
	{ "mode", mode, false },
	{ "tool", tool, false },
	{ "slow", slow, false },
	{ "read", agent_read, true },
	{ "write", agent_write, true },
	{ "run", agent_run, true },
	{ "plan", plan_end, false },
};

static bool is_space(char c)
{
	return c == ' ' || c == '\t' || c == '\n' || c == '\r';
}

/* The next word, or a length of 0. */
static const char *next_word(const char *text, size_t *length)
{
	while (is_space(*text))
		text++;
	for (*length = 0; text[*length] != '\0' && !is_space(text[*length]);)
		(*length)++;
	return text;
}

static bool is_word(const char *text, size_t length, const char *word)
{
	size_t i = 0;
	while (word != NULL && i < length && word[i] == text[i])
		i++;
	return word != NULL && i == length && word[i] == '\0';
}

/* There is one name in a turn; the last one counts. */
static void take_name(struct agent_turn *turn, const char *text)
{
	size_t length;
	text = next_word(text, &length);
	turn->too_long = length >= AGENT_NAME_SIZE;
	if (turn->too_long)
		length = 0;
	for (size_t i = 0; i < length; i++)
		turn->name[i] = text[i];
	turn->name[length] = '\0';
}

static void take_word(struct agent_turn *turn, const char *text, size_t length)
{
	for (uint8_t i = 0; i < COUNT(words); i++) {
		if (!is_word(text, length, words[i].word))
			continue;
		turn->wanted |= (uint16_t)(1u << i);
		if (words[i].named)
			take_name(turn, text + length);
	}
}

static void begin(struct agent_turn *turn, quash_value prompt)
{
	quash_value cursor = { NULL, 0, 0 };
	quash_value value;
	size_t length;
	turn->begun = true;
	turn->wanted = 1;
	while (quash_acp_next_text(prompt, &cursor, &value)) {
		const char *text = next_word(quash_text(value), &length);
		while (length > 0) {
			take_word(turn, text, length);
			text = next_word(text + length, &length);
		}
	}
}

/* --- Turns */

static bool is_wanted(const struct agent_turn *turn)
{
	return (turn->wanted >> turn->stage & 1) != 0;
}

static int32_t run_stage(quash_request *request, struct agent_turn *turn)
{
	const struct word *const word = &words[turn->stage];
	if (!is_wanted(turn))
		return QUASH_DONE;
	if (word->named && turn->name[0] == '\0') {
		turn->note = turn->too_long ? "That name is too long." : "A name is missing.";
		return QUASH_DONE;
	}
	return word->stage(request, turn);
}

static int32_t report_note(quash_request *request, struct agent_turn *turn)
{
	const int32_t code = turn->note != NULL ? quash_acp_message(request, turn->note) : QUASH_DONE;
	if (code == QUASH_DONE)
		turn->note = NULL;
	return code;
}

static int32_t go_on(quash_request *request, struct agent_turn *turn)
{
	for (;;) {
		int32_t code = report_note(request, turn);
		if (code != QUASH_DONE)
			return code;
		if (turn->stage == COUNT(words))
			return quash_acp_stop(request, QUASH_ACP_END_TURN);
		code = run_stage(request, turn);
		if (code != QUASH_DONE)
			return code;
		agent_forget(turn);
		turn->stage++;
		turn->part = 0;
		turn->sent = 0;
	}
}

/* A cancelled turn leaves no terminal open. */
static int32_t give_up(quash_request *request, struct agent_turn *turn)
{
	const bool running = turn->stage < COUNT(words) && words[turn->stage].stage == agent_run && is_wanted(turn);
	const int32_t code = running ? agent_tidy(request, turn) : QUASH_DONE;
	return code == QUASH_DONE ? QUASH_CANCELLED : code;
}

static int32_t serve(quash_request *request)
{
	struct agent_turn *const turn = QUASH_STATE(struct agent_turn, request);
	if (quash_cancelled(request) != QUASH_NOT_CANCELLED)
		return give_up(request, turn);
	if (!turn->begun)
		begin(turn, quash_acp_prompt_of(request));
	return go_on(request, turn);
}

/* --- The agent */

static const quash_acp_mode modes[] = {
	{ "ask", "Ask", "Asks before it moves anything" },
	{ "act", "Act", NULL },
};

static quash_acp_connection connection;
static quash_acp_session sessions[AGENT_SESSIONS];

static const quash_acp_agent agent = {
	.name = "quash-agent",
	.version = QUASH_VERSION,
	.title = "A small device",
	.connection = &connection,
	.sessions = sessions,
	.modes = modes,
	.prompt = serve,
	.state_size = sizeof(struct agent_turn),
	.session_count = AGENT_SESSIONS,
	.mode_count = COUNT(modes),
};

static const quash_method methods[] = { QUASH_ACP_METHODS(&agent) };

static uint8_t tags[QUASH_ACP_TAGS(AGENT_SLOTS)];

QUASH_STORAGE(
	store, AGENT_SLOTS, AGENT_ID_SIZE, QUASH_ACP_STATE(sizeof(struct agent_turn)), AGENT_ARENA, AGENT_TX);

const quash_config agent_config = {
	QUASH_STORED(store),
	.dialect = &quash_acp,
	.methods = methods,
	.method_count = COUNT(methods),
	.tags = tags,
	.tag_size = QUASH_ACP_TAG_SIZE,
	.check = quash_acp_check,
	.new_session = quash_acp_new_session,
	.calls = &quash_calls,
	.faults = AGENT_FAULTS,
};

const char *const agent_name = "agent";

void agent_reset(void)
{
	quash_acp_reset(&agent);
}
