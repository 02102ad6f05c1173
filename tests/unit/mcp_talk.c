/* SPDX-License-Identifier: MIT */
#include "mcp_talk.h"

#include "quash/mcp.h"
#include "unit.h"

loop mcp;

static uint64_t states[LOOP_SLOTS * MCP_STATE / 8];

void mcp_prepare(const quash_method *methods, uint8_t count, quash_size state_size, quash_size tx_size)
{
	assert_in_range(state_size, 0, MCP_STATE);
	loop_init(&mcp, &quash_mcp, methods, count);
	mcp.config.states = states;
	mcp.config.state_size = state_size;
	mcp.config.tx_size = tx_size;
	mcp.config.check = quash_mcp_check;
	mcp.config.new_session = quash_mcp_new_session;
	mcp.config.keeps = &quash_mcp_keeps;
}

void mcp_start(const quash_method *methods, uint8_t count, quash_size state_size, quash_size tx_size)
{
	mcp_prepare(methods, count, state_size, tx_size);
	loop_start(&mcp);
}

void mcp_use(const quash_method *methods, uint8_t count)
{
	mcp.config.methods = methods;
	mcp.config.method_count = count;
}

void mcp_refuses(const char *table, const char *name, const char *what)
{
	quash_fault fault;
	assert_false(quash_mcp_check(&mcp.config, &fault));
	assert_string_equal(fault.table, table);
	assert_string_equal(fault.name != NULL ? fault.name : "", name);
	assert_fault(&fault, what);
	assert_false(quash_init(&mcp.peer, &mcp.config, &fault));
	assert_says_fault(&mcp, &fault);
}

const char *mcp_quoted(const char *text)
{
	static char buffer[ROOM_FOR(8192)];
	size_t i = 0;
	for (; text[i] != '\0'; i++) {
		assert_room(i < sizeof buffer - 1);
		buffer[i] = text[i] == '\'' ? '"' : text[i];
	}
	buffer[i] = '\0';
	return buffer;
}

void mcp_send(const char *message)
{
	loop_say(&mcp, mcp_quoted(message));
	loop_say(&mcp, "\n");
}

void mcp_check(const char *message, const char *expected)
{
	mcp_send(message);
	loop_settle(&mcp, 2000);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(expected));
}

void mcp_check_steps(unsigned steps, const char *message, const char *expected)
{
	mcp_send(message);
	while (steps-- > 0)
		loop_step(&mcp, 1);
	assert_string_equal(loop_heard(&mcp), mcp_quoted(expected));
}
